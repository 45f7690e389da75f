//! The same values, more of them or fewer, written with `allOf`, `anyOf`, `oneOf` and `not`: what refuses nothing is not called
//! breaking, and what is called breaking has a value that the validator accepted and refuses.

use super::drawn::values::{accepts, decoded, served};
use crate::findings::Change;
use crate::findings::verdict::{Bump, Verdict};
use crate::schemas::normalize::normalize_schema;
use crate::schemas::pair::SchemaPair;
use crate::schemas::walk::changes;
use crd_channels_schema::Schema;
use serde_json::{Value, json};
use std::sync::Arc;

fn between(old: &Value, new: &Value) -> Vec<(&'static str, Change)> {
    let read = |schema: &Value| {
        let mut schema = Arc::new(Schema::from_json(schema).unwrap());
        normalize_schema(&mut schema);
        schema
    };
    let (old, new) = (read(old), read(new));
    let all = changes(&SchemaPair::alone(&old, &new)).into_iter();
    all.map(|(record, change)| (record.id, change)).collect()
}

fn bump(old: &Value, new: &Value) -> Bump {
    let all = between(old, new).into_iter();
    all.map(|(_, change)| change.bump.counts_as())
        .max()
        .unwrap_or_default()
}

/// A node with `foo`, `bar` and `baz`, and more keywords.
fn object(more: Value) -> Value {
    let mut schema = json!({"type": "object", "properties": {
        "foo": {"type": "string"}, "bar": {"type": "string"}, "baz": {"type": "integer"},
    }});
    merge(&mut schema, more);
    schema
}

fn merge(schema: &mut Value, more: Value) {
    for (key, value) in more.as_object().unwrap() {
        schema[key] = value.clone();
    }
}

fn text(more: Value) -> Value {
    let mut schema = json!({"type": "string"});
    merge(&mut schema, more);
    schema
}

fn whole(more: Value) -> Value {
    let mut schema = json!({"type": "integer"});
    merge(&mut schema, more);
    schema
}

#[test]
fn equal_sets_need_a_patch_at_most_or_a_minor_in_either_direction() {
    let (foo, bar) = (json!({"required": ["foo"]}), json!({"required": ["bar"]}));
    let both = object(json!({"required": ["foo", "bar"]}));
    let one = object(json!({"required": ["foo"]}));
    let equal = [
        (both.clone(), object(json!({"allOf": [foo, bar]}))),
        (one.clone(), object(json!({"anyOf": [foo]}))),
        (one.clone(), object(json!({"oneOf": [foo]}))),
        (
            one.clone(),
            object(json!({"required": ["foo"], "anyOf": [foo, bar]})),
        ),
        (
            one.clone(),
            object(json!({"required": ["foo"], "allOf": [{"anyOf": [bar, foo]}]})),
        ),
        (one, object(json!({"not": {"not": foo}}))),
        (
            object(json!({"minProperties": 1})),
            object(json!({"anyOf": [foo, bar, {"required": ["baz"]}]})),
        ),
        (
            object(json!({"not": {"required": ["foo", "bar"]}})),
            object(json!({"anyOf": [{"not": foo}, {"not": bar}]})),
        ),
        (
            object(json!({"not": {"anyOf": [foo, bar]}})),
            object(json!({"allOf": [{"not": foo}, {"not": bar}]})),
        ),
        (
            object(json!({"not": {"allOf": [foo, bar]}})),
            object(json!({"anyOf": [{"not": bar}, {"not": foo}]})),
        ),
        (
            object(json!({"not": {"allOf": [foo, bar]}, "anyOf": [bar, {"required": ["baz"]}]})),
            object(
                json!({"anyOf": [bar, {"required": ["baz"]}], "allOf": [{"anyOf": [{"not": foo}, {"not": bar}]}]}),
            ),
        ),
        (
            object(json!({"not": {"not": {"anyOf": [foo, bar]}}})),
            object(json!({"anyOf": [foo, bar]})),
        ),
        (
            object(json!({"not": {"anyOf": [{"not": foo}, {"allOf": [{"not": bar}]}]}})),
            object(json!({"allOf": [foo, bar]})),
        ),
        (
            object(json!({"anyOf": [{"not": {"anyOf": [foo, bar]}}, {"required": ["baz"]}]})),
            object(
                json!({"anyOf": [{"allOf": [{"not": foo}, {"not": bar}]}, {"required": ["baz"]}]}),
            ),
        ),
        (
            text(json!({"not": {"anyOf": [{"pattern": "^a"}, {"maxLength": 3}]}})),
            text(json!({"minLength": 4, "not": {"pattern": "^a"}})),
        ),
        (
            object(json!({"oneOf": [foo, bar]})),
            object(json!({"anyOf": [foo, bar], "not": {"required": ["foo", "bar"]}})),
        ),
        (
            text(json!({"enum": ["a", "b"]})),
            text(json!({"enum": ["a", "b"], "allOf": [{"enum": ["a", "b", "c"]}]})),
        ),
        (
            text(json!({"enum": ["a", "b"]})),
            text(json!({"oneOf": [{"enum": ["a"]}, {"enum": ["b"]}]})),
        ),
        (
            text(json!({"maxLength": 5})),
            text(json!({"anyOf": [{"maxLength": 5}, {"maxLength": 3}]})),
        ),
        (
            text(json!({"maxLength": 5})),
            text(json!({"not": {"minLength": 6}})),
        ),
        (
            text(json!({"pattern": "^a"})),
            text(json!({"pattern": "^a", "anyOf": [{"pattern": "a"}, {"pattern": "b"}]})),
        ),
        (
            whole(json!({"minimum": 1})),
            whole(json!({"anyOf": [{"minimum": 1}, {"minimum": 5}]})),
        ),
        (
            whole(json!({"minimum": 1})),
            whole(json!({"minimum": 1, "anyOf": [{"minimum": 0}, {"maximum": -5}]})),
        ),
        (
            whole(json!({})),
            whole(json!({"anyOf": [{"minimum": 0}, {"maximum": -1}]})),
        ),
        (
            whole(json!({})),
            whole(json!({"oneOf": [{"minimum": 0}, {"maximum": -1}]})),
        ),
        (
            object(
                json!({"required": ["kind"], "properties": {"kind": text(json!({"enum": ["A", "B"]}))}}),
            ),
            object(
                json!({"required": ["kind"], "properties": {"kind": text(json!({"enum": ["A", "B"]}))}, "oneOf": [
                    {"properties": {"kind": {"enum": ["A"]}}}, {"properties": {"kind": {"enum": ["B"]}}},
                ]}),
            ),
        ),
    ];
    for (old, new) in &equal {
        for (old, new) in [(old, new), (new, old)] {
            assert!(
                bump(old, new) <= Bump::Minor,
                "{old}\n{new}\n{:#?}",
                between(old, new)
            );
        }
    }
}

