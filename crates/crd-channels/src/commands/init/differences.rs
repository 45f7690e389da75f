//! The differences between two CRDs that an API server or a person would notice, in words.

use super::difference_text::{DifferenceText, keyword};
use super::schema_differences::schemas;
use crd_channels_compat::{Part, Published, differences as compared};

/// One difference between two CRDs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Difference {
    /// The API version; empty if the difference concerns all versions.
    pub version: String,
    /// The path inside the version's schema, such as `.spec.rules[].timeout`; empty for a difference outside the schema.
    pub path: String,
    /// The difference in words.
    pub what: DifferenceText,
}

/// Annotations that tools add for their own use, or that a bundle adds to every CRD.
const STAMPS: [&str; 3] = [
    "/bundle-version",
    "/channel",
    "kubectl.kubernetes.io/last-applied-configuration",
];

/// Returns all differences between `old` and `new`.
#[must_use]
pub fn differences(old: &Published, new: &Published) -> Vec<Difference> {
    let mut found = Vec::new();
    for difference in compared(old, new) {
        let mut add = |path, what| {
            found.push(Difference {
                version: difference.version.to_owned(),
                path,
                what,
            });
        };
        match difference.part {
            Part::Field(key, _, _) if is_stamp(&key) => {}
            Part::Field(key, old, new) => {
                if let Some(what) = keyword(&key, old.as_ref(), new.as_ref()) {
                    add(String::new(), what);
                }
            }
            Part::VersionRemoved => add(
                String::new(),
                DifferenceText::meaning("the version is removed"),
            ),
            Part::VersionAdded => add(String::new(), DifferenceText::meaning("the version is new")),
            Part::Schemas(old, new) => schemas(&old, &new, &mut add),
        }
    }
    found
}

fn is_stamp(key: &str) -> bool {
    let of_metadata =
        key.starts_with("metadata.annotations.") || key.starts_with("metadata.labels.");
    of_metadata && STAMPS.iter().any(|stamp| key.ends_with(stamp))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::differences;
    use crd_channels_compat::Published;
    use serde_json::{Value, json};

    fn crd(schema: Value) -> Value {
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "routes.example.com"},
            "spec": {
                "group": "example.com",
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
        let read = |document| Published::read(document).unwrap().unwrap();
        let shown: Vec<String> = differences(&read(&old), &read(&new))
            .into_iter()
            .map(|found| format!("{} {}: {}", found.version, found.path, found.what.text))
            .collect();
        assert_eq!(shown, expected, "{old} {new}");
    }

    fn schemas(old: Value, new: Value, expected: &[&str]) {
        check(crd(old), crd(new), expected);
    }

    #[test]
    fn equivalent_schemas_do_not_differ() {
        schemas(
            json!({"minimum": 1, "required": ["b", "a"], "enum": ["x", "y"], "nullable": false}),
            json!({"minimum": 1.0, "required": ["a", "b"], "enum": ["y", "x"], "properties": null}),
            &[],
        );
        schemas(
            json!({"enum": [1, 2], "default": null, "example": {"a": 1}}),
            json!({"enum": [2.0, 1.0], "example": {"a": 1.0}}),
            &[],
        );
        schemas(
            json!({"anyOf": [{"enum": ["a"]}, {"enum": ["b"]}]}),
            json!({"enum": ["b", "a"]}),
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
    fn all_other_differences_are_reported_with_their_place() {
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
                "v1 .spec.e: the field `e` is removed",
                "v1 .spec.f: the field `f` is new",
                "v1 .spec: the rule `self.a` differs",
                "v1 .spec: the rule `self.b` is new",
                "v1 .spec.a: it is no longer required",
                "v1 .spec.b: it is required now",
                "v1 .spec.a: `description` differs",
                "v1 .spec.a: `format: uint32` is removed",
                "v1 .spec.b[]: `type: integer` becomes `string`",
                "v1 .spec.c{}: `nullable: true` is removed",
                "v1 .spec.d: the value `null` is removed",
            ],
        );
    }

    #[test]
    fn outdated_output_of_older_tools_does_not_differ() {
        let branches = json!([{"type": "integer"}, {"type": "string"}]);
        schemas(
            json!({"x-kubernetes-int-or-string": true, "anyOf": branches}),
            json!({"x-kubernetes-int-or-string": true, "anyOf": [{}, {}]}),
            &[],
        );
        schemas(
            json!({"x-kubernetes-int-or-string": true, "anyOf": branches}),
            json!({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}]}),
            &["v1 .spec: `anyOf: [{\"type\":\"integer\"}]` is new"],
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
    fn one_cause_is_one_difference() {
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
                "v1 .spec.max_age, now maxAge: the field's name has a different spelling",
                "v1 .spec.max_age: `description` has other line breaks",
                "v1 .spec.maxAge: it is no longer required",
                "v1 .spec.a: the bounds of its `format` are new",
                "v1 .spec.b: `type: string` becomes `int-or-string`",
                "v1 .spec.c: `maximum: 9` becomes `32767`",
                "v1 .spec.c: `minimum: -32768` is new",
            ],
        );
    }

    #[test]
    fn versions_and_what_they_share_are_compared() {
        let mut new = crd(json!({}));
        new["metadata"]["labels"] = json!({"app": "x"});
        new["spec"]["scope"] = "Cluster".into();
        new["spec"]["preserveUnknownFields"] = true.into();
        new["metadata"]["creationTimestamp"] = Value::Null;
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
                " : `spec.preserveUnknownFields: true` is new",
                "v1 : `column Age: {\"jsonPath\":\".x\",\"name\":\"Age\",\"type\":\"date\"}` is new",
                "v1 : `served: true` becomes `false`",
                "v2 : the version is new",
            ],
        );
    }
}
