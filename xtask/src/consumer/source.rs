//! Where bundles come from: a folder, or a git repository at a revision.

use super::lock::Origin;
use crate::bundle::version::BundleVersion;
use crate::channel::config::FOLDER;
use crate::diag::{Code, Diagnostic};
use crate::files::{Disk, Read};
use crate::git::{Repository, Tree};
use crate::released::bundles::{self, Released};
use crate::released::folder::{Verified, verify};
use crate::released::manifest;
use semver::VersionReq;
use std::path::{Path, PathBuf};

/// A source that is open.
pub struct Source {
    /// What a lock says of it, with the commit.
    pub origin: Origin,
    root: PathBuf,
    files: Files,
}

enum Files {
    Disk,
    /// The repository stays as long as its objects are read.
    Git(Box<(Tree, Repository)>),
}

/// What a git repository begins with on the command line.
const GIT: &str = "git:";

/// Reads `--from`: a folder; `git:` and the path of a repository; a repository's URL. `#` begins a revision.
#[must_use]
pub fn parse(text: &str, revision: Option<&str>) -> Origin {
    let (place, own) = match text.rsplit_once('#') {
        Some((place, own)) if !Path::new(text).is_dir() => (place, Some(own)),
        _ => (text, None),
    };
    let revision = revision.or(own).map(str::to_owned);
    let path = place.strip_prefix(GIT);
    let is_remote = place.contains("://") || is_remote_path(place);
    let is_git = path.is_some() || is_remote || revision.is_some();
    let place = path.unwrap_or(place).to_owned();
    Origin {
        folder: (!is_git).then(|| place.clone()),
        git: is_git.then_some(place),
        revision,
        commit: None,
    }
}

/// `user@host:path`
fn is_remote_path(text: &str) -> bool {
    let host = text.split(['/', '\\']).next().unwrap_or_default();
    host.split_once(':')
        .is_some_and(|(host, _)| host.contains('@'))
}

impl Source {
    /// Opens a source; paths are relative to `here`. A commit in `origin` wins over its revision.
    ///
    /// # Errors
    /// `bundle-missing` where there is no such folder, `git-failed` and `revision-not-found` where git does not have it.
    pub fn open(origin: Origin, here: &Path) -> Result<Self, Box<Diagnostic>> {
        if let Some(folder) = &origin.folder {
            let root = here.join(folder);
            if !root.is_dir() {
                return Err(missing(
                    format!("`{folder}` is not a folder"),
                    "name a folder with bundles, or a git repository as `git:PATH#REVISION` or by its URL",
                ));
            }
            return Ok(Self {
                origin,
                root,
                files: Files::Disk,
            });
        }
        let place = origin.git.clone().unwrap_or_default();
        let wanted = origin.commit.as_ref().or(origin.revision.as_ref());
        let wanted = wanted.map_or("HEAD", String::as_str);
        let path = here.join(&place);
        let repository = if path.is_dir() {
            Repository::at(&path, &place)
        } else {
            Repository::fetched(&place, wanted)?
        };
        let commit = repository.commit(wanted)?;
        let root = PathBuf::from(format!("{place}#{commit}"));
        let tree = repository.tree(&commit, root.clone())?;
        Ok(Self {
            origin: Origin {
                commit: Some(commit),
                ..origin
            },
            root,
            files: Files::Git(Box::new((tree, repository))),
        })
    }

    fn files(&self) -> &dyn Read {
        match &self.files {
            Files::Disk => &Disk,
            Files::Git(git) => &git.0,
        }
    }

    /// What messages call it.
    fn shown(&self) -> &str {
        let Origin { folder, git, .. } = &self.origin;
        folder.as_ref().or(git.as_ref()).map_or("", String::as_str)
    }

