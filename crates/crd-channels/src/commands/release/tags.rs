//! The tags of a workspace's bundles in the repository around it.

use crate::git::{Repository, VersionTag, of_project};
use crate::release::history::History;
use crate::release::other_lines::{self, Tagged};
use crate::release::version_choice::line;
use crd_channels_diagnostics::Diagnostic;
use crd_channels_files::{Disk, Read as _, with_unix_line_ends};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::{bundles, manifest};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Tags that are named like bundles, newest first.
pub struct Tags {
    pub(super) repository: Repository,
    /// The path of the workspace inside the repository.
    pub(super) inside: String,
    all: Vec<VersionTag>,
}

/// The tag of a bundle.
#[derive(Debug)]
pub enum Tag {
    /// The tag exists.
    There,
    /// The name that the tag will have.
    ToBe(String),
}

impl Tags {
    /// Reads the tags of the repository around a workspace, on any branch.
    ///
    /// # Errors
    /// `git-failed`
    pub fn discover(root: &Path) -> Result<Self, Box<Diagnostic>> {
        let (repository, inside) = Repository::discover(root)?;
        Ok(Self {
            all: repository.version_tags()?,
            repository,
            inside,
        })
    }

    /// Returns the tag of a bundle: one that is named like it and whose commit added it. The bundle also exists in later
    /// commits, which may have tags of other projects; among those only a tag without a prefix is accepted.
    ///
    /// # Errors
    /// `git-failed`
    pub fn tag_of(&self, version: &BundleVersion) -> Result<Option<&VersionTag>, Box<Diagnostic>> {
        let path = self.path(version);
        let mut later = None;
        for tag in self.all.iter().filter(|tag| tag.version == *version) {
            let Some(commit) = self.commit(tag)? else {
                continue;
            };
            if self.repository.introduces(&commit, &path)? {
                return Ok(Some(tag));
            }
            later = later.or(Some(tag).filter(|tag| tag.prefix().is_empty()));
        }
        Ok(later)
    }

    /// Returns the commit of a bundle's tag, and its time.
    ///
    /// # Errors
    /// `git-failed`
    pub(in super::super) fn released_at(
        &self,
        version: &BundleVersion,
    ) -> Result<Option<(String, String)>, Box<Diagnostic>> {
        let Some(tag) = self.tag_of(version)? else {
            return Ok(None);
        };
        let Some(commit) = self.commit(tag)? else {
            return Ok(None);
        };
        let time = self.repository.committed_at(&commit)?;
        Ok(Some((commit, time)))
    }

    /// All tags, with any prefix.
    pub(super) fn all(&self) -> &[VersionTag] {
        &self.all
    }

