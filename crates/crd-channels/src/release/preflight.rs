//! What keeps a set of CRDs from being released under a version.

use super::choice::Choice;
use super::lifecycle::{Ancestry, Key, State, state};
use super::line::Breach;
use super::majors;
use super::places::Tree;
use super::remedies::Remedies;
use crd_channels_compat::{AGREE, Ancestor, Bump, Channel, Finding, Published, Report, Set};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::manifest::Deprecated;
use crd_channels_schema::draft::Draft;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// What is judged.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// What the release is to be.
    pub choice: &'a Choice,
    /// Its CRDs.
    pub new: &'a Set,
    /// The bundle that it is compared with, and those that this one follows.
    pub past: &'a Ancestry<'a>,
    /// What comparing found, waivers applied.
    pub report: &'a Report,
    /// What breaks for those who come from other bundles of the line before.
    pub line: &'a [Breach],
    /// The types that it is made of.
    pub tree: Tree<'a>,
}

impl<'a> Candidate<'a> {
    fn remedies(self) -> Remedies<'a> {
        Remedies {
            bundle: &self.choice.version,
            past: self.past,
            new: self.new,
            tree: self.tree,
        }
    }
}

/// Everything that is in the way, each with what to do.
#[must_use]
pub fn refusals(candidate: Candidate<'_>) -> Vec<Diagnostic> {
    let mut faults = changes(candidate, |finding| !is_of_a_version(finding));
    faults.extend(versions(candidate));
    let version = &candidate.choice.version;
    let room = candidate.choice.room();
    let is_major = room == Bump::NewApiVersion && version.semantic().major > 0;
    if !is_major || !version.is_final() {
        return faults;
    }
    faults.extend(majors::unfinished(
        version,
        candidate.past.last(),
        candidate.new,
    ));
    faults
}

/// The part of it that is about API versions: how far each may go from where the past left it.
#[must_use]
pub fn versions(candidate: Candidate<'_>) -> Vec<Diagnostic> {
    let mut faults = changes(candidate, is_of_a_version);
    if let Some(old) = candidate.past.last() {
        faults.extend(too_early(candidate, old));
        faults.extend(lost_storage(candidate, old));
        faults.extend(back(candidate));
        faults.extend(deprecated_before(candidate));
    }
    faults
}

/// Whether a finding says that a version, or a kind with all its versions, takes a step.
fn is_of_a_version(finding: &Finding) -> bool {
    let whole = finding.path == "." && !finding.kind.is_empty();
    match finding.record.id {
        "kind-removed"
        | "kind-demoted"
        | "version-added"
        | "version-added-as-storage"
        | "version-demoted"
        | "version-deprecated"
        | "version-removed"
        | "version-served"
        | "version-unserved" => true,
        "tombstone-missing" | "tombstone-reused" => {
            whole || finding.path.starts_with("spec.versions[")
        }
        _ => false,
    }
}

fn refused(message: String, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::ReleaseRefused, None, message).with_help(help)
}

/// The changes that the version leaves no room for.
fn changes(candidate: Candidate<'_>, wanted: impl Fn(&Finding) -> bool) -> Vec<Diagnostic> {
    let Candidate { choice, report, .. } = candidate;
    let room = choice.room();
    let mut faults = Vec::new();
    let told_of = report.findings.iter().map(|finding| (finding, None));
    let line = candidate.line.iter();
    let all = told_of.chain(line.map(|breach| (&breach.finding, Some(&breach.from))));
    for (finding, from) in all.filter(|(finding, _)| wanted(finding)) {
        let needs = finding.counts_as();
        let unsafe_storage = finding.record.id == "version-added-as-storage"
            && finding.channel == Channel::Stable
            && finding.waived.is_none();
        if needs <= room && !unsafe_storage {
            continue;
        }
        let asks = match unsafe_storage && needs <= room {
            true => "a version must be served for one bundle before it is the storage version",
            false => needs.requirement(),
        };
        let lowest = match needs {
            Bump::Never => None,
            needs => choice.lowest(needs),
        };
        let lowest = lowest.filter(|_| needs > room);
        let help = match report.is_first {
            true => AGREE.to_owned(),
            false => candidate.remedies().of(finding, lowest.as_ref()),
        };
        let from = from.map_or_else(String::new, |from| format!(" against {from}"));
        let message = format!("{}{from}: {asks}", finding.described());
        let fault = Diagnostic::new(Code::ReleaseRefused, finding.origin, message);
        faults.push(fault.with_help(help));
    }
    faults
}

