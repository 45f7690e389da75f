//! What differs before and after an update: faults, and the values that a server stores.

use crate::commands::validate::verdict::Fault;
use crd_channels_diagnostics::Code;
use crd_channels_validation::Reason;
use crd_channels_validation::path::FieldPath;
use serde_json::Value;
use std::collections::BTreeMap;

/// Removes the faults that an object had before, each at most as often as it had them. A limit or a list of values that changed
/// refuses nothing new, so the words of their messages do not count, unless they tell two faults of a field apart. Rules have none
/// of these reasons.
pub(super) fn remove_known(before: &[Fault], after: &mut Vec<Fault>) {
    let exact = |fault: &Fault| fault.message.clone();
    let without_digits = |fault: &Fault| fault.message.replace(|c: char| c.is_ascii_digit(), "");
    let of_keyword = |fault: &Fault| match fault.reason {
        Some(
            reason @ (Reason::NotSupported
            | Reason::TooLong
            | Reason::TooMany
            | Reason::TypeInvalid),
        ) => reason.name().to_owned(),
        _ => without_digits(fault),
    };
    let mut known: Vec<&Fault> = before.iter().collect();
    for words in [
        &exact as &dyn Fn(&Fault) -> String,
        &without_digits,
        &of_keyword,
    ] {
        let key = |fault: &Fault| (fault.code, fault.field.clone(), words(fault));
        let mut counted: BTreeMap<_, usize> = BTreeMap::new();
        for fault in &known {
            *counted.entry(key(fault)).or_default() += 1;
        }
        let mut found: BTreeMap<_, usize> = BTreeMap::new();
        after.retain(|fault| {
            let key = key(fault);
            let left = counted.get_mut(&key).filter(|left| **left > 0);
            let is_known = left.map(|left| *left -= 1).is_some();
            if is_known {
                *found.entry(key).or_default() += 1;
            }
            !is_known
        });
        known.retain(|fault| {
            let used = found.get_mut(&key(fault)).filter(|used| **used > 0);
            used.map(|used| *used -= 1).is_none()
        });
    }
}

/// Collects the fields that differ in what a server stores: by defaults that are new, changed or gone, or because it dropped them
/// before.
pub(super) fn compare(old: &Value, new: &Value, at: &FieldPath, changes: &mut Vec<Fault>) {
    match (old, new) {
        (old, new) if old == new => {}
        (Value::Object(old), Value::Object(new)) => {
            for (name, value) in new {
                let at = at.clone().child(name);
                match old.get(name) {
                    Some(old) => compare(old, value, &at, changes),
                    None => changes.push(changed(at, None, Some(value))),
                }
            }
            let gone = old.iter().filter(|(name, _)| !new.contains_key(*name));
            let gone = gone.map(|(name, value)| changed(at.clone().child(name), Some(value), None));
            changes.extend(gone);
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                compare(old, new, &at.clone().index(index), changes);
            }
        }
        (old, new) => changes.push(changed(at.clone(), Some(old), Some(new))),
    }
}

/// The maximum length of a value in a message.
const MOST_SHOWN: usize = 60;

fn changed(at: FieldPath, old: Option<&Value>, new: Option<&Value>) -> Fault {
    let shown = |value: &Value| {
        let text = value.to_string();
        match text.char_indices().nth(MOST_SHOWN) {
            Some((end, _)) => format!("`{}..`", text.get(..end).unwrap_or_default()),
            None => format!("`{text}`"),
        }
    };
    let message = match (old.map(shown), new.map(shown)) {
        (Some(old), Some(new)) => format!("{at} becomes {new}, and was {old}"),
        (None, Some(new)) => format!("{at} becomes {new}, and was not set"),
        (Some(old), None) => format!("{at} is no longer set, and was {old}"),
        (None, None) => at.to_string(),
    };
    Fault::new(Code::ObjectDefaulted, at, message)
}
