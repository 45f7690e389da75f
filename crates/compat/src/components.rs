//! The objects of a bundle that are not CRDs: added, removed, changed.

use super::findings::verdict::{Channel, Need, Verdict};
use super::findings::{Change, Finding, Gate, Record, Topic};
use crd_channels_cel::Text;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Objects besides CRDs, by group, kind, namespace and name, as each channel has them: without the annotations with bundle and
/// channel.
pub type Components = BTreeMap<String, BTreeMap<Text, Value>>;

const fn component(id: &'static str, topic: Topic, summary: &'static str) -> Record {
    Record {
        id,
        topic,
        gate: Gate::Absolute,
        waivable: false,
        summary,
        explanation: "Components, such as a webhook, are installed with the CRDs. The tool cannot tell what they do, so review the change before upgrading.",
    }
}

pub(super) const ADDED: Record = component(
    "component-added",
    Topic::Added,
    "A bundle has a new object besides its CRDs.",
);
pub(super) const CHANGED: Record = component(
    "component-changed",
    Topic::Changed,
    "An object besides the CRDs changed.",
);
pub(super) const REMOVED: Record = component(
    "component-removed",
    Topic::Removed,
    "An object besides the CRDs was removed.",
);

/// Adds an object of a channel of a bundle whose annotations begin with `prefix`.
pub fn add(components: &mut Components, channel: &str, mut object: Value, prefix: &str) {
    let id = id(&object);
    let annotations = object.pointer_mut("/metadata/annotations");
    if let Some(Value::Object(annotations)) = annotations {
        for stamp in ["bundle-version", "channel"] {
            annotations.remove(&format!("{prefix}/{stamp}"));
        }
        if annotations.is_empty()
            && let Some(Value::Object(metadata)) = object.get_mut("metadata")
        {
            metadata.remove("annotations");
        }
    }
    let channels = components.entry(id).or_default();
    channels.insert(channel.into(), object);
}

/// `Service webhook`, `Deployment.apps edge/webhook`: unique in a cluster. Another version of the group is the same object.
fn id(object: &Value) -> String {
    let text = |path: &str| object.pointer(path).and_then(Value::as_str);
    let kind = text("/kind").unwrap_or_default();
    let name = text("/metadata/name").unwrap_or_default();
    let kind = match text("/apiVersion").and_then(|version| version.split_once('/')) {
        Some((group, _)) => format!("{kind}.{group}"),
        None => kind.to_owned(),
    };
    match text("/metadata/namespace") {
        Some(namespace) => format!("{kind} {namespace}/{name}"),
        None => format!("{kind} {name}"),
    }
}

/// Compares the components; without findings if one of the sets does not record them.
pub(super) fn check(old: Option<&Components>, new: Option<&Components>) -> Vec<Finding> {
    let (Some(before), Some(now)) = (old, new) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    let mut tell = |record, id: &str, rest, need, what: String| {
        let verdicts = [Verdict::Ok, Verdict::Unknown, rest];
        findings.push(finding(record, id, Change::new(verdicts, need, what)));
    };
    let nothing = BTreeMap::new();
    let all: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    for id in all {
        let [was, is] = [before, now].map(|set| set.get(id).unwrap_or(&nothing));
        let gone = lacking(is, was);
        if !gone.is_empty() {
            let what = format!("the object was removed{}", where_it_is(" from", &gone, is));
            tell(&REMOVED, id, Verdict::Unknown, Need::MINOR, what);
        }
        let new = lacking(was, is);
        if !new.is_empty() {
            let what = format!("the object is new{}", where_it_is(" in", &new, was));
            tell(&ADDED, id, Verdict::Ok, Need::PATCH, what);
        }
        let changed = |(channel, object)| was.get(channel).is_some_and(|known| known != object);
        if is.iter().any(changed) {
            let what = "the object changed".to_owned();
            tell(&CHANGED, id, Verdict::Ok, Need::PATCH, what);
        }
    }
    findings
}

/// The channels in which only the second set has an object.
fn lacking<'a>(one: &BTreeMap<Text, Value>, other: &'a BTreeMap<Text, Value>) -> Vec<&'a Text> {
    let channels = other.keys();
    channels.filter(|name| !one.contains_key(*name)).collect()
}

