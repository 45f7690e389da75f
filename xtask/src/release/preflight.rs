//! What keeps a set of CRDs from being released under a version.

use super::choice::{Choice, bumped};
use crate::bundle::version::BundleVersion;
use crate::compat::{Bump, Channel, Finding, Published, Report, Set};
use crate::diag::{Code, Diagnostic};
use crate::released::manifest::Manifest;
use std::collections::BTreeSet;

/// What is judged.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// What the release is to be.
    pub choice: &'a Choice,
    /// Its CRDs.
    pub new: &'a Set,
    /// The bundle that it is compared with.
    pub baseline: Option<(&'a Manifest, &'a Set)>,
    /// What comparing found, waivers applied.
    pub report: &'a Report,
}

/// Everything that is in the way, each with what to do.
#[must_use]
pub fn judge(candidate: Candidate<'_>) -> Vec<Diagnostic> {
    let mut faults: Vec<Diagnostic> = changes(candidate);
    let Some((manifest, old)) = candidate.baseline else {
        return faults;
    };
    faults.extend(too_early(candidate, manifest));
    faults.extend(lost_storage(candidate, old));
    let is_major = candidate.choice.room() == Bump::NewApiVersion;
    if is_major && candidate.choice.version.is_final() && !has_new_version(old, candidate.new) {
        let message = format!(
            "{} is a major bundle without a new API version in the stable channel",
            candidate.choice.version
        );
        faults.push(refused(
            message,
            "release a minor bundle, or add the version that the major is for",
        ));
    }
    faults
}

fn refused(message: String, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::ReleaseRefused, None, message).with_help(help)
}

/// The changes that the version leaves no room for.
fn changes(candidate: Candidate<'_>) -> Vec<Diagnostic> {
    let Candidate { choice, report, .. } = candidate;
    let room = choice.room();
    let lowest = match (&choice.baseline, report.bump()) {
        (_, Bump::Never) | (None, _) => None,
        (Some(baseline), bump) => Some(bumped(baseline, bump)),
    };
    let mut faults = Vec::new();
    for finding in &report.findings {
        let needs = finding.counts_as();
        let unsafe_storage = finding.record.id == "version-added-as-storage"
            && finding.channel == Channel::Stable
            && finding.waived.is_none();
        if needs <= room && !unsafe_storage {
            continue;
        }
        let asks = match needs {
            _ if unsafe_storage && needs <= room => {
                "a version is served for one bundle before it is stored"
            }
            Bump::None | Bump::Patch => "takes a patch bundle",
            Bump::Minor => "takes a minor bundle",
            Bump::NewApiVersion => "takes a new API version, or in place a major bundle",
            Bump::Never => "no bundle may carry it",
        };
        let help = match &lowest {
            Some(lowest) if needs > room => format!(
                "the lowest version that may carry all changes is {lowest}; or write a waiver into `channels/waivers.toml`"
            ),
            _ => format!(
                "undo the change; `cargo xtask explain {}` says why and what else can be done",
                finding.record.id
            ),
        };
        let message = format!("{}: {asks}", told(finding));
        let fault = Diagnostic::new(Code::ReleaseRefused, finding.origin, message);
        faults.push(fault.with_help(help));
    }
    faults
}

/// A change in one line.
fn told(finding: &Finding) -> String {
    let place: Vec<String> = [&*finding.kind, &*finding.version, finding.path.as_str()]
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
        finding.channel_name(),
        finding.change.message,
        finding.record.id
    )
}

