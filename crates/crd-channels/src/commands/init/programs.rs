//! Finds the program that libraries need to compile, because only its build turns on the features that their types need.

use super::choice::Choice;
use super::survey::Survey;
use crd_channels_diagnostics::{Code, Sources};
use crd_channels_workspace::{PackageId, Workspace};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;

/// The maximum number of programs to try: the types are read for each.
const MOST_TRIED: usize = 8;

/// Returns the program whose build makes the most kinds readable, or leaves the fewest types missing; empty if none improves on
/// a build without it.
pub fn needed(survey: &Survey, choice: &Choice, root: &Path, sources: &Sources) -> Vec<String> {
    if !choice.built.is_empty() || lacking(survey) == 0 {
        return Vec::new();
    }
    let read = |survey: &Survey| (versions(survey), Reverse(lacking(survey)));
    let (mut best, mut most) = (Vec::new(), read(survey));
    for program in programs(survey).into_iter().take(MOST_TRIED) {
        let mut tried = Choice {
            built: vec![program],
            ..choice.clone()
        };
        if let Ok(survey) = Survey::with_names(&mut tried, root, sources)
            && read(&survey) > most
        {
            (best, most) = (tried.built, read(&survey));
        }
    }
    best
}

/// Returns the number of types that are missing or have no schema.
fn lacking(survey: &Survey) -> usize {
    let codes = survey.findings.iter().map(|finding| finding.code);
    codes
        .filter(|code| matches!(code, Code::MissingSchema | Code::UnresolvedPath))
        .count()
}

/// Returns the number of readable versions of kinds.
fn versions(survey: &Survey) -> usize {
    survey.kinds.iter().map(|kind| kind.versions.len()).sum()
}

/// Returns the names of the members with a binary that depend on every package with kinds.
fn programs(survey: &Survey) -> Vec<String> {
    let workspace = &survey.setup.workspace;
    let members = workspace.members.iter().filter_map(|id| {
        let package = workspace.package(*id)?;
        let is_program = package.targets.iter().any(|target| !target.lib);
        let read = &survey.setup.packages;
        let below = all_dependencies(workspace, *id);
        let is_it = is_program && !read.contains(id) && read.iter().all(|one| below.contains(one));
        is_it.then(|| package.name.clone())
    });
    members.collect()
}

/// Returns all dependencies of a package.
fn all_dependencies(workspace: &Workspace, id: PackageId) -> BTreeSet<PackageId> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![id]);
    while let Some(id) = open.pop() {
        if seen.insert(id)
            && let Some(package) = workspace.package(id)
        {
            open.extend(package.dependencies.values());
        }
    }
    seen
}
