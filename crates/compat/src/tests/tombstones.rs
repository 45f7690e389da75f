//! Tombstones between two sets: a removed name needs one, a reserved name stays unused, and no tombstone is lost.

use super::rows::crd;
use crate::{Channel, Published, Report, Set, compare, union};
use crd_channels_released::manifest::{KindTombstone, NameTombstone, Tombstones, VersionTombstone};
use serde_json::{Value, json};

fn set(kind: &str, versions: &[(&str, Value)], tombstones: Option<Tombstones>) -> Set {
    let versions = versions.iter().enumerate().map(|(place, (name, spec))| {
        json!({
            "name": name,
            "served": true,
            "storage": place == 0,
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
        })
    });
    let plural = format!("{}s", kind.to_lowercase());
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.example.com")},
        "spec": {
            "group": "example.com",
            "names": {"kind": kind, "plural": plural},
            "scope": "Namespaced",
            "versions": versions.collect::<Vec<_>>(),
        },
    });
    let mut set = Set {
        tombstones,
        ..Set::default()
    };
    let published = Published::read(&crd).unwrap().unwrap();
    set.insert(Channel::Experimental, published).unwrap();
    set
}

fn widget(spec: Value, tombstones: Tombstones) -> Set {
    set("Widget", &[("v1", spec)], Some(tombstones))
}

fn name(path: &str, name: &str) -> NameTombstone {
    NameTombstone {
        group: "example.com".to_owned(),
        kind: "Widget".to_owned(),
        path: path.to_owned(),
        name: name.to_owned(),
        removed: "v0.2.0".to_owned(),
        reason: "too vague".to_owned(),
    }
}

fn gone_version(version: &str) -> VersionTombstone {
    VersionTombstone {
        group: "example.com".to_owned(),
        kind: "Widget".to_owned(),
        version: version.to_owned(),
        removed: "v0.2.0".to_owned(),
        reason: "another is enough".to_owned(),
    }
}

fn names(names: &[(&str, &str)]) -> Tombstones {
    Tombstones {
        names: names.iter().map(|(path, last)| name(path, last)).collect(),
        ..Tombstones::default()
    }
}

fn summaries(report: &Report) -> Vec<String> {
    let findings = report.findings.iter();
    let ours = findings.filter(|finding| finding.record.id.starts_with("tombstone-"));
    ours.map(|finding| {
        format!(
            "{} {}: {}",
            finding.record.id, finding.path, finding.change.message
        )
    })
    .collect()
}

fn check(old: &Set, new: &Set, expected: &[&str]) {
    assert_eq!(summaries(&compare(old, new)), expected);
}

/// An object with these properties, each a text.
fn object(properties: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> = properties
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})))
        .collect();
    json!({"type": "object", "properties": properties})
}

#[test]
fn a_status_that_was_experimental_needs_no_tombstone() {
    let status = || json!({"root": {"properties": {"status": object(&["a"])}}});
    let of = |stable: Value, experimental: Value| {
        let mut set = Set {
            tombstones: Some(Tombstones::default()),
            ..Set::default()
        };
        for (channel, patch) in [
            (Channel::Stable, stable),
            (Channel::Experimental, experimental),
        ] {
            let published = crd(&patch, "v0.1.0", channel);
            set.insert(channel, published).unwrap();
        }
        set
    };
    let none = of(json!({}), json!({}));
    check(&of(json!({}), status()), &none, &[]);
    let missing = ["tombstone-missing .: `status` was removed without a tombstone"];
    check(&of(status(), status()), &none, &missing);
    let mut less = status();
    less["root"]["properties"]["status"] = object(&[]);
    check(
        &of(json!({}), status()),
        &of(json!({}), less),
        &["tombstone-missing status: `a` was removed without a tombstone"],
    );
}

