//! The effects of `#[crd(..)]` on nodes, in both conventions alike.

use super::*;
use crd_channels_schema::marks::{Count, Marks, Member, Union};
use crd_channels_schema::path::Segment;
use crd_channels_schema::{ListType, Merge, Notes};
use serde_json::{Value, json};

fn member(name: &str) -> Member {
    Member {
        name: name.into(),
        escaped: name.into(),
        span: span_at(2),
    }
}

fn marked(name: &str, ty: Arc<Type>, marks: Marks) -> Field {
    limited(name, ty, with_marks(marks))
}

fn with_marks(marks: Marks) -> Facets {
    Facets {
        marks: Some(Box::new(marks)),
        ..Facets::default()
    }
}

/// Asserts what both conventions write if these features are on, except for `Option`, which they treat differently.
fn check(ty: &Arc<Type>, on: &[&str], expected: &Value) {
    for convention in [Convention::Kube, Convention::Kubernetes] {
        let on = features(on);
        let (schema, found) = render_with(convention, Selection::Features(&on), ty);
        assert_eq!(found, [], "{convention:?}");
        let mut schema = serde_json::to_value(&*schema).unwrap();
        // Only one of the conventions sorts.
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.sort_by_key(ToString::to_string);
        }
        for property in schema["properties"].as_object_mut().unwrap().values_mut() {
            property.as_object_mut().unwrap().remove("nullable");
        }
        assert_eq!(&schema, expected, "{convention:?}");
    }
}

#[test]
fn a_choice_is_among_what_is_there() {
    let gated = |name: &str| Field {
        gate: Some(gate("More", true)),
        ..field(name, option(string()))
    };
    let union = |count, fields: &[&str]| {
        let union = Union {
            count,
            members: fields.iter().map(|name| member(name)).collect(),
            span: span_at(3),
        };
        let marks = Marks {
            unions: vec![union],
            ..Marks::default()
        };
        let ty = structure([field("a", option(string())), gated("b"), gated("c")]);
        with_facets(&ty, with_marks(marks))
    };
    let text = json!({"type": "string"});
    let few = |rules: Value| {
        let mut schema = json!({"type": "object", "properties": {"a": text}});
        if rules != json!([]) {
            schema["x-kubernetes-validations"] = rules;
        }
        schema
    };
    let only = json!([{"rule": "has(self.a)", "message": "`a` must be set"}]);
    for (count, fields, expected) in [
        (Count::ExactlyOne, &["a", "b"][..], only.clone()),
        (Count::AtLeastOne, &["a", "b"], only),
        (Count::AtMostOne, &["a", "b"], json!([])),
        (Count::ExactlyOne, &["b", "c"], json!([])),
    ] {
        check(&union(count, fields), &[], &few(expected));
    }
    check(
        &union(Count::ExactlyOne, &["b", "c"]),
        &["More"],
        &json!({
            "type": "object",
            "properties": {"a": text, "b": text, "c": text},
            "x-kubernetes-validations": [{
                "rule": "(has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0) == 1",
                "message": "exactly one of `b`, `c` must be set"
            }]
        }),
    );
}

#[test]
fn what_cannot_be_removed_needs_no_rule_against_it() {
    let fixed = |name: &str, ty| {
        let marks = Marks {
            immutable: Some(member(name)),
            ..Marks::default()
        };
        marked(name, ty, marks)
    };
    let ty = structure([
        fixed("required", string()),
        Field {
            optional: true,
            default: Some(json!("x")),
            ..fixed("filled", string())
        },
        Field {
            gate: Some(gate("More", true)),
            ..fixed("gated", option(string()))
        },
    ]);
    let property = |name: &str| {
        json!({"type": "string", "x-kubernetes-validations": [
            {"rule": "self == oldSelf", "message": format!("`{name}` cannot be changed once it is set")}
        ]})
    };
    let mut filled = property("filled");
    filled["default"] = json!("x");
    let mut expected = json!({
        "type": "object",
        "properties": {"required": property("required"), "filled": filled},
        "required": ["required"]
    });
    check(&ty, &[], &expected);
    expected["properties"]["gated"] = property("gated");
    expected["x-kubernetes-validations"] = json!([{
        "rule": "!has(oldSelf.gated) || has(self.gated)",
        "message": "`gated` cannot be removed once it is set"
    }]);
    check(&ty, &["More"], &expected);
}

#[test]
fn nodes_are_described() {
    let notes = Marks {
        title: Some("T".into()),
        notes: Notes {
            example: Some(json!([])),
            docs_url: Some("https://example.com".into()),
            docs_description: None,
        },
        merge: Merge {
            list_type: Some(ListType::Atomic),
            ..Merge::default()
        },
        inner: Some(Box::new(Marks {
            title: Some("I".into()),
            ..Marks::default()
        })),
        ..Marks::default()
    };
    let resource = Marks {
        embedded_resource: true,
        ..Marks::default()
    };
    let metadata = Marks {
        metadata: vec![
            vec![Segment::Items, Segment::Property("metadata".into())],
            vec![Segment::Property("elsewhere".into())],
        ],
        ..Marks::default()
    };
    let object = structure([field("x", string())]);
    let template = structure([field("metadata", object.clone())]);
    check(
        &structure([
            marked("notes", list(string()), notes),
            marked("any", any(), resource.clone()),
            marked("object", object, resource),
            marked("templates", list(template), metadata),
        ]),
        &[],
        &json!({
            "type": "object",
            "properties": {
                "notes": {
                    "type": "array", "items": {"type": "string", "title": "I"}, "title": "T", "example": [],
                    "externalDocs": {"url": "https://example.com"}, "x-kubernetes-list-type": "atomic"
                },
                "any": {
                    "type": "object",
                    "x-kubernetes-embedded-resource": true,
                    "x-kubernetes-preserve-unknown-fields": true
                },
                "object": {
                    "type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"],
                    "x-kubernetes-embedded-resource": true
                },
                "templates": {"type": "array", "items": {
                    "type": "object",
                    "properties": {"metadata": {"type": "object", "properties": {
                        "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
                        "finalizers": {"type": "array", "items": {"type": "string"}},
                        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                        "name": {"type": "string"},
                        "namespace": {"type": "string"}
                    }}},
                    "required": ["metadata"]
                }}
            },
            "required": ["any", "notes", "object", "templates"]
        }),
    );
}

#[test]
fn a_deprecated_field_says_so_in_its_description() {
    let field = |name: &str, doc: Option<&str>| {
        let marks = Marks {
            deprecated: Some("use `host`".into()),
            ..Marks::default()
        };
        let facets = Facets {
            doc: doc.map(Into::into),
            ..with_marks(marks)
        };
        limited(name, string(), facets)
    };
    let ty = structure([
        field("plain", None),
        field("told", Some("The name.")),
        field("said", Some("The name.\n\nDeprecated: it is old.")),
    ]);
    let property = |description: &str| json!({"type": "string", "description": description});
    check(
        &ty,
        &[],
        &json!({
            "type": "object",
            "required": ["plain", "said", "told"],
            "properties": {
                "plain": property("Deprecated: use `host`"),
                "told": property("The name.\n\nDeprecated: use `host`"),
                "said": property("The name.\n\nDeprecated: it is old."),
            }
        }),
    );
}
