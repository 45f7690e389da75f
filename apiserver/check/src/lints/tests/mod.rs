//! Every lint, with an example and a near miss.

#![allow(clippy::unwrap_used, reason = "tests")]

mod help;
mod kept;

use super::Document;
use crate::NEWEST;
use crate::registry::Rule;
use serde_json::{Value, json};

/// The lints that a version triggers.
fn lints(version: Value) -> Vec<&'static str> {
    let mut whole =
        json!({"name": "v1", "served": true, "storage": true, "subresources": {"status": {}}});
    let fields = whole.as_object_mut().unwrap();
    fields.extend(version.as_object().unwrap().clone());
    let crd = json!({"spec": {"versions": [whole]}});
    let found = Document::decode(&crd).lint(NEWEST);
    found
        .iter()
        .map(|finding| finding.rule.record().id)
        .collect()
}

fn of_field(field: Value) -> Vec<&'static str> {
    lints(json!({"schema": {"openAPIV3Schema": {"type": "object", "properties": {"f": field}}}}))
}

/// A version with these fields below spec and status.
fn with_fields(version: Value) -> Value {
    let fields = json!({"type": "object", "required": ["n"], "properties": {"a": {"type": "string"}, "n": {"type": "integer"}}});
    let mut version = version;
    version["schema"]["openAPIV3Schema"] = json!({"type": "object", "required": ["spec"], "properties": {"spec": fields, "status": fields}});
    version
}

fn typed(path: &str, ty: &str) -> Value {
    with_fields(json!({"additionalPrinterColumns": [{"name": "a", "type": ty, "jsonPath": path}]}))
}

fn scale(spec: &str, status: &str) -> Value {
    let scale = json!({"specReplicasPath": spec, "statusReplicasPath": status, "labelSelectorPath": ".status.a"});
    with_fields(json!({"subresources": {"status": {}, "scale": scale}}))
}

