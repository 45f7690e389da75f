//! The tags of the repository around a workspace, as far as they are those of its bundles.

use crate::bundle::version::BundleVersion;
use crate::channel::config::FOLDER;
use crate::diag::Diagnostic;
use crate::files::Disk;
use crate::git::{Repository, VersionTag, of_project};
use crate::release::elsewhere::Tagged;
use crate::released::{bundles, manifest};
use std::path::Path;

/// Tags that are called like bundles, the newest first.
pub struct Tags {
    pub(super) repository: Repository,
    /// The workspace inside the repository.
    pub(super) inside: String,
    all: Vec<VersionTag>,
}

/// The tag of a bundle.
#[derive(Debug)]
pub enum Tag {
    /// It is there.
    There,
    /// The bundle is to have that one.
    ToBe(String),
}

impl Tags {
    /// Those of the repository around a workspace, on whatever branch they are.
    ///
    /// # Errors
    /// `git-failed`
    pub fn around(root: &Path) -> Result<Self, Box<Diagnostic>> {
        let (repository, inside) = Repository::around(root)?;
        Ok(Self {
            all: repository.version_tags()?,
            repository,
            inside,
        })
    }

    /// The tag of a bundle: one that is called like it, and names a commit that has it.
    ///
    /// # Errors
    /// `git-failed`
    pub fn of(&self, version: &BundleVersion) -> Result<Option<&VersionTag>, Box<Diagnostic>> {
        for tag in self.all.iter().filter(|tag| tag.version == *version) {
            if self.bundle(tag)?.is_some() {
                return Ok(Some(tag));
            }
        }
        Ok(None)
    }

    /// Those that may be of a project with these bundles.
    pub(super) fn of_project<'b>(
        &self,
        bundles: impl Iterator<Item = &'b BundleVersion>,
    ) -> Vec<VersionTag> {
        of_project(self.all.clone(), bundles)
    }

    /// What the tags of the project have before the version, as the latest bundle with a tag has it.
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

    /// The bundle that a tag is called like, with the branches that have it; none where its commit does not have the bundle.
    pub(super) fn bundle(&self, tag: &VersionTag) -> Result<Option<Tagged>, Box<Diagnostic>> {
        let VersionTag { name, version } = tag;
        let path = format!("{}/{FOLDER}/{version}/{}", self.inside, manifest::FILE);
        match self.repository.tagged(name)? {
            Some(commit) if self.repository.has(&commit, path.trim_start_matches('/'))? => {
                Ok(Some(Tagged {
                    version: version.clone(),
                    tag: name.clone(),
                    branches: self.repository.branches_with(&commit)?,
                }))
            }
            _ => Ok(None),
        }
    }
}

/// The tag that a bundle of a workspace has or is to have; its version where git does not answer.
#[must_use]
pub fn tag_for(root: &Path, version: &BundleVersion) -> Tag {
    let told = Tags::around(root).and_then(|tags| {
        if tags.of(version)?.is_some() {
            return Ok(Tag::There);
        }
        let bundles = bundles::all(&root.join(FOLDER), &Disk);
        let form = tags.form(bundles.iter().rev().map(|bundle| &bundle.version))?;
        Ok(Tag::ToBe(format!("{form}{version}")))
    });
    told.unwrap_or_else(|_| Tag::ToBe(version.to_string()))
}
