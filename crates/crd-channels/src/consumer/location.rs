//! A location of bundles: a folder of the disk, or a commit.

use crate::git::{Repository, Tree};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Disk, Read};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::bundles::{self, Released};
use crd_channels_released::folder::{Verified, verify};
use crd_channels_released::manifest::{self, CHECKED_OUT, Manifest, RESTORE};
use std::path::{Path, PathBuf};

/// A location of bundles.
pub(super) struct Location {
    root: PathBuf,
    files: Files,
    /// The commit, if the location is one.
    pub(super) commit: Option<String>,
    /// The tag that names the commit.
    pub(super) tag: Option<String>,
}

enum Files {
    Disk,
    /// The repository is kept while its objects are read.
    Git(Box<(Tree, Repository)>),
}

impl Location {
    /// A folder on disk.
    pub(super) fn on_disk(root: PathBuf) -> Self {
        Self {
            root,
            files: Files::Disk,
            commit: None,
            tag: None,
        }
    }

    /// A commit of a repository that messages call `name`.
    pub(super) fn in_git(
        name: &str,
        repository: &Repository,
        commit: String,
    ) -> Result<Self, Box<Diagnostic>> {
        let root = PathBuf::from(format!("{name}#{commit}"));
        let tree = repository.tree(&commit, root.clone())?;
        Ok(Self {
            root,
            files: Files::Git(Box::new((tree, repository.clone()))),
            commit: Some(commit),
            tag: None,
        })
    }

    /// Adds the tag by which it was found.
    pub(super) fn tagged(self, tag: &str) -> Self {
        Self {
            tag: Some(tag.to_owned()),
            ..self
        }
    }

    pub(super) fn files(&self) -> &dyn Read {
        match &self.files {
            Files::Disk => &Disk,
            Files::Git(git) => &git.0,
        }
    }

    /// Returns the bundles of the location, oldest first.
    pub(super) fn bundles(&self) -> Vec<Released> {
        let files = self.files();
        if files.is_file(&self.root.join(manifest::FILE)) {
            let read = files.read(&self.root.join(manifest::FILE)).ok();
            let manifest = read.and_then(|bytes| Manifest::parse(&bytes).ok());
            // An invalid manifest is reported when the bundle is verified.
            let version = manifest.map_or(BundleVersion::new(0, 0, 0), |manifest| manifest.version);
            return vec![Released {
                version,
                folder: self.root.clone(),
            }];
        }
        let mut all = bundles::all(&self.root.join(FOLDER), files);
        all.extend(bundles::all(&self.root, files));
        all.sort_by(|one, other| one.version.cmp(&other.version));
        all
    }

    /// Whether the location is just the bundle in that folder.
    pub(super) fn is_bundle(&self, folder: &Path) -> bool {
        folder == self.root
    }

    /// Returns the manifest of one of its bundles.
    pub(super) fn manifest(&self, bundle: &Released) -> Result<Manifest, Vec<Diagnostic>> {
        bundle.manifest(self.files()).map_err(for_consumers)
    }

    /// Reads and verifies one of its bundles.
    pub(super) fn read(&self, bundle: &Released) -> Result<Verified, Vec<Diagnostic>> {
        let verified = verify(&bundle.folder, self.files()).map_err(for_consumers)?;
        if verified.manifest.version == bundle.version {
            return Ok(verified);
        }
        let message = format!(
            "the folder of {} contains the bundle {}",
            bundle.version, verified.manifest.version
        );
        Err(vec![
            Diagnostic::new(Code::BundleTampered, None, message)
                .with_help("get the bundles again from where they were released"),
        ])
    }
}

pub(super) fn missing(message: String, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::BundleMissing, None, message).with_help(help))
}

/// Replaces the help on how to restore a bundle, which only its authors can do.
fn for_consumers(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let advised = findings.into_iter().map(|finding| {
        let help = match finding.help.as_deref() {
            Some(RESTORE) => {
                "get the bundle again from where it was released, or ask its publisher"
            }
            Some(CHECKED_OUT) => {
                "read the bytes that were committed: `--from git:PATH` instead of the folder's path"
            }
            _ => return finding,
        };
        finding.with_help(help)
    });
    advised.collect()
}
