//! The oldest Kubernetes that a set needs, as far as its keywords tell.

use super::finding::{Change, Finding, Gate, Record, Topic};
use super::set::{Crds, Set};
use super::verdict::{Need, Verdict};
use crate::Text;
use crate::schema::{Schema, Version, formats};

pub(super) const RAISED: Record = Record {
    id: "kubernetes-raised",
    rows: &[32],
    topic: Topic::Changed,
    gate: Gate::Absolute,
    waivable: false,
    summary: "The set needs a newer Kubernetes than it did.",
    explanation: "Older API servers refuse it, or drop what they do not know.",
};

/// A minor version of Kubernetes 1, and what needs it.
type Required = (u32, &'static str);

/// What the new set needs that the old one did not, once. What sets declare counts where both do.
pub(super) fn check(old: &Set, new: &Set) -> Option<Finding> {
    let declared = old.kubernetes.zip(new.kubernetes);
    let (declared_before, declared_after) = declared.unwrap_or((BASE, BASE));
    let (before, _, _) = most(old).unwrap_or((BASE, "", Text::default()));
    let before = before.max(declared_before);
    let (keywords, what, kind) = most(new)?;
    let after = keywords.max(declared_after);
    if old.channels.is_empty() || after <= before {
        return None;
    }
    let (channel, _) = new
        .channels
        .iter()
        .find(|(_, crds)| in_crds(crds).is_some_and(|(minor, _, _)| minor >= keywords))?;
    let (kind, message) = if after > keywords {
        let message = format!("is for Kubernetes 1.{after} and newer; 1.{before} was enough");
        (Text::default(), message)
    } else {
        let message = format!("needs Kubernetes 1.{after} for {what}; 1.{before} was enough");
        (kind, message)
    };
    Some(Finding {
        record: &RAISED,
        kind,
        version: Text::default(),
        path: ".".to_owned(),
        channel: *channel,
        within: None,
        change: Change::new(
            [Verdict::Unknown, Verdict::Ok, Verdict::Ok],
            Need::MINOR,
            message,
        ),
        origin: None,
        waived: None,
    })
}

/// The oldest Kubernetes that a set works on, as the minor version of 1: what it declares, raised by what it needs.
#[must_use]
pub fn oldest_kubernetes(set: &Set) -> u32 {
    let needed = most(set).map_or(BASE, |(minor, _, _)| minor);
    needed.max(set.kubernetes.unwrap_or(BASE))
}

/// CRDs of `v1` exist since then.
const BASE: u32 = 16;

fn most(set: &Set) -> Option<(u32, &'static str, Text)> {
    let all = set.channels.values().filter_map(in_crds);
    all.max_by_key(|(minor, _, _)| *minor)
}

fn in_crds(crds: &Crds) -> Option<(u32, &'static str, Text)> {
    let all = crds.values().flat_map(|published| {
        let kind = &published.crd.names.kind;
        let versions = published.crd.versions.iter();
        versions.map(move |version| {
            let (minor, what) = in_version(version);
            (minor, what, kind.clone())
        })
    });
    all.max_by_key(|(minor, _, _)| *minor)
}

fn in_version(version: &Version) -> Required {
    let fields = if version.selectable_fields.is_empty() {
        (BASE, "")
    } else {
        (31, "selectable fields")
    };
    let schema = version.schema.as_deref().map_or((BASE, ""), in_schema);
    fields.max(schema)
}

fn in_schema(schema: &Schema) -> Required {
    let mut required = (BASE, "");
    for rule in &schema.rules {
        let own = if rule.optional_old_self.is_some() {
            (29, "`optionalOldSelf`")
        } else if rule.reason.is_some() || rule.field_path.is_some() {
            (28, "`reason` and `fieldPath` of rules")
        } else if rule.message_expression.is_some() {
            (27, "`messageExpression`")
        } else {
            (25, "rules in CEL")
        };
        required = required.max(own);
    }
    if schema.format.as_deref().is_some_and(formats::is_later) {
        required = required.max((34, "the formats of Kubernetes names"));
    }
    schema
        .children()
        .map(in_schema)
        .fold(required, Required::max)
}
