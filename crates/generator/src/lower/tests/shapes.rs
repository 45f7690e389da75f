//! Drafts of the widgets equal what kube makes of the compiled ones: names, properties, defaults, required fields.

use super::drafts;
use super::widgets::{Policy, Widget};
use crate::lower::Overrides;
use crd_channels_schema::Scope;
use crd_channels_schema::draft::{Draft, Field, Literal, Shape, Struct, Type};
use crd_channels_source::fixture;
use kube::CustomResourceExt;
use serde_json::{Map, Value, json};

/// Returns the widgets as the reader gets them, with stand-ins for the types of k8s-openapi.
fn lowered() -> Vec<Draft> {
    let text = format!(
        "//- /lib.rs\n{}\n//- /k8s/lib.rs crate:k8s_openapi\n{}",
        include_str!("widgets.rs"),
        "pub mod apimachinery { pub mod pkg { pub mod apis { pub mod meta { pub mod v1 {
            pub struct Condition;
            impl serde::Serialize for Condition {}
            impl schemars::JsonSchema for Condition {
                fn json_schema(gen: &mut schemars::SchemaGenerator) -> schemars::Schema {
                    schemars::json_schema!({ \"type\": \"object\" })
                }
            }
        } } } } }\n//- /kube/lib.rs crate:kube\n//- /schemars/lib.rs crate:schemars version:1.2.1
//- /serde/lib.rs crate:serde\n//- /serde_json/lib.rs crate:serde_json\n"
    );
    let mut loaded = fixture::graph(&text);
    let drafts = drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
    let findings: Vec<String> = loaded
        .findings
        .diagnostics()
        .iter()
        .map(|finding| {
            let place = finding.span.map(|span| {
                let file = loaded.sources.get(span.file).unwrap();
                file.text[span.start as usize..span.end as usize].to_owned()
            });
            format!(
                "{}: {} at {place:?}",
                finding.code.record().id,
                finding.message
            )
        })
        .collect();
    assert!(findings.is_empty(), "{findings:#?}");
    drafts
}

/// Returns what this layer decides about a schema: properties, required ones, defaults, lists of values.
fn described(ty: &Type) -> Value {
    let mut node = Map::new();
    match &ty.shape {
        Shape::Option(inner) => return described(inner),
        Shape::Newtype(only) => return described(&only.ty),
        Shape::Struct(body) => describe_struct(body, &mut node),
        Shape::List { items, .. } => {
            node.insert("items".into(), described(items));
        }
        Shape::Map { value, .. } => {
            node.insert("additionalProperties".into(), described(value));
        }
        Shape::Enum(body)
            if body
                .variants
                .iter()
                .all(|v| v.content == crd_channels_schema::draft::Content::Unit) =>
        {
            let names = body.variants.iter().map(|variant| json!(&*variant.name));
            node.insert("enum".into(), names.collect());
        }
        Shape::Literal(Literal::Object(_) | Literal::Value(_)) | Shape::Enum(_) => {
            return json!({ "opaque": true });
        }
        _ => {}
    }
    Value::Object(node)
}

fn describe_struct(body: &Struct, node: &mut Map<String, Value>) {
    let mut properties = Map::new();
    let mut required: Vec<String> = Vec::new();
    for field in &body.fields {
        let Field {
            name,
            ty,
            flatten,
            default,
            optional,
            ..
        } = field;
        let mut child = described(ty);
        if *flatten {
            let optional = matches!(ty.shape, Shape::Option(_));
            if let Some(Value::Object(inner)) = child.get_mut("properties").map(Value::take) {
                properties.extend(inner);
            }
            if let (false, Some(Value::Array(inner))) = (optional, child.get("required")) {
                required.extend(inner.iter().map(|name| name.as_str().unwrap().to_owned()));
            }
            continue;
        }
        let stated = field
            .facets
            .always
            .extend
            .iter()
            .find(|(key, _)| &**key == "default");
        let default = stated.map(|(_, value)| value.clone()).or(default.clone());
        if let (Some(default), Value::Object(child)) =
            (default.filter(|v| !v.is_null()), &mut child)
        {
            child.insert("default".into(), default);
        }
        if !optional {
            required.push(name.to_string());
        }
        properties.insert(name.to_string(), child);
    }
    required.sort();
    node.insert("properties".into(), properties.into());
    if !required.is_empty() {
        node.insert("required".into(), required.into());
    }
}

/// Returns the same of kube's schema, where ours has something to compare.
fn simplified(schema: &Value, like: &Value) -> Value {
    let Value::Object(like) = like else {
        return like.clone();
    };
    let mut node = Map::new();
    if like.contains_key("opaque") {
        node.insert("opaque".into(), true.into());
        node.extend(
            schema
                .get("default")
                .map(|value| ("default".into(), value.clone())),
        );
        return node.into();
    }
    for key in ["default", "required"] {
        if let Some(value) = schema.get(key) {
            node.insert(key.into(), value.clone());
        }
    }
    if let (Some(values), true) = (
        schema.get("enum").and_then(Value::as_array),
        like.contains_key("enum"),
    ) {
        let values = values.iter().filter(|value| !value.is_null()).cloned();
        node.insert("enum".into(), values.collect());
    }
    for key in ["items", "additionalProperties"] {
        if let (Some(value), Some(like)) = (schema.get(key), like.get(key)) {
            node.insert(key.into(), simplified(value, like));
        }
    }
    if let Some(Value::Object(properties)) = schema.get("properties") {
        let properties: Map<String, Value> = properties
            .iter()
            .map(|(name, schema)| {
                let like = like.get("properties").and_then(|like| like.get(name));
                (name.clone(), simplified(schema, like.unwrap_or(&json!({}))))
            })
            .collect();
        node.insert("properties".into(), properties.into());
    }
    Value::Object(node)
}

