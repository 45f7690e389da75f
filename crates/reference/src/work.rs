//! What a release breaks, or may break, for those who use the one before it.

use crate::api::Release;
use crd_channels_compat::{Channel, Finding, Verdict, compare};
use serde::Serialize;
use std::collections::BTreeMap;

/// A change that breaks somebody, or may do so.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub(crate) struct Work {
    /// The kind; empty if it concerns the whole release.
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

/// Returns the changes from one release to the next that break something, or may do so, each once for all versions with it.
pub(crate) fn work(before: &Release, release: &Release) -> Vec<Work> {
    let mut all: BTreeMap<Work, Vec<String>> = BTreeMap::new();
    for finding in compare(&before.set, &release.set).findings {
        let Some(work) = of(&finding) else {
            continue;
        };
        let versions = all.entry(work).or_default();
        let version = finding.version.to_string();
        if !version.is_empty() && !versions.contains(&version) {
            versions.push(version);
        }
    }
    let all = all.into_iter();
    all.map(|(work, versions)| Work { versions, ..work })
        .collect()
}

fn of(finding: &Finding) -> Option<Work> {
    let breaks = finding.whom(Verdict::No);
    let may_break = finding.whom(Verdict::Unknown);
    (!breaks.is_empty() || !may_break.is_empty()).then(|| Work {
        kind: finding.kind.to_string(),
        path: match &*finding.path {
            "." => String::new(),
            path => path.to_owned(),
        },
        message: finding.change.message.clone(),
        only: (finding.channel == Channel::Experimental).then(|| finding.channel.name()),
        breaks,
        may_break,
        versions: Vec::new(),
    })
}
