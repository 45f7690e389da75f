//! kube-derive as the oracle: the same kinds compiled and read.

mod types;

use super::read_input;
use crate::attrs::KubeAttrs;
use crd_channels_diagnostics::{Spanned, Text};
use crd_channels_schema::draft::KindFacets;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SOURCE: &str = include_str!("kube_oracle/types.rs");

#[test]
fn a_kind_s_attributes_are_those_of_kube() {
    let mut read = BTreeMap::new();
    for item in syn::parse_file(SOURCE).unwrap().items {
        if let syn::Item::Struct(item) = item {
            let (def, found) = read_input(item.into(), SOURCE);
            assert_eq!(found, []);
            let def = def.unwrap();
            if let Some(kube) = def.attrs.kube {
                read.insert(def.name.to_string(), kube);
            }
        }
    }
    let crds = types::crds();
    assert_eq!(crds.len(), read.len());
    for (name, crd) in crds {
        let crd = serde_json::to_value(crd).unwrap();
        assert_eq!(ours(&read[name]), theirs(&crd), "{name}");
    }
}

/// The keys that do not come from the schema, named as in a CRD. kube generates missing names.
fn ours(kube: &KubeAttrs) -> Value {
    let KindFacets {
        short_names,
        categories,
        columns,
        selectable_fields,
        deprecated,
        scale,
        rules,
        doc: _,
    } = &kube.facets.always;
    let text = |text: &Text| text.to_string();
    let texts =
        |texts: &[Spanned<Text>]| texts.iter().map(|it| text(&it.value)).collect::<Vec<_>>();
    let kind = text(&kube.kind.as_ref().unwrap().value);
    let singular = match &kube.singular {
        Some(singular) => text(&singular.value),
        None => kind.to_ascii_lowercase(),
    };
    let plural = match &kube.plural {
        Some(plural) => text(&plural.value),
        None => format!("{singular}s"),
    };
    let columns: Vec<Value> = columns
        .iter()
        .map(|column| {
            let column = &column.value;
            json!({
                "name": &*column.name,
                "type": &*column.ty,
                "jsonPath": &*column.json_path,
                "description": column.description.as_deref(),
                "format": column.format.as_deref(),
                "priority": column.priority,
            })
        })
        .collect();
    let selectable: Vec<Value> = selectable_fields
        .iter()
        .map(|path| json!({"jsonPath": &*path.value}))
        .collect();
    let scale = scale.as_ref().map(|scale| {
        json!({
            "specReplicasPath": &*scale.value.spec_replicas_path,
            "statusReplicasPath": &*scale.value.status_replicas_path,
            "labelSelectorPath": scale.value.label_selector_path.as_deref(),
        })
    });
    let pairs = |pairs: &[(Text, Text)]| -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(name, value)| (text(name), text(value)))
            .collect()
    };
    plain(json!({
        "group": &*kube.group.as_ref().unwrap().value,
        "kind": kind,
        "singular": singular,
        "plural": plural,
        "shortNames": texts(short_names),
        "categories": texts(categories),
        "scope": if kube.namespaced { "Namespaced" } else { "Cluster" },
        "version": &*kube.version.as_ref().unwrap().value,
        "served": kube.served,
        "storage": kube.storage,
        "deprecated": deprecated.is_some(),
        "deprecationWarning": deprecated.as_ref().and_then(|deprecated| deprecated.warning.as_deref()),
        "columns": columns,
        "selectable": selectable,
        "status": kube.status.is_some(),
        "scale": scale,
        "annotations": pairs(&kube.annotations),
        "labels": pairs(&kube.labels),
        "rules": rules.len(),
    }))
}

fn theirs(crd: &Value) -> Value {
    let spec = &crd["spec"];
    let names = &spec["names"];
    let version = &spec["versions"][0];
    let root = &version["schema"]["openAPIV3Schema"];
    plain(json!({
        "group": spec["group"],
        "kind": names["kind"],
        "singular": names["singular"],
        "plural": names["plural"],
        "shortNames": names["shortNames"],
        "categories": names["categories"],
        "scope": spec["scope"],
        "version": version["name"],
        "served": version["served"],
        "storage": version["storage"],
        "deprecated": version["deprecated"],
        "deprecationWarning": version["deprecationWarning"],
        "columns": version["additionalPrinterColumns"],
        "selectable": version["selectableFields"],
        "status": version["subresources"]["status"].is_object(),
        "scale": version["subresources"]["scale"],
        "annotations": crd["metadata"]["annotations"],
        "labels": crd["metadata"]["labels"],
        "rules": root["x-kubernetes-validations"].as_array().map_or(0, Vec::len),
    }))
}

/// Removes empty values: nulls, empty lists and objects, and `false`.
fn plain(value: Value) -> Value {
    match value {
        Value::Object(object) => object
            .into_iter()
            .map(|(key, value)| (key, plain(value)))
            .filter(|(_, value)| {
                !matches!(value, Value::Null | Value::Bool(false))
                    && *value != json!([])
                    && *value != json!({})
            })
            .collect(),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        other => other,
    }
}
