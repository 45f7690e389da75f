//! Lists with unique items: sets, and lists with keys.

use crate::path::Path;
use crate::schema::Schema;
use crate::violation::{Reason, Violations};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Adds duplicate items. `at` is the path of the value, unless it is a whole object.
pub fn uniqueness(
    value: &Value,
    schema: &Schema<'_>,
    at: Option<Path<'_>>,
    violations: &mut Violations,
) {
    match (value, at) {
        (Value::Object(fields), at) => {
            for (name, value) in fields {
                if let Some(property) = schema.properties.get(name) {
                    let path = at.as_ref().map_or(Path::root(name), |at| at.child(name));
                    uniqueness(value, property, Some(path), violations);
                } else if let (Some(values), Some(at)) = (schema.values(), at.as_ref()) {
                    uniqueness(value, values, Some(at.key(name)), violations);
                }
            }
        }
        (Value::Array(items), Some(at)) => validate_list(items, schema, at, violations),
        _ => {}
    }
}

fn validate_list(items: &[Value], schema: &Schema<'_>, at: Path<'_>, violations: &mut Violations) {
    match schema.list_type {
        Some("set") => repeated(items.iter().cloned(), at, violations),
        Some("map") => keyed(items, schema, at, violations),
        _ => {}
    }
    if let Some(item) = schema.item() {
        for (index, value) in items.iter().enumerate() {
            uniqueness(value, item, Some(at.index(index)), violations);
        }
    }
}

fn keyed(items: &[Value], schema: &Schema<'_>, at: Path<'_>, violations: &mut Violations) {
    let mut misfits = items
        .iter()
        .enumerate()
        .filter(|(_, item)| !item.is_object() && !item.is_null());
    if let Some((index, item)) = misfits.next() {
        let message = format!("{item} is not an object, as the items of a list with keys are");
        violations.refuse(Reason::Invalid, at.index(index), message);
        return;
    }
    let keys = |item: &Value| -> Value {
        let keys = schema.list_map_keys.iter();
        let present = keys.filter_map(|key| Some(((*key).to_owned(), item.get(*key)?.clone())));
        Value::Object(present.collect::<Map<_, _>>())
    };
    repeated(items.iter().map(keys), at, violations);
}

/// Reports each duplicate value at its second occurrence.
fn repeated(values: impl Iterator<Item = Value>, at: Path<'_>, violations: &mut Violations) {
    let mut times: HashMap<String, usize> = HashMap::new();
    for (index, value) in values.enumerate() {
        let times = times.entry(value.to_string()).or_default();
        *times += 1;
        if *times == 2 {
            let message = format!("`{value}` occurs twice");
            violations.refuse(Reason::Duplicate, at.index(index), message);
        }
    }
}
