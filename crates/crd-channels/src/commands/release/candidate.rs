//! A release candidate: the types under its version, validated against the bundles that it follows.

use super::channel_crds::{crds, set, stamped};
use super::kind_histories::kind_histories;
use super::project_metadata::project_metadata;
use super::{or_report, rejection, versions};
use crate::commands::manifest as stated;
use crate::commands::proofs::proofs;
use crate::release::contents::{Component, Contents, Crds, contents};
use crate::release::history::{History, Sets};
use crate::release::lifecycle::Ancestry;
use crate::release::places::Tree;
use crate::release::preflight::{self, Candidate};
use crate::release::version_choice::{Choice, RequestedVersion};
use crate::release::{line, policy, tombstones};
use crd_channels_compat::waivers::{self, Waiver};
use crd_channels_compat::{Components, Finding, Lineage, Report, Set, compare_along, first, union};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_files::Disk;
use crd_channels_generator::pipeline::Setup;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_projection::channel::{Kind, Stamp, gated};
use crd_channels_released::history::KindHistory;
use crd_channels_released::manifest::{Baseline, Change, Channel, FORMAT, Manifest, Tombstones};
use std::path::Path;

/// The types to release.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// The configuration.
    pub setup: &'a Setup,
    /// The kinds.
    pub kinds: &'a [Kind],
    /// The stamp of the tree's CRDs.
    pub stamp: &'a Stamp,
    /// The texts that spans point into.
    pub sources: &'a Sources,
}

/// A validated candidate.
pub(crate) struct CheckedCandidate<'a> {
    source: Source<'a>,
    pub(crate) choice: Choice,
    crds: Vec<Crds>,
    set: Set,
    /// The tombstones of the earlier bundles.
    carried: Tombstones,
    pub(crate) report: Report,
    pub(crate) migrations: Vec<String>,
    /// Since when everything is in which channel.
    history: Vec<KindHistory>,
}

impl CheckedCandidate<'_> {
    /// The changes that the bundle's notes list; the kinds of a first bundle.
    pub(crate) fn notes_report(&self) -> Report {
        if self.choice.baseline.is_some() {
            return self.report.clone();
        }
        let mut report = compare_along(Lineage::default(), &Set::default(), &self.set);
        report
            .findings
            .retain(|finding| finding.record.id == "kind-added");
        report
    }
}

impl<'a> Source<'a> {
    /// Makes the CRDs under a version. Their findings were already reported.
    pub(crate) fn under(self, version: &BundleVersion) -> Vec<Crds> {
        let stamp = stamped(self.stamp, version);
        crds(
            self.setup,
            self.kinds,
            &stamp,
            self.sources,
            &mut Sink::default(),
        )
    }