#[test]
fn what_is_gone_needs_a_tombstone() {
    let old = widget(object(&["a", "b"]), Tombstones::default());
    let none = widget(object(&["a"]), Tombstones::default());
    check(
        &old,
        &none,
        &["tombstone-missing spec: `b` was removed without a tombstone"],
    );
    check(&old, &widget(object(&["a"]), names(&[("spec", "b")])), &[]);
    let list = json!({"type": "array", "items": {"type": "object", "properties": {"mode": {"type": "string", "enum": ["A", "B"]}}}});
    let deep = json!({"type": "object", "properties": {"list": list}});
    let mut less = deep.clone();
    less["properties"]["list"]["items"]["properties"]["mode"]["enum"] = json!(["A"]);
    let old = widget(deep, Tombstones::default());
    check(
        &old,
        &widget(less.clone(), Tombstones::default()),
        &["tombstone-missing spec.list[].mode: `B` was removed without a tombstone"],
    );
    check(
        &old,
        &widget(less, names(&[("spec.list[].mode", "B")])),
        &[],
    );
    // A removed parent removes everything below it.
    check(
        &old,
        &widget(object(&[]), Tombstones::default()),
        &["tombstone-missing spec: `list` was removed without a tombstone"],
    );
}

#[test]
fn what_has_a_tombstone_stays_gone() {
    let tombstones = names(&[("spec", "b")]);
    let old = widget(object(&["a"]), tombstones.clone());
    check(&old, &old, &[]);
    let mut other = object(&["a"]);
    other["properties"]["b"] = json!({"type": "integer"});
    let reused = "tombstone-reused spec: the name `b` was removed in v0.2.0 and is used again";
    check(&old, &widget(other.clone(), tombstones.clone()), &[reused]);
    // In any version.
    let versions = [("v1", object(&["a"])), ("v2", other)];
    check(
        &old,
        &set("Widget", &versions, Some(tombstones.clone())),
        &[reused],
    );
    // At another place it is another name.
    let elsewhere =
        json!({"type": "object", "properties": {"a": {"type": "string"}, "c": object(&["b"])}});
    check(&old, &widget(elsewhere, tombstones), &[]);
}

#[test]
fn a_tombstone_holds_for_the_versions_that_lack_the_name() {
    let tombstones = names(&[("spec", "b")]);
    let of = |versions: &[(&str, &[&str])], tombstones: &Tombstones| {
        let versions: Vec<_> = versions
            .iter()
            .map(|(name, spec)| (*name, object(spec)))
            .collect();
        set("Widget", &versions, Some(tombstones.clone()))
    };
    let all: &[&str] = &["a", "b"];
    let less: &[&str] = &["a"];
    let old = of(&[("v1", less), ("v1beta1", all)], &tombstones);
    check(&old, &old, &[]);
    check(
        &old,
        &of(&[("v1", less), ("v1beta1", less)], &tombstones),
        &[],
    );
    let reused = "tombstone-reused spec: the name `b` was removed in v0.2.0 and is used again";
    check(
        &old,
        &of(&[("v1", all), ("v1beta1", all)], &tombstones),
        &[reused],
    );
    check(
        &old,
        &of(&[("v2", all), ("v1", less), ("v1beta1", all)], &tombstones),
        &[reused],
    );
    // Nor if it gets a tombstone at once.
    let before = of(&[("v1beta1", all)], &Tombstones::default());
    check(&before, &old, &[]);
    check(
        &before,
        &of(&[("v2", all), ("v1", less), ("v1beta1", all)], &tombstones),
        &[reused],
    );
    // The version with the tombstone was removed: the other one has no place for it.
    let gone = Tombstones {
        versions: vec![gone_version("v1")],
        ..Tombstones::default()
    };
    check(&old, &of(&[("v1beta1", all)], &gone), &[]);
    let erased = "tombstone-erased spec: the tombstone of `b` was removed";
    let missing = "tombstone-missing spec: `b` was removed without a tombstone";
    check(&old, &of(&[("v1beta1", less)], &gone), &[erased, missing]);
}

#[test]
fn no_tombstone_is_lost() {
    let old = widget(object(&["a"]), names(&[("spec", "b")]));
    let erased = "tombstone-erased spec: the tombstone of `b` was removed";
    check(
        &old,
        &widget(object(&["a"]), Tombstones::default()),
        &[erased],
    );
    // A mistake in its text may be corrected.
    let mut edited = names(&[("spec", "b")]);
    edited.names[0].reason = "another".to_owned();
    edited.names[0].removed = "v0.3.0".to_owned();
    check(&old, &widget(object(&["a"]), edited), &[]);
    // No type can declare it any more; the tombstones of the bundles keeps it.
    let old = widget(object(&["a"]), names(&[("spec.gone", "b")]));
    check(&old, &widget(object(&["a"]), Tombstones::default()), &[]);
    let first = names(&[("spec", "b")]);
    let both = union([&first, &names(&[("spec", "b"), ("spec.gone", "b")])]);
    assert_eq!(both.names, [name("spec", "b"), name("spec.gone", "b")]);
}

