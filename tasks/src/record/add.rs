//! New cases of the record: the CRDs of a file, each as short as possible.

use super::cases::{Cases, small};
use crd_channels_envtest::{Failure, io};
use crd_channels_released::documents;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Returns a case for each CRD in a file of YAML documents.
pub fn cases(file: &Path, known: &[Value]) -> Result<Vec<Value>, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| io("read", file, &error))?;
    let documents = documents::parse(&text)
        .map_err(|error| Failure::new(format!("`{}`: {error}", file.display())))?;
    let mut named = Cases::default();
    for case in known.iter().filter(|case| case.get("name").is_some()) {
        named.crd(case).map_err(Failure::new)?;
    }
    Ok(documents.iter().map(|crd| shortest(crd, &named)).collect())
}

/// Returns the shortest case for a CRD.
fn shortest(crd: &Value, named: &Cases) -> Value {
    let of_named = named.named_cases().map(|(name, base)| {
        let mut case = difference(base, crd);
        case["of"] = name.as_str().into();
        case
    });
    let cases = [difference(&small(), crd), json!({"set": {"": crd}})];
    let cases = cases.into_iter().chain(of_named);
    cases
        .min_by_key(|case| case.to_string().len())
        .unwrap_or_default()
}

/// Returns a case that changes one CRD into another.
fn difference(base: &Value, crd: &Value) -> Value {
    let (mut set, mut remove) = (Map::new(), Vec::new());
    compare(base, crd, "", &mut set, &mut remove);
    let mut case = json!({});
    if !set.is_empty() {
        case["set"] = set.into();
    }
    if !remove.is_empty() {
        case["remove"] = remove.into();
    }
    case
}

fn compare(
    base: &Value,
    crd: &Value,
    at: &str,
    set: &mut Map<String, Value>,
    remove: &mut Vec<Value>,
) {
    match (base, crd) {
        (Value::Object(base), Value::Object(fields)) => {
            for name in base.keys().filter(|name| !fields.contains_key(*name)) {
                remove.push(child_pointer(at, name).into());
            }
            for (name, value) in fields {
                let at = child_pointer(at, name);
                match base.get(name) {
                    Some(base) => compare(base, value, &at, set, remove),
                    None => _ = set.insert(at, value.clone()),
                }
            }
        }
        (Value::Array(base), Value::Array(items)) if base.len() == items.len() => {
            for (index, (base, item)) in base.iter().zip(items).enumerate() {
                compare(
                    base,
                    item,
                    &child_pointer(at, &index.to_string()),
                    set,
                    remove,
                );
            }
        }
        _ if base == crd => {}
        _ => _ = set.insert(at.to_owned(), crd.clone()),
    }
}

/// Returns the JSON pointer to a field or an item.
fn child_pointer(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::shortest;
    use crate::record::cases::{Cases, small};
    use serde_json::json;

    #[test]
    fn a_case_is_the_crd_that_it_was_made_of() {
        let mut named = Cases::default();
        let same = "what both have".repeat(9);
        let base = json!({"a": [1, {"b~/c": 2}], "d": 0, "same": same});
        named
            .crd(&json!({"name": "base", "set": {"": base}}))
            .unwrap();
        let mut other = small();
        other["spec"]["names"]["plural"] = json!(null);
        other["spec"].as_object_mut().unwrap().remove("group");
        for (crd, case) in [
            (
                other,
                json!({"set": {"/spec/names/plural": null}, "remove": ["/spec/group"]}),
            ),
            (
                json!({"a": [1, {"b~/c": {"e": 3}}], "same": same}),
                json!({"of": "base", "set": {"/a/1/b~0~1c": {"e": 3}}, "remove": ["/d"]}),
            ),
            (json!([1]), json!({"set": {"": [1]}})),
        ] {
            let made = shortest(&crd, &named);
            assert_eq!(made, case);
            assert_eq!(named.crd(&made).unwrap(), crd);
        }
    }
}
