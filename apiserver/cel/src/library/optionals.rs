//! Optionals.

use super::{Answer, Stop, UNFIT, Val};

pub(crate) fn of_value(given: &[Val]) -> Answer {
    let [value] = given else { return UNFIT };
    Ok(Val::optional(Some(value.clone())))
}

pub(crate) fn of_non_zero(given: &[Val]) -> Answer {
    let [value] = given else { return UNFIT };
    let is_zero = match value {
        Val::Null | Val::Zero | Val::Bool(false) | Val::Int(0) | Val::Uint(0) => true,
        Val::Duration(span) => *span == 0,
        Val::Double(number) => *number == 0.0,
        Val::String(text) => text.is_empty(),
        Val::Bytes(bytes) => bytes.is_empty(),
        // An empty list literal is zero, and an empty list of an object is not.
        Val::List(items) | Val::Unordered(items) if !items.is_empty() => false,
        Val::Map(entries) if !entries.is_empty() => false,
        Val::Object(_) => false,
        Val::Optional(_) | Val::Bool(true) | Val::Int(_) | Val::Uint(_) => false,
        _ => return UNFIT,
    };
    Ok(Val::optional((!is_zero).then(|| value.clone())))
}

pub(crate) fn none(_: &[Val]) -> Answer {
    Ok(Val::Optional(None))
}

pub(crate) fn has_value(given: &[Val]) -> Answer {
    let [Val::Optional(inner)] = given else {
        return UNFIT;
    };
    Ok(Val::Bool(inner.is_some()))
}

pub(crate) fn value(given: &[Val]) -> Answer {
    let [Val::Optional(inner)] = given else {
        return UNFIT;
    };
    inner.as_deref().cloned().ok_or(Stop::Error)
}

pub(crate) fn first(given: &[Val]) -> Answer {
    let [list] = given else { return UNFIT };
    Ok(Val::optional(list.items()?.first().cloned()))
}

pub(crate) fn last(given: &[Val]) -> Answer {
    let [list] = given else { return UNFIT };
    Ok(Val::optional(list.items()?.last().cloned()))
}

/// The values of the optionals that have one.
pub(crate) fn unwrap(given: &[Val]) -> Answer {
    let [list] = given else { return UNFIT };
    let mut values = Vec::new();
    for item in list.items()?.iter() {
        match item {
            Val::Optional(inner) => values.extend(inner.as_deref().cloned()),
            Val::Opaque => return UNFIT,
            _ => return Err(Stop::Error),
        }
    }
    Ok(Val::list(values))
}
