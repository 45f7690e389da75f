//! The parts that JSONPaths use, in every form, and near misses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use super::removed_json_path;
use crate::sample::schema;

const FULL: &str = r#"{"type": "object", "properties": {
    "spec": {"type": "object", "properties": {
        "kept": {"type": "string"},
        "gone": {"type": "object", "properties": {"gone": {"type": "string"}}},
        "deep": {"type": "object", "properties": {"only": {"type": "string"}, "uid": {"type": "string"}}},
        "taken": {"type": "object", "properties": {"in": {"type": "object", "properties": {"inside": {"type": "string"}}}}},
        "a.b": {"type": "string"},
        "replicas": {"type": "integer"},
        "map": {"type": "object", "additionalProperties": {"type": "object", "properties": {"gone": {"type": "string"}}}},
        "list": {"type": "array", "items": {"type": "object", "properties": {
            "name": {"type": "string"}, "gone": {"type": "string"},
            "mode": {"type": "string", "enum": ["A", "X"]}, "level": {"type": "integer", "enum": [1, 2]},
            "list": {"type": "array", "items": {"type": "object", "properties": {"gone": {"type": "string"}}}}}}}}},
    "status": {"type": "object", "properties": {
        "gone": {"type": "string"},
        "conditions": {"type": "array", "items": {"type": "object", "properties": {
            "type": {"type": "string"}, "status": {"type": "string"}, "reason": {"type": "string"}}}}}}}}"#;

const PROJECTED: &str = r#"{"type": "object", "properties": {
    "spec": {"type": "object", "properties": {
        "kept": {"type": "string"},
        "deep": {"type": "object"},
        "map": {"type": "object", "additionalProperties": {"type": "object"}},
        "list": {"type": "array", "items": {"type": "object", "properties": {
            "name": {"type": "string"},
            "mode": {"type": "string", "enum": ["A"]}, "level": {"type": "integer", "enum": [1]},
            "list": {"type": "array", "items": {"type": "object"}}}}}}},
    "status": {"type": "object", "properties": {
        "gone": {"type": "string"},
        "conditions": {"type": "array", "items": {"type": "object", "properties": {
            "type": {"type": "string"}, "status": {"type": "string"}}}}}}}}"#;

