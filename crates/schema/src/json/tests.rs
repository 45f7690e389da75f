//! Written CRDs are read back equal, and unreadable parts are reported.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use super::{LIST_TYPES, MAP_TYPES, SCOPES, TYPES};
use crate::{
    Additional, Bounds, Column, Conversion, Crd, Junctors, Merge, Names, Notes, Rule, Scale,
    Schema, ServiceReference, Subresources, Version, WebhookClient, WebhookConversion, keywords,
};
use crd_channels_diagnostics::Text;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Number, Value, json};
use std::sync::Arc;

fn text() -> impl Strategy<Value = Text> {
    ".{0,6}".prop_map(Text::from)
}

fn maybe() -> impl Strategy<Value = Option<Text>> {
    option::of(text())
}

fn number() -> impl Strategy<Value = Option<Number>> {
    option::of(prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        // Quarters, because serde_json's reader may get the last bit of a longer fraction wrong.
        any::<i32>().prop_map(|quarters| Number::from_f64(f64::from(quarters) / 4.0).unwrap()),
    ])
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map(".{0,4}", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn word<T: Copy + std::fmt::Debug + 'static>(
    words: &'static [(&'static str, T)],
) -> impl Strategy<Value = T> {
    (0..words.len()).prop_map(move |index| words[index].1)
}

fn boxed<T: Default + PartialEq>(group: T) -> Option<Box<T>> {
    (group != T::default()).then(|| Box::new(group))
}

prop_compose! {
    fn bounds()(
        (minimum, maximum, multiple_of) in (number(), number(), number()),
        (exclusive_minimum, exclusive_maximum) in any::<(bool, bool)>(),
        (min_length, max_length, min_items) in any::<(Option<u64>, Option<u64>, Option<u64>)>(),
        (max_items, min_properties, max_properties) in any::<(Option<u64>, Option<u64>, Option<u64>)>(),
        pattern in maybe(),
    ) -> Bounds {
        Bounds {
            minimum, exclusive_minimum, maximum, exclusive_maximum, multiple_of, min_length, max_length,
            pattern, min_items, max_items, min_properties, max_properties,
        }
    }
}

prop_compose! {
    fn rule()(
        (rule, message, message_expression) in (text(), maybe(), maybe()),
        (reason, field_path) in (maybe(), maybe()),
        optional_old_self in any::<Option<bool>>(),
    ) -> Rule {
        Rule { rule, message, message_expression, reason, field_path, optional_old_self, ..Rule::default() }
    }
}

prop_compose! {
    fn leaf()(
        ty in option::of(word(TYPES)),
        (format, title, description) in (maybe(), maybe(), maybe()),
        flags in any::<[bool; 4]>(),
        (default, enum_values, example) in (option::of(value()), vec(value(), 0..3), option::of(value())),
        required in vec(text(), 0..3),
        allowed in any::<Option<bool>>(),
        bounds in bounds(),
        (list_type, list_map_keys) in (option::of(word(LIST_TYPES)), vec(text(), 0..2)),
        map_type in option::of(word(MAP_TYPES)),
        (docs_url, docs_description) in (maybe(), maybe()),
        rules in vec(rule(), 0..2),
    ) -> Schema {
        let [nullable, embedded_resource, int_or_string, preserve_unknown_fields] = flags;
        Schema {
            ty, format, title, description, nullable,
            default: default.map(Box::new),
            enum_values, required,
            additional_properties: allowed.map(Additional::Allowed),
            bounds: boxed(bounds),
            merge: boxed(Merge { list_type, list_map_keys, map_type }),
            notes: boxed(Notes { example, docs_url, docs_description }),
            rules, embedded_resource, int_or_string, preserve_unknown_fields,
            ..Schema::default()
        }
    }
}

