//! The reads of expressions, and near misses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use super::{parse, removed_reads};
use crate::RemovedKind;
use crate::sample::from_value;
use crd_channels_schema::{Keys, Schema};
use serde_json::{Value, json};
use std::sync::Arc;

/// A node whose objects all have `kept` and `gone`, and whose enums all have `A`, `B` and `X`.
fn full() -> Value {
    let mode = json!({"type": "string", "enum": ["A", "B", "X"]});
    let leaf = json!({"type": "object", "properties": {
        "kept": {"type": "string"}, "gone": {"type": "string"}, "mode": mode,
    }});
    json!({"type": "object", "properties": {
        "kept": {"type": "string"},
        "gone": {"type": "object", "properties": {"kept": {"type": "string"}, "mode": mode,
            "list": {"type": "array", "items": {"type": "string"}}}},
        "gone-too": {"type": "string"},
        "in": {"type": "string"},
        "if": {"type": "string"},
        "a__b": {"type": "string"},
        "mode": mode,
        "other": {"type": "string", "enum": ["X", "Y"]},
        "free": {"type": "string"},
        "level": {"type": "integer", "enum": [1, 2, 3]},
        "modes": {"type": "array", "items": mode},
        "leaf": leaf,
        "same": {"type": "object", "properties": {"gone": {"type": "string"}, "kept": {"type": "string"}}},
        "list": {"type": "array", "items": leaf},
        "lists": {"type": "array", "items": {"type": "array", "items": leaf}},
        "map": {"type": "object", "additionalProperties": leaf},
        "modeMap": {"type": "object", "additionalProperties": mode},
        "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "port": {"x-kubernetes-int-or-string": true},
        "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
    }})
}

/// Removes every `gone`, `gone-too`, `in`, `if` and `a__b`, and `X` from every enum with `A`, else `Y`. `same` keeps its own
/// `gone`.
fn projected() -> Value {
    fn project(value: &mut Value) {
        match value {
            Value::Object(members) => {
                if let Some(properties) = members.get_mut("properties") {
                    let properties = properties.as_object_mut().unwrap();
                    for name in ["gone", "gone-too", "in", "if", "a__b"] {
                        properties.remove(name);
                    }
                }
                if let Some(Value::Array(values)) = members.get_mut("enum") {
                    let lost = [json!("X"), json!("Y"), json!(3)];
                    let first = values[0].clone();
                    values.retain(|value| *value == first || !lost.contains(value));
                }
                members.values_mut().for_each(project);
            }
            Value::Array(items) => items.iter_mut().for_each(project),
            _ => {}
        }
    }
    let mut schema = full();
    project(&mut schema);
    schema["properties"]["same"] = full()["properties"]["same"].clone();
    schema
}

/// A schema whose map `keyed` has the values of `mode` as keys.
fn keyed(schema: &Value) -> Schema {
    let mut schema = from_value(schema);
    let keys = schema.properties["mode"].clone();
    let map = Schema {
        keys: Keys(Some(keys)),
        ..Schema::clone(&schema.properties["counts"])
    };
    schema.properties.insert("keyed".into(), Arc::new(map));
    schema
}

/// The reads of an expression: paths of fields, and `path=value` for enums, in order.
fn reads(text: &str) -> Vec<String> {
    let expression = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let removed = removed_reads(&expression, &keyed(&full()), &keyed(&projected()));
    let show = |removed: crate::Removed| {
        let named = &text[removed.offset..removed.offset + removed.len];
        match removed.kind {
            RemovedKind::Field => {
                let plain = named.trim_matches('\'') == &*removed.name;
                assert!(plain || named.contains("__"), "{text}: {named}");
                removed.path
            }
            RemovedKind::EnumValue => {
                let named = named.trim_matches(['\'', '"']);
                assert!(named.contains(&*removed.name), "{text}: {named}");
                format!("{}={}", removed.path, removed.name)
            }
            RemovedKind::Key => format!("{}:{}", removed.path, removed.name),
        }
    };
    removed.into_iter().map(show).collect()
}