    /// The bundles that it has, oldest first.
    fn bundles(&self) -> Vec<Released> {
        let files = self.files();
        if files.is_file(&self.root.join(manifest::FILE)) {
            let read = files.read(&self.root.join(manifest::FILE)).ok();
            let manifest = read.and_then(|bytes| manifest::Manifest::parse(&bytes).ok());
            // What is broken is told when it is verified.
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

    /// The newest bundle that a requirement admits, verified. Pre-releases count where the requirement names one.
    ///
    /// # Errors
    /// `bundle-missing` where there is none; what is wrong with the bundle.
    pub fn newest(&self, requirement: &VersionReq) -> Result<Verified, Vec<Diagnostic>> {
        let all = self.bundles();
        let mut fit = all.iter().rev();
        let found = fit.find(|bundle| requirement.matches(bundle.version.semantic()));
        match (found, all.as_slice()) {
            (Some(found), _) => self.read(found),
            // One bundle alone that cannot be read says more about itself.
            (None, [only]) if only.folder == self.root => self
                .read(only)
                .and_then(|_| Err(self.none(requirement, &all))),
            (None, _) => Err(self.none(requirement, &all)),
        }
    }

    /// The bundle of that version, verified.
    ///
    /// # Errors
    /// `bundle-missing` where it is not there; what is wrong with it.
    pub fn exactly(&self, version: &BundleVersion) -> Result<Verified, Vec<Diagnostic>> {
        let all = self.bundles();
        match all.iter().find(|bundle| bundle.version == *version) {
            Some(found) => self.read(found),
            None => match all.as_slice() {
                [only] if only.folder == self.root => {
                    self.read(only).and_then(|_| Err(self.none(version, &all)))
                }
                _ => Err(self.none(version, &all)),
            },
        }
    }

    fn read(&self, bundle: &Released) -> Result<Verified, Vec<Diagnostic>> {
        let verified = verify(&bundle.folder, self.files())?;
        if verified.manifest.version == bundle.version {
            return Ok(verified);
        }
        let message = format!(
            "the folder of {} holds the bundle {}",
            bundle.version, verified.manifest.version
        );
        Err(vec![
            Diagnostic::new(Code::BundleTampered, None, message)
                .with_help("get the bundles again from where they were released"),
        ])
    }

    fn none(&self, wanted: &dyn std::fmt::Display, all: &[Released]) -> Vec<Diagnostic> {
        let there: Vec<String> = all
            .iter()
            .map(|bundle| bundle.version.to_string())
            .collect();
        let help = if there.is_empty() {
            "name a source with bundles in folders such as `channels/v0.1.0`".to_owned()
        } else {
            format!("there are: {}", there.join(", "))
        };
        let message = format!("`{}` has no bundle `{wanted}`", self.shown());
        vec![*missing(message, &help)]
    }
}

fn missing(message: String, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::BundleMissing, None, message).with_help(help))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sources_are_told_apart() {
        let check =
            |text: &str, revision, folder: Option<&str>, git: Option<&str>, at: Option<&str>| {
                let origin = parse(text, revision);
                let is = (
                    origin.folder.as_deref(),
                    origin.git.as_deref(),
                    origin.revision.as_deref(),
                );
                assert_eq!(is, (folder, git, at), "{text}");
            };
        check("../api", None, Some("../api"), None, None);
        check("C:\\api", None, Some("C:\\api"), None, None);
        check("../api", Some("v1"), None, Some("../api"), Some("v1"));
        check("../api#v1", None, None, Some("../api"), Some("v1"));
        check("git:../api", None, None, Some("../api"), None);
        check(
            "git:../api#main",
            Some("dev"),
            None,
            Some("../api"),
            Some("dev"),
        );
        let url = "https://example.com/a.git";
        check(url, None, None, Some(url), None);
        check(
            "https://example.com/a.git#v1",
            None,
            None,
            Some(url),
            Some("v1"),
        );
        check(
            "git@example.com:a/b",
            None,
            None,
            Some("git@example.com:a/b"),
            None,
        );
        check(
            "file:///a/b#v1",
            None,
            None,
            Some("file:///a/b"),
            Some("v1"),
        );
    }
}
