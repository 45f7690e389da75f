//! What a release breaks, or may break, for those who use the release before it, and what else it changed that has no life.

use crate::api::Release;
use crd_channels_compat::{Channel, Finding, KindLabels, Verdict, compare};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What comparing a release with the one before it finds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compared {
    /// What breaks somebody, or may do so.
    pub work: Vec<Work>,
    /// What breaks nothing. Kinds, versions, fields and values are not among it, since they have lives.
    pub others: Vec<Work>,
    /// The number of places whose description is another one.
    pub descriptions: usize,
}

/// A change.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub(crate) struct Work {
    /// The kind, with its group if another group has one of that name; empty if it concerns the whole release.
    pub kind: String,
    /// The path; empty for the object itself.
    pub path: String,
    /// The change in words.
    pub message: String,
    /// `experimental`, if only that channel is concerned.
    pub only: Option<&'static str>,
    /// Whom it breaks.
    pub breaks: Vec<&'static str>,
    /// Whom it may break.
    pub may_break: Vec<&'static str>,
    /// The versions; empty if it concerns all.
    pub versions: Vec<String>,
}

/// The change of a description, of which there may be hundreds.
const DESCRIPTION: &str = "description-changed";

/// Changes that pages tell as steps of lives, besides those that [`is_told`] puts together.
const TOLD: [&str; 13] = [
    "defaulted-property-added",
    "enum-added",
    "enum-removed",
    "experimental-property-added",
    "field-deprecated",
    "new-api-version",
    "property-moved",
    "property-removed",
    "property-renamed",
    "required-property-added",
    "version-deprecated",
    "version-served",
    "version-unserved",
];

fn is_told(code: &str) -> bool {
    let ends = [
        "-added",
        "-graduated",
        "-straight-to-stable",
        "-removed",
        "-demoted",
    ];
    let what = ["kind", "version", "property", "enum-value"];
    let mut ends_of = what.iter().filter_map(|what| code.strip_prefix(what));
    TOLD.contains(&code) || ends_of.any(|end| ends.contains(&end))
}

/// Compares a release with the one before it. Each change is there once, for all versions with it.
pub(crate) fn compared(before: &Release, release: &Release) -> Compared {
    let findings = compare(&before.set, &release.set).findings;
    let kinds = KindLabels::of(&findings);
    let (described, findings): (Vec<&Finding>, Vec<&Finding>) = findings
        .iter()
        .partition(|finding| finding.record.id == DESCRIPTION);
    let described: BTreeSet<_> = described
        .iter()
        .map(|finding| {
            (
                &finding.group,
                &finding.kind,
                &finding.version,
                &finding.path,
            )
        })
        .collect();
    let (others, work): (Vec<&Finding>, Vec<&Finding>) = findings
        .into_iter()
        .partition(|finding| whom(finding).iter().all(Vec::is_empty));
    let others = others.into_iter().filter(|it| !is_told(it.record.id));
    Compared {
        work: once(work.into_iter(), &kinds),
        others: once(others, &kinds),
        descriptions: described.len(),
    }
}

fn once<'f>(findings: impl Iterator<Item = &'f Finding>, kinds: &KindLabels<'_>) -> Vec<Work> {
    let mut all: BTreeMap<Work, Vec<String>> = BTreeMap::new();
    for finding in findings {
        let versions = all.entry(work_for(finding, kinds)).or_default();
        let version = finding.version.to_string();
        if !version.is_empty() && !versions.contains(&version) {
            versions.push(version);
        }
    }
    let all = all.into_iter();
    all.map(|(work, versions)| Work { versions, ..work })
        .collect()
}

/// Whom a change breaks, and whom it may break.
fn whom(finding: &Finding) -> [Vec<&'static str>; 2] {
    [Verdict::No, Verdict::Unknown].map(|verdict| finding.whom(verdict))
}

/// What somebody who is concerned by a change has to know of it.
fn work_for(finding: &Finding, kinds: &KindLabels<'_>) -> Work {
    let [breaks, may_break] = whom(finding);
    Work {
        kind: kinds.label(finding).into_owned(),
        path: match &*finding.path {
            "." => String::new(),
            path => path.to_owned(),
        },
        message: finding.change.message.clone(),
        only: (finding.channel == Channel::Experimental).then(|| finding.channel.name()),
        breaks,
        may_break,
        versions: Vec::new(),
    }
}
