//! Constant folding by servers when they build a program, and the errors that make it fail.

use super::checked::Checked;
use super::type_names::is_found_at_run_time;
use crate::core::{Id, Kind};
use crate::diagnostic::{Code, Diagnostic};
use crate::functions::{is_conversion, run, takes_pattern};
use crate::go_regexp;
use crate::operators::{INDEX, OPTIONAL_INDEX};
use crate::syntax::ast::Literal;
use crate::types::Type;
use crate::value::{Stop, Val, constant_of};

/// The first error of constant folding.
pub(super) fn fault(checked: &Checked) -> Option<Diagnostic> {
    let mut known: Vec<Option<Val>> = vec![None; checked.tree().len()];
    for (id, node) in checked.tree().nodes() {
        match constant(checked, id, &known) {
            Ok(found) => {
                if let Some(slot) = known.get_mut(id.0) {
                    *slot = found;
                }
            }
            Err(message) => {
                return Some(Diagnostic::new(
                    Code::Unrunnable,
                    node.range.clone(),
                    node.at,
                    message,
                ));
            }
        }
    }
    None
}

type Computed = Result<Option<Val>, String>;

fn constant(checked: &Checked, id: Id, known: &[Option<Val>]) -> Computed {
    let Some(node) = checked.tree().node(id) else {
        return Ok(None);
    };
    let of = |id: &Id| known.get(id.0).and_then(Option::as_ref);
    match &node.kind {
        Kind::Literal(literal) => Ok(Some(constant_of(literal))),
        Kind::Identifier(_) | Kind::Select { is_test: false, .. } => type_name(checked, id),
        Kind::List(elements) => {
            let items = elements.iter().map(|(element, _)| of(element).cloned());
            let items: Option<Vec<Val>> = items.collect();
            Ok(items.map(Val::list))
        }
        Kind::Map(entries) => {
            let all = |(key, value, _): &(Id, Id, bool)| of(key).is_some() && of(value).is_some();
            if !entries.iter().all(all) {
                return Ok(None);
            }
            let bytes = |(key, _, _): &(Id, Id, bool)| matches!(of(key), Some(Val::Bytes(_)));
            if entries.iter().any(bytes) {
                return Err("API servers fail on a constant map whose keys are bytes".to_owned());
            }
            let pairs = entries.iter();
            let pairs = pairs.map(|(key, value, _)| Some((of(key).cloned()?, of(value).cloned()?)));
            let pairs: Option<Vec<(Val, Val)>> = pairs.collect();
            Ok(pairs.map(Val::map))
        }
        Kind::Call {
            function,
            target,
            arguments,
        } => {
            let all: Vec<Id> = target.iter().chain(arguments).copied().collect();
            if takes_pattern(function)
                && let Some(Val::String(pattern)) = all.get(1).and_then(of)
                && let Err(fault) = go_regexp::check(pattern)
            {
                return Err(format!("`{pattern}` is not a pattern: {fault}"));
            }
            if let (INDEX | OPTIONAL_INDEX, Some(index)) = (&**function, all.get(1).and_then(of))
                && !is_index(index)
            {
                return Err("a constant of this type cannot be an index or a key".to_owned());
            }
            match (all.as_slice(), target) {
                ([argument], None) => match of(argument) {
                    Some(value) => converted(function, value),
                    None => Ok(None),
                },
                _ => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

/// The name of a type is a constant. Servers look for a type even if a variable holds one.
fn type_name(checked: &Checked, id: Id) -> Computed {
    if !matches!(checked.ty(id), Type::Type(_)) {
        return Ok(None);
    }
    let Some(name) = checked.tree().qualified(id).filter(|_| checked.is_name(id)) else {
        return Ok(None);
    };
    let name = name.strip_prefix('.').unwrap_or(&name);
    if is_found_at_run_time(name) {
        return Ok(Some(Val::Type(name.into())));
    }
    Err(format!(
        "the type `{name}` is unknown to API servers when a rule runs"
    ))
}

/// The result of converting a constant.
fn converted(function: &str, value: &Val) -> Computed {
    if !is_conversion(function) {
        return Ok(None);
    }
    match run(function, std::slice::from_ref(value)) {
        Ok(made) => Ok(Some(made)),
        Err(Stop::Unknown) => Ok(Some(Val::Opaque)),
        Err(Stop::Error) => Err(format!("`{function}(..)` cannot convert this constant")),
    }
}

/// Whether a constant can be a point in time.
pub(super) fn is_timestamp(literal: &Literal) -> bool {
    run("timestamp", &[constant_of(literal)]).is_ok()
}

/// Whether a constant can be an index or a key.
fn is_index(constant: &Val) -> bool {
    use Val::{Bool, Double, Int, String, Uint};
    matches!(constant, Bool(_) | Int(_) | Uint(_) | Double(_) | String(_))
}
