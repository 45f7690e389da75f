//! Two CRDs as JSON, and everything in which they differ that an API server would notice.
//!
//! What stands for the same is the same: an absent keyword and its default, a list and the same set in another order,
//! `1` and `1.0`.

use super::schema_differences::schemas;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// One thing in which two CRDs differ.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Difference {
    /// The API version; empty for what all versions share.
    pub version: String,
    /// The way to it inside the version's schema: `.spec.rules[].timeout`; empty for what is no schema.
    pub path: String,
    /// What is new, gone or different, in the same words wherever it happens.
    pub what: String,
    /// Whether it is only text for people.
    pub prose: bool,
}

/// Annotations that tools leave for themselves, or that a bundle adds to every CRD.
const STAMPS: [&str; 3] = [
    "/bundle-version",
    "/channel",
    "kubectl.kubernetes.io/last-applied-configuration",
];

/// Values that mean something even when they are empty.
const MEANINGFUL: [&str; 5] = [
    "additionalProperties",
    "default",
    "example",
    "served",
    "storage",
];

/// Texts longer than this are not quoted.
const LONGEST: usize = 80;

/// Everything in which `new` differs from `old`.
#[must_use]
pub fn differences(old: &Value, new: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    for (key, old, new) in pairs(&shared(old), &shared(new)) {
        found.extend(keyword(&key, old, new).map(|what| Difference {
            version: String::new(),
            path: String::new(),
            prose: key.starts_with("metadata."),
            what,
        }));
    }
    let (old, new) = (versions(old), versions(new));
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    for name in names {
        let of_version = |path, what, prose| Difference {
            version: name.to_owned(),
            path,
            what,
            prose,
        };
        match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) => {
                for (key, old, new) in pairs(&facts(old), &facts(new)) {
                    let what = keyword(&key, old, new);
                    found.extend(what.map(|what| of_version(String::new(), what, false)));
                }
                let schema = |version: &Value| version["schema"]["openAPIV3Schema"].clone();
                schemas(&schema(old), &schema(new), &mut |path, what, prose| {
                    found.push(of_version(path, what, prose));
                });
            }
            (Some(_), None) => found.push(of_version(
                String::new(),
                "the version is gone".into(),
                false,
            )),
            (None, _) => found.push(of_version(
                String::new(),
                "the version is new".into(),
                false,
            )),
        }
    }
    found
}

/// What all versions share, by its path in the document, with what the server would fill in.
fn shared(crd: &Value) -> Map<String, Value> {
    let mut all = Map::new();
    for part in ["annotations", "labels"] {
        for (key, value) in crd["metadata"][part].as_object().into_iter().flatten() {
            if !STAMPS.iter().any(|stamp| key.ends_with(stamp)) {
                all.insert(format!("metadata.{part}.{key}"), value.clone());
            }
        }
    }
    let spec = &crd["spec"];
    let kind = spec["names"]["kind"].as_str().unwrap_or_default();
    let mut names = Map::new();
    names.insert("listKind".into(), format!("{kind}List").into());
    names.insert("singular".into(), kind.to_lowercase().into());
    names.extend(spec["names"].as_object().cloned().unwrap_or_default());
    for (key, value) in names {
        all.insert(format!("names.{key}"), value);
    }
    all.insert("scope".into(), spec["scope"].clone());
    let conversion = &spec["conversion"];
    if conversion["strategy"]
        .as_str()
        .is_some_and(|strategy| strategy != "None")
    {
        all.insert("conversion".into(), conversion.clone());
    }
    all
}

fn versions(crd: &Value) -> BTreeMap<&str, &Value> {
    let versions = crd["spec"]["versions"].as_array().into_iter().flatten();
    versions
        .filter_map(|version| Some((version["name"].as_str()?, version)))
        .collect()
}

/// What a version says besides its schema; columns by their names.
fn facts(version: &Value) -> Map<String, Value> {
    let mut all = version.as_object().cloned().unwrap_or_default();
    all.remove("schema");
    all.remove("name");
    let columns = all.remove("additionalPrinterColumns");
    for column in columns
        .as_ref()
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let mut column = column.as_object().cloned().unwrap_or_default();
        if column.get("priority").is_some_and(|priority| priority == 0) {
            column.remove("priority");
        }
        let name = column["name"].as_str().unwrap_or_default().to_owned();
        all.insert(format!("column {name}"), column.into());
    }
    all
}

/// The values of two objects side by side, without those that mean nothing.
pub(super) fn pairs<'v>(
    old: &'v Map<String, Value>,
    new: &'v Map<String, Value>,
) -> Vec<(String, Option<&'v Value>, Option<&'v Value>)> {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let says = |object: &'v Map<String, Value>, key: &String| {
        object.get(key).filter(|value| is_said(key, value))
    };
    keys.into_iter()
        .map(|key| (key.clone(), says(old, key), says(new, key)))
        .collect()
}

fn is_said(key: &str, value: &Value) -> bool {
    match value {
        Value::Null => MEANINGFUL.contains(&key),
        Value::Bool(false) => MEANINGFUL.contains(&key),
        Value::Array(items) => !items.is_empty() || MEANINGFUL.contains(&key),
        Value::Object(_) | Value::Bool(true) | Value::Number(_) | Value::String(_) => true,
    }
}