#[test]
fn what_accepts_more_is_not_breaking() {
    let (foo, bar) = (json!({"required": ["foo"]}), json!({"required": ["bar"]}));
    let looser = [
        (
            object(json!({"required": ["foo", "bar"]})),
            object(json!({"anyOf": [foo, bar]})),
        ),
        (
            object(json!({"required": ["foo"]})),
            object(json!({"anyOf": [foo, bar]})),
        ),
        (
            text(json!({"enum": ["a", "b"]})),
            text(json!({"oneOf": [{"enum": ["a"]}, {"enum": ["b"]}, {"enum": ["c"]}]})),
        ),
        (
            text(json!({"enum": ["user", "svc"]})),
            text(json!({"nullable": true, "anyOf": [{"enum": ["user", "svc"]}, {"enum": [null]}]})),
        ),
        (
            text(json!({"allOf": [{"maxLength": 3}, {"pattern": "^a"}]})),
            text(json!({"anyOf": [{"maxLength": 3}, {"pattern": "^b"}]})),
        ),
        (
            object(json!({"oneOf": [foo, bar]})),
            object(json!({"anyOf": [foo, bar]})),
        ),
        (
            object(json!({"allOf": [{"oneOf": [foo, bar]}]})),
            object(json!({"properties": {
                "foo": {"type": "string"}, "bar": {"type": "string"}, "baz": {"type": "integer"}, "new": {"type": "string"},
            }, "allOf": [{"oneOf": [foo, bar, {"required": ["new"]}]}]})),
        ),
    ];
    for (old, new) in &looser {
        let found = between(old, new);
        assert!(bump(old, new) <= Bump::Minor, "{old}\n{new}\n{found:#?}");
    }
}

