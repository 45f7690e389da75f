//! Finds kinds behind features of their packages that are off by default.

use super::survey::Survey;
use crd_channels_diagnostics::{Sink, Sources, Text};
use crd_channels_files::{Disk, visit};
use crd_channels_generator::pipeline::packages::{self, names_the_derive};
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_workspace::Package;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The maximum number of features that are tried one by one: each needs a run of cargo.
const MOST_TRIED: usize = 24;

/// Returns the features, as `package/feature`, that kinds of the workspace need. They are minimal unless there are too many to
/// try.
#[must_use]
pub fn needed(survey: &Survey, root: &Path, sources: &Sources) -> Vec<Text> {
    let workspace = &survey.setup.workspace;
    let packages = survey.setup.packages.iter();
    let packages = packages.filter_map(|id| workspace.package(*id));
    let mut features: Vec<Text> = packages
        .filter(|package| hides_kinds(package, survey, sources))
        .flat_map(|package| {
            let off = package.declared_features.difference(&package.features);
            off.filter(|feature| *feature != "default")
                .map(|feature| format!("{}/{feature}", package.name).into())
        })
        .collect();
    if features.is_empty() {
        return features;
    }
    let kinds = |features: &[Text]| kinds(survey, features, root, sources);
    let all = kinds(&features);
    if all.is_none_or(|all| all <= survey.types.len() + survey.without_schema) {
        return Vec::new();
    }
    for feature in features.clone().into_iter().take(MOST_TRIED) {
        let mut fewer = features.clone();
        fewer.retain(|other| *other != feature);
        if kinds(&fewer) == all {
            features = fewer;
        }
    }
    features
}

/// Whether a source file of the package names the derive but has no known kind. Checked first because cargo is slow: it fetches
/// the dependencies of features.
fn hides_kinds(package: &Package, survey: &Survey, sources: &Sources) -> bool {
    let drafts = survey.kinds.iter().flat_map(|kind| &kind.versions);
    let findings = survey.findings.iter().filter_map(|finding| finding.span);
    let spans = drafts.map(|draft| draft.span).chain(findings);
    let known: BTreeSet<PathBuf> = spans
        .filter_map(|span| {
            Some(
                survey
                    .setup
                    .workspace
                    .root
                    .join(&*sources.get(span.file)?.shown),
            )
        })
        .collect();
    let mut folders = package
        .targets
        .iter()
        .filter_map(|target| target.root.parent());
    let mut hides = |path: &Path, is_file: bool| {
        if is_file && !known.contains(path) && names_the_derive(path, &Disk) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    folders.any(|folder| visit(folder, &Disk, &mut hides).is_break())
}

/// Returns the number of types that are kinds with these features; `None` if cargo cannot resolve them.
fn kinds(survey: &Survey, features: &[Text], root: &Path, sources: &Sources) -> Option<usize> {
    let mut unsaid = Sink::default();
    let mut config = survey.setup.config.clone();
    config.bundle.cargo_features = features.to_vec();
    let (workspace, packages) = packages::load(root, &config, &Disk, &mut unsaid).ok()?;
    let setup = Setup {
        packages,
        overrides: survey.setup.overrides.clone(),
        recorded: Vec::new(),
        workspace,
        config,
    };
    let graph = pipeline::graph(&setup, &Disk, sources, &mut unsaid)?;
    graph.load(&setup.packages, &mut unsaid);
    Some(graph.kinds().len())
}
