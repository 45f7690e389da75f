//! The Kubernetes minor that an expression needs.

pub use crate::minors::{BASE, NEWEST, OLDEST};

use crate::calls::Call;
use crate::check::{Checked, signature};
use crate::core::{CoreNode, Id, Kind};
use crate::operators::{EQUAL, operator_text as operator};
use crate::syntax::RESERVED;
use crate::syntax::ast::{self, Expression};
use crate::types::Type;
use std::ops::Range;

/// The minor that added optional types.
const OPTIONALS: u32 = 28;

/// The minor that priced `==` of values of libraries; before it they were assumed to be as large as a request.
const EQUAL_PRICE: u32 = 32;

/// The minor that allowed fields with names that are reserved for variables, as in `self.namespace`.
const RESERVED_FIELDS: u32 = 31;

/// The minor that allowed fields in backticks, as in ``self.labels.`a.b/c` ``. The parser is that of the newest version for all rules.
const QUOTED_FIELDS: u32 = 37;

/// The minor that added the types of addresses and networks.
const ADDRESSES: u32 = 30;

/// A part of an expression that older servers do not know.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Need {
    /// The oldest minor whose servers accept it in a new rule.
    pub minor: u32,
    /// The oldest minor whose servers know it, and accept it in an existing rule.
    pub known: u32,
    /// Its description: the name of a function, an operator with its types, a piece of syntax.
    pub what: String,
    /// Its span, in bytes.
    pub range: Range<usize>,
    /// The offset to point at, in bytes.
    pub at: usize,
}

/// The oldest Kubernetes minor whose servers accept an expression in a new rule.
#[must_use]
pub fn oldest_minor(written: &Expression, checked: &Checked) -> u32 {
    newest_need(written, checked).map_or(BASE, |need| need.minor)
}

/// The part of an expression that needs the newest Kubernetes, the first of several; `None` if every server with rules knows
/// all of it.
#[must_use]
pub fn newest_need(written: &Expression, checked: &Checked) -> Option<Need> {
    let mut needs = Vec::new();
    of_macros(written, &mut needs);
    of_quotes(written, &mut needs);
    let nodes = checked.tree().nodes();
    needs.extend(nodes.filter_map(|(id, node)| of_node(checked, id, node)));
    // The name of a macro covers its expansion.
    needs.into_iter().rev().max_by_key(|need| need.minor)
}

/// A server compiles new rules like the previous minor, so that they still work after a downgrade: rules can use the additions
/// of a minor from the next one on.
fn brought(since: u32, what: impl Into<String>, range: &Range<usize>, at: usize) -> Option<Need> {
    (since > BASE).then(|| Need {
        minor: since + 1,
        known: since,
        what: what.into(),
        range: range.clone(),
        at,
    })
}

fn of_node(checked: &Checked, id: Id, node: &CoreNode) -> Option<Need> {
    let part = |since: u32, what: &str| brought(since, what, &node.range, node.at);
    let optional = |what: &str| part(OPTIONALS, what);
    match &node.kind {
        Kind::OptionalSelect { .. } => optional(".?"),
        Kind::Select { field, .. } if checked.is_name(id) && matches!(&**field, "IP" | "CIDR") => {
            part(ADDRESSES, &format!("net.{field}"))
        }
        Kind::Select { operand, field, .. }
            if RESERVED.contains(&&**field) && matches!(checked.ty(*operand), Type::Object(_)) =>
        {
            part(RESERVED_FIELDS, &format!(".{field}"))
        }
        Kind::List(elements) if elements.iter().any(|(_, optional)| *optional) => optional("[?..]"),
        Kind::Map(entries) if entries.iter().any(|(_, _, optional)| *optional) => optional("{?..}"),
        Kind::Call {
            function,
            arguments,
            ..
        } if &**function == EQUAL => equal(checked, arguments).map(|what| Need {
            minor: EQUAL_PRICE,
            known: BASE,
            what,
            range: node.range.clone(),
            at: node.at,
        }),
        Kind::Call { .. } => {
            // A call needs one of the matching overloads, not all.
            let overloads = checked.overloads(id).iter();
            let overload = overloads.min_by_key(|overload| overload.since)?;
            let what = if operator(overload.name) == overload.name {
                overload.name.to_owned()
            } else {
                signature(overload.name, &overload.takes, overload.style)
            };
            brought(overload.since, what, &node.range, node.at)
        }
        _ => None,
    }
}

/// A comparison of two values of one library.
fn equal(checked: &Checked, operands: &[Id]) -> Option<String> {
    let mut types = operands.iter().map(|operand| checked.ty(*operand));
    let (left, right) = (types.next()?, types.next()?);
    let same = matches!(left, Type::Library(_)) && left == right;
    same.then(|| format!("{left} == {right}"))
}

fn of_quotes(expression: &Expression, needs: &mut Vec<Need>) {
    needs.extend(expression.parts().filter_map(|part| {
        let ast::Kind::Select { field, .. } = &part.kind else {
            return None;
        };
        (field.range.len() > field.text.len()).then(|| Need {
            minor: QUOTED_FIELDS,
            known: QUOTED_FIELDS,
            what: format!(".`{}`", field.text),
            range: part.range.clone(),
            at: part.at,
        })
    }));
}

fn of_macros(expression: &Expression, needs: &mut Vec<Need>) {
    needs.extend(expression.parts().filter_map(|part| {
        let Some(Call::Macro(of)) = part.call() else {
            return None;
        };
        let name = of.row.name;
        let what = if of.row.variables == 2 {
            format!("{name}(a, b, ..)")
        } else {
            name.to_owned()
        };
        brought(of.row.since, what, &part.range, part.at)
    }));
}
