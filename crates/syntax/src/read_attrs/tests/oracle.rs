//! schemars as the oracle: the same types compiled and read.

mod types;

use super::read_input;
use crate::attrs::{FacetAttrs, SerdeDefault};
use crate::tree::{Body, Expr, ExprKind, FieldDef, Lit, TyKind, TypeDef};
use crd_channels_schema::draft::Tagging;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

const SOURCE: &str = include_str!("oracle/types.rs");

#[test]
fn names_and_facets_are_those_of_schemars() {
    let read = read_all();
    let mut count = 0;
    for (name, schema) in types::schemas() {
        let def = &read[name];
        let schema = schema.to_value();
        match &def.body {
            Body::Struct(_, fields) => structure(def, fields, &schema),
            Body::Enum(_) => enumeration(def, &schema),
        }
        count += 1;
    }
    let structs_and_enums = SOURCE.matches("\n#[derive(JsonSchema").count();
    assert_eq!(count, structs_and_enums, "a type is missing in `schemas`");
}

/// Reads every type of the file. The only diagnostic is about the one attribute that schemars cannot parse.
fn read_all() -> BTreeMap<String, TypeDef> {
    let mut read = BTreeMap::new();
    for item in syn::parse_file(SOURCE).unwrap().items {
        let input: syn::DeriveInput = match item {
            syn::Item::Struct(item) => item.into(),
            syn::Item::Enum(item) => item.into(),
            _ => continue,
        };
        let (def, found) = read_input(input, SOURCE);
        let codes: Vec<&str> = found.iter().map(|(code, ..)| *code).collect();
        let def = def.unwrap();
        match &*def.name {
            "Validated" => assert_eq!(codes, ["ignored-attribute"]),
            _ => assert!(found.is_empty(), "{found:?}"),
        }
        read.insert(def.name.to_string(), def);
    }
    read
}

fn structure(def: &TypeDef, fields: &[FieldDef], schema: &Value) {
    let container = &def.attrs.serde;
    let flattens = fields.iter().any(|field| field.attrs.serde.flatten);
    let fields: Vec<&FieldDef> = fields
        .iter()
        .filter(|field| !field.attrs.serde.skip_deserializing && !field.attrs.serde.flatten)
        .collect();
    let named = |field: &&&FieldDef| field.attrs.serde.name.to_string();
    let properties = schema["properties"].as_object().unwrap();
    let found: BTreeSet<String> = fields.iter().map(|field| named(&field)).collect();
    let known: BTreeSet<String> = properties.keys().cloned().collect();
    if flattens {
        assert!(found.is_subset(&known), "{}: {found:?} {known:?}", def.name);
        return;
    }
    assert_eq!(found, known, "{}", def.name);
    let required: BTreeSet<String> = fields
        .iter()
        .filter(|field| {
            let option = matches!(&field.ty.kind, TyKind::Path(path)
                if path.segments.last().is_some_and(|last| &*last.name == "Option"));
            container.default == SerdeDefault::None
                && field.attrs.serde.default == SerdeDefault::None
                && (!option || field.attrs.required)
        })
        .map(|field| named(&field))
        .collect();
    assert_eq!(required, strings(&schema["required"]), "{}", def.name);
    assert_eq!(
        container.deny_unknown,
        schema.get("additionalProperties") == Some(&json!(false)),
        "{}",
        def.name
    );
    for field in fields {
        let schema = &properties[&*field.attrs.serde.name];
        let expected = facets(&field.attrs.facets.always, schema["type"] == "array");
        let keys = [
            "title",
            "description",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "pattern",
            "format",
            "x-a",
            "x-c",
        ];
        for key in keys {
            // The format of the type itself is not a facet.
            if key == "format" && schema["type"].to_string().contains("integer") {
                continue;
            }
            assert_eq!(
                expected.get(key),
                schema.get(key),
                "{}.{} {key}",
                def.name,
                field.name
            );
        }
        if schema["type"] == "integer" {
            let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
            let own = |key: &str| expected.get(key).and_then(Value::as_f64);
            for key in ["minimum", "maximum"] {
                assert!(
                    own(key).is_none() || own(key) == bound(key),
                    "{} {key}",
                    field.name
                );
            }
        }
    }
}

