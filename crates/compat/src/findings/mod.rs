//! Findings: one per cause, with its meaning for each audience.

pub(crate) mod verdict;
pub mod waivers;

use crd_channels_cel::Text;
use crd_channels_diagnostics::Span;
use crd_channels_released::manifest;
use crd_channels_schema::{Crd, Schema};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use verdict::{Answer, Bump, Channel, Need, Verdict};

/// The section of the release notes that lists a change.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Topic {
    /// Requires more than a minor bundle.
    Breaking,
    /// Left the experimental channel for the stable one.
    Graduated,
    /// New.
    Added,
    /// Accepts more than before.
    Loosened,
    /// Will be removed.
    Deprecated,
    /// Removed.
    Removed,
    /// Anything else that users can notice.
    Changed,
    /// Wording, and repairs.
    Fixed,
}

/// When an experimental marker exempts a change.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Gate {
    /// The changed part can have its own marker even on a stable node: an enum value, a rule, a bound.
    Own,
    /// Only together with its node.
    Node,
    /// Never.
    Absolute,
}

/// The metadata of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Its code.
    pub id: &'static str,
    /// The section of the release notes that lists it.
    pub topic: Topic,
    /// Whether a marker exempts it.
    pub gate: Gate,
    /// Whether a waiver may lower a `Never`.
    pub waivable: bool,
    /// One sentence: what it finds.
    pub summary: &'static str,
    /// Why it matters and how to fix it.
    pub explanation: &'static str,
}

impl Record {
    /// A record with the usual settings: gated by its node, never waivable.
    pub(super) const fn new(
        id: &'static str,
        topic: Topic,
        summary: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self {
            id,
            topic,
            gate: Gate::Node,
            waivable: false,
            summary,
            explanation,
        }
    }
}

/// A change that a rule found.
#[derive(Clone, Debug)]
pub struct Change {
    /// For objects in etcd.
    pub stored: Verdict,
    /// For manifests and clients that write.
    pub writers: Verdict,
    /// For controllers and clients that read.
    pub readers: Verdict,
    /// The bump that it requires.
    pub bump: Need,
    /// The message: lowercase, no full stop.
    pub message: String,
    /// A value of the node that was accepted and is rejected.
    pub rejected: Option<Value>,
    /// The property that changed, if it is not the node itself.
    pub property: Option<Text>,
    /// The enum value, or the name of the tombstone, that changed.
    pub member: Option<Text>,
    /// The schema that was added or removed, by which renames are recognized.
    pub property_change: Option<PropertyChange>,
    /// The rest of the path, for parts that are not nodes.
    pub below: String,
}

/// A property that was added or removed, with its schema.
#[derive(Clone, Debug)]
pub enum PropertyChange {
    /// Only the new bundle has it.
    Added(Box<Schema>),
    /// Only the old bundle has it.
    Removed(Box<Schema>),
}

impl Change {
    pub(super) fn new(verdicts: [Verdict; 3], bump: Need, message: impl Into<String>) -> Self {
        let [stored, writers, readers] = verdicts;
        Self {
            stored,
            writers,
            readers,
            bump,
            message: message.into(),
            rejected: None,
            property: None,
            member: None,
            property_change: None,
            below: String::new(),
        }
    }

    /// A change that harms no audience.
    pub(super) fn harmless(bump: Need, message: impl Into<String>) -> Self {
        Self::new([Verdict::Ok; 3], bump, message)
    }

    /// A change that rejects values that were accepted, if `some` are.
    pub(super) fn tighter(some: Answer, message: impl Into<String>) -> Self {
        let harm = some.harm();
        let bump = match some {
            Answer::Yes => Need::VERSION,
            Answer::Unknown => Need::Unknown,
            Answer::No => Need::PATCH,
        };
        Self::new([harm, harm, Verdict::Ok], bump, message)
    }

    /// A change that accepts values that were rejected, if `some` are.
    pub(super) fn looser(some: Answer, message: impl Into<String>) -> Self {
        let bump = match some {
            Answer::Yes | Answer::Unknown => Need::MINOR,
            Answer::No => Need::PATCH,
        };
        Self::new([Verdict::Ok, Verdict::Ok, some.harm()], bump, message)
    }

    pub(super) fn of_property(mut self, name: &Text) -> Self {
        self.property = Some(name.clone());
        self
    }

    pub(super) fn of_member(mut self, name: &str) -> Self {
        self.member = Some(name.into());
        self
    }

