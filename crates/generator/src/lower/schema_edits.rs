//! What the statements of a hand-written schema do to what is made so far.

use crate::Text;
use crate::schema::draft::{Edit, Literal};
use serde_json::Value;

/// Puts a key into an object, over one of the same name.
pub(super) fn set<T>(entries: &mut Vec<(Text, T)>, key: Text, value: T) {
    match entries.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => entries.push((key, value)),
    }
}

/// Adds to a list, or takes out of it.
pub(super) fn change_list(list: &mut Literal, edit: Edit) -> bool {
    if let Literal::Value(Value::Array(items)) = list {
        let items = std::mem::take(items).into_iter();
        *list = Literal::Array(items.map(Literal::Value).collect());
    }
    match (list, edit) {
        (Literal::Array(items), Edit::Push(value)) => items.push(value),
        (Literal::Array(items), Edit::Drop(asked)) => {
            if !items.iter().all(|item| is_told(item, asked.key.as_deref())) {
                return false;
            }
            asked.drop_from(items, says);
        }
        _ => return false,
    }
    true
}

/// Whether it can be told what an item says for a keyword, or the item itself.
fn is_told(item: &Literal, key: Option<&str>) -> bool {
    match (item, key) {
        (Literal::Value(_), _) => true,
        (Literal::Object(entries), Some(key)) => entries
            .iter()
            .all(|(known, value)| &**known != key || matches!(value, Literal::Value(_))),
        _ => false,
    }
}

/// What an item says for a keyword, or the item itself.
fn says(item: &Literal, key: Option<&str>) -> Option<Value> {
    match (item, key) {
        (Literal::Value(value), None) => Some(value.clone()),
        (Literal::Value(value), Some(key)) => value.get(key).cloned(),
        (Literal::Object(entries), Some(key)) => {
            let found = entries.iter().find(|(known, _)| &**known == key);
            match found {
                Some((_, Literal::Value(value))) => Some(value.clone()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Changes a schema's key, whatever the schema is written as.
pub(super) fn change(target: &mut Literal, key: Text, edit: Edit) -> bool {
    match (target, edit) {
        (Literal::Schema(_, edits), edit) => edits.push((key, edit)),
        (Literal::Object(entries), Edit::Set(value)) => set(entries, key, value),
        (Literal::Object(entries), Edit::Remove) => entries.retain(|(known, _)| *known != key),
        (Literal::Object(entries), edit @ (Edit::Push(_) | Edit::Drop(_))) => {
            let found = entries.iter_mut().find(|(known, _)| *known == key);
            return found.is_none_or(|(_, list)| change_list(list, edit));
        }
        // `true` becomes an object as soon as something is put into it.
        (target @ Literal::Value(Value::Bool(true)), Edit::Set(value)) => {
            *target = Literal::Object(vec![(key, value)]);
        }
        _ => return false,
    }
    true
}