    /// Returns the tags that may belong to a project with these bundles.
    pub(super) fn of_project<'b>(
        &self,
        bundles: impl Iterator<Item = &'b BundleVersion>,
    ) -> Vec<VersionTag> {
        of_project(self.all.clone(), bundles)
    }

    /// Returns the prefix of the project's tags: that of the latest bundle with a tag.
    pub(super) fn form<'b>(
        &self,
        latest_first: impl Iterator<Item = &'b BundleVersion>,
    ) -> Result<String, Box<Diagnostic>> {
        for version in latest_first {
            if let Some(tag) = self.tag_of(version)? {
                return Ok(tag.prefix().to_owned());
            }
        }
        Ok(String::new())
    }

    /// Returns the bundle that a tag is named after, with the branches that have it; `None` if its commit lacks the bundle.
    pub(super) fn bundle(&self, tag: &VersionTag) -> Result<Option<Tagged>, Box<Diagnostic>> {
        let Some(commit) = self.commit(tag)? else {
            return Ok(None);
        };
        Ok(Some(Tagged {
            version: tag.version.clone(),
            tag: tag.name.clone(),
            branches: self.repository.branches_with(&commit)?,
            pull: None,
        }))
    }

    /// Returns the latest final bundle of a tree's line that has a tag and is not here, but comes before the tree.
    pub(super) fn latest_missing(
        &self,
        tree: &BundleVersion,
        here: &History,
    ) -> Result<Option<Tagged>, Box<Diagnostic>> {
        let is_missing = |version: &BundleVersion| {
            version.is_final()
                && *version < *tree
                && line(version) == line(tree)
                && !here.bundles.contains_key(version)
        };
        for tag in self.all.iter().filter(|tag| is_missing(&tag.version)) {
            if let Some(tagged) = self.bundle(tag)? {
                return Ok(Some(tagged));
            }
        }
        Ok(None)
    }

    /// Returns the error about a bundle of which the upstream of this branch has another one.
    ///
    /// # Errors
    /// `git-failed`
    pub fn raced(&self) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
        let folder = format!("{}/{FOLDER}", self.inside);
        let folder = folder.trim_start_matches('/');
        let version = |path: &str| {
            let below = path.strip_prefix(folder)?.strip_prefix('/')?;
            let (name, file) = below.split_once('/')?;
            let version = BundleVersion::try_from(name.to_owned()).ok()?;
            (file == manifest::FILE).then_some(version)
        };
        let raced = self
            .repository
            .raced(folder, |path| version(path).is_some())?;
        let Some((raced, version)) = raced.and_then(|raced| {
            let version = version(&raced.path)?;
            Some((raced, version))
        }) else {
            return Ok(None);
        };
        let mut own = None;
        for tag in self.all.iter().filter(|tag| tag.version == version) {
            if let Some(commit) = self.commit(tag)?
                && !self
                    .repository
                    .is_part_of(&commit, &raced.upstream.commit)?
            {
                own = own.or(Some(tag.name.as_str()));
            }
        }
        let way_back = raced.way_back(own);
        // The first of these starts the next version.
        let later = raced.later.saturating_sub(1);
        let finding = other_lines::raced(&version, &raced.upstream.name, &way_back, later);
        Ok(Some(finding))
    }

    /// Returns an error for every bundle of the workspace that is not the one of its tag, and for every final one that is gone
    /// although its tag is part of this branch. Bundles without a tag, and tags whose commits have no such bundle, tell nothing.
    ///
    /// # Errors
    /// `git-failed`
    pub fn departures(
        &self,
        root: &Path,
    ) -> Result<BTreeMap<BundleVersion, Diagnostic>, Box<Diagnostic>> {
        let here = bundles::all(&root.join(FOLDER), &Disk);
        let here: BTreeMap<BundleVersion, PathBuf> =
            here.into_iter().map(|it| (it.version, it.folder)).collect();
        let files = self.repository.tagged_files()?;
        let mut found = BTreeMap::new();
        let mut gone = Vec::new();
        let own = self.of_project(here.keys());
        for tags in own.chunk_by(|one, other| one.version == other.version) {
            let path = tags
                .first()
                .map(|tag| self.path(&tag.version))
                .unwrap_or_default();
            let mut tagged = Vec::new();
            for tag in tags {
                tagged.extend(files.file_at(&tag.name, &path)?.map(|bytes| (tag, bytes)));
            }
            let Some((tag, _)) = tagged.first() else {
                continue;
            };
            let Some(folder) = here.get(&tag.version) else {
                if tag.version.is_final() {
                    gone.push((*tag, path));
                }
                continue;
            };
            let is_same = |own: Vec<u8>| {
                let own = with_unix_line_ends(&own);
                tagged
                    .iter()
                    .any(|(_, bytes)| with_unix_line_ends(bytes) == own)
            };
            // What cannot be read is reported where bundles are verified.
            if Disk
                .read(&folder.join(manifest::FILE))
                .is_ok_and(|own| !is_same(own))
            {
                found.insert(
                    tag.version.clone(),
                    other_lines::replaced(&tag.version, &tag.name),
                );
            }
        }
        let names: Vec<(&str, &str)> = gone
            .iter()
            .map(|(tag, path)| (&*tag.name, &**path))
            .collect();
        let were_here = match names.is_empty() {
            true => BTreeSet::new(),
            false => self.repository.were_here(&names)?,
        };
        let gone = gone.iter().filter(|(_, path)| were_here.contains(path));
        found.extend(gone.map(|(tag, _)| {
            let finding = other_lines::removed(&tag.version, &tag.name);
            (tag.version.clone(), finding)
        }));
        Ok(found)
    }

    /// Returns the commit of a tag, if it has the bundle that the tag is named after.
    fn commit(&self, tag: &VersionTag) -> Result<Option<String>, Box<Diagnostic>> {
        let path = self.path(&tag.version);
        let commit = self.repository.tagged(&tag.name)?;
        let Some(commit) = commit else {
            return Ok(None);
        };
        let has_bundle = self.repository.object_at(&commit, &path)?.is_some();
        Ok(has_bundle.then_some(commit))
    }

    /// The path of a bundle's manifest in the repository.
    fn path(&self, version: &BundleVersion) -> String {
        let path = format!("{}/{FOLDER}/{version}/{}", self.inside, manifest::FILE);
        path.trim_start_matches('/').to_owned()
    }
}

/// Returns the tag that a bundle of a workspace has or will have; its version if git fails.
#[must_use]
pub fn tag_for(root: &Path, version: &BundleVersion) -> Tag {
    let tag = Tags::discover(root).and_then(|tags| {
        if tags.tag_of(version)?.is_some() {
            return Ok(Tag::There);
        }
        let bundles = bundles::all(&root.join(FOLDER), &Disk);
        let form = tags.form(bundles.iter().rev().map(|bundle| &bundle.version))?;
        Ok(Tag::ToBe(format!("{form}{version}")))
    });
    tag.unwrap_or_else(|_| Tag::ToBe(version.to_string()))
}

/// The same as [`Tags::departures`]; empty if git knows nothing of the workspace.
#[must_use]
pub fn departures(root: &Path) -> BTreeMap<BundleVersion, Diagnostic> {
    let found = Tags::discover(root).and_then(|tags| tags.departures(root));
    found.unwrap_or_default()
}

/// Reads the bundles of a workspace, or the chain of one of them, and compares them with their tags, if there are any.
///
/// # Errors
/// Those of [`History::read`], and of [`Tags::departures`].
pub fn history(
    root: &Path,
    version: Option<&BundleVersion>,
    tags: Option<&Tags>,
) -> Result<History, Vec<Diagnostic>> {
    let folder = root.join(FOLDER);
    let read = match version {
        Some(version) => History::chain(&folder, version, &Disk),
        None => History::read(&folder, &Disk),
    };
    let mut departures = tags
        .and_then(|tags| tags.departures(root).ok())
        .unwrap_or_default();
    departures.retain(|departed, _| {
        let history = read.as_ref().ok().filter(|_| version.is_some());
        history.is_none_or(|history| history.bundles.contains_key(departed))
    });
    let departures = departures.into_values();
    match read {
        Err(faults) => Err(faults.into_iter().chain(departures).collect()),
        Ok(history) if departures.len() == 0 => Ok(history),
        Ok(_) => Err(departures.collect()),
    }
}