    pub(super) fn below_path(mut self, path: impl Into<String>) -> Self {
        self.below = path.into();
        self
    }

    pub(super) fn with_property_change(mut self, property_change: PropertyChange) -> Self {
        self.property_change = Some(property_change);
        self
    }
}

/// One cause, and its meaning.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub record: &'static Record,
    /// The group of the kind; empty if it concerns the whole bundle.
    pub group: Text,
    /// The kind; empty if it concerns the whole bundle.
    pub kind: Text,
    /// The API version; empty if it concerns all versions.
    pub version: Text,
    /// The path: `spec.rules[].timeouts` in objects, `spec.versions[v1]` in the CRD.
    pub path: String,
    /// The channel whose promise it concerns.
    pub channel: Channel,
    /// The channel's name, if it is an additional one with only some of the experimental features.
    pub within: Option<Text>,
    /// The change.
    pub change: Change,
    /// The span of the node in Rust.
    pub origin: Option<Span>,
    /// The waiver that lowered what it needs.
    pub waived: Option<Waived>,
}

/// The effect of a waiver on a finding.
#[derive(Clone, Debug)]
pub struct Waived {
    /// Why the change is acceptable.
    pub reason: String,
    /// The requirement without the waiver.
    pub needed: Need,
}

impl Finding {
    /// A finding that concerns the whole bundle.
    #[must_use]
    pub fn new(
        record: &'static Record,
        channel: Channel,
        path: impl Into<String>,
        change: Change,
    ) -> Self {
        Self {
            record,
            group: Text::default(),
            kind: Text::default(),
            version: Text::default(),
            path: path.into(),
            channel,
            within: None,
            change,
            origin: None,
            waived: None,
        }
    }

    /// The same about a kind.
    #[must_use]
    pub fn of_kind(self, group: impl Into<Text>, kind: impl Into<Text>) -> Self {
        Self {
            group: group.into(),
            kind: kind.into(),
            ..self
        }
    }

    /// The same about the kind of a CRD.
    pub(crate) fn of(self, crd: &Crd) -> Self {
        self.of_kind(crd.group.clone(), crd.names.kind.clone())
    }

    /// The same about a version.
    #[must_use]
    pub fn of_version(self, version: impl Into<Text>) -> Self {
        Self {
            version: version.into(),
            ..self
        }
    }

    /// Whether it concerns the kind of a CRD.
    #[must_use]
    pub fn is_of(&self, crd: &Crd) -> bool {
        self.group == crd.group && self.kind == crd.names.kind
    }

    /// The bump that it counts as.
    #[must_use]
    pub fn counts_as(&self) -> Bump {
        self.change.bump.counts_as()
    }

    /// The place and the change, in one line.
    #[must_use]
    pub fn described(&self) -> String {
        let place: Vec<String> = [&*self.kind, &*self.version, self.path.as_str()]
            .into_iter()
            .filter(|part| !part.is_empty() && *part != ".")
            .map(|part| format!("`{part}`"))
            .collect();
        let place = if place.is_empty() {
            "the bundle".to_owned()
        } else {
            place.join(" ")
        };
        format!(
            "{place} ({}): {} ({})",
            self.channel_name(),
            self.change.message,
            self.record.id
        )
    }

    /// The name of the channel.
    #[must_use]
    pub fn channel_name(&self) -> String {
        match &self.within {
            Some(name) => name.to_string(),
            None => self.channel.to_string(),
        }
    }