#[test]
fn what_refuses_something_shows_it() {
    let (foo, bar) = (json!({"required": ["foo"]}), json!({"required": ["bar"]}));
    let open = json!({"x-kubernetes-preserve-unknown-fields": true, "oneOf": [foo]});
    let mut opened = open.clone();
    opened["oneOf"] = json!([foo, {"required": ["new"]}]);
    let keyed = |more: Value| {
        let mut schema = json!({"type": "object", "additionalProperties": {"type": "string"}});
        merge(&mut schema, more);
        schema
    };
    let defaulted = object(json!({"properties": {
        "foo": {"type": "string"}, "new": {"type": "string", "default": "a"},
    }, "oneOf": [foo, {"required": ["new"]}]}));
    let list = |more: Value| {
        let mut schema = json!({"type": "array", "items": {"type": "string"}, "maxItems": 9});
        merge(&mut schema, more);
        schema
    };
    let records = |more: Value| {
        let fields = json!({"a": {"type": "string"}, "b": {"type": "string", "minLength": 2}, "c": {"type": "integer"}});
        let mut schema = json!({"type": "array", "items": {"type": "object", "required": ["a", "b"], "properties": fields}});
        merge(&mut schema, more);
        schema
    };
    let keys = |keys: &[&str]| json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys});
    let kept = |more: Value| {
        let mut schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        merge(&mut schema, more);
        schema
    };
    let tighter = [
        (object(json!({})), object(json!({"anyOf": [foo, bar]}))),
        (
            object(json!({"anyOf": [foo, bar]})),
            object(json!({"oneOf": [foo, bar]})),
        ),
        (
            object(json!({"anyOf": [foo, bar]})),
            object(json!({"allOf": [foo, bar]})),
        ),
        (
            object(json!({"required": ["foo"]})),
            object(json!({"oneOf": [foo, bar]})),
        ),
        // No new field: an old object may have it.
        (object(open), object(opened)),
        (
            keyed(json!({"oneOf": [foo]})),
            keyed(json!({"oneOf": [foo, {"required": ["new"]}]})),
        ),
        // Every object gets it.
        (
            object(json!({"properties": {"foo": {"type": "string"}}, "oneOf": [foo]})),
            defaulted,
        ),
        (
            text(json!({})),
            text(json!({"anyOf": [{"maxLength": 3}, {"pattern": "^a"}]})),
        ),
        (
            text(json!({"pattern": "^[a-z]{5}$"})),
            text(json!({"pattern": "^[a-z]{5}$", "not": {"pattern": "^q"}})),
        ),
        (
            whole(json!({"minimum": 0})),
            whole(json!({"minimum": 0, "oneOf": [{"maximum": 10}, {"minimum": 5}]})),
        ),
        (whole(json!({"maximum": 50})), whole(json!({"maximum": 40}))),
        (
            text(json!({"enum": ["a", "b"]})),
            text(json!({"enum": ["a"]})),
        ),
        (
            text(json!({"pattern": "^[a-z]+$", "maxLength": 9})),
            text(json!({"pattern": "^[a-y]+$", "maxLength": 9})),
        ),
        (object(json!({})), object(json!({"required": ["bar"]}))),
        (
            json!({"type": "array", "items": {"type": "string"}, "maxItems": 9}),
            json!({"type": "array", "items": {"type": "string"}, "maxItems": 7}),
        ),
        (text(json!({})), text(json!({"maxLength": 1000}))),
        (
            text(json!({"pattern": "^(one|two)$"})),
            text(json!({"enum": ["one", "three"]})),
        ),
        (
            text(json!({"pattern": "^(red|gr.en)$"})),
            text(json!({"anyOf": [{"enum": ["red", "gr.en"]}]})),
        ),
        // Two equal items, and two items with equal keys.
        (
            list(json!({})),
            list(json!({"x-kubernetes-list-type": "set"})),
        ),
        (records(json!({})), records(keys(&["a"]))),
        (records(keys(&["a", "b"])), records(keys(&["a"]))),
        (records(keys(&["a"])), records(keys(&["b"]))),
        (
            records(json!({"x-kubernetes-list-type": "set"})),
            records(keys(&["b"])),
        ),
        (
            kept(json!({})),
            kept(json!({"x-kubernetes-embedded-resource": true})),
        ),
    ];
    for (old, new) in &tighter {
        let found = between(old, new);
        let mut harmful = found
            .iter()
            .filter(|(_, change)| change.stored == Verdict::No);
        let rejected = harmful.find_map(|(_, change)| change.rejected.clone());
        let value = rejected.unwrap_or_else(|| panic!("{old}\n{new}\n{found:#?}"));
        let (before, after) = (served(old), served(new));
        assert!(accepts(&before, &value), "{value} {old}");
        assert!(!accepts(&after, &decoded(&after, &value)), "{value} {new}");
    }
}

#[test]
fn a_null_is_shown_where_it_is_refused() {
    let list = |item: Value| json!({"type": "array", "items": item});
    let object = |field: Value, required: Value| json!({"type": "object", "required": required, "properties": {"a": field}});
    let (nullable, other) = (
        json!({"type": "string", "nullable": true}),
        json!({"type": "string"}),
    );
    for (old, new, rejected) in [
        (
            list(nullable.clone()),
            list(other.clone()),
            Some(Value::Null),
        ),
        (
            object(nullable.clone(), json!(["a"])),
            object(other.clone(), json!(["a"])),
            Some(Value::Null),
        ),
        // It is dropped.
        (object(nullable, json!([])), object(other, json!([])), None),
    ] {
        let found = between(&old, &new);
        let nulls = found.iter().filter(|(id, _)| *id == "null-forbidden");
        let nulls: Vec<_> = nulls.map(|(_, change)| change.rejected.clone()).collect();
        assert_eq!(nulls, [rejected], "{old} {new}");
    }
}