#[test]
fn versions() {
    let column = |path: &str| {
        json!({"additionalPrinterColumns": [{"name": "a", "type": "string", "jsonPath": path}],
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": {"type": "string"}}}}}}})
    };
    let listed = |path: &str| {
        let list = json!({"type": "array", "x-kubernetes-list-type": "atomic", "items": {"type": "string"}});
        let mut version = column(path);
        version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["list"] = list;
        version
    };
    for (trigger, near, id) in [
        (
            json!({"name": "first"}),
            json!({"name": "v2beta1"}),
            "unordered-version",
        ),
        (
            json!({"deprecated": true, "served": false}),
            json!({"deprecated": true}),
            "unseen-deprecation",
        ),
        (
            json!({"subresources": {}, "schema": {"openAPIV3Schema": {"properties": {"status": {"type": "object"}}}}}),
            json!({"schema": {"openAPIV3Schema": {"properties": {"status": {"type": "object"}}}}}),
            "status-without-subresource",
        ),
        (column(".spec.b"), column(".spec.a"), "empty-column"),
        (column(".spec.a.b"), column(".spec['a']"), "empty-column"),
        (
            typed(".spec.a", "integer"),
            typed(".spec.n", "integer"),
            "column-type",
        ),
        (
            typed(".spec.n", "date"),
            typed(".spec.a", "date"),
            "column-type",
        ),
        (
            typed(".spec.a", "boolean"),
            typed(".spec.n", "string"),
            "column-type",
        ),
        (
            listed(".spec.list[*]"),
            listed(".spec.list[0]"),
            "partial-column",
        ),
        (
            listed(".spec['a','list']"),
            listed(".spec.list"),
            "partial-column",
        ),
        (
            column(".metadata.ownerReferences[0:2].name"),
            column(".metadata.managedFields[?(@.manager=='a')].time"),
            "partial-column",
        ),
        (
            scale(".spec.b", ".status.n"),
            scale(".spec.n", ".status.n"),
            "scale-field",
        ),
        (
            scale(".spec.n", ".status.a"),
            scale(".spec.n", ".status.n"),
            "scale-field",
        ),
        (
            scale(".spec.list[0]", ".status.n"),
            scale(".spec.n", ".status.n"),
            "scale-notation",
        ),
        (
            scale(".spec['n']", ".status.n"),
            scale(".spec.n", ".status.n"),
            "scale-notation",
        ),
        (
            scale(".spec.n", ".status.*"),
            scale(".spec.n", ".status.n"),
            "scale-notation",
        ),
        (
            column(".status.a"),
            column(".metadata.labels.a"),
            "empty-column",
        ),
    ] {
        assert_eq!(lints(trigger.clone()), [id], "{trigger}");
        assert_eq!(lints(near.clone()), Vec::<&str>::new(), "{near}");
    }
}

/// A version with these replicas, and a spec with these fields.
fn replicas(replicas: Value, spec: Value) -> Value {
    let mut version = scale(".spec.n", ".status.n");
    let schema = &mut version["schema"]["openAPIV3Schema"];
    schema["properties"]["spec"]["properties"]["n"] = replicas;
    let fields = spec.as_object().unwrap().clone();
    schema["properties"]["spec"]
        .as_object_mut()
        .unwrap()
        .extend(fields);
    version
}

#[test]
fn replicas_are_there_and_fit() {
    let without_selector =
        json!({"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"});
    let without_selector =
        with_fields(json!({"subresources": {"status": {}, "scale": without_selector}}));
    assert_eq!(lints(without_selector), Vec::<&str>::new());
    let optional = || json!({"required": []});
    let any = || json!({"type": "integer"});
    for (version, expected) in [
        (replicas(any(), json!({})), 0),
        (replicas(any(), optional()), 1),
        (
            replicas(json!({"type": "integer", "default": 1}), optional()),
            0,
        ),
        (
            replicas(json!({"type": "integer", "format": "int32"}), json!({})),
            0,
        ),
        (
            replicas(json!({"type": "integer", "format": "int64"}), json!({})),
            1,
        ),
        (
            replicas(
                json!({"type": "integer", "format": "int64", "maximum": 9}),
                json!({}),
            ),
            0,
        ),
        (
            replicas(
                json!({"type": "integer", "maximum": 2_147_483_648_u64}),
                json!({}),
            ),
            1,
        ),
        (
            replicas(json!({"type": "integer", "minimum": -5}), json!({})),
            1,
        ),
        (
            replicas(json!({"type": "integer", "minimum": -5}), optional()),
            2,
        ),
        (
            replicas(
                json!({
                    "type": "integer", "minimum": -1, "exclusiveMinimum": true,
                    "maximum": 2_147_483_648_u64, "exclusiveMaximum": true, "default": 1,
                }),
                optional(),
            ),
            0,
        ),
    ] {
        assert_eq!(
            lints(version.clone()),
            vec!["scale-replicas"; expected],
            "{version}"
        );
    }
    // The object with the replicas may be absent too.
    let mut version = replicas(any(), json!({}));
    let schema = &mut version["schema"]["openAPIV3Schema"];
    schema["required"] = json!([]);
    assert_eq!(lints(version.clone()), ["scale-replicas"]);
    let schema = &mut version["schema"]["openAPIV3Schema"];
    schema["properties"]["spec"]["default"] = json!({"n": 1});
    assert_eq!(lints(version), Vec::<&str>::new());
}

fn keyed() -> Value {
    json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
        "items": {"type": "object", "properties": {"k": {"type": "string"}, "v": {"type": "integer"}}}})
}

