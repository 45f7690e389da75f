//! The tags of the repository around a workspace, as far as they are those of its bundles.

use crate::git::{Repository, VersionTag, of_project};
use crate::release::elsewhere::Tagged;
use crd_channels_diagnostics::Diagnostic;
use crd_channels_files::Disk;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::{bundles, manifest};
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
    pub fn discover(root: &Path) -> Result<Self, Box<Diagnostic>> {
        let (repository, inside) = Repository::discover(root)?;
        Ok(Self {
            all: repository.version_tags()?,
            repository,
            inside,
        })
    }

    /// The tag of a bundle: one that is called like it, and names the commit that brought it. A later commit has it as well, and
    /// may have the tag of another project; one without a prefix there is taken where there is none better.
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

    /// All of them, whatever stands before the version.
    pub(super) fn all(&self) -> &[VersionTag] {
        &self.all
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
        let Some(commit) = self.commit(tag)? else {
            return Ok(None);
        };
        Ok(Some(Tagged {
            version: tag.version.clone(),
            tag: tag.name.clone(),
            branches: self.repository.branches_with(&commit)?,
        }))
    }

    /// The commit of a tag, where it has the bundle that the tag is called like.
    fn commit(&self, tag: &VersionTag) -> Result<Option<String>, Box<Diagnostic>> {
        let path = self.path(&tag.version);
        let commit = self.repository.tagged(&tag.name)?;
        let Some(commit) = commit else {
            return Ok(None);
        };
        Ok(self.repository.has(&commit, &path)?.then_some(commit))
    }

    /// Where the manifest of a bundle is in the repository.
    fn path(&self, version: &BundleVersion) -> String {
        let path = format!("{}/{FOLDER}/{version}/{}", self.inside, manifest::FILE);
        path.trim_start_matches('/').to_owned()
    }
}

/// The tag that a bundle of a workspace has or is to have; its version where git does not answer.
#[must_use]
pub fn tag_for(root: &Path, version: &BundleVersion) -> Tag {
    let told = Tags::discover(root).and_then(|tags| {
        if tags.of(version)?.is_some() {
            return Ok(Tag::There);
        }
        let bundles = bundles::all(&root.join(FOLDER), &Disk);
        let form = tags.form(bundles.iter().rev().map(|bundle| &bundle.version))?;
        Ok(Tag::ToBe(format!("{form}{version}")))
    });
    told.unwrap_or_else(|_| Tag::ToBe(version.to_string()))
}
