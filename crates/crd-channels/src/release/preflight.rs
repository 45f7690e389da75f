//! Checks whether a set of CRDs may be released under a version.

use super::lifecycle::{Ancestry, Key, State, state};
use super::line::Breach;
use super::majors;
use super::places::Tree;
use super::remedies::Remedies;
use super::version_choice::Choice;
use crd_channels_compat::{AGREE, Ancestor, Bump, Channel, Finding, Published, Report, Set};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::manifest::Deprecated;
use crd_channels_schema::draft::Draft;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The candidate for a release.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// The version of the release and the bundles that it follows.
    pub choice: &'a Choice,
    /// Its CRDs.
    pub new: &'a Set,
    /// The bundle to compare it with, and all bundles before it.
    pub past: &'a Ancestry<'a>,
    /// The result of the comparison, with waivers applied.
    pub report: &'a Report,
    /// The breaking changes for users of other bundles of the line before.
    pub line: &'a [Breach],
    /// The types that the CRDs are made from.
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

/// Returns everything that prevents the release, with help.
#[must_use]
pub fn rejections(candidate: Candidate<'_>) -> Vec<Diagnostic> {
    let mut faults = changes(candidate, |finding| !is_of_a_version(finding));
    faults.extend(versions(candidate));
    let version = &candidate.choice.version;
    let room = candidate.choice.room();
    let is_major = room == Bump::NewApiVersion && version.semantic().major > 0;
    if !is_major || !version.is_final() {
        return faults;
    }
    let findings = candidate.report.findings.iter();
    let mut breaking = findings.filter(|finding| finding.counts_as() > Bump::Minor);
    let breaking = breaking.next().map(Finding::described);
    faults.extend(majors::unfinished(
        version,
        candidate.past.last(),
        candidate.new,
        breaking.as_deref(),
    ));
    faults
}

/// Returns the part of it that concerns API versions: the steps that each may take from its last state.
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

/// Whether a finding is about a step of a version, or of a kind with all its versions.
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

fn rejection(message: String, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::ReleaseRefused, None, message).with_help(help)
}

/// Returns the changes that the version does not allow.
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
            false => candidate.remedies().remedy_for(finding, lowest.as_ref()),
        };
        let from = from.map_or_else(String::new, |from| format!(" against {from}"));
        let message = format!("{}{from}: {asks}", finding.described());
        let fault = Diagnostic::new(Code::ReleaseRefused, finding.origin, message);
        faults.push(fault.with_help(help));
    }
    faults
}

/// Returns versions that are no longer served earlier than a bundle of the past promised.
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
            let fault = rejection(message, format!("serve the version until {promised}"));
            faults.push(fault.at(candidate.tree.version(&key)));
        }
    }
    faults
}

/// Returns versions whose `deprecated_in` is not the first bundle that deprecates them. The time before the first bundle cannot
/// be checked.
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
            // A version later than the candidate is reported at the attribute.
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
        Some(rejection(message, format!("write `deprecated_in = \"{first}\"`")).at(Some(deprecated_in.span)))
    });
    faults.collect()
}

/// Returns versions that an earlier bundle removed and that exist again, unless a tombstone finding already reports them.
fn back(candidate: Candidate<'_>) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for (key, steps) in candidate.past.lives() {
        let Some(removed) = steps.last().filter(|step| step.state == State::Removed) else {
            continue;
        };
        let is_reported = candidate.report.findings.iter().any(|finding| {
            let is_it = finding.path == "." || finding.path == in_crd(&key.version);
            let is_of = (&finding.group, &finding.kind) == (&key.group, &key.kind);
            finding.record.id == "tombstone-reused" && is_of && is_it
        });
        if !is_reported && state(candidate.new, &key) != State::Removed {
            let message = format!(
                "`{}` of `{}` was removed in {} and is used again",
                key.version, key.kind, removed.bundle
            );
            let fault = rejection(
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

/// Returns removed versions in which objects may still be stored: no bundle was released with another storage version.
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
        rejection(message, help).at(candidate.tree.version(key))
    });
    faults.collect()
}

/// Returns the migrations that users need before they install the bundle: removed versions in which objects may still be
/// stored.
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
                // An earlier bundle already reported the versions that it removed.
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