    fn tree(self) -> Tree<'a> {
        Tree {
            kinds: self.kinds,
            sources: self.sources,
        }
    }

    /// Returns the set that the CRDs and the components form once released.
    fn set(
        self,
        crds: &[Crds],
        root: &Path,
        components: Components,
        sink: &mut Sink,
    ) -> Option<Set> {
        let read = set(crds).map_err(|why| Box::new(rejection(why, "this is a bug in the tool")));
        Some(Set {
            tombstones: Some(stated::tombstones(self.setup, self.kinds)),
            kubernetes: Some(self.setup.config.bundle.kubernetes.minor),
            components: Some(components),
            proofs: proofs(root, &Disk),
            ..or_report(read, sink)?
        })
    }

    /// Reports invalid tombstones of the tree. `carried` are those of earlier bundles.
    fn check_tombstones(
        self,
        version: &BundleVersion,
        carried: &Tombstones,
        earlier: (&History, &Sets),
        new: &Set,
        sink: &mut Sink,
    ) {
        let in_tree = tombstones::TreeTombstones {
            kinds: self.kinds,
            configured: &self.setup.config.tombstones,
            known: carried,
        };
        for fault in tombstones::check(version, in_tree, earlier, new) {
            sink.push(fault);
        }
    }

    /// Reports features whose `since` is later than the first bundle that has them.
    fn check_features(self, version: &BundleVersion, history: &History, sink: &mut Sink) {
        for feature in &self.setup.config.features.declared {
            let name = &*feature.name.value;
            let bundles = history.bundles.values().map(|bundle| &bundle.manifest);
            let mut having = bundles.filter(|bundle| {
                let mut features = bundle.features.iter().filter(|it| it.name == name);
                features.any(|it| it.gates.as_ref().is_none_or(|gates| !gates.is_empty()))
            });
            let first = having.next().map_or(version, |bundle| &bundle.version);
            let first = first.as_final();
            let mut channels = self.setup.config.channels.iter();
            let is_on = channels.any(|channel| channel.features.contains(name));
            let Some(since) = feature.since.as_ref().filter(|since| {
                let named = since.value.parse::<BundleVersion>();
                named.is_ok_and(|named| named > first)
            }) else {
                continue;
            };
            if is_on && !gated(self.kinds, name).is_empty() {
                let message = format!(
                    "the feature `{name}` is in {first}, but its `since` names {}",
                    since.value
                );
                let fault = Diagnostic::new(Code::ReleaseRefused, since.span, message);
                sink.push(fault.with_help(format!("write `since = \"{first}\"`")));
            }
        }
    }

    /// Validates the candidate and reports what prevents its release. `None` if it cannot be validated.
    pub fn check_candidate(
        self,
        choice: Choice,
        asked: &RequestedVersion,
        history: &History,
        (root, components): (&Path, Components),
        sink: &mut Sink,
    ) -> Option<CheckedCandidate<'a>> {
        let sets = history.sets();
        let sets =
            sets.map_err(|why| Box::new(rejection(why, "the bundle cannot be compared with")));
        let sets = or_report(sets, sink)?;
        let past = Ancestry::of(history, &sets, choice.baseline.as_ref());
        let past = past.with_other_lines(history, &sets, &choice.version);
        let carried = past.tombstones();
        let old = past.last().map(|old| Set {
            tombstones: Some(carried.clone()),
            ..old.clone()
        });
        let crds = self.under(&choice.version);
        let new = self.set(&crds, root, components, sink)?;
        self.check_tombstones(&choice.version, &carried, (history, &sets), &new, sink);
        self.check_features(&choice.version, history, sink);
        let changes = match &old {
            Some(old) => compare_along(past.lineage(), old, &new),
            None => first(&new),
        };
        let waivers = waived(root, sink)?;
        let with_waivers = |version: &BundleVersion| {
            let mut report = changes.clone();
            waivers::apply(&waivers, Some(&version.to_string()), &mut report);
            report
        };
        let (choice, crds) = match asked {
            RequestedVersion::Snapshot(_) => {
                let asks = |version: &BundleVersion| with_waivers(version).bump();
                let choice = choice.carrying(asks, history.bundles.keys());
                let choice = or_report(choice, sink)?;
                let crds = self.under(&choice.version);
                (choice, crds)
            }
            _ => (choice, crds),
        };
        let mut report = with_waivers(&choice.version);
        self.tree().place(&mut report.findings);
        let subject = (&choice.version, &new);
        let mut line = line::breaches(
            subject,
            &choice.line,
            &past,
            history,
            &sets,
            &waivers,
            &report,
        );
        for breach in &mut line {
            self.tree().place(std::slice::from_mut(&mut breach.finding));
        }
        let candidate = Candidate {
            choice: &choice,
            new: &new,
            past: &past,
            report: &report,
            line: &line,
            tree: self.tree(),
        };
        for finding in preflight::rejections(candidate) {
            sink.push(finding);
        }
        let migrations = preflight::migrations(&new, old.as_ref(), sets.values());
        let history = kind_histories(&past, &choice.version, &new);
        Some(CheckedCandidate {
            source: self,
            choice,
            crds,
            set: new,
            carried,
            report,
            migrations,
            history,
        })
    }
}