/// Versions that nobody can use any more before the bundle that their deprecation promised.
fn too_early(candidate: Candidate<'_>, manifest: &Manifest) -> Vec<Diagnostic> {
    let version = candidate.choice.version.as_final();
    let mut faults = Vec::new();
    for gone in &manifest.deprecated {
        let promised = gone.removed_in.as_deref();
        let Some(promised) = promised.and_then(|text| text.parse::<BundleVersion>().ok()) else {
            continue;
        };
        let is_served = |channel: &Channel| {
            let crds = candidate.new.channel(*channel);
            let mut crds = crds.into_iter().flat_map(|crds| crds.values());
            crds.any(|published| {
                let crd = &published.crd;
                let mut versions = crd.versions.iter();
                *crd.group == *gone.group
                    && *crd.names.kind == *gone.kind
                    && versions.any(|version| version.served && *version.name == *gone.version)
            })
        };
        let channels = [Channel::Stable, Channel::Experimental];
        if version < promised && !channels.iter().any(is_served) {
            let message = format!(
                "`{}` of `{}` is not served in {version}, and was promised until {promised}",
                gone.version, gone.kind
            );
            faults.push(refused(
                message,
                format!("keep the version until {promised}"),
            ));
        }
    }
    faults
}

/// Versions that are gone while objects may still be stored in them: no bundle was released in which another one was
/// stored.
fn lost_storage(candidate: Candidate<'_>, old: &Set) -> Vec<Diagnostic> {
    let mut faults = BTreeSet::new();
    for (channel, crds) in &old.channels {
        for (name, published) in crds {
            let new = candidate
                .new
                .channel(*channel)
                .and_then(|new| new.get(name));
            let Some(new) = new else {
                continue;
            };
            for version in published.crd.versions.iter().filter(|old| old.storage) {
                let left = new.crd.versions.iter();
                if !left.clone().any(|left| left.name == version.name) {
                    faults.insert(format!(
                        "`{}` of `{}` is gone, and objects are stored in it since {}",
                        version.name,
                        published.crd.names.kind,
                        candidate
                            .choice
                            .baseline
                            .as_ref()
                            .map_or_else(String::new, ToString::to_string)
                    ));
                }
            }
        }
    }
    let help =
        "store another version first, release that, and remove the old one in a later bundle";
    faults
        .into_iter()
        .map(|fault| refused(fault, help))
        .collect()
}

/// Whether the stable channel has a version that it had not.
fn has_new_version(old: &Set, new: &Set) -> bool {
    let versions = |set: &Set| -> BTreeSet<(String, String)> {
        let crds = set.channel(Channel::Stable).into_iter();
        crds.flat_map(|crds| crds.iter())
            .flat_map(|(name, published)| {
                let versions = published.crd.versions.iter();
                versions.map(move |version| (name.clone(), version.name.to_string()))
            })
            .collect()
    };
    !versions(new).is_subset(&versions(old))
}

/// The migrations that users owe before they install the bundle, as versions that may still be stored and are gone.
#[must_use]
pub fn migrations<'s>(
    new: &Set,
    baseline: Option<&Set>,
    released: impl Iterator<Item = &'s Set>,
) -> Vec<String> {
    let mut notes = BTreeSet::new();
    for set in released {
        for published in set.channels.values().flat_map(|crds| crds.values()) {
            let crd = &published.crd;
            let now = new
                .channels
                .values()
                .filter_map(|crds| crds.get(&crd.name()));
            let now: Vec<_> = now.collect();
            for version in crd.versions.iter().filter(|version| version.storage) {
                let left = |crd: &&Published| {
                    crd.crd
                        .versions
                        .iter()
                        .any(|left| left.name == version.name)
                };
                // What an earlier bundle dropped was told then.
                let here = baseline.is_some_and(|baseline| {
                    let crds = baseline.channels.values();
                    let mut crds = crds.filter_map(|crds| crds.get(&crd.name()));
                    crds.any(|crd| left(&crd))
                });
                if here && !now.is_empty() && !now.iter().any(left) {
                    notes.insert(format!(
                        "`{}` of `{}` was stored once: clusters whose CRD names it in `status.storedVersions` migrate their objects first",
                        version.name, crd.names.kind
                    ));
                }
            }
        }
    }
    notes.into_iter().collect()
}
