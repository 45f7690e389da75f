//! What git's tags tell of a release: bundles of other lines, and whether the bundle's own tag is free.

use super::Request;
use crate::bundle::version::BundleVersion;
use crate::channel::config::FOLDER;
use crate::diag::Diagnostic;
use crate::files::Disk;
use crate::git::{Repository, VersionTag, of_project};
use crate::release::choice::{Asked, Choice};
use crate::release::elsewhere::{Tagged, concerns, judge};
use crate::release::history::History;
use crate::released::{bundles, manifest};
use std::path::Path;

/// What the tags say.
#[derive(Debug)]
pub struct Told {
    /// What is in the way.
    pub faults: Vec<Diagnostic>,
    /// What is to be said besides.
    pub notes: Vec<String>,
    /// The tag that the bundle is to have; none where something else has it.
    pub tag: Option<String>,
}

/// The tag of a bundle.
#[derive(Debug)]
pub enum Tag {
    /// It is there.
    There,
    /// The bundle is to have that one.
    ToBe(String),
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
    let bundles = || history.bundles.keys();
    let all = repository.version_tags()?;
    let form = form(&repository, &inside, &all, bundles().rev())?;
    let own = format!("{form}{}", choice.version);
    let mut told = Told {
        faults: Vec::new(),
        notes: Vec::new(),
        tag: Some(own.clone()),
    };
    let mut others: Vec<Tagged> = Vec::new();
    let tags = of_project(all, bundles());
    told.notes.extend(untagged(history, &tags));
    for VersionTag { name, version } in tags {
        // A snapshot promises nothing, so it may leave out what others released.
        let concerns = match request.asked {
            Asked::Snapshot(_) => version == choice.version,
            _ => concerns(choice, &version),
        };
        let is_known = others.iter().any(|other| other.version == version);
        if !concerns || is_known || history.bundles.contains_key(&version) {
            continue;
        }
        match repository.tagged(&name)? {
            Some(commit) if has_bundle(&repository, &inside, &commit, &version)? => {
                let branches = repository.branches_with(&commit)?;
                others.push(Tagged {
                    version,
                    tag: name,
                    branches,
                });
            }
            found if name == own => {
                told.tag = None;
                let what = match found {
                    Some(_) => "a commit without this bundle",
                    None => "no commit",
                };
                told.notes.push(format!(
                    "the tag `{name}` is there already and names {what}; give the bundle another tag, such as `crds-{version}`"
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

/// The tag of a bundle: one that is called like it, and names a commit that has it.
///
/// # Errors
/// `git-failed`
pub fn tag_of(
    repository: &Repository,
    inside: &str,
    version: &BundleVersion,
) -> Result<Option<VersionTag>, Box<Diagnostic>> {
    first_with_bundle(repository, inside, &repository.version_tags()?, version)
}

/// The same of tags that were listed.
fn first_with_bundle(
    repository: &Repository,
    inside: &str,
    tags: &[VersionTag],
    version: &BundleVersion,
) -> Result<Option<VersionTag>, Box<Diagnostic>> {
    for tag in tags.iter().filter(|tag| tag.version == *version) {
        if let Some(commit) = repository.tagged(&tag.name)?
            && has_bundle(repository, inside, &commit, version)?
        {
            return Ok(Some(tag.clone()));
        }
    }
    Ok(None)
}

/// What the tags of the project have before the version, as the latest bundle with a tag has it.
fn form<'b>(
    repository: &Repository,
    inside: &str,
    tags: &[VersionTag],
    latest_first: impl Iterator<Item = &'b BundleVersion>,
) -> Result<String, Box<Diagnostic>> {
    for version in latest_first {
        if let Some(tag) = first_with_bundle(repository, inside, tags, version)? {
            return Ok(tag.prefix().to_owned());
        }
    }
    Ok(String::new())
}

/// The tag of a bundle of the workspace that is there, or that it is to have; its version where git does not answer.
#[must_use]
pub fn tag_for(root: &Path, version: &BundleVersion) -> Tag {
    known_tag(root, version).unwrap_or_else(|_| Tag::ToBe(version.to_string()))
}

fn known_tag(root: &Path, version: &BundleVersion) -> Result<Tag, Box<Diagnostic>> {
    let (repository, inside) = Repository::around(root)?;
    let tags = repository.version_tags()?;
    if first_with_bundle(&repository, &inside, &tags, version)?.is_some() {
        return Ok(Tag::There);
    }
    let bundles = bundles::all(&root.join(FOLDER), &Disk);
    let versions = bundles.iter().rev().map(|bundle| &bundle.version);
    let form = form(&repository, &inside, &tags, versions)?;
    Ok(Tag::ToBe(format!("{form}{version}")))
}

/// Where bundles have tags, and the latest does not, somebody may have stopped between two steps.
fn untagged(history: &History, tags: &[VersionTag]) -> Option<String> {
    let is_tagged = |version: &&BundleVersion| tags.iter().any(|tag| tag.version == **version);
    let mut finals = history.bundles.keys().filter(|version| version.is_final());
    let last = finals.next_back()?;
    let others = finals.any(|version| is_tagged(&version));
    (others && !is_tagged(&last)).then(|| {
        format!(
            "{last} has no tag in this clone: where it is released, tag the commit that made it"
        )
    })
}