fn check<K: CustomResourceExt>(draft: &Draft) {
    let crd = serde_json::to_value(K::crd()).unwrap();
    let spec = &crd["spec"];
    let version = &spec["versions"][0];
    let always = &draft.facets.always;
    let names = json!({
        "group": &*draft.group,
        "kind": &*draft.kind,
        "plural": &*draft.plural,
        "singular": &*draft.singular,
        "scope": if draft.scope == Scope::Namespaced { "Namespaced" } else { "Cluster" },
        "shortNames": always.short_names.iter().map(|name| &*name.value).collect::<Vec<_>>(),
        "categories": always.categories.iter().map(|name| &*name.value).collect::<Vec<_>>(),
        "version": &*draft.version,
        "served": draft.served,
        "storage": draft.storage,
        "deprecated": always.deprecated.as_ref().map(|d| d.warning.as_deref().unwrap()),
        "selectable": always.selectable_fields.iter().map(|path| &*path.value).collect::<Vec<_>>(),
        "columns": always.columns.iter().map(|column| &*column.value.json_path).collect::<Vec<_>>(),
        "status": draft.status,
        "scale": draft.facets.always.scale.as_ref().map(|scale| &*scale.value.spec_replicas_path),
        "annotations": draft.annotations.keys().map(|key| &**key).collect::<Vec<_>>(),
        "labels": draft.labels.keys().map(|key| &**key).collect::<Vec<_>>(),
    });
    let list = |value: &Value| {
        if value.is_null() {
            json!([])
        } else {
            value.clone()
        }
    };
    let inner = |value: &Value, key: &str| -> Value {
        value
            .as_array()
            .into_iter()
            .flatten()
            .map(|item| item[key].clone())
            .collect()
    };
    let keys = |value: &Value| -> Value {
        value
            .as_object()
            .into_iter()
            .flat_map(Map::keys)
            .cloned()
            .collect()
    };
    let compiled = json!({
        "group": spec["group"],
        "kind": spec["names"]["kind"],
        "plural": spec["names"]["plural"],
        "singular": spec["names"]["singular"],
        "scope": spec["scope"],
        "shortNames": list(&spec["names"]["shortNames"]),
        "categories": list(&spec["names"]["categories"]),
        "version": version["name"],
        "served": version["served"],
        "storage": version["storage"],
        "deprecated": version["deprecationWarning"],
        "selectable": inner(&version["selectableFields"], "jsonPath"),
        "columns": inner(&version["additionalPrinterColumns"], "jsonPath"),
        "status": version["subresources"].get("status").is_some(),
        "scale": version["subresources"]["scale"]["specReplicasPath"],
        "annotations": keys(&crd["metadata"]["annotations"]),
        "labels": keys(&crd["metadata"]["labels"]),
    });
    assert_eq!(names, compiled);
    let root = described(draft.root.as_ref().unwrap());
    let compiled = simplified(&version["schema"]["openAPIV3Schema"], &root);
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    assert_eq!(pretty(&root), pretty(&compiled));
}

#[test]
fn widgets_are_lowered_as_kube_does() {
    let drafts = lowered();
    let kinds: Vec<&str> = drafts.iter().map(|draft| &*draft.kind).collect();
    assert_eq!(kinds, ["Widget", "Policy"]);
    check::<Widget>(&drafts[0]);
    check::<Policy>(&drafts[1]);
}

#[test]
fn facets_are_evaluated() {
    let drafts = lowered();
    let Shape::Struct(root) = &drafts[0].root.as_ref().unwrap().shape else {
        panic!("the root is a struct");
    };
    let Shape::Struct(spec) = &root.fields[0].ty.shape else {
        panic!("the spec is a struct");
    };
    let facets = |name: &str| {
        let field = spec.fields.iter().find(|field| &*field.rust_name == name);
        &field.unwrap().facets.always
    };
    let name = facets("name");
    assert_eq!((name.min_length, name.max_length), (Some(1), Some(63)));
    assert_eq!(name.pattern.as_deref(), Some("^[a-z]+$"));
    assert_eq!(name.rules[0].rule, "self == oldSelf".into());
    let ranged = facets("ranged");
    assert_eq!(ranged.minimum, Some((-5).into()));
    assert_eq!(
        ranged.maximum.as_ref().and_then(serde_json::Number::as_f64),
        Some(2.5)
    );
    assert_eq!(facets("items").list_map_keys, ["name".into()]);
    let rule = &root.fields[0].ty.facets.always.rules[0];
    assert_eq!(rule.reason.as_deref(), Some("FieldValueRequired"));
    assert_eq!(rule.field_path.as_deref(), Some(".name"));
    let rule = &drafts[0].facets.always.rules[0];
    assert_eq!(rule.message.as_deref(), Some("no x"));
}
