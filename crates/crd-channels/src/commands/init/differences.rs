//! Two CRDs as JSON, and everything in which they differ that an API server would notice.
//!
//! What stands for the same is the same: an absent keyword and its default, a list and the same set in another order,
//! `1` and `1.0`.

use super::schema_differences::schemas;
use serde_json::{Map, Number, Value};
use std::collections::{BTreeMap, BTreeSet};

/// One thing in which two CRDs differ.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Difference {
    /// The API version; empty for what all versions share.
    pub version: String,
    /// The way to it inside the version's schema: `.spec.rules[].timeout`; empty for what is not a schema.
    pub path: String,
    /// What is new, gone or different.
    pub what: What,
}

/// In what way something differs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct What {
    /// What is new, gone or different, in the same words wherever it happens.
    pub text: String,
    /// What many of its kind are called together: `fields are new`.
    pub many: Option<&'static str>,
    /// Whether it is only text for people.
    pub prose: bool,
}

impl What {
    /// Something that an API server or a tool notices.
    #[must_use]
    pub fn meaning(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            many: None,
            prose: false,
        }
    }

    /// Text for people.
    #[must_use]
    pub fn prose(text: impl Into<String>) -> Self {
        Self {
            prose: true,
            ..Self::meaning(text)
        }
    }

    /// The same as one of many.
    #[must_use]
    pub fn of_many(self, many: &'static str) -> Self {
        Self {
            many: Some(many),
            ..self
        }
    }
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

/// What bounds a value.
const LIMITS: [&str; 10] = [
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
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
            what,
        }));
    }
    let (old, new) = (versions(old), versions(new));
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    for name in names {
        let of_version = |path, what| Difference {
            version: name.to_owned(),
            path,
            what,
        };
        match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) => {
                for (key, old, new) in pairs(&facts(old), &facts(new)) {
                    let what = keyword(&key, old, new);
                    found.extend(what.map(|what| of_version(String::new(), what)));
                }
                let schema = |version: &Value| version["schema"]["openAPIV3Schema"].clone();
                schemas(&schema(old), &schema(new), &mut |path, what| {
                    found.push(of_version(path, what));
                });
            }
            (Some(_), None) => found.push(of_version(
                String::new(),
                What::meaning("the version is removed"),
            )),
            (None, _) => found.push(of_version(
                String::new(),
                What::meaning("the version is new"),
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
        // kube before 4.2 writes it for every kind without any.
        Value::Object(items) => !items.is_empty() || key != "subresources",
        Value::Bool(true) | Value::Number(_) | Value::String(_) => true,
    }
}

/// In what way one keyword differs, if it does.
pub(super) fn keyword(key: &str, old: Option<&Value>, new: Option<&Value>) -> Option<What> {
    let said = |value: &Value| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => shown(number),
            other => other.to_string(),
        };
        (text.len() <= LONGEST && !text.contains(['`', '\n'])).then_some(text)
    };
    let whole = |value: &Value| match said(value) {
        Some(value) => format!("`{key}: {value}`"),
        None => format!("`{key}`"),
    };
    let (text, become_of) = match (old, new) {
        (None, None) => return None,
        (None, Some(new)) => (format!("{} is new", whole(new)), 0),
        (Some(old), None) => (format!("{} is removed", whole(old)), 1),
        (Some(old), Some(new)) if same(old, new) => return None,
        (Some(old), Some(new)) => match (said(old), said(new)) {
            (Some(old), Some(new)) => (format!("`{key}: {old}` becomes `{new}`"), 2),
            _ => (format!("`{key}` differs"), 2),
        },
    };
    let what = What::meaning(text);
    let many = match key {
        "default" => [
            "defaults are new",
            "defaults are removed",
            "defaults differ",
        ],
        limit if LIMITS.contains(&limit) => {
            ["limits are new", "limits are removed", "limits differ"]
        }
        column if column.starts_with("column ") => {
            ["columns are new", "columns are removed", "columns differ"]
        }
        _ => return Some(what),
    };
    Some(match many.get(become_of) {
        Some(many) => what.of_many(many),
        None => what,
    })
}

/// A number without the `.0` that some writers give whole numbers.
fn shown(number: &Number) -> String {
    let text = number.to_string();
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
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
            .map(|found| format!("{} {}: {}", found.version, found.path, found.what.text))
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
                "v1 .spec.a: `format: uint32` is removed",
                "v1 .spec.b[]: `type: integer` becomes `string`",
                "v1 .spec.c{}: `nullable: true` is removed",
                "v1 .spec.d: the value `null` is removed",
                "v1 .spec.e: the field `e` is removed",
                "v1 .spec.f: the field `f` is new",
                "v1 .spec: the rule `self.a` differs",
                "v1 .spec: the rule `self.b` is new",
                "v1 .spec.a: it is no longer required",
                "v1 .spec.b: it is required now",
            ],
        );
    }

    #[test]
    fn what_only_older_tools_wrote_is_the_same() {
        let branches = json!([{"type": "integer"}, {"type": "string"}]);
        schemas(
            json!({"x-kubernetes-int-or-string": true, "anyOf": branches}),
            json!({"x-kubernetes-int-or-string": true, "anyOf": [{}, {}]}),
            &[],
        );
        let mut old = crd(json!({}));
        let version = &mut old["spec"]["versions"][0];
        version["subresources"] = json!({});
        version["additionalPrinterColumns"] = json!([]);
        let root = &mut version["schema"]["openAPIV3Schema"]["properties"];
        root["apiVersion"] = json!({"type": "string", "description": "D."});
        root["metadata"] = json!({"type": "object"});
        check(old, crd(json!({})), &[]);
    }

    #[test]
    fn what_differs_for_one_reason_is_one_difference() {
        schemas(
            json!({
                "properties": {
                    "a": {"type": "integer", "format": "uint16", "minimum": 0.0},
                    "b": {"type": "string"},
                    "c": {"type": "integer", "format": "int16", "maximum": 9},
                    "max_age": {"type": "string", "description": "One\ntwo."},
                },
                "required": ["max_age"]
            }),
            json!({
                "properties": {
                    "a": {"type": "integer", "format": "uint16", "minimum": 0.0, "maximum": 65535.0},
                    "b": {"x-kubernetes-int-or-string": true},
                    "c": {"type": "integer", "format": "int16", "minimum": -32768.0, "maximum": 32767.0},
                    "maxAge": {"type": "string", "description": "One two."},
                },
            }),
            &[
                "v1 .spec.a: the bounds of its `format` are new",
                "v1 .spec.b: `type: string` becomes `int-or-string`",
                "v1 .spec.c: `maximum: 9` becomes `32767`",
                "v1 .spec.c: `minimum: -32768` is new",
                "v1 .spec.max_age, now maxAge: the field's name has a different spelling",
                "v1 .spec.max_age: `description` has other line breaks",
                "v1 .spec.maxAge: it is no longer required",
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
