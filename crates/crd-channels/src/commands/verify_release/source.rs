//! Compares a released bundle with the source that its manifest names.

use super::meaning;
use crate::commands::manifest as stated;
use crate::commands::proofs::proofs;
use crate::commands::release::kind_histories::kind_histories;
use crate::commands::release::project_metadata::project_metadata;
use crate::commands::release::{channel_crds, components};
use crate::git;
use crate::release::contents::contents;
use crate::release::history::History;
use crate::release::lifecycle::Ancestry;
use crate::release::policy;
use crd_channels_compat::{Set, union};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, Text};
use crd_channels_files::Read;
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::channel::config::Kubernetes;
use crd_channels_projection::channel::{Kind, Stamp};
use crd_channels_released::folder::Verified;
use crd_channels_released::manifest::Manifest;
use std::collections::BTreeMap;
use std::path::Path;

/// What is verified.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The bundle.
    pub bundle: &'a Verified,
    /// Bundles, among them those that it follows.
    pub history: &'a History,
}

/// Generates the bundle again from a revision, with the version, channels and features that its manifest names, and reports
/// every file and every statement of the manifest that differs. Another version of the tool may write other bytes; then the CRDs
/// must have the same meaning.
pub fn verify(
    subject: Subject<'_>,
    root: &Path,
    revision: &str,
    sources: &Sources,
    sink: &mut Sink,
) {
    match git::revision(root, revision) {
        Ok(found) => again(subject, &found.root, &found, sources, sink),
        Err(finding) => sink.push(*finding),
    }
}

fn again(
    Subject { bundle, history }: Subject<'_>,
    root: &Path,
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) {
    let manifest = &bundle.manifest;
    let Some(mut setup) = pipeline::setup(root, files, sources, sink) else {
        return;
    };
    let mut channels = Vec::new();
    for wanted in &manifest.channels {
        let known = setup.config.channels.iter();
        let mut known = known.filter(|channel| *channel.name == *wanted.name);
        let Some(channel) = known.next() else {
            let message = format!("the source has no channel `{}`", wanted.name);
            sink.push(differs(bundle, &message));
            continue;
        };
        let mut channel = channel.clone();
        channel.annotation.value = wanted.annotation.as_str().into();
        channel.features = wanted
            .features
            .iter()
            .map(|name| Text::from(name.as_str()))
            .collect();
        channels.push(channel);
    }
    setup.config.channels = channels;
    let kinds = pipeline::read_kinds(&setup, files, sources, sink);
    let stamp = Stamp {
        version: manifest.version.semantic().to_string().into(),
        prefix: manifest.annotation_prefix.as_str().into(),
    };
    let crds = channel_crds::crds(&setup, &kinds, &stamp, sources, sink);
    if sink.has_errors() {
        return;
    }
    let components = components::read_components(&setup.config, root, files);
    let channels: Vec<_> = crds.iter().map(|crds| crds.channel.clone()).collect();
    let unlike = channel_crds::set(&crds).and_then(|set| {
        let whole = policy::Bundle {
            version: &manifest.version,
            prefix: &manifest.annotation_prefix,
            channels: &channels,
            set: &set,
        };
        let about = project_metadata(&setup, whole.prefix, files);
        let oldest = kubernetes(&manifest.kubernetes);
        let made = contents(whole, &about, oldest, &crds, &components?)?;
        if is_of_this_tool(bundle) {
            let sets = history.sets()?;
            let baseline = manifest.baseline.as_ref().map(|it| &it.version);
            let past = Ancestry::of(history, &sets, baseline);
            let set = Set {
                kubernetes: Some(setup.config.bundle.kubernetes.minor),
                proofs: proofs(root, files),
                ..set.clone()
            };
            let mut unlike = other_bytes(&made.files, &bundle.files);
            unlike.extend(other_statements(manifest, &setup, &kinds, &set, &past));
            Ok(unlike)
        } else {
            meaning::unlike(bundle, &set, &made.files)
        }
    });
    let other_conditions = crds.iter().filter_map(|crds| {
        let name = &crds.channel.name;
        let released = manifest.conditions(name)?;
        (*released != *crds.conditions)
            .then(|| format!("the source declares other conditions in the channel `{name}`"))
    });
    let unlike = unlike.unwrap_or_else(|why| vec![why]);
    for message in unlike.into_iter().chain(other_conditions) {
        sink.push(differs(bundle, &message));
    }
}

/// Whether this version of the tool made the bundle.
pub fn is_of_this_tool(bundle: &Verified) -> bool {
    bundle.manifest.tool == env!("CARGO_PKG_VERSION")
}

fn differs(bundle: &Verified, message: &str) -> Diagnostic {
    let message = format!("bundle {}: {message}", bundle.manifest.version);
    Diagnostic::new(Code::BundleTampered, None, message)
        .with_help("name the revision that the bundle was made from, such as its tag")
}

/// Returns the files that differ.
fn other_bytes(
    made: &BTreeMap<String, String>,
    released: &BTreeMap<String, Vec<u8>>,
) -> Vec<String> {
    let mut unlike = Vec::new();
    for (path, bytes) in released {
        match made.get(path) {
            Some(text) if text.as_bytes() == bytes => {}
            Some(_) => unlike.push(format!("the source generates a different `{path}`")),
            None => unlike.push(format!("the source does not generate `{path}`")),
        }
    }
    let more = made.keys().filter(|path| !released.contains_key(*path));
    unlike
        .extend(more.map(|path| format!("the source generates `{path}`, which was not released")));
    unlike
}

/// Returns what the manifest states that neither the source nor the bundles before say. The changes are not among it: they are
/// measured against all lines of that time.
fn other_statements(
    manifest: &Manifest,
    setup: &Setup,
    kinds: &[Kind],
    set: &Set,
    past: &Ancestry<'_>,
) -> Vec<String> {
    let of_source = stated::tombstones(setup, kinds);
    let tombstones = union([&of_source, &manifest.tombstones, &past.tombstones()]);
    let proofs: Vec<_> = set.proven().cloned().collect();
    let statements = [
        (
            "features",
            manifest.features == stated::features(setup, kinds),
        ),
        (
            "deprecated versions",
            manifest.deprecated == stated::deprecated(kinds),
        ),
        ("tombstones", manifest.tombstones == tombstones),
        ("proofs", manifest.proofs == proofs),
        (
            "Kubernetes versions",
            manifest.kubernetes == stated::kubernetes(set).to_string(),
        ),
        (
            "histories",
            manifest.history == kind_histories(past, &manifest.version, set),
        ),
    ];
    let other = statements.into_iter().filter(|(_, is_same)| !is_same);
    other
        .map(|(what, _)| {
            format!("the source and the bundles before give other {what} than the manifest states")
        })
        .collect()
}

/// Parses the oldest Kubernetes version of a manifest.
fn kubernetes(text: &str) -> Kubernetes {
    text.parse().unwrap_or(Kubernetes { major: 0, minor: 0 })
}