/// The channels, unless the object is in no other one.
fn where_it_is(preposition: &str, channels: &[&Text], others: &BTreeMap<Text, Value>) -> String {
    if others.is_empty() {
        return String::new();
    }
    let names: Vec<String> = channels.iter().map(|name| format!("`{name}`")).collect();
    let noun = if names.len() == 1 {
        "channel"
    } else {
        "channels"
    };
    format!("{preposition} {noun} {}", names.join(", "))
}

/// Each object has its own place, so that a waiver is for one object.
fn finding(record: &'static Record, id: &str, change: Change) -> Finding {
    Finding::new(record, Channel::Stable, format!("components[{id}]"), change)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests")]

    use super::{Components, add};
    use crate::{Bump, Set, compare};
    use serde_json::{Value, json};

    fn set(objects: &[Value]) -> Set {
        let mut components = Components::new();
        for object in objects {
            add(&mut components, "stable", object.clone(), "example.com");
        }
        Set {
            components: Some(components),
            ..Set::default()
        }
    }

    fn webhook(version: &str, port: u16) -> Value {
        json!({
            "kind": "Service",
            "metadata": {"name": "webhook", "annotations": {"example.com/bundle-version": version}},
            "spec": {"port": port},
        })
    }

    /// The code, bump, place and message of each change of objects.
    fn reported(old: &[Value], new: &[Value]) -> Vec<(&'static str, Bump, String)> {
        let findings = compare(&set(old), &set(new)).findings.into_iter();
        findings
            .map(|found| {
                let line = format!("{}: {}", found.path, found.change.message);
                (found.record.id, found.counts_as(), line)
            })
            .collect()
    }

    #[test]
    fn components_are_told_of() {
        let (one, two) = (webhook("v0.1.0", 1), webhook("v0.2.0", 1));
        assert_eq!(
            reported(std::slice::from_ref(&one), std::slice::from_ref(&two)),
            []
        );
        let changed = reported(std::slice::from_ref(&one), &[webhook("v0.2.0", 2)]);
        let message = |what: &str| format!("components[Service webhook]: the object {what}");
        assert_eq!(
            changed,
            [("component-changed", Bump::Patch, message("changed"))]
        );
        let removed = reported(&[one], &[]);
        assert_eq!(
            removed,
            [("component-removed", Bump::Minor, message("was removed"))]
        );
        let added = reported(&[], &[two]);
        assert_eq!(added, [("component-added", Bump::Patch, message("is new"))]);
    }

    #[test]
    fn objects_are_told_apart_by_group_kind_namespace_and_name() {
        let object = |version: &str, kind: &str, namespace: &str, name: &str| {
            json!({
                "apiVersion": version,
                "kind": kind,
                "metadata": {"namespace": namespace, "name": name},
            })
        };
        let all = [
            object("v1", "Gateway", "a", "x"),
            object("one.example.com/v1", "Gateway", "a", "x"),
            object("two.example.com/v1", "Gateway", "a", "x"),
            object("two.example.com/v1", "Route", "a", "x"),
            object("two.example.com/v1", "Route", "b", "x"),
            object("two.example.com/v1", "Route", "b", "y"),
        ];
        for gone in 0..all.len() {
            let mut left = all.to_vec();
            left.remove(gone);
            let removed = reported(&all, &left);
            assert_eq!(removed.len(), 1, "{removed:?}");
            assert_eq!(removed[0].0, "component-removed");
        }
        let mut all_gone = reported(&all, &[]);
        all_gone.dedup();
        assert_eq!(all_gone.len(), all.len(), "{all_gone:?}");
        // Another version of its group is the same object.
        let newer = reported(
            &[object("two.example.com/v1", "Route", "a", "x")],
            &[object("two.example.com/v2", "Route", "a", "x")],
        );
        assert_eq!(
            newer,
            [(
                "component-changed",
                Bump::Patch,
                "components[Route.two.example.com a/x]: the object changed".to_owned()
            )]
        );
    }
}
