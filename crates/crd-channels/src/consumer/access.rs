//! The access of a run to bundles: the current folder, the network, and the cache.

use super::cache::Cache;
use super::location::missing;
use super::origin::is_remote;
use crate::git::Repository;
use crd_channels_diagnostics::{Code, Diagnostic};
use std::path::{Path, PathBuf};

/// The resources that a run may use.
#[derive(Clone, Debug)]
pub struct Access {
    /// The folder that sources are relative to.
    pub here: PathBuf,
    /// Fetch nothing.
    pub offline: bool,
    /// Bundles that earlier runs fetched.
    pub cache: Cache,
}

impl Access {
    /// Returns the repository that a source names, with at least the wanted revision, and whether it was fetched.
    pub(super) fn repository(
        &self,
        name: &str,
        wanted: &str,
    ) -> Result<Repository, Box<Diagnostic>> {
        if self.is_here(name) {
            return Ok(Repository::in_folder(&self.path(name), name));
        }
        // git would resolve the path from the folder that it fetches into.
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
        Repository::fetch(name, wanted)
    }

    pub(super) fn is_here(&self, name: &str) -> bool {
        self.path(name).is_dir()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.here.join(Path::new(name))
    }
}

/// The diagnostic for a repository that may not be fetched.
pub(super) fn unfetched(name: &str, help: &str) -> Box<Diagnostic> {
    let message = format!("`{name}` is not fetched with `--offline`");
    Box::new(Diagnostic::new(Code::GitFailed, None, message).with_help(help))
}