/// Versions that nobody can use any more before the bundle that any bundle of the past promised.
fn too_early(candidate: Candidate<'_>, old: &Set) -> Vec<Diagnostic> {
    let version = candidate.choice.version.as_final();
    let mut promises: BTreeMap<Key, (BundleVersion, &BundleVersion)> = BTreeMap::new();
    for Ancestor { manifest, .. } in &candidate.past.bundles {
        for gone in &manifest.deprecated {
            let text = gone.removed_in.as_deref();
            let Some(promised) = text.and_then(|text| text.parse::<BundleVersion>().ok()) else {
                continue;
            };
            let key = Key {
                group: gone.group.as_str().into(),
                kind: gone.kind.as_str().into(),
                version: gone.version.as_str().into(),
            };
            let known = promises.get(&key);
            if known.is_none_or(|(known, _)| *known < promised) {
                promises.insert(key, (promised, &manifest.version));
            }
        }
    }
    let mut faults = Vec::new();
    for (key, (promised, by)) in promises {
        let is_served = |set| !matches!(state(set, &key), State::Unserved | State::Removed);
        if version < promised && is_served(old) && !is_served(candidate.new) {
            let message = format!(
                "`{}` of `{}` is not served in {version}, but {by} promised it until {promised}",
                key.version, key.kind
            );
            let fault = refused(message, format!("serve the version until {promised}"));
            faults.push(fault.at(candidate.tree.version(&key)));
        }
    }
    faults
}

/// Versions that say that they are deprecated since a bundle that did not deprecate them. What was so before the first
/// bundle nobody can know.
fn deprecated_before(candidate: Candidate<'_>) -> Vec<Diagnostic> {
    let drafts = candidate.tree.kinds.iter().flat_map(|kind| &kind.versions);
    let faults = drafts.filter_map(|draft| {
        let deprecated_in = draft.deprecated_in.as_ref()?;
        let named = deprecated_in.value.parse::<BundleVersion>().ok()?;
        let is_it = |gone: &&Deprecated| {
            (&*gone.group, &*gone.kind, &*gone.version)
                == (&*draft.group, &*draft.kind, &*draft.version)
        };
        let deprecates = |bundle: &&Ancestor<'_>| bundle.manifest.deprecated.iter().any(|gone| is_it(&gone));
        let bundles = candidate.past.bundles.iter();
        let last = bundles.rev().take_while(deprecates).last();
        let known = last.map(|bundle| bundle.manifest.version.clone());
        let first = known.unwrap_or_else(|| candidate.choice.version.as_final());
        let oldest = &candidate.past.bundles.first()?.manifest.version;
        let is_right = match named.cmp(&first) {
            Ordering::Less => first == *oldest,
            Ordering::Equal => true,
            // What is too late for the bundle to be is told at the attribute.
            Ordering::Greater => last.is_none(),
        };
        if is_right {
            return None;
        }
        let Draft { version, kind, .. } = draft;
        let since = if named < first { "not" } else { "already" };
        let when = if named < first { "in" } else { "before" };
        let message = format!(
            "`{version}` of `{kind}` was {since} deprecated {when} {named}: {first} is the first bundle that deprecates it"
        );
        Some(refused(message, format!("write `deprecated_in = \"{first}\"`")).at(Some(deprecated_in.span)))
    });
    faults.collect()
}

/// Versions that were removed in a bundle of the past and are there again, where no tombstone said so already.
fn back(candidate: Candidate<'_>) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for (key, steps) in candidate.past.lives() {
        let Some(removed) = steps.last().filter(|step| step.state == State::Removed) else {
            continue;
        };
        let told = candidate.report.findings.iter().any(|finding| {
            let is_it = finding.path == "." || finding.path == in_crd(&key.version);
            finding.record.id == "tombstone-reused" && finding.kind == key.kind && is_it
        });
        if !told && state(candidate.new, &key) != State::Removed {
            let message = format!(
                "`{}` of `{}` was removed in {} and is used again",
                key.version, key.kind, removed.bundle
            );
            let fault = refused(
                message,
                "give the version another name: objects and manifests of the old one may remain",
            );
            faults.push(fault.at(candidate.tree.version(&key)));
        }
    }
    faults
}

fn in_crd(version: &str) -> String {
    format!("spec.versions[{version}]")
}

/// Versions that are gone while objects may still be stored in them: no bundle was released in which another one was
/// stored.
fn lost_storage(candidate: Candidate<'_>, old: &Set) -> Vec<Diagnostic> {
    let mut lost = BTreeSet::new();
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
                    lost.insert(Key {
                        group: published.crd.group.clone(),
                        kind: published.crd.names.kind.clone(),
                        version: version.name.clone(),
                    });
                }
            }
        }
    }
    let baseline = candidate.choice.baseline.as_ref();
    let since = baseline.map_or_else(String::new, ToString::to_string);
    let help =
        "store another version first, release that, and remove the old one in a later bundle";
    let faults = lost.iter().map(|key| {
        let message = format!(
            "`{}` of `{}` was removed, but it is the storage version since {since}",
            key.version, key.kind
        );
        refused(message, help).at(candidate.tree.version(key))
    });
    faults.collect()
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
                        "`{}` of `{}` was once the storage version: clusters whose CRD lists it in `status.storedVersions` must migrate their objects first",
                        version.name, crd.names.kind
                    ));
                }
            }
        }
    }
    notes.into_iter().collect()
}