impl CheckedCandidate<'_> {
    pub(crate) fn contents(&self, components: &[Component]) -> Result<Contents, Box<Diagnostic>> {
        let channels: Vec<policy::Channel> =
            self.crds.iter().map(|crds| crds.channel.clone()).collect();
        let bundle = policy::Bundle {
            version: &self.choice.version,
            prefix: &self.source.stamp.prefix,
            channels: &channels,
            set: &self.set,
        };
        let about = project_metadata(self.source.setup, bundle.prefix, &Disk);
        contents(
            bundle,
            &about,
            stated::kubernetes(&self.set),
            &self.crds,
            components,
        )
        .map_err(|why| {
            Box::new(rejection(
                why,
                "flatten the types, or end one with a field that preserves unknown fields",
            ))
        })
    }

    /// Returns the manifest, without the sources.
    pub(crate) fn manifest(&self, made: &Contents, history: &History) -> Manifest {
        let setup = self.source.setup;
        let of = |crds: &Crds| {
            let prefix = format!("{}/", crds.channel.name);
            Channel {
                name: crds.channel.name.clone(),
                annotation: crds.channel.annotation.clone(),
                features: crds.channel.features.iter().cloned().collect(),
                conditions: crds.conditions.clone(),
                files: made.digests(|path| path.starts_with(&prefix)),
            }
        };
        let channels: Vec<Channel> = self.crds.iter().map(of).collect();
        let shared = made.digests(|path| {
            !channels
                .iter()
                .any(|channel| channel.files.contains_key(path))
        });
        let baseline = self.choice.baseline.as_ref().and_then(|version| {
            let digest = history.bundles.get(version)?.manifest.digest.clone()?;
            Some(Baseline {
                version: version.clone(),
                digest,
            })
        });
        Manifest {
            format: FORMAT,
            digest: None,
            version: self.choice.version.clone(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            baseline,
            kubernetes: stated::kubernetes(&self.set).to_string(),
            annotation_prefix: self.source.stamp.prefix.to_string(),
            channels,
            shared,
            features: stated::features(setup, self.source.kinds),
            // Tombstones of earlier bundles stay, even if the types no longer have them.
            tombstones: union(self.set.tombstones.iter().chain([&self.carried])),
            deprecated: stated::deprecated(self.source.kinds),
            changes: changes(&self.report),
            proofs: self.set.proven().cloned().collect(),
            history: self.history.clone(),
            sources: Vec::new(),
        }
    }
}

fn changes(report: &Report) -> Vec<Change> {
    let of = |finding: &Finding| Change {
        code: finding.record.id.to_owned(),
        group: finding.group.to_string(),
        kind: finding.kind.to_string(),
        version: finding.version.to_string(),
        path: finding.path.clone(),
        channel: finding.channel_name(),
        stored: finding.change.stored.to_string(),
        writers: finding.change.writers.to_string(),
        readers: finding.change.readers.to_string(),
        bump: finding.change.bump.to_string(),
        message: finding.change.message.clone(),
        waived: finding.waiver_reason().map(str::to_owned),
    };
    report.findings.iter().map(of).collect()
}

/// Reads `channels/waivers.toml`.
fn waived(root: &Path, sink: &mut Sink) -> Option<Vec<Waiver>> {
    let path = format!("{FOLDER}/waivers.toml");
    let text = or_report(versions::read_text(root, &path, &Disk), sink)?;
    match waivers::parse(&text.unwrap_or_default()) {
        Ok(waivers) => Some(waivers),
        Err(why) => {
            let message = format!("`{path}`: {why}");
            let finding = Diagnostic::new(Code::ConfigInvalid, None, message);
            sink.push(
                finding.with_help("write `[[waiver]]` with `kind`, `path`, `bundle` and `reason`"),
            );
            None
        }
    }
}