#[test]
fn removed_parts_are_found_in_every_form() {
    let (full, projected) = (schema(FULL), schema(PROJECTED));
    for (path, removed) in [
        // Columns and the scale subresource.
        (".spec.kept", None),
        (".spec.gone", Some((".spec.gone", "gone"))),
        (".spec.gone.gone", Some((".spec.gone", "gone"))),
        (".spec.replicas", Some((".spec.replicas", "replicas"))),
        ("spec.gone", Some((".spec.gone", "gone"))),
        ("['spec']['gone']", Some((".spec.gone", "'gone'"))),
        (".spec['gone'].gone", Some((".spec.gone", "'gone'"))),
        (".spec.['gone']", Some((".spec.gone", "'gone'"))),
        (".spec[\"gone\"]", Some((".spec.gone", "\"gone\""))),
        (".spec['kept','gone']", Some((".spec.gone", "'gone'"))),
        (".spec[ 'kept' , 'gone' ]", Some((".spec.gone", "'gone'"))),
        (r".spec.a\.b", Some((".spec['a.b']", r"a\.b"))),
        (".spec['a.b']", Some((".spec['a.b']", "'a.b'"))),
        // Lists and maps.
        (".spec.list[0].gone", Some((".spec.list[].gone", "gone"))),
        (".spec.list[-1].gone", Some((".spec.list[].gone", "gone"))),
        (".spec.list[*].gone", Some((".spec.list[].gone", "gone"))),
        (".spec.list.*.gone", Some((".spec.list[].gone", "gone"))),
        (".spec.list[0:2].gone", Some((".spec.list[].gone", "gone"))),
        (".spec.list[0,2].gone", Some((".spec.list[].gone", "gone"))),
        (
            ".spec.list[0].list[1].gone",
            Some((".spec.list[].list[].gone", "gone")),
        ),
        (".spec.map.gone", None),
        (".spec.map.gone.gone", Some((".spec.map{}.gone", "gone"))),
        (".spec.map['gone'].gone", Some((".spec.map{}.gone", "gone"))),
        // Filters.
        (r#".status.conditions[?(@.type=="Ready")].status"#, None),
        (
            r#".status.conditions[?(@.type=="Ready")].reason"#,
            Some((".status.conditions[].reason", "reason")),
        ),
        (
            r#".status.conditions[?(@.reason=="Ready")].status"#,
            Some((".status.conditions[].reason", "reason")),
        ),
        (
            ".status.conditions[?(@.type == 'Ready')].reason",
            Some((".status.conditions[].reason", "reason")),
        ),
        (
            ".status.conditions[?(@.reason)].status",
            Some((".status.conditions[].reason", "reason")),
        ),
        (
            ".status.conditions[?(@['reason']!='a')].status",
            Some((".status.conditions[].reason", "'reason'")),
        ),
        (
            ".spec.list[?(@.mode=='X')].name",
            Some((".spec.list[].mode", "'X'")),
        ),
        (
            ".spec.list[?('X'==@.mode)].name",
            Some((".spec.list[].mode", "'X'")),
        ),
        (".spec.list[?(@.mode=='A')].name", None),
        (".spec.list[?(@.name=='X')].name", None),
        (".spec.list[?(@.mode=='Z')].name", None),
        (
            ".spec.list[?(@.mode<'X')].name",
            Some((".spec.list[].mode", "'X'")),
        ),
        (".spec.list[?(@.level<2)].name", None),
        (
            ".spec.list[?(@.level==2)].name",
            Some((".spec.list[].level", "2")),
        ),
        (
            ".spec.list[?(@.level==1)].gone",
            Some((".spec.list[].gone", "gone")),
        ),
        (
            ".spec.list[?(@.list[?(@.gone=='a')])].name",
            Some((".spec.list[].list[].gone", "gone")),
        ),
        // Namesakes.
        (".status.gone", None),
        (".spec.kept.gone", None),
        (".gone", None),
        (".metadata.labels.gone", None),
        (".spec.list.gone", None),
        // Steps to many places.
        ("..gone", None),
        ("..only", Some((".spec.deep.only", "only"))),
        (".spec..only", Some((".spec.deep.only", "only"))),
        (".status..only", None),
        ("..['only']", Some((".spec.deep.only", "'only'"))),
        ("..*.only", Some((".spec.deep.only", "only"))),
        (".*.*.only", Some((".spec.deep.only", "only"))),
        (".spec.*.only", Some((".spec.deep.only", "only"))),
        (".spec[*].only", Some((".spec.deep.only", "only"))),
        (
            ".spec['deep','list'].only",
            Some((".spec.deep.only", "only")),
        ),
        (".spec.*.gone", Some((".spec.gone", "gone"))),
        (".spec.*.*.gone", Some((".spec.list[].gone", "gone"))),
        (".*.gone", None),
        ("..[?(@.only=='a')].name", Some((".spec.deep.only", "only"))),
        ("..uid", None),
        (".spec.taken[?(@.in=='a')]", Some((".spec.taken", "taken"))),
        (
            ".spec.deep[?(@.only=='a')]",
            Some((".spec.deep.only", "only")),
        ),
        (".spec..inside", Some((".spec.taken", "inside"))),
        ("..inside", Some((".spec.taken", "inside"))),
        (".spec.*.*.inside", Some((".spec.taken", "inside"))),
        (".spec.*.*.*.inside", None),
        ("..[?(@.inside=='a')].name", Some((".spec.taken", "inside"))),
        ("{.spec.taken.in.inside}", Some((".spec.taken", "taken"))),
        (".spec..uid", Some((".spec.deep.uid", "uid"))),
        ("$.spec.gone", Some((".spec.gone", "gone"))),
        ("@.spec.gone", Some((".spec.gone", "gone"))),
        (".spec.deep.*", None),
        ("..", None),
        // A path that cannot be followed is searched for names that no other field has.
        ("{.spec.deep.only}", Some((".spec.deep.only", "only"))),
        (
            ".spec.kept .spec.deep.only",
            Some((".spec.deep.only", "only")),
        ),
        ("....only", Some((".spec.deep.only", "only"))),
        (".spec.list[x].only", Some((".spec.deep.only", "only"))),
        (".metadata.labels.only", None),
        (".", None),
        ("", None),
        (".spec.", None),
        (".spec[", None),
        (".spec['gone", None),
        (".spec.list[?(@.name=='a'", None),
        (".spec.list[?(", None),
        (".spec.list[x].gone", None),
        ("[", None),
        ("{.spec.gone}", None),
        (".spec é.gone", None),
    ] {
        let found = removed_json_path(path, &full, &projected);
        let found = found.as_ref().map(|found| {
            (
                found.path.as_str(),
                &path[found.offset..found.offset + found.len],
            )
        });
        assert_eq!(found, removed, "{path}");
    }
}

#[test]
fn nesting_is_bounded() {
    let (full, projected) = (schema(FULL), schema(PROJECTED));
    for part in [
        ".spec.list[?(@.list[0]",
        "[?(@",
        ".spec",
        "['spec']",
        "[?(@[*]",
        ".",
    ] {
        assert_eq!(
            removed_json_path(&part.repeat(10_000), &full, &projected),
            None
        );
    }
}