fn schema() -> impl Strategy<Value = Schema> {
    leaf().prop_recursive(3, 8, 2, |inner| {
        let junctors = (
            vec(inner.clone(), 0..2),
            vec(inner.clone(), 0..2),
            vec(inner.clone(), 0..2),
            option::of(inner.clone()),
        );
        let shared = inner.prop_map(Arc::new);
        (
            leaf(),
            btree_map(text(), shared.clone(), 0..3),
            option::of(shared.clone()),
            option::of(shared),
            junctors,
        )
            .prop_map(|(leaf, properties, items, additional, junctors)| {
                let (all_of, any_of, one_of, not) = junctors;
                let additional = additional.map(Additional::Schema);
                Schema {
                    properties,
                    items,
                    additional_properties: additional.or(leaf.additional_properties),
                    junctors: boxed(Junctors {
                        all_of,
                        any_of,
                        one_of,
                        not: not.map(Box::new),
                    }),
                    ..leaf
                }
            })
    })
}

prop_compose! {
    fn column()(
        (name, ty, json_path) in (text(), text(), text()),
        (description, format) in (maybe(), maybe()),
        priority in any::<Option<i32>>(),
    ) -> Column {
        Column { name, ty, json_path, description, format, priority }
    }
}

prop_compose! {
    fn version()(
        (name, deprecation_warning) in (text(), maybe()),
        [served, storage, deprecated, status] in any::<[bool; 4]>(),
        columns in vec(column(), 0..2),
        selectable_fields in vec(text(), 0..2),
        scale in option::of((text(), text(), maybe())),
        schema in option::of(schema().prop_map(Arc::new)),
    ) -> Version {
        let scale = scale.map(|(spec_replicas_path, status_replicas_path, label_selector_path)| Scale {
            spec_replicas_path, status_replicas_path, label_selector_path,
        });
        let subresources = (status || scale.is_some()).then_some(Subresources { status, scale });
        Version {
            name, served, storage, deprecated, deprecation_warning, columns, selectable_fields, subresources, schema,
        }
    }
}

prop_compose! {
    fn webhook()(
        review_versions in vec(text(), 0..2),
        (url, ca_bundle) in (maybe(), maybe()),
        service in option::of((text(), text(), maybe(), any::<Option<u16>>())),
    ) -> Conversion {
        let service = service.map(|(namespace, name, path, port)| ServiceReference { namespace, name, path, port });
        Conversion::Webhook(WebhookConversion { review_versions, client: WebhookClient { url, service, ca_bundle } })
    }
}

prop_compose! {
    fn crd()(
        annotations in btree_map(text(), text(), 0..3),
        labels in btree_map(text(), text(), 0..2),
        (group, plural, singular, kind) in (text(), text(), text(), text()),
        list_kind in maybe(),
        (short_names, categories) in (vec(text(), 0..2), vec(text(), 0..2)),
        scope in word(SCOPES),
        conversion in prop_oneof![Just(Conversion::None), webhook()],
        versions in vec(version(), 0..3),
    ) -> Crd {
        Crd {
            annotations, labels, group, scope, conversion, versions,
            names: Names { plural, singular, kind, list_kind, short_names, categories },
        }
    }
}

/// Whether the keys of every object are in alphabetical order in the text itself.
fn sorted(json: &str) -> bool {
    let value: Value = serde_json::from_str(json).unwrap();
    // `Value` sorts its keys, so an unsorted text changes.
    let again = value.to_string();
    again == json
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_schema_is_read_back_equal(schema in schema()) {
        let json = serde_json::to_value(&schema).unwrap();
        prop_assert_eq!(Schema::from_json(&json), Ok(schema));
    }

    #[test]
    fn every_crd_is_read_back_equal(crd in crd()) {
        let json = serde_json::to_string(&crd).unwrap();
        prop_assert!(sorted(&json), "{json}");
        let json = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(Crd::from_json(&json), Ok(crd));
    }

    #[test]
    fn an_unknown_key_anywhere_is_reported(schema in schema(), key in "zz[a-z]{1,4}") {
        let mut json = serde_json::to_value(&schema).unwrap();
        json.as_object_mut().unwrap().insert(key.clone(), json!(1));
        let misreads = Schema::from_json(&json).unwrap_err();
        prop_assert_eq!(misreads[0].reason.clone(), format!("unknown key `{key}`"));
    }
}

fn small() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "as.b.c"},
        "spec": {
            "group": "b.c",
            "names": {"kind": "A", "listKind": "AList", "plural": "as", "singular": "a"},
            "scope": "Namespaced",
            "versions": [{
                "name": "v1",
                "schema": {"openAPIV3Schema": {"type": "object"}},
                "served": true,
                "storage": true,
                "subresources": {"status": {}}
            }]
        }
    })
}