#[test]
fn schemas() {
    for (trigger, near, id) in [
        (
            json!({"type": "integer", "format": "uint32"}),
            json!({"type": "integer", "format": "int32"}),
            "unknown-format",
        ),
        (
            json!({"type": "integer", "format": "date"}),
            json!({"type": "string", "format": "date-time"}),
            "unknown-format",
        ),
        (
            json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object", "x-kubernetes-map-type": "atomic"}}),
            json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}),
            "set-items",
        ),
        (
            json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "array", "items": {"type": "string"}}}),
            json!({"type": "array", "x-kubernetes-list-type": "atomic", "items": {"type": "array", "items": {"type": "string"}}}),
            "set-items",
        ),
        (
            json!({"type": "integer", "minimum": 2, "maximum": 1}),
            json!({"type": "integer", "minimum": 1, "maximum": 1}),
            "impossible-bound",
        ),
        (
            json!({"type": "integer", "multipleOf": 0}),
            json!({"type": "integer", "multipleOf": 2}),
            "impossible-bound",
        ),
        (
            json!({"type": "string", "enum": ["a", 1]}),
            json!({"type": "integer", "enum": [1, 2.0]}),
            "enum-value-type",
        ),
        (
            json!({"type": "string", "enum": ["a", null]}),
            json!({"type": "string", "enum": ["a"]}),
            "enum-value-type",
        ),
        (
            json!({"type": "string", "nullable": true, "enum": ["a", null]}),
            json!({"type": "string", "nullable": true}),
            "nullable-enum",
        ),
        (
            json!({"type": "string", "nullable": true, "enum": ["a"]}),
            json!({"type": "string", "enum": ["a"]}),
            "nullable-enum",
        ),
        (
            json!({"type": "integer", "minimum": 1, "maximum": 1, "exclusiveMaximum": true}),
            json!({"type": "integer", "minimum": 1, "maximum": 2, "exclusiveMaximum": true}),
            "impossible-bound",
        ),
        (
            json!({"type": "integer", "minimum": 1.2, "maximum": 1.8}),
            json!({"type": "integer", "minimum": 1.2, "maximum": 2}),
            "impossible-bound",
        ),
        (
            json!({"type": "number"}),
            json!({"x-kubernetes-int-or-string": true}),
            "float",
        ),
        (
            json!({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}, "default": ["a", "a"]}),
            json!({"type": "array", "x-kubernetes-list-type": "atomic", "items": {"type": "string"}, "default": ["a", "a"]}),
            "duplicate-default",
        ),
        (
            json!({"type": "object", "default": {"l": [{"k": "a"}, {"k": "a", "v": 1}]}, "properties": {"l": keyed()}}),
            json!({"type": "object", "default": {"l": [{"k": "a"}, {"k": "b"}]}, "properties": {"l": keyed()}}),
            "duplicate-default",
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 2, "default": 0}}}}),
            json!({"type": "object", "additionalProperties": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 2, "default": 2}}}}),
            "rejected-default",
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"type": "object", "properties": {"t": {
                "type": "string", "default": "b", "x-kubernetes-validations": [{"rule": "self == 'a'"}]}}}}}),
            json!({"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"type": "object", "properties": {"t": {
                "type": "string", "default": "a", "x-kubernetes-validations": [{"rule": "self == 'a'"}]}}}}}),
            "rejected-default",
        ),
        (
            json!({"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}),
            json!({"type": "array", "items": {"type": "object", "properties": {
                "key": {"type": "string"}, "operator": {"type": "string"}, "values": {"type": "array", "items": {"type": "string"}}}}}),
            "untyped-list",
        ),
        (
            json!({"type": "array", "items": {"type": "object"}}),
            json!({"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "atomic"}),
            "untyped-list",
        ),
    ] {
        assert_eq!(of_field(trigger.clone()), [id], "{trigger}");
        assert_eq!(of_field(near.clone()), Vec::<&str>::new(), "{near}");
    }
}

/// The lints on a status with one field.
fn of_status(name: &str, field: Value) -> Vec<&'static str> {
    let status = json!({"type": "object", "properties": {name: field}});
    lints(
        json!({"schema": {"openAPIV3Schema": {"type": "object", "properties": {"status": status}}}}),
    )
}

#[test]
fn conditions() {
    let text = json!({"type": "string"});
    let whole = json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"],
        "items": {"type": "object",
            "required": ["lastTransitionTime", "message", "reason", "status", "type"],
            "properties": {"type": text, "status": text, "reason": text, "message": text,
                "lastTransitionTime": text, "observedGeneration": {"type": "integer"}}}});
    let with = |pointer: &str, value: Value| {
        let mut conditions = whole.clone();
        *conditions.pointer_mut(pointer).unwrap() = value;
        conditions
    };
    assert_eq!(of_status("conditions", whole.clone()), Vec::<&str>::new());
    for (conditions, expected) in [
        (
            with("/x-kubernetes-list-type", json!("atomic")),
            "conditions-list",
        ),
        (
            with("/x-kubernetes-list-map-keys", json!(["reason"])),
            "conditions-list",
        ),
        (
            with("/items/required", json!(["type", "status"])),
            "condition-fields",
        ),
    ] {
        assert_eq!(of_status("conditions", conditions), [expected]);
    }
    let mut unobserved = whole.clone();
    unobserved["items"]["properties"]
        .as_object_mut()
        .unwrap()
        .remove("observedGeneration");
    assert_eq!(
        of_status("conditions", unobserved.clone()),
        ["unobserved-condition"]
    );
    // In a spec they are not special.
    assert_eq!(
        of_field(json!({"type": "object", "properties": {"conditions": unobserved}})),
        Vec::<&str>::new()
    );
    assert_eq!(
        of_status(
            "conditions",
            json!({"type": "array", "items": {"type": "string"}})
        ),
        Vec::<&str>::new()
    );
}