#[test]
fn kinds_and_versions_have_tombstones_too() {
    let both = [("v1", object(&["a"])), ("v2", object(&["a", "b"]))];
    let old = set("Widget", &both, Some(Tombstones::default()));
    let one = |tombstones| widget(object(&["a"]), tombstones);
    check(
        &old,
        &one(Tombstones::default()),
        &["tombstone-missing spec.versions[v2]: the version was removed without a tombstone"],
    );
    let gone = Tombstones {
        versions: vec![gone_version("v2")],
        ..Tombstones::default()
    };
    check(&old, &one(gone.clone()), &[]);
    check(
        &one(gone.clone()),
        &set("Widget", &both, Some(gone)),
        &[
            "tombstone-reused spec.versions[v2]: the version was removed in v0.2.0 and is used again",
        ],
    );
    let other = |tombstones| set("Gadget", &[("v1", object(&["z"]))], Some(tombstones));
    let missing = "tombstone-missing .: the kind was removed without a tombstone";
    check(&old, &other(Tombstones::default()), &[missing]);
    let gone = Tombstones {
        kinds: vec![KindTombstone {
            group: "example.com".to_owned(),
            kind: "Widget".to_owned(),
            removed: "v0.2.0".to_owned(),
            reason: "gadgets do the same".to_owned(),
        }],
        ..Tombstones::default()
    };
    check(&old, &other(gone.clone()), &[]);
    let reused = "tombstone-reused .: the kind was removed in v0.2.0 and is used again";
    check(
        &other(gone.clone()),
        &one(gone),
        &[
            "tombstone-missing .: the kind was removed without a tombstone",
            reused,
        ],
    );
}

#[test]
fn what_has_no_ledger_is_not_judged() {
    let old = set("Widget", &[("v1", object(&["a", "b"]))], None);
    let new = widget(object(&["a"]), Tombstones::default());
    let report = compare(&old, &new);
    assert_eq!(summaries(&report), Vec::<String>::new());
    assert!(
        report
            .notes
            .iter()
            .any(|note| note.starts_with("CRDs do not contain tombstones"))
    );
}

/// Names of properties may have dots, and tombstones are at the root as well as in lists and maps.
#[test]
fn notes_give_the_reason_of_the_tombstone() {
    let removed = json!({"type": "string"});
    let object = |inside: Value| json!({"type": "object", "properties": inside});
    let pairs = [
        (
            "spec",
            "host",
            object(json!({"host": removed})),
            object(json!({})),
        ),
        (
            "spec",
            "a.b",
            object(json!({"a.b": removed})),
            object(json!({})),
        ),
        (
            "spec.list[]",
            "in",
            object(json!({"list": {"type": "array", "items": object(json!({"in": removed}))}})),
            object(json!({"list": {"type": "array", "items": object(json!({}))}})),
        ),
        (
            "spec.map{}",
            "in",
            object(
                json!({"map": {"type": "object", "additionalProperties": object(json!({"in": removed}))}}),
            ),
            object(json!({"map": {"type": "object", "additionalProperties": object(json!({}))}})),
        ),
    ];
    for (path, name, old, new) in pairs {
        let gone = names(&[(path, name)]);
        let report = compare(
            &widget(old, Tombstones::default()),
            &widget(new, gone.clone()),
        );
        let notes = crate::report::markdown(&report, &gone);
        assert!(
            notes.contains("property removed (v1) — too vague"),
            "{path} {name}: {notes}"
        );
        // That of another name is not its reason.
        let others = names(&[(path, "other")]);
        let notes = crate::report::markdown(&report, &others);
        assert!(!notes.contains("too vague"), "{path} {name}: {notes}");
    }
}
