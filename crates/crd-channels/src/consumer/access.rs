//! How a run gets at bundles: from where, whether over the network, and what it has already.

use super::cache::Cache;
use super::location::missing;
use super::one;
use super::origin::{Origin, is_remote};
use super::pinned::{Pinned, short};
use super::source::Source;
use crate::git::Repository;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_released::folder::Verified;
use std::path::{Path, PathBuf};

/// What a run may use.
#[derive(Clone, Debug)]
pub struct Access {
    /// The folder that sources are relative to.
    pub here: PathBuf,
    /// Nothing is fetched.
    pub offline: bool,
    /// Bundles of earlier runs.
    pub cache: Cache,
}

impl Access {
    /// A bundle that is pinned, exactly: what was fetched once, else from where the lock says.
    ///
    /// # Errors
    /// As [`Source::open`] and [`Source::exactly`]; `bundle-tampered` where it is another one than was pinned.
    pub fn pinned(&self, pinned: &Pinned) -> Result<Verified, Vec<Diagnostic>> {
        let remote = pinned.source.git.as_deref();
        let remote = remote.filter(|git| !self.is_here(git));
        let kept = remote.and_then(|_| self.cache.get(&pinned.manifest));
        let bundle = match kept {
            Some(kept) => kept,
            None if self.offline && remote.is_some_and(is_remote) => {
                let help = "run it once without `--offline`: pinned bundles then stay in the cache";
                return Err(one(unfetched(pinned.source.shown(), help)));
            }
            None => match Source::open(pinned.source.clone(), self) {
                Ok(source) => source.exactly(&pinned.version)?,
                Err(gone) if gone.code == Code::RevisionNotFound => return self.again(pinned),
                Err(finding) => return Err(one(finding)),
            },
        };
        pinned.check(&bundle, &pinned.source).map_err(one)?;
        Ok(bundle)
    }

    /// The same where the commit is gone, as after somebody rewrote the history: the bundle that the source has under that
    /// version now, if it is the same.
    fn again(&self, pinned: &Pinned) -> Result<Verified, Vec<Diagnostic>> {
        let origin = Origin {
            tag: None,
            commit: None,
            ..pinned.source.clone()
        };
        let found = Source::open(origin, self).map_err(one);
        let found = found.and_then(|source| source.newest(&pinned.version.alone()));
        match found {
            Ok(found) => {
                pinned.check(&found.bundle, &found.origin).map_err(one)?;
                Ok(found.bundle)
            }
            Err(findings) if findings.iter().all(|finding| is_absent(finding.code)) => {
                Err(one(gone(pinned)))
            }
            Err(findings) => Err(findings),
        }
    }

    /// The repository that a source names, with at least the wanted revision; and whether it had to be fetched.
    pub(super) fn repository(
        &self,
        name: &str,
        wanted: &str,
    ) -> Result<Repository, Box<Diagnostic>> {
        if self.is_here(name) {
            return Ok(Repository::at(&self.path(name), name));
        }
        // git would look for a path from the folder that it fetches into.
        if !is_remote(name) {
            return Err(missing(
                format!("`{name}` is not a folder"),
                "name a git repository as `git:PATH` or by its URL",
            ));
        }
        if self.offline {
            let help = "remove `--offline`: the newest bundle is chosen from the current source";
            return Err(unfetched(name, help));
        }
        Repository::fetched(name, wanted)
    }

    fn is_here(&self, name: &str) -> bool {
        self.path(name).is_dir()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.here.join(Path::new(name))
    }
}

/// Whether a finding says no more than that something is not there.
fn is_absent(code: Code) -> bool {
    matches!(code, Code::BundleMissing | Code::RevisionNotFound)
}

/// Neither the commit nor the bundle is there any more.
fn gone(pinned: &Pinned) -> Box<Diagnostic> {
    let Pinned {
        version, source, ..
    } = pinned;
    let message = format!(
        "the commit {} of `{}`, which {version} was pinned at, no longer exists",
        short(source.commit.as_deref().unwrap_or_default()),
        source.shown()
    );
    missing(
        message,
        "ask its publisher whether the history was rewritten; `crd-channels pin --update` chooses a bundle that is there",
    )
}

fn unfetched(name: &str, help: &str) -> Box<Diagnostic> {
    let message = format!("`{name}` is not fetched with `--offline`");
    Box::new(Diagnostic::new(Code::GitFailed, None, message).with_help(help))
}
