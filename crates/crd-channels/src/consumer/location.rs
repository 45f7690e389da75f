//! A location of bundles: a folder of the disk, a commit, or what an archive or an artifact holds.

use crate::git::{Repository, Tree};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Disk, Memory, Read, is_left_out, slashed};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::bundles::{self, Released};
use crd_channels_released::digest::Digest;
use crd_channels_released::folder::{Verified, verify};
use crd_channels_released::manifest::{self, CHECKED_OUT, Manifest, RESTORE};
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// A location of bundles.
pub(super) struct Location {
    /// The whole folder or commit.
    top: PathBuf,
    /// The folder in it that bundles are searched in.
    root: PathBuf,
    files: Files,
    /// The commit, if the location is one.
    pub(super) commit: Option<String>,
    /// The digest of the artifact, if the location is one.
    pub(super) digest: Option<String>,
    /// The tag that names the commit or the artifact.
    pub(super) tag: Option<String>,
}

/// The bounds of a search for bundles: the number of folders, and their depth.
const SEARCHED: usize = 5000;
const DEEPEST: usize = 8;

enum Files {
    Disk,
    /// Those of an archive or an artifact.
    Memory(Memory),
    /// The repository is kept while its objects are read.
    Git(Box<(Tree, Repository)>),
}

impl Location {
    /// A folder on disk, or the folder at a path inside it.
    pub(super) fn on_disk(top: PathBuf, path: Option<&str>) -> Self {
        Self::new(top, path, Files::Disk)
    }

    /// The files of an archive or an artifact, by path inside `top`, or the folder at a path inside it.
    pub(super) fn in_memory(top: PathBuf, path: Option<&str>, files: Memory) -> Self {
        Self::new(top, path, Files::Memory(files))
    }

    /// Whether the location has one bundle without those that it follows.
    pub(super) fn is_archive(&self) -> bool {
        matches!(self.files, Files::Memory(_))
    }

    fn new(top: PathBuf, path: Option<&str>, files: Files) -> Self {
        Self {
            root: path.map_or_else(|| top.clone(), |path| top.join(path)),
            top,
            files,
            commit: None,
            digest: None,
            tag: None,
        }
    }

    /// A commit of a repository that messages call `name`, or the folder at a path inside it.
    pub(super) fn in_git(
        name: &str,
        path: Option<&str>,
        repository: &Repository,
        commit: String,
    ) -> Result<Self, Box<Diagnostic>> {
        let top = PathBuf::from(format!("{name}#{commit}"));
        let tree = repository.tree(&commit, top.clone())?;
        let files = Files::Git(Box::new((tree, repository.clone())));
        Ok(Self {
            commit: Some(commit),
            ..Self::new(top, path, files)
        })
    }

    /// Adds the digest of the artifact that it is.
    pub(super) fn with_digest(self, digest: &Digest) -> Self {
        Self {
            digest: Some(digest.to_string()),
            ..self
        }
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
            Files::Memory(files) => files,
            Files::Git(git) => &git.0,
        }
    }

    /// Returns the bundles of the location, oldest first.
    pub(super) fn bundles(&self) -> Vec<Released> {
        let files = self.files();
        let mut all = bundles::all(&self.root.join(FOLDER), files);
        all.extend(bundles::all(&self.root, files));
        all.sort_by(|one, other| one.version.cmp(&other.version));
        let alone = files.read(&self.root.join(manifest::FILE)).ok();
        let version = alone.as_deref().map(version_of);
        // Other programs have files of that name as well. An invalid one is reported when the bundle is verified.
        match version.filter(|version| version.is_some() || all.is_empty()) {
            Some(version) => vec![Released {
                version: version.unwrap_or(BundleVersion::new(0, 0, 0)),
                folder: self.root.clone(),
            }],
            None => all,
        }
    }

    /// Whether an object of the repository is the manifest of a version.
    pub(super) fn is_manifest_of(&self, object: &str, version: &BundleVersion) -> bool {
        let Files::Git(git) = &self.files else {
            return false;
        };
        let bytes = git.0.object(object).ok();
        bytes.and_then(|bytes| version_of(&bytes)).as_ref() == Some(version)
    }

    /// Returns the other folders that have bundles, by path from the top, with `/`. Searches no more than a person would.
    pub(super) fn elsewhere(&self) -> Vec<String> {
        let files = self.files();
        let mut found = BTreeSet::new();
        let mut open = VecDeque::from([(self.top.clone(), 0)]);
        let mut listed = 0;
        while let Some((folder, depth)) = open.pop_front() {
            listed += 1;
            if listed > SEARCHED || depth > DEEPEST {
                break;
            }
            if !bundles::all(&folder, files).is_empty() {
                let is_usual = folder.file_name().is_some_and(|name| name == FOLDER);
                let place = folder.parent().filter(|_| is_usual).unwrap_or(&folder);
                let inside = place.strip_prefix(&self.top).ok();
                found.extend(inside.filter(|_| place != self.root).map(slashed));
            }
            let below = files.list(&folder).unwrap_or_default().into_iter();
            let below = below.filter(|entry| !is_left_out(entry) && !is_named_so(entry));
            let below = below.filter(|entry| !files.is_file(entry));
            open.extend(below.map(|entry| (entry, depth + 1)));
        }
        found.into_iter().collect()
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

/// Whether a folder is named like a bundle.
fn is_named_so(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| BundleVersion::try_from(name.to_owned()).is_ok())
}

/// Returns the version in a valid manifest.
fn version_of(bytes: &[u8]) -> Option<BundleVersion> {
    let manifest = Manifest::parse(bytes).ok()?;
    Some(manifest.version)
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
