//! Constants that servers validate at compile time: times, patterns, formats.

use super::checked::Checked;
use super::format;
use crate::core::{Id, Kind};
use crate::diagnostic::{Code, Diagnostic};
use crate::go_regexp;
use crate::syntax::ast::Literal;
use crate::time::duration;

use super::constants::is_timestamp;

/// The first minor that validates formats.
const FORMATS: u32 = 32;

pub(super) fn faults(checked: &Checked) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (id, node) in checked.tree().nodes() {
        let Kind::Call {
            function,
            target,
            arguments,
        } = &node.kind
        else {
            continue;
        };
        if let Some(message) = first_argument(checked, function, arguments) {
            let at = arguments
                .first()
                .and_then(|first| checked.tree().node(*first));
            let place = at.unwrap_or(node);
            found.push(Diagnostic::new(
                Code::Constant,
                place.range.clone(),
                place.at,
                message,
            ));
        }
        if let (Some(target), "format") = (target, &**function) {
            let fault = format::fault(checked, id, *target, arguments);
            found.extend(fault.map(|fault| fault.since(FORMATS)));
        }
    }
    found
}

/// The error in a first argument that is a constant.
fn first_argument(checked: &Checked, function: &str, arguments: &[Id]) -> Option<String> {
    let node = checked.tree().node(*arguments.first()?)?;
    let Kind::Literal(literal) = &node.kind else {
        return None;
    };
    match (function, literal) {
        ("duration", Literal::String(text)) => {
            let wrong = duration(text).is_none();
            wrong.then(|| format!("`{text}` is not a duration such as `1h30m`"))
        }
        ("duration", Literal::Int(_)) => {
            Some("a number is not a duration such as `1h30m`".to_owned())
        }
        ("timestamp", Literal::String(_) | Literal::Int(_)) => {
            let message = "this is not a timestamp such as `2006-01-02T15:04:05Z`";
            (!is_timestamp(literal)).then(|| message.to_owned())
        }
        // In `matches(text, pattern)`, servers validate the text as the pattern.
        ("matches", Literal::String(pattern)) => go_regexp::check(pattern)
            .err()
            .map(|fault| format!("`{pattern}` is not a pattern: {fault}")),
        _ => None,
    }
}