#[test]
fn phases() {
    let phase = json!({"type": "string"});
    assert_eq!(of_status("phase", phase.clone()), ["phase"]);
    assert_eq!(
        of_status("phase", json!({"type": "integer"})),
        Vec::<&str>::new()
    );
    assert_eq!(of_status("phases", phase.clone()), Vec::<&str>::new());
    assert_eq!(
        of_field(json!({"type": "object", "properties": {"phase": phase}})),
        Vec::<&str>::new()
    );
}

/// The unguarded reads of a rule, on an object with optional `a`, `b`, `o.c` and `l`, required `r`, defaulted `d`.
fn unguarded(rule: &str) -> Vec<String> {
    let number = json!({"type": "integer"});
    let object =
        json!({"type": "object", "properties": {"c": number, "d": number}, "required": ["d"]});
    let schema = json!({"type": "object", "required": ["r"], "properties": {
        "a": number, "b": number, "r": number, "d": {"type": "integer", "default": 1}, "o": object,
        "l": {"type": "array", "x-kubernetes-list-type": "atomic", "items": object},
        "m": {"type": "object", "additionalProperties": object}, "x-y": number, "t": {"type": "boolean"},
    }, "x-kubernetes-validations": [{"rule": rule}]});
    let document = json!({"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema":
        {"type": "object", "properties": {"spec": schema}}}}]}});
    let found = Document::decode(&document).lint(NEWEST).into_iter();
    found
        .map(|finding| {
            assert_eq!(finding.rule.record().id, "unguarded-read");
            let (path, _) = finding
                .message
                .trim_start_matches('`')
                .split_once('`')
                .unwrap();
            path.to_owned()
        })
        .collect()
}

#[test]
fn reads_are_guarded_or_told() {
    for (rule, expected) in [
        ("self.r > 0 && self.d > 0", &[][..]),
        ("self.a > 0", &["self.a"]),
        ("!has(self.a) || self.a > 0", &[]),
        ("self.a > 0 || !has(self.a)", &[]),
        ("has(self.a) && self.a > 0", &[]),
        ("has(self.a) || self.a > 0", &["self.a"]),
        ("has(self.a) ? self.a > 0 : true", &[]),
        ("has(self.a) ? true : self.a > 0", &["self.a"]),
        ("has(self.b) && self.a > self.b", &["self.a"]),
        (
            "has(self.a) == has(self.b) && (!has(self.a) || self.a < self.b)",
            &[],
        ),
        (
            "has(self.a) != has(self.b) || self.a < self.b",
            &["self.a", "self.b"],
        ),
        ("(has(self.a) && has(self.b)) ? self.a < self.b : true", &[]),
        ("!(has(self.a) && has(self.b)) || self.a < self.b", &[]),
        (
            "!(has(self.a) || has(self.b)) || self.a < self.b",
            &["self.a", "self.b"],
        ),
        ("has(self.o.c)", &["self.o"]),
        ("!has(self.o) || self.o.d > 0", &[]),
        ("!has(self.o) || self.o.c > 0", &["self.o.c"]),
        ("has(self.o) && has(self.o.c) && self.o.c > 0", &[]),
        ("self.?a.orValue(1) > 0 && self.?o.c.orValue(1) > 0", &[]),
        ("has(self.l) && self.l.all(x, x.c > 0)", &["x.c"]),
        ("!has(self.l) || self.l.all(x, !has(x.c) || x.c > 0)", &[]),
        (
            "!has(self.l) || self.l.all(x, self.l.exists(y, has(y.c) && x.d == y.c))",
            &[],
        ),
        (
            "!has(self.l) || self.l.filter(x, has(x.c)).all(x, x.c > 0)",
            &[],
        ),
        (
            "!has(self.l) || self.l.exists(a, self.a > a.d)",
            &["self.a"],
        ),
        (
            "!has(self.m) || self.m.all(k, self.m[k].c > 0)",
            &["self.m[k].c"],
        ),
        (
            "!has(self.m) || self.m.all(k, has(self.m[k].c) && self.m[k].c > 0)",
            &[],
        ),
        ("!has(self.m) || self.m.all(k, v, v.c > 0)", &["v.c"]),
        ("self.x__dash__y > 0", &["self.x__dash__y"]),
        ("self.a == oldSelf.a", &["self.a", "oldSelf.a"]),
        (
            "has(oldSelf.a) == has(self.a) && (!has(self.a) || self.a == oldSelf.a)",
            &[],
        ),
        ("size(self.l) > 0 && has(self.l)", &[]),
        ("[self.a, 1].max() > 0", &["self.a"]),
        ("self.t", &["self.t"]),
        ("self.r > 0 ? true : self.a > 0", &["self.a"]),
        ("false && self.a > 0", &[]),
    ] {
        assert_eq!(unguarded(rule), expected, "{rule}");
    }
}

