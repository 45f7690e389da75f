//! Reads a pinned bundle again: from the cache, or from the origin in the lock.

use super::access::{Access, unfetched};
use super::location::missing;
use super::one;
use super::origin::{Place, is_remote};
use super::pinned::{Pinned, short};
use super::source::Source;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_released::folder::Verified;

impl Access {
    /// Returns exactly the pinned bundle: from the cache, or from the origin in the lock.
    ///
    /// # Errors
    /// As [`Source::open`] and [`Source::exactly`]; `bundle-tampered` if it differs from the pinned one.
    pub fn open_pinned(&self, pinned: &Pinned) -> Result<Verified, Vec<Diagnostic>> {
        let remote = match &pinned.source.place {
            Place::Folder(_) => None,
            Place::Git(name) | Place::Archive(name) | Place::Oci(name) => Some(name.as_str()),
        };
        let remote = remote.filter(|name| !self.is_here(name));
        let kept = remote.and_then(|_| self.cache.get(&pinned.manifest));
        let bundle = match kept {
            Some(kept) => kept,
            None if self.offline && remote.is_some_and(is_remote) => {
                let help = "run it once without `--offline`: pinned bundles then stay in the cache";
                return Err(one(unfetched(pinned.source.display_name(), help)));
            }
            None => match Source::open(pinned.source.clone(), self) {
                Ok(source) => {
                    edited(pinned, &source).map_err(one)?;
                    source.exactly(&pinned.version)?
                }
                Err(gone) if gone.code == Code::RevisionNotFound => {
                    return self.open_without_commit(pinned);
                }
                Err(finding) => return Err(one(finding)),
            },
        };
        pinned.check(&bundle, &pinned.source).map_err(one)?;
        Ok(bundle)
    }

    /// The same if the commit or the artifact is gone, for example after a rewrite of the history: returns the bundle that the source now has
    /// under that version, if it is the same.
    fn open_without_commit(&self, pinned: &Pinned) -> Result<Verified, Vec<Diagnostic>> {
        let found = Source::open(pinned.source.clone().followed(), self).map_err(one);
        let found = found.and_then(|source| source.newest(&pinned.version.alone(), None));
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
}

/// Reports an entry of an old format, which has no digest of its own, if its bundle has another version.
fn edited(pinned: &Pinned, source: &Source) -> Result<(), Box<Diagnostic>> {
    if pinned.digest.is_some() {
        return Ok(());
    }
    match source.version_of(&pinned.manifest) {
        Some(version) if version != pinned.version => {
            let why = format!(
                "its `version` is {}, but its `manifest` is that of {version}",
                pinned.version
            );
            Err(pinned.inconsistent(&why))
        }
        _ => Ok(()),
    }
}

/// Whether a finding only says that something does not exist.
fn is_absent(code: Code) -> bool {
    matches!(code, Code::BundleMissing | Code::RevisionNotFound)
}

/// The diagnostic for a bundle whose commit or artifact is gone, and its files as well.
fn gone(pinned: &Pinned) -> Box<Diagnostic> {
    let Pinned {
        version, source, ..
    } = pinned;
    let message = format!(
        "the {} {} of `{}`, which {version} was pinned at, no longer exists",
        match source.place {
            Place::Oci(_) => "artifact",
            _ => "commit",
        },
        short(source.read_at().unwrap_or_default()),
        source.display_name()
    );
    missing(
        message,
        "ask its publisher whether it was removed or the history rewritten; `crd-channels pin --update` chooses a bundle that is there",
    )
}
