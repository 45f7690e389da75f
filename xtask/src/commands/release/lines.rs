//! What git's tags tell of a release: bundles of other lines, and whether the bundle's own tag is free.

use super::Request;
use crate::bundle::version::BundleVersion;
use crate::channel::config::FOLDER;
use crate::diag::Diagnostic;
use crate::git::Repository;
use crate::release::choice::{Asked, Choice};
use crate::release::elsewhere::{Tagged, concerns, judge};
use crate::release::history::History;
use crate::released::manifest;
use std::path::Path;

/// What the tags say.
#[derive(Debug)]
pub struct Told {
    /// What is in the way.
    pub faults: Vec<Diagnostic>,
    /// What is to be said besides.
    pub notes: Vec<String>,
    /// Whether nothing else has the bundle's tag.
    pub tag_is_free: bool,
}

/// Reads the tags of the repository around the workspace, on whatever branch they are.
///
/// # Errors
/// `git-failed`
pub fn told(
    root: &Path,
    request: &Request,
    choice: &Choice,
    history: &History,
) -> Result<Told, Box<Diagnostic>> {
    let (repository, inside) = Repository::around(root)?;
    let mut told = Told {
        faults: Vec::new(),
        notes: Vec::new(),
        tag_is_free: true,
    };
    let mut others = Vec::new();
    let tags = repository.version_tags()?;
    told.notes.extend(untagged(history, &tags));
    for tag in tags {
        let Ok(version) = BundleVersion::try_from(tag.clone()) else {
            continue;
        };
        let is_it = version == choice.version;
        // A snapshot promises nothing, so it may leave out what others released.
        let concerns = match request.asked {
            Asked::Snapshot(_) => is_it,
            _ => concerns(choice, &version),
        };
        if !concerns || history.bundles.contains_key(&version) {
            continue;
        }
        match repository.tagged(&tag)? {
            Some(commit) if has_bundle(&repository, &inside, &commit, &version)? => {
                let branches = repository.branches_with(&commit)?;
                others.push(Tagged { version, branches });
            }
            found if is_it => {
                told.tag_is_free = false;
                let what = match found {
                    Some(_) => "a commit without this bundle",
                    None => "no commit",
                };
                told.notes.push(format!(
                    "the tag `{tag}` is there already and names {what}; give the bundle another tag"
                ));
            }
            _ => {}
        }
    }
    others.sort_by(|one, other| one.version.cmp(&other.version));
    told.faults = judge(choice, &others, request.program.name());
    if repository.has_remotes()? {
        told.notes.push(
            "the tags of this clone were asked which versions are taken; `git fetch --tags` gets those of others"
                .to_owned(),
        );
    }
    Ok(told)
}

/// Whether a commit has a bundle of the workspace, which is `inside` the repository.
fn has_bundle(
    repository: &Repository,
    inside: &str,
    commit: &str,
    version: &BundleVersion,
) -> Result<bool, Box<Diagnostic>> {
    let path = format!("{inside}/{FOLDER}/{version}/{}", manifest::FILE);
    repository.has(commit, path.trim_start_matches('/'))
}

/// Whether a bundle's own tag names a commit that has the bundle.
///
/// # Errors
/// `git-failed`, also where there is no such tag.
pub fn is_tagged(root: &Path, version: &BundleVersion) -> Result<bool, Box<Diagnostic>> {
    let (repository, inside) = Repository::around(root)?;
    match repository.tagged(&version.to_string())? {
        Some(commit) => has_bundle(&repository, &inside, &commit, version),
        None => Ok(false),
    }
}

/// Where bundles have tags, and the latest does not, somebody may have stopped between two steps.
fn untagged(history: &History, tags: &[String]) -> Option<String> {
    let is_tagged = |version: &&BundleVersion| tags.contains(&version.to_string());
    let mut finals = history.bundles.keys().filter(|version| version.is_final());
    let last = finals.next_back()?;
    let others = finals.any(|version| is_tagged(&version));
    (others && !is_tagged(&last)).then(|| {
        format!(
            "{last} has no tag in this clone: where it is released, tag the commit that made it"
        )
    })
}
