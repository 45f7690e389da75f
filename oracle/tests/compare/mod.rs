//! How a CRD of the generator is compared with kube's: version by version, without what kube-derive cannot say.

use serde_json::Value;
use std::collections::BTreeSet;

/// `Kind/version` and the CRD with that version alone, without what is not compared.
pub fn by_version(crd: &Value) -> Vec<(String, Value)> {
    let versions = crd["spec"]["versions"].as_array().unwrap();
    let kind = crd["spec"]["names"]["kind"].as_str().unwrap();
    versions
        .iter()
        .map(|version| {
            let name = version["name"].as_str().unwrap();
            let mut alone = crd.clone();
            alone["spec"]["versions"] = Value::Array(vec![version.clone()]);
            remove_stamp(&mut alone);
            remove_list_kind(&mut alone);
            (format!("{kind}/{name}"), alone)
        })
        .collect()
}

fn remove_stamp(crd: &mut Value) {
    let metadata = crd["metadata"].as_object_mut().unwrap();
    let Some(annotations) = metadata
        .get_mut("annotations")
        .and_then(Value::as_object_mut)
    else {
        return;
    };
    annotations.retain(|key, _| !key.ends_with("/bundle-version") && !key.ends_with("/channel"));
    if annotations.is_empty() {
        metadata.remove("annotations");
    }
}

/// kube leaves the default to the server.
fn remove_list_kind(crd: &mut Value) {
    let names = crd["spec"]["names"].as_object_mut().unwrap();
    let default = format!("{}List", names["kind"].as_str().unwrap());
    if names
        .get("listKind")
        .is_some_and(|list_kind| *list_kind == *default)
    {
        names.remove("listKind");
    }
}

/// Collects the places where two values differ. Numbers are equal when their values are.
pub fn compare(
    ours: Option<&Value>,
    kube: Option<&Value>,
    path: &str,
    found: &mut Vec<(String, String)>,
) {
    match (ours, kube) {
        (Some(Value::Object(ours)), Some(Value::Object(kube))) => {
            let keys: BTreeSet<&String> = ours.keys().chain(kube.keys()).collect();
            for key in keys {
                compare(
                    ours.get(key),
                    kube.get(key),
                    &format!("{path}.{key}"),
                    found,
                );
            }
        }
        (Some(Value::Array(ours)), Some(Value::Array(kube))) if ours.len() == kube.len() => {
            for (index, (ours, kube)) in ours.iter().zip(kube).enumerate() {
                compare(Some(ours), Some(kube), &format!("{path}[{index}]"), found);
            }
        }
        (Some(Value::Number(ours)), Some(Value::Number(kube)))
            if ours.as_f64() == kube.as_f64() => {}
        _ if ours == kube => {}
        _ => {
            let shown =
                |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
            found.push((
                path.to_owned(),
                format!("    ours: {}\n    kube: {}", shown(ours), shown(kube)),
            ));
        }
    }
}