#[test]
fn names_clash_within_a_group() {
    let crd = |plural: &str, group: &str, kind: &str, short: &str| {
        json!({"metadata": {"name": format!("{plural}.{group}")},
            "spec": {"group": group, "names": {"plural": plural, "kind": kind, "shortNames": [short]}}})
    };
    let fields = |crds: &[Value]| {
        let decoded = crds.iter().map(Document::decode);
        let names: Vec<_> = decoded.map(|crd| crd.claimed_names()).collect();
        let found = super::name_clashes(names.iter()).into_iter();
        found
            .map(|(place, finding)| (place, finding.field.unwrap().to_string()))
            .collect::<Vec<_>>()
    };
    let first = crd("routes", "a.dev", "Route", "rt");
    for (second, expected) in [
        (crd("gates", "a.dev", "Gate", "gt"), None),
        (
            crd("gates", "a.dev", "Gate", "rt"),
            Some("spec.names.shortNames[0]"),
        ),
        (
            crd("route", "a.dev", "Gate", "gt"),
            Some("spec.names.plural"),
        ),
        (
            crd("gates", "a.dev", "Route", "gt"),
            Some("spec.names.kind"),
        ),
        (
            crd("gates", "a.dev", "RouteList", "gt"),
            Some("spec.names.kind"),
        ),
        (crd("routes", "b.dev", "Route", "rt"), None),
        (first.clone(), None),
    ] {
        let found = fields(&[first.clone(), second.clone()]);
        let field = found.iter().map(|(_, field)| field.as_str());
        assert_eq!(
            field.collect::<Vec<_>>(),
            expected.into_iter().collect::<Vec<_>>(),
            "{second}"
        );
        assert!(found.iter().all(|(place, _)| *place == 1));
    }
}

#[test]
fn a_short_name_is_no_other_name_of_its_crd() {
    let thing = |singular: &str, short: &[&str]| {
        let names =
            json!({"plural": "things", "singular": singular, "kind": "Thing", "shortNames": short});
        let crd = json!({"metadata": {"name": "things.a.dev"}, "spec": {"group": "a.dev", "names": names}});
        let found = Document::decode(&crd).lint(NEWEST);
        let found = found.into_iter().filter(|it| it.rule == Rule::NameClash);
        found
            .map(|finding| finding.field.unwrap().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        thing("", &["thing", "th", "things", "th"]),
        [
            "spec.names.shortNames[0]",
            "spec.names.shortNames[2]",
            "spec.names.shortNames[3]",
        ]
    );
    assert_eq!(thing("th", &["th"]), ["spec.names.shortNames[0]"]);
    assert_eq!(thing("th", &["thing", "tg"]), Vec::<String>::new());
}