fn check(cases: &[(&str, &[&str])]) {
    let wrong: Vec<_> = cases
        .iter()
        .filter(|(text, expected)| reads(text) != *expected)
        .map(|(text, expected)| {
            format!(
                "{text}\n  expected {expected:?}\n  found    {:?}",
                reads(text)
            )
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn fields_are_found_through_every_way_to_them() {
    check(&[
        ("self.gone.kept == ''", &["self.gone"]),
        ("has(self.gone)", &["self.gone"]),
        (
            "!has(self.gone) || self.gone.kept == ''",
            &["self.gone", "self.gone"],
        ),
        ("oldSelf.gone == self.gone", &["self.gone", "self.gone"]),
        (
            "oldSelf.hasValue() && oldSelf.value().gone == self.kept",
            &["self.gone"],
        ),
        ("oldSelf.orValue(self).leaf.gone == ''", &["self.leaf.gone"]),
        (
            "oldSelf.optMap(o, o.leaf.gone == '').orValue(true)",
            &["self.leaf.gone"],
        ),
        ("oldSelf.leaf.?gone.hasValue()", &["self.leaf.gone"]),
        ("self.?gone.hasValue()", &["self.gone"]),
        ("self.?leaf.?gone.orValue('') == ''", &["self.leaf.gone"]),
        ("self.?leaf.gone.orValue('') == ''", &["self.leaf.gone"]),
        ("self[?'gone'].hasValue()", &["self.gone"]),
        ("self['gone'] == ''", &["self.gone"]),
        ("self.leaf['gone'] == ''", &["self.leaf.gone"]),
        (".self.gone.kept == ''", &["self.gone"]),
        ("self.gone__dash__too == ''", &["self.gone-too"]),
        (
            "self.__in__ == '' && self.if == '' && self.__if__ == ''",
            &["self.in", "self.if", "self.if"],
        ),
        ("self.a__underscores__b == ''", &["self.a__b"]),
        ("self.list[0].gone == ''", &["self.list[].gone"]),
        ("self.list[?0].gone.hasValue()", &["self.list[].gone"]),
        ("self.lists[0][1].gone == ''", &["self.lists[][].gone"]),
        ("self.map['k'].gone == ''", &["self.map{}.gone"]),
        ("self.map.k.gone == ''", &["self.map{}.gone"]),
        ("self.map[self.kept].gone == ''", &["self.map{}.gone"]),
        ("self.map[?'k'].?gone.hasValue()", &["self.map{}.gone"]),
        (
            "(self.kept == '' ? self.leaf : oldSelf.leaf).gone == ''",
            &["self.leaf.gone"],
        ),
        ("[self.leaf][0].gone == ''", &["self.leaf.gone"]),
        ("{'a': self.leaf}.a.gone == ''", &["self.leaf.gone"]),
        ("{'a': self.leaf}['a'].gone == ''", &["self.leaf.gone"]),
        ("[?self.?leaf].all(l, l.gone == '')", &["self.leaf.gone"]),
        ("dyn(self.leaf).gone == ''", &["self.leaf.gone"]),
        (
            "optional.of(self.leaf).value().gone == ''",
            &["self.leaf.gone"],
        ),
        (
            "optional.none().or(optional.of(self.leaf)).value().gone == ''",
            &["self.leaf.gone"],
        ),
        (
            "-size(self.gone.list) < (1 + self.gone.list.size()) * 2",
            &["self.gone", "self.gone"],
        ),
        ("'%s'.format([self.gone.kept]) == ''", &["self.gone"]),
        ("Made{field: self.gone}.x == 1", &["self.gone"]),
        ("{self.gone.kept: 1}.size() == 1", &["self.gone"]),
        ("string(self.gone.kept) + 'x' == ''", &["self.gone"]),
    ]);
}

#[test]
fn macros_bind_what_they_run_over() {
    check(&[
        ("self.list.all(i, i.gone == '')", &["self.list[].gone"]),
        ("self.list.exists(i, has(i.gone))", &["self.list[].gone"]),
        (
            "self.list.exists_one(i, i.gone == '')",
            &["self.list[].gone"],
        ),
        (
            "self.list.exists_one(k, i, i.gone == '')",
            &["self.list[].gone"],
        ),
        (
            "self.list.existsOne(k, i, i.gone == '')",
            &["self.list[].gone"],
        ),
        (
            "self.list.all(k, i, k < 1 || i.gone == '')",
            &["self.list[].gone"],
        ),
        (
            "self.list.filter(i, i.kept == '')[0].gone == ''",
            &["self.list[].gone"],
        ),
        (
            "self.list.filter(i, i.gone == '').size() == 0",
            &["self.list[].gone"],
        ),
        (
            "self.list.map(i, i.gone).size() == 0",
            &["self.list[].gone"],
        ),
        (
            "self.list.map(i, i.gone == '', i.kept).size() == 0",
            &["self.list[].gone"],
        ),
        ("self.list.map(i, i)[0].gone == ''", &["self.list[].gone"]),
        (
            "self.list.transformList(k, i, i.gone).size() == 0",
            &["self.list[].gone"],
        ),
        (
            "self.list.transformList(k, i, i.kept == '', i)[0].gone == ''",
            &["self.list[].gone"],
        ),
        (
            "self.map.transformMap(k, v, v.gone).size() == 0",
            &["self.map{}.gone"],
        ),
        (
            "self.map.transformMap(k, v, k == '', v)['k'].gone == ''",
            &["self.map{}.gone"],
        ),
        (
            "self.list.transformMapEntry(k, i, {i.kept: i})['k'].gone == ''",
            &["self.list[].gone"],
        ),
        (
            "self.map.all(k, self.map[k].gone == '')",
            &["self.map{}.gone"],
        ),
        ("self.map.all(k, v, v.gone == '')", &["self.map{}.gone"]),
        (
            "self.lists.all(l, l.all(i, i.gone == ''))",
            &["self.lists[][].gone"],
        ),
        (
            "self.lists.flatten().all(i, i.gone == '')",
            &["self.lists[][].gone"],
        ),
        (
            "self.lists.flatten(1).all(i, i.gone == '')",
            &["self.lists[][].gone"],
        ),
        (
            "self.list.sortBy(i, i.gone)[0].kept == ''",
            &["self.list[].gone"],
        ),
        (
            "self.list.sortBy(i, i.kept).first().value().gone == ''",
            &["self.list[].gone"],
        ),
        (
            "self.list.last().gone.orValue('') == ''",
            &["self.list[].gone"],
        ),
        (
            "self.list.distinct().reverse().slice(0, 1).all(i, i.gone == '')",
            &["self.list[].gone"],
        ),
        (
            "(self.list + oldSelf.list).all(i, i.gone == '')",
            &["self.list[].gone"],
        ),
        (
            "self.?leaf.optMap(l, l.gone).hasValue()",
            &["self.leaf.gone"],
        ),
        (
            "self.?leaf.optFlatMap(l, l.?gone).hasValue()",
            &["self.leaf.gone"],
        ),
        (
            "self.?list.orValue([]).all(i, i.gone == '')",
            &["self.list[].gone"],
        ),
        (
            "self.list.all(i, self.list.all(j, i.kept == j.gone))",
            &["self.list[].gone"],
        ),
        (
            "[self.list].all(l, l.all(i, i.gone == ''))",
            &["self.list[].gone"],
        ),
    ]);
}

#[test]
fn one_cause_is_told_once() {
    check(&[
        ("self.gone.gone.kept == ''", &["self.gone"]),
        (
            "self.gone.list.all(i, i.gone.kept == i.gone)",
            &["self.gone"],
        ),
        ("self.gone.mode == 'X'", &["self.gone"]),
        ("self.?gone.?kept.orValue('') == ''", &["self.gone"]),
    ]);
}

#[test]
fn namesakes_are_no_reads() {
    check(&[
        ("self.same.gone == ''", &[]),
        ("self.labels.gone == '' && self.labels['gone'] == ''", &[]),
        ("'gone' in self.labels", &[]),
        ("self.kept == 'gone'", &[]),
        ("self.kept == 'self.gone'", &[]),
        ("self.list.all(gone, gone.kept == '')", &[]),
        ("self.list.all(self, self.kept == '')", &[]),
        ("{'gone': self.kept}.gone == ''", &[]),
        ("{'gone': self.kept}['gone'] == ''", &[]),
        ("[{'gone': 1}].all(i, i.gone == 1)", &[]),
        ("self.map.all(k, k == 'gone')", &[]),
        ("self.port.gone == 1", &[]),
        ("self.any.gone == 1", &[]),
        ("self.leaf.kept.gone() == 1", &[]),
        ("gone == 1 && has(x.gone)", &[]),
        ("self.list.all(i, true) && i.gone == ''", &[]),
        ("Gone{gone: 1}.gone == 1", &[]),
        ("self.kept == '' // self.gone", &[]),
        ("self.a__b == ''", &[]),
        ("self.unknown.gone == ''", &[]),
        ("self.gone_too == ''", &[]),
        // The leading dot skips the macro's variable.
        ("self.list.all(self, .self.gone.kept == '')", &["self.gone"]),
    ]);
}

#[test]
fn enum_values_are_found_in_every_comparison() {
    check(&[
        ("self.mode == 'X'", &["self.mode=X"]),
        ("'X' != self.mode", &["self.mode=X"]),
        ("self.mode == \"X\"", &["self.mode=X"]),
        ("self.mode in ['A', 'X']", &["self.mode=X"]),
        ("!(self.mode in ['X'])", &["self.mode=X"]),
        ("self.mode in {'X': true}", &["self.mode=X"]),
        ("{'A': 1, 'X': 2}[self.mode] == 1", &["self.mode=X"]),
        ("{'A': 1, 'X': 2}[?self.mode].hasValue()", &["self.mode=X"]),
        ("['A', 'X'].exists(m, m == self.mode)", &["self.mode=X"]),
        ("self.modes.all(m, m in ['A', 'X'])", &["self.modes[]=X"]),
        ("self.modes.exists(m, m == 'X')", &["self.modes[]=X"]),
        ("'X' in self.modes", &["self.modes[]=X"]),
        ("self.modes == ['X']", &["self.modes[]=X"]),
        ("self.modes[0] == 'X'", &["self.modes[]=X"]),
        ("self.modes.indexOf('X') == 0", &["self.modes[]=X"]),
        (
            "self.modes.first() == optional.of('X')",
            &["self.modes[]=X"],
        ),
        ("self.modes.map(m, [m]) == [['X']]", &["self.modes[]=X"]),
        ("sets.contains(self.modes, ['X'])", &["self.modes[]=X"]),
        ("sets.intersects(['X'], self.modes)", &["self.modes[]=X"]),
        (
            "sets.equivalent(self.list.map(i, i.mode), ['A', 'X'])",
            &["self.list[].mode=X"],
        ),
        (
            "self.list.exists(i, i.mode == 'X')",
            &["self.list[].mode=X"],
        ),
        (
            "self.list.map(i, i.mode).exists(m, 'X' == m)",
            &["self.list[].mode=X"],
        ),
        (
            "self.mode == (self.kept == '' ? 'A' : 'X')",
            &["self.mode=X"],
        ),
        (
            "(self.kept == '' ? self.mode : self.leaf.mode) == 'X'",
            &["self.leaf.mode=X", "self.mode=X"],
        ),
        ("self.?mode.orValue('A') == 'X'", &["self.mode=X"]),
        ("self.?mode == optional.of('X')", &["self.mode=X"]),
        (
            "self.?mode.optMap(m, m == 'X').orValue(false)",
            &["self.mode=X"],
        ),
        ("dyn(self.mode) == 'X'", &["self.mode=X"]),
        ("string(self.mode) == 'X'", &["self.mode=X"]),
        ("oldSelf.mode == 'X' && self.mode == 'A'", &["self.mode=X"]),
        ("self.modeMap['k'] == 'X'", &["self.modeMap{}=X"]),
        ("self.modeMap.all(k, v, v != 'X')", &["self.modeMap{}=X"]),
        ("self.modeMap == {'k': 'X'}", &["self.modeMap{}=X"]),
        ("self.level == 3", &["self.level=3"]),
        ("self.other == 'Y'", &["self.other=Y"]),
        ("self.mode.matches('^(A|X)$')", &["self.mode=X"]),
        ("matches(self.mode, 'X')", &["self.mode=X"]),
        (
            "self.mode < 'X' || 'X' >= self.mode",
            &["self.mode=X", "self.mode=X"],
        ),
        ("self.mode.startsWith('X')", &["self.mode=X"]),
        ("self.mode.contains('X')", &["self.mode=X"]),
        ("self.mode.endsWith('X')", &["self.mode=X"]),
        ("self.mode.indexOf('X') == 0", &["self.mode=X"]),
        ("self.mode.lastIndexOf('X', 1) == 0", &["self.mode=X"]),
        ("self.mode.replace('X', 'A') == 'A'", &["self.mode=X"]),
        ("self.mode.replace('A', 'X') == 'A'", &["self.mode=X"]),
        ("self.mode.trim() == 'X'", &["self.mode=X"]),
        ("self.mode.split(',').exists(m, m == 'X')", &["self.mode=X"]),
        ("self.modes.join(',') == 'X'", &["self.modes[]=X"]),
        ("'%s'.format([self.mode]) == 'X'", &["self.mode=X"]),
        ("self.modes.max() == 'X'", &["self.modes[]=X"]),
        ("['A', self.mode, 'X'].size() == 3", &["self.mode=X"]),
        ("{'a': self.mode, 'b': 'X'}.size() == 2", &["self.mode=X"]),
        ("(self.modes + ['X']).size() == 2", &["self.modes[]=X"]),
        ("self.?mode.orValue('X') == self.free", &["self.mode=X"]),
        (
            "(has(self.mode) ? self.mode : 'X') == self.free",
            &["self.mode=X"],
        ),
        (
            "(['A'] + ['X']).exists(m, m == self.mode)",
            &["self.mode=X"],
        ),
    ]);
}

#[test]
fn keys_of_maps_are_found_in_every_form() {
    check(&[
        ("'X' in self.keyed", &["self.keyed:X"]),
        ("self.keyed['X'] == 1", &["self.keyed:X"]),
        ("self.keyed.X == 1", &["self.keyed:X"]),
        ("has(self.keyed.X)", &["self.keyed:X"]),
        ("self.keyed[?'X'].hasValue()", &["self.keyed:X"]),
        ("self.keyed.?X.hasValue()", &["self.keyed:X"]),
        ("self.keyed == {'X': 1}", &["self.keyed:X"]),
        ("self.keyed.all(k, k != 'X')", &["self.keyed:X"]),
        ("self.keyed.exists(k, k in ['A', 'X'])", &["self.keyed:X"]),
        ("self.keyed.all(k, v, k != 'X' || v > 1)", &["self.keyed:X"]),
        (
            "self.keyed.filter(k, k == 'X').size() == 0",
            &["self.keyed:X"],
        ),
        ("self.keyed.map(k, k) == ['X']", &["self.keyed:X"]),
        (
            "self.keyed.transformMap(k, v, k == 'X', v).size() == 0",
            &["self.keyed:X"],
        ),
        (
            "self.keyed[self.kept == '' ? 'X' : 'A'] == 1",
            &["self.keyed:X"],
        ),
        (
            "'A' in self.keyed && self.keyed['A'] == 1 && self.keyed.A == 1",
            &[],
        ),
        ("self.keyed['A'] == 3 && self.free in self.keyed", &[]),
    ]);
}

#[test]
fn other_texts_are_no_enum_values() {
    check(&[
        ("self.mode == 'A'", &[]),
        ("self.mode == 'Z'", &[]),
        ("self.free == 'X'", &[]),
        ("self.other == 'X'", &[]),
        ("'X' in self.labels", &[]),
        ("self.labels.X == ''", &[]),
        ("'X' in self.modeMap", &[]),
        ("self.modeMap['X'] == 'A'", &[]),
        ("self.modeMap.all(k, k != 'X')", &[]),
        ("self.mode.startsWith('XY') || self.mode.contains('Y')", &[]),
        ("self.mode.matches('X.*') || self.mode.matches('[X]')", &[]),
        ("self.level < 3", &[]),
        ("self.mode + 'X' == 'AX'", &[]),
        ("self.mode == 'A' + 'X'", &[]),
        ("self.mode == b'X'", &[]),
        ("self.level == 1 && self.level == 4", &[]),
        (
            "self.mode == 'A' ? self.free == 'X' : self.free == 'Y'",
            &[],
        ),
        ("['X'].exists(m, m == self.free)", &[]),
        ("self.list.all(X, X.kept == 'X')", &[]),
        (
            "self.modes.size() == 1 && self.modes.exists(m, self.free == 'X')",
            &[],
        ),
    ]);
}

#[test]
fn a_value_as_deep_as_it_gets_is_followed_or_unknown() {
    let deep = format!(
        "[self.leaf]{}",
        ".map(v, [v, c ? [v] : {'k': v}.k])".repeat(40)
    );
    assert_eq!(reads(&format!("{deep} == {deep}")), Vec::<String>::new());
    let text = format!("self.lists{}", ".map(l, l)".repeat(100));
    assert_eq!(
        reads(&format!("{text}[0][0].gone == ''")),
        ["self.lists[][].gone"]
    );
}