    /// The parties for which it has a verdict, in words: whom it breaks, or whom it may break.
    #[must_use]
    pub fn whom(&self, verdict: Verdict) -> Vec<&'static str> {
        let parties = [
            ("stored objects", self.change.stored),
            ("manifests and clients that write", self.change.writers),
            ("clients that read", self.change.readers),
        ];
        let parties = parties.into_iter().filter(|(_, of)| *of == verdict);
        parties.map(|(name, _)| name).collect()
    }

    /// Lowers what it needs, as a waiver or the answer to one says. What it needs without any waiver is remembered.
    pub(super) fn waive(&mut self, reason: &str, lowered: Need) {
        let needed = match &self.waived {
            Some(waived) => waived.needed,
            None => self.change.bump,
        };
        self.waived = Some(Waived {
            reason: reason.to_owned(),
            needed,
        });
        self.change.bump = lowered;
    }

    /// Why a waiver permits it.
    #[must_use]
    pub fn waiver_reason(&self) -> Option<&str> {
        self.waived.as_ref().map(|waived| waived.reason.as_str())
    }

    /// Whether it can break users, whatever its bump is.
    fn can_break(&self) -> bool {
        let Change {
            stored,
            writers,
            readers,
            ..
        } = self.change;
        let verdicts = [stored, writers, readers];
        self.record.topic == Topic::Breaking || verdicts.iter().any(|it| *it != Verdict::Ok)
    }

    /// Where release notes tell of it. What can break somebody does so with a waiver as well.
    #[must_use]
    pub fn topic(&self) -> Topic {
        let needs = match &self.waived {
            Some(waived) if self.can_break() => waived.needed.counts_as(),
            _ => self.counts_as(),
        };
        match (needs, self.record.topic) {
            (Bump::NewApiVersion | Bump::Never, _) => Topic::Breaking,
            (Bump::None | Bump::Patch, Topic::Breaking) => Topic::Fixed,
            // Experimental parts may break, but that must be announced.
            (Bump::Minor, Topic::Breaking) if self.channel == Channel::Stable => Topic::Changed,
            (_, topic) => topic,
        }
    }

    /// Whether another finding is by the same rule about the same place.
    #[must_use]
    pub fn is_again(&self, other: &Self) -> bool {
        self.group == other.group && self.place() == other.place()
    }

    /// Whether a bundle records it as this change. Older bundles do not record groups.
    #[must_use]
    pub fn is_recorded_as(&self, change: &manifest::Change) -> bool {
        let is_of_group = change.group.is_empty() || *change.group == *self.group;
        is_of_group && change.place() == self.place()
    }

    /// Its rule and its place.
    #[must_use]
    pub fn place(&self) -> (&str, &str, &str, &str) {
        (self.record.id, &self.kind, &self.version, &self.path)
    }

    /// The key of a cause, independent of the channel.
    pub(super) fn cause(&self) -> (&'static str, &Text, &Text, &Text, &str, &str) {
        (
            self.record.id,
            &self.group,
            &self.kind,
            &self.version,
            &self.path,
            &self.change.message,
        )
    }

    /// The sort key in a report.
    pub(super) fn order(&self) -> impl Ord + '_ {
        (
            self.channel,
            &self.within,
            &self.kind,
            &self.group,
            &self.version,
            &self.path,
            self.record.id,
            &self.change.message,
        )
    }
}

/// The kinds that findings are about, as people tell them apart: with their group if several groups have one of that name.
pub struct KindLabels<'f>(HashSet<&'f str>);

impl<'f> KindLabels<'f> {
    /// The kinds of these findings.
    #[must_use]
    pub fn of(findings: impl IntoIterator<Item = &'f Finding>) -> Self {
        let mut groups: HashMap<&str, &str> = HashMap::new();
        let mut shared = HashSet::new();
        for Finding { group, kind, .. } in findings {
            if **groups.entry(kind).or_insert(group) != **group {
                shared.insert(&**kind);
            }
        }
        Self(shared)
    }

    /// The name of a finding's kind, such as `Route` or `Route.example.com`; empty if it concerns the whole bundle.
    #[must_use]
    pub fn label<'n>(&self, finding: &'n Finding) -> Cow<'n, str> {
        let Finding { group, kind, .. } = finding;
        match self.0.contains(&**kind) {
            true => format!("{kind}.{group}").into(),
            false => Cow::Borrowed(&**kind),
        }
    }
}

/// The outcome of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The findings, stable before experimental, by kind, version and path.
    pub findings: Vec<Finding>,
    /// Notes on the whole comparison.
    pub notes: Vec<String>,
    /// The version of the old bundle, from its annotation.
    pub old_version: Option<String>,
    /// Whether it is about a first bundle, without an old one.
    pub is_first: bool,
}

impl Report {
    /// The lowest bump that covers all findings.
    #[must_use]
    pub fn bump(&self) -> Bump {
        let bumps = self.findings.iter().map(Finding::counts_as);
        bumps.max().unwrap_or_default()
    }

    /// The findings that another report does not have.
    pub fn beyond<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a Finding> {
        let key = |finding: &'a Finding| (finding.channel_name(), finding.cause());
        let known: HashSet<_> = other.findings.iter().map(key).collect();
        let own = self.findings.iter();
        own.filter(move |finding| !known.contains(&key(finding)))
    }
}