#[test]
fn nothing_that_is_absent_is_written() {
    let crd = Crd::from_json(&small()).unwrap();
    assert_eq!(serde_json::to_value(&crd).unwrap(), small());
}

#[test]
fn every_misread_is_reported_with_its_path() {
    let mut json = small();
    json["metadata"]["name"] = json!("bs.b.c");
    json["spec"]["scope"] = json!("Global");
    json["spec"]["versions"][0]["served"] = json!("yes");
    let schema = &mut json["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    schema["uniqueItems"] = json!(true);
    schema["properties"] =
        json!({"a": {"minLength": -1, "maxLength": 1.5}, "b": 7, "c": {"type": null}});
    json["status"] = json!({});
    let misreads = Crd::from_json(&json).unwrap_err();
    let shown: Vec<String> = misreads.iter().map(ToString::to_string).collect();
    let root = "spec.versions[0].schema.openAPIV3Schema";
    assert_eq!(
        shown,
        [
            "`spec.scope`: `Global` is not one of `Cluster`, `Namespaced`".to_owned(),
            format!("`{root}.properties.a.minLength`: `-1` is out of range"),
            format!("`{root}.properties.a.maxLength`: `1.5` is not a whole number"),
            format!("`{root}.properties.b`: expected an object, found a number"),
            format!("`{root}.properties.c.type`: expected a string, found null"),
            format!("`{root}`: unknown key `uniqueItems`"),
            "`spec.versions[0].served`: expected a boolean, found a string".to_owned(),
            "`.`: unknown key `status`".to_owned(),
        ]
    );
}

#[test]
fn a_name_that_is_not_plural_and_group_is_reported() {
    let mut json = small();
    json["metadata"]["name"] = json!("bs.b.c");
    let misreads = Crd::from_json(&json).unwrap_err();
    assert_eq!(
        misreads[0].to_string(),
        "`metadata.name`: expected `as.b.c`, found `bs.b.c`"
    );
}

/// Runs on a stack as large as the tool's.
fn on_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    let thread = std::thread::Builder::new().stack_size(crate::STACK);
    std::thread::scope(|threads| thread.spawn_scoped(threads, run).unwrap().join().unwrap())
}

#[test]
fn nesting_has_an_end() {
    let mut json = json!({});
    for _ in 0..2_000 {
        // `json!` would copy the whole value each time.
        json = Value::Object([("items".to_owned(), json)].into_iter().collect());
    }
    let misreads = on_large_stack(|| Schema::from_json(&json).unwrap_err());
    assert!(misreads[0].reason.contains("schemas deep"), "{misreads:?}");
}

#[test]
fn every_field_has_a_row_in_the_table_of_keywords() {
    macro_rules! rows {
        ($(($part:ident $keyword:literal $write:ident $($field:ident)+))*) => {
            vec![$($((stringify!($part), stringify!($field).to_owned()),)+)*]
        };
    }
    let parts = [
        ("own", format!("{:#?}", Schema::default())),
        ("bounds", format!("{:#?}", Bounds::default())),
        ("junctors", format!("{:#?}", Junctors::default())),
        ("merge", format!("{:#?}", Merge::default())),
        ("notes", format!("{:#?}", Notes::default())),
    ];
    // Parts, and what is not written. `render/raw/merge.rs` in `projection` merges each by name.
    let others = [
        "bounds", "junctors", "merge", "notes", "origin", "levels", "keys",
    ];
    let mut rows = keywords!(rows);
    for (part, shown) in &parts {
        for line in shown.lines() {
            let field = line
                .strip_prefix("    ")
                .filter(|line| !line.starts_with([' ', '}']));
            let Some((field, _)) = field.and_then(|line| line.split_once(": ")) else {
                continue;
            };
            let row = (*part, field.to_owned());
            if *part != "own" || !others.contains(&field) {
                assert!(rows.contains(&row), "`{field}` has no row");
                rows.retain(|known| *known != row);
            }
        }
    }
    assert!(rows.is_empty(), "{rows:?}");
    assert!(crate::KEYWORDS.is_sorted());
}