/// In what way one keyword differs, if it does.
pub(super) fn keyword(key: &str, old: Option<&Value>, new: Option<&Value>) -> Option<String> {
    let said = |value: &Value| {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        (text.len() <= LONGEST && !text.contains(['`', '\n'])).then_some(text)
    };
    let whole = |value: &Value| match said(value) {
        Some(value) => format!("`{key}: {value}`"),
        None => format!("`{key}`"),
    };
    match (old, new) {
        (None, None) => None,
        (None, Some(new)) => Some(format!("{} is new", whole(new))),
        (Some(old), None) => Some(format!("{} is gone", whole(old))),
        (Some(old), Some(new)) if same(old, new) => None,
        (Some(old), Some(new)) => Some(match (said(old), said(new)) {
            (Some(old), Some(new)) => format!("`{key}: {old}` becomes `{new}`"),
            _ => format!("`{key}` differs"),
        }),
    }
}

/// Whether two values mean the same: numbers are compared as numbers.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64().is_some_and(|one| other.as_f64() == Some(one))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::differences;
    use serde_json::{Value, json};

    fn crd(schema: Value) -> Value {
        json!({
            "metadata": {"name": "routes.example.com"},
            "spec": {
                "names": {"kind": "Route", "plural": "routes"},
                "scope": "Namespaced",
                "versions": [{
                    "name": "v1",
                    "served": true,
                    "storage": true,
                    "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": schema}}}
                }]
            }
        })
    }

    fn check(old: Value, new: Value, expected: &[&str]) {
        let shown: Vec<String> = differences(&old, &new)
            .into_iter()
            .map(|found| format!("{} {}: {}", found.version, found.path, found.what))
            .collect();
        assert_eq!(shown, expected, "{old} {new}");
    }

    fn schemas(old: Value, new: Value, expected: &[&str]) {
        check(crd(old), crd(new), expected);
    }

    #[test]
    fn what_means_the_same_is_the_same() {
        schemas(
            json!({"minimum": 1, "required": ["b", "a"], "enum": ["x", "y"], "nullable": false}),
            json!({"minimum": 1.0, "required": ["a", "b"], "enum": ["y", "x"], "properties": null}),
            &[],
        );
        let mut written = crd(json!({}));
        written["metadata"]["annotations"] = json!({"example.com/channel": "stable"});
        written["spec"]["conversion"] = json!({"strategy": "None"});
        written["spec"]["names"]["listKind"] = "RouteList".into();
        written["spec"]["names"]["singular"] = "route".into();
        written["status"] = json!({"conditions": []});
        check(crd(json!({})), written, &[]);
    }

    #[test]
    fn everything_else_is_told_with_its_place() {
        schemas(
            json!({
                "properties": {
                    "a": {"type": "string", "format": "uint32", "description": "A."},
                    "b": {"type": "array", "items": {"type": "integer", "default": null}},
                    "c": {"type": "object", "additionalProperties": {"nullable": true}},
                    "d": {"enum": ["x", null]},
                    "e": {}
                },
                "required": ["a", "e"],
                "x-kubernetes-validations": [{"rule": "self.a", "message": "m"}]
            }),
            json!({
                "properties": {
                    "a": {"type": "string", "description": "B."},
                    "b": {"type": "array", "items": {"type": "string"}},
                    "c": {"type": "object", "additionalProperties": {}},
                    "d": {"enum": ["x"]},
                    "f": {}
                },
                "required": ["b", "f"],
                "x-kubernetes-validations": [{"rule": "self.a", "message": "n"}, {"rule": "self.b"}]
            }),
            &[
                "v1 .spec.a: `description` differs",
                "v1 .spec.a: `format: uint32` is gone",
                "v1 .spec.b[]: `type: integer` becomes `string`",
                "v1 .spec.c{}: `nullable: true` is gone",
                "v1 .spec.d: the value `null` is gone",
                "v1 .spec.e: the field `e` is gone",
                "v1 .spec.f: the field `f` is new",
                "v1 .spec: the rule `self.a` differs",
                "v1 .spec: the rule `self.b` is new",
                "v1 .spec.a: it is not required any more",
                "v1 .spec.b: it is required now",
            ],
        );
    }

    #[test]
    fn versions_and_what_they_share_are_compared() {
        let mut new = crd(json!({}));
        new["metadata"]["labels"] = json!({"app": "x"});
        new["spec"]["scope"] = "Cluster".into();
        new["spec"]["versions"][0]["served"] = false.into();
        new["spec"]["versions"][0]["additionalPrinterColumns"] =
            json!([{"name": "Age", "type": "date", "jsonPath": ".x", "priority": 0}]);
        let mut other = new["spec"]["versions"][0].clone();
        other["name"] = "v2".into();
        new["spec"]["versions"]
            .as_array_mut()
            .into_iter()
            .for_each(|all| all.push(other.clone()));
        check(
            crd(json!({})),
            new,
            &[
                " : `metadata.labels.app: x` is new",
                " : `scope: Namespaced` becomes `Cluster`",
                "v1 : `column Age: {\"jsonPath\":\".x\",\"name\":\"Age\",\"type\":\"date\"}` is new",
                "v1 : `served: true` becomes `false`",
                "v2 : the version is new",
            ],
        );
    }
}
