//! The tags of a workspace's bundles in the repository around it.

use crate::git::{Repository, VersionTag, of_project};
use crate::release::other_lines::{self, Tagged};
use crd_channels_diagnostics::Diagnostic;
use crd_channels_files::Disk;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::{bundles, manifest};
use std::path::Path;

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
    pub fn of(&self, version: &BundleVersion) -> Result<Option<&VersionTag>, Box<Diagnostic>> {
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
            if let Some(tag) = self.of(version)? {
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

    /// Returns the commit of a tag, if it has the bundle that the tag is named after.
    fn commit(&self, tag: &VersionTag) -> Result<Option<String>, Box<Diagnostic>> {
        let path = self.path(&tag.version);
        let commit = self.repository.tagged(&tag.name)?;
        let Some(commit) = commit else {
            return Ok(None);
        };
        Ok(self.repository.has(&commit, &path)?.then_some(commit))
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
        if tags.of(version)?.is_some() {
            return Ok(Tag::There);
        }
        let bundles = bundles::all(&root.join(FOLDER), &Disk);
        let form = tags.form(bundles.iter().rev().map(|bundle| &bundle.version))?;
        Ok(Tag::ToBe(format!("{form}{version}")))
    });
    tag.unwrap_or_else(|_| Tag::ToBe(version.to_string()))
}
