//! What a bundle has besides CRDs: objects that came, went or changed.

use super::finding::{Change, Finding, Gate, Record, Topic};
use super::set::Set;
use super::verdict::{Channel, Need, Verdict};
use crate::Text;
use serde_json::Value;
use std::collections::BTreeMap;

/// Objects besides CRDs, by kind and name, without the annotations with bundle and channel.
pub type Components = BTreeMap<String, Value>;

const fn component(id: &'static str, topic: Topic, summary: &'static str) -> Record {
    Record {
        id,
        rows: &[],
        topic,
        gate: Gate::Absolute,
        waivable: false,
        summary,
        explanation: "Components, such as a webhook, are installed with the CRDs. Nobody here knows what they do, so whoever upgrades has to look.",
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
    "An object besides the CRDs is gone.",
);

/// Adds an object of a bundle whose annotations begin with `prefix`.
pub fn add(components: &mut Components, mut object: Value, prefix: &str) {
    let text = |path: &str| object.pointer(path).and_then(Value::as_str);
    let names = [
        text("/kind"),
        text("/metadata/namespace"),
        text("/metadata/name"),
    ];
    let id = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
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
    components.insert(id, object);
}

/// What became of the components; nothing where one of the sets does not tell of them.
pub(super) fn check(old: &Set, new: &Set) -> Vec<Finding> {
    let (Some(before), Some(now)) = (&old.components, &new.components) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for (id, object) in now {
        let unknown = [Verdict::Ok, Verdict::Unknown, Verdict::Ok];
        match before.get(id) {
            None => findings.push(finding(&ADDED, id, "added", unknown, Need::PATCH)),
            Some(known) if known != object => {
                findings.push(finding(&CHANGED, id, "changed", unknown, Need::PATCH));
            }
            Some(_) => {}
        }
    }
    for id in before.keys().filter(|id| !now.contains_key(*id)) {
        let verdicts = [Verdict::Ok, Verdict::Unknown, Verdict::Unknown];
        findings.push(finding(&REMOVED, id, "removed", verdicts, Need::MINOR));
    }
    findings
}

fn finding(
    record: &'static Record,
    id: &str,
    what: &str,
    verdicts: [Verdict; 3],
    need: Need,
) -> Finding {
    Finding {
        record,
        kind: Text::default(),
        version: Text::default(),
        path: "components".to_owned(),
        channel: Channel::Stable,
        within: None,
        change: Change::new(verdicts, need, format!("`{id}` {what}")),
        origin: None,
        waived: None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Components, add};
    use crate::compat::{Bump, Set, compare};
    use serde_json::{Value, json};

    fn set(objects: &[Value]) -> Set {
        let mut components = Components::new();
        for object in objects {
            add(&mut components, object.clone(), "example.com");
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

    #[test]
    fn components_are_told_of() {
        let told = |old: &[Value], new: &[Value]| -> Vec<(&str, Bump, String)> {
            let findings = compare(&set(old), &set(new)).findings.into_iter();
            findings
                .map(|found| (found.record.id, found.counts_as(), found.change.message))
                .collect()
        };
        let (one, two) = (webhook("v0.1.0", 1), webhook("v0.2.0", 1));
        assert_eq!(
            told(std::slice::from_ref(&one), std::slice::from_ref(&two)),
            []
        );
        let changed = told(std::slice::from_ref(&one), &[webhook("v0.2.0", 2)]);
        let message = |what: &str| format!("`Service webhook` {what}");
        assert_eq!(
            changed,
            [("component-changed", Bump::Patch, message("changed"))]
        );
        let removed = told(&[one], &[]);
        assert_eq!(
            removed,
            [("component-removed", Bump::Minor, message("removed"))]
        );
        let added = told(&[], &[two]);
        assert_eq!(added, [("component-added", Bump::Patch, message("added"))]);
    }
}
