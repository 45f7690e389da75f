//! Which Kubernetes an expression needs.

use crate::check::Checked;
use crate::core::{Id, Kind};
use crate::macros::macro_called;
use crate::syntax::ast::{self, Expression};

/// The minor whose servers evaluate rules unless they are told not to: 1.25.
pub const BASE: u32 = 25;

/// What brought optional types.
const OPTIONALS: u32 = 28;

/// The oldest Kubernetes minor that knows all that an expression uses.
///
/// A server compiles new rules as the minor before it would, so that a rule is still known after a downgrade. Where a
/// function is brought by a minor, rules can use it from the minor after that on.
#[must_use]
pub fn oldest_minor(written: &Expression, checked: &Checked) -> u32 {
    let ids = checked.tree().nodes().map(|(id, _)| id);
    ids.map(|id| needed_by(checked, id))
        .chain([of_macros(written)])
        .fold(BASE, u32::max)
}

fn needed_by(checked: &Checked, id: Id) -> u32 {
    let optional = checked
        .tree()
        .node(id)
        .is_some_and(|node| match &node.kind {
            Kind::OptionalSelect { .. } => true,
            Kind::List(elements) => elements.iter().any(|(_, optional)| *optional),
            Kind::Map(entries) => entries.iter().any(|(_, _, optional)| *optional),
            _ => false,
        });
    // A call needs one of the overloads that fit, not all.
    let overloads = checked.overloads(id).iter().map(|overload| overload.since);
    let needed = overloads.min().unwrap_or(BASE);
    if optional {
        needed.max(OPTIONALS)
    } else {
        needed
    }
}

fn of_macros(expression: &Expression) -> u32 {
    let own = match &expression.kind {
        ast::Kind::Call {
            target,
            function,
            arguments,
        } => macro_called(&function.text, target.is_some(), arguments.len()),
        _ => None,
    };
    let below = expression.kind.children().into_iter().map(of_macros);
    below.fold(own.map_or(BASE, |row| row.since), u32::max)
}
