//! The records of fields in objects: what each client wrote, and in which version.
//!
//! Servers cannot apply an object that has a record in a version which its CRD no longer has. So records move with the objects to
//! the version that stays.

use crate::commands::crd_document::CrdDocument;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn records(object: &Value) -> &[Value] {
    let records = object.pointer("/metadata/managedFields");
    let records = records.and_then(Value::as_array);
    records.map(Vec::as_slice).unwrap_or_default()
}

fn version<'o>(record: &'o Value, group: &str) -> Option<&'o str> {
    let (known, version) = record.get("apiVersion")?.as_str()?.split_once('/')?;
    (known == group).then_some(version)
}

/// Returns the versions of a group in which clients write an object.
pub(in crate::commands) fn written_in<'o>(object: &'o Value, group: &str) -> BTreeSet<&'o str> {
    let records = records(object).iter();
    records.filter_map(|it| version(it, group)).collect()
}

/// Returns the JSON patch that moves records to the storage version, from the versions that are leaving; `None` if there is nothing
/// to move. A client has one record in a version, so a second one is left out.
///
/// Without a webhook all versions have the same fields. What a webhook does to the name of a field is not known.
pub(in crate::commands) fn moving(
    object: &Value,
    crd: &CrdDocument,
    is_leaving: impl Fn(&str) -> bool,
) -> Option<String> {
    let group = crd.group();
    let storage = crd.storage();
    let client = |record: &Value| {
        ["manager", "operation", "subresource"].map(|key| record.get(key).cloned())
    };
    let records = records(object);
    let staying = records
        .iter()
        .filter(|it| version(it, group) == Some(storage));
    let mut staying: Vec<_> = staying.map(client).collect();
    let mut moves = Vec::new();
    for (at, record) in records.iter().enumerate() {
        if crd.has_webhook() || !version(record, group).is_some_and(&is_leaving) {
            continue;
        }
        let path = format!("/metadata/managedFields/{at}");
        let tests = ["apiVersion", "manager", "operation"].map(
            |key| json!({"op": "test", "path": format!("{path}/{key}"), "value": record.get(key)}),
        );
        let client = client(record);
        let change = match staying.contains(&client) {
            true => json!({"op": "remove", "path": path}),
            false => {
                json!({"op": "replace", "path": format!("{path}/apiVersion"), "value": format!("{group}/{storage}")})
            }
        };
        staying.push(client);
        moves.push(tests.into_iter().chain([change]));
    }
    // From the last one, since those behind one that is removed move up.
    let steps: Vec<Value> = moves.into_iter().rev().flatten().collect();
    (!steps.is_empty()).then(|| Value::from(steps).to_string())
}