/// The keywords of facets whose values are literals.
fn facets(facets: &FacetAttrs, array: bool) -> Map<String, Value> {
    let mut map = Map::new();
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            map.insert(key.to_owned(), value);
        }
    };
    let doc = facets.doc.as_deref().map(|doc| json!(doc.trim()));
    set("title", facets.title.as_ref().map(value));
    set(
        "description",
        facets.description.as_ref().map(value).or(doc),
    );
    let (least, most) = if array {
        ("minItems", "maxItems")
    } else {
        ("minLength", "maxLength")
    };
    set(least, facets.min_length.as_ref().map(value));
    set(most, facets.max_length.as_ref().map(value));
    set("minimum", facets.minimum.as_ref().map(value));
    set("maximum", facets.maximum.as_ref().map(value));
    set(
        "pattern",
        facets.pattern.as_ref().map(|(pattern, _)| value(pattern)),
    );
    set(
        "format",
        facets.format.as_ref().map(|format| json!(&**format)),
    );
    for (key, _, span) in &facets.extend {
        // The values in this file, written by hand.
        assert!(span.start < span.end);
        set(
            key,
            Some(if &**key == "x-a" {
                json!({"b": [1]})
            } else {
                json!(2)
            }),
        );
    }
    map
}

fn value(expr: &Expr) -> Value {
    match &expr.kind {
        ExprKind::Lit(Lit::Str(text)) => json!(&**text),
        ExprKind::Lit(Lit::Int(digits, _)) => digits.parse().unwrap(),
        other => panic!("{other:?}"),
    }
}

fn enumeration(def: &TypeDef, schema: &Value) {
    let Body::Enum(variants) = &def.body else {
        panic!("no enum");
    };
    let tag = match &def.attrs.serde.tag {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => Some(&**tag),
        Tagging::External | Tagging::Untagged => None,
    };
    let found: BTreeSet<String> = variants
        .iter()
        .filter(|variant| !variant.attrs.skip)
        .map(|variant| variant.attrs.name.to_string())
        .collect();
    let mut known = BTreeSet::new();
    let mut bodies = BTreeMap::new();
    let alone = [schema.clone()];
    for branch in schema["oneOf"].as_array().map_or(&alone[..], Vec::as_slice) {
        known.extend(strings(&branch["enum"]));
        known.extend(branch["const"].as_str().map(str::to_owned));
        let name = match tag {
            Some(tag) => branch["properties"][tag]["const"].as_str(),
            None => branch["required"][0].as_str(),
        };
        if let Some(name) = name {
            known.insert(name.to_owned());
            let body = match (&def.attrs.serde.tag, tag) {
                (Tagging::Adjacent { content, .. }, _) => &branch["properties"][&**content],
                (_, None) => &branch["properties"][name],
                _ => branch,
            };
            bodies.insert(name.to_owned(), body.clone());
        }
    }
    assert_eq!(found, known, "{}", def.name);
    for variant in variants {
        let Some(body) = bodies.get(&*variant.attrs.name) else {
            continue;
        };
        let mut inside: BTreeSet<String> = match body["properties"].as_object() {
            Some(properties) => properties.keys().cloned().collect(),
            None => continue,
        };
        if let Tagging::Internal { tag } = &def.attrs.serde.tag {
            inside.remove(&**tag);
        }
        let fields: BTreeSet<String> = variant
            .fields
            .iter()
            .map(|field| field.attrs.serde.name.to_string())
            .collect();
        assert_eq!(fields, inside, "{}::{}", def.name, variant.name);
    }
}

fn strings(value: &Value) -> BTreeSet<String> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|text| text.as_str().map(str::to_owned))
        .collect()
}
