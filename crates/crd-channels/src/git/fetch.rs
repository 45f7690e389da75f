//! Fetches another repository into a temporary folder.

use super::{Known, Location, Repository};
use crd_channels_diagnostics::{Code, Diagnostic};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A temporary folder, removed when it is dropped.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    fn new() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("crd-channels-git-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Self(folder)),
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Repository {
    /// Fetches the repository at a URL with at least the wanted revision: only that if the server allows it, or else all
    /// branches and tags.
    ///
    /// # Errors
    /// `git-failed`
    pub fn fetch(url: &str, wanted: &str) -> Result<Self, Box<Diagnostic>> {
        let folder = Folder::new().map_err(|error| {
            let message = format!("a folder for `{url}` cannot be created: {error}");
            let finding = Diagnostic::new(Code::GitFailed, None, message);
            Box::new(finding.with_help("make the folder for temporary files writable"))
        })?;
        let repository = Self {
            location: Location::Temporary(Arc::new(folder)),
            shown: format!(" of `{url}`"),
            own: false,
            url: Some(url.to_owned()),
            known: Known::default(),
        };
        repository.ask(&["init", "--quiet", "--bare"])?;
        let plain =
            !wanted.starts_with('-') && !wanted.contains([':', '^', '~', '@', '*', '+', ' ']);
        let refspec = if wanted == "HEAD" || is_hash(wanted) {
            wanted.to_owned()
        } else {
            format!("{wanted}:refs/heads/{wanted}")
        };
        let alone = [
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--",
            url,
            &refspec,
        ];
        if plain && !wanted.is_empty() && repository.run(&alone)?.status.success() {
            let commit = repository.ask(&["rev-parse", "--verify", "FETCH_HEAD^{commit}"])?;
            if wanted == "HEAD" {
                repository.ask(&["update-ref", "--no-deref", "HEAD", &commit])?;
            }
            return Ok(repository);
        }
        repository.fetch_all(url)?;
        if wanted.starts_with("HEAD") {
            // The commit of the remote `HEAD`; the new folder has a `HEAD` of its own.
            let refs = repository.ask(&["ls-remote", "--", url, "HEAD"])?;
            let commit = refs.split_whitespace().next().unwrap_or_default();
            if is_hash(commit) {
                repository.ask(&["update-ref", "--no-deref", "HEAD", commit])?;
            }
        }
        Ok(repository)
    }

    /// Whether it was fetched from a URL.
    #[must_use]
    pub fn is_fetched(&self) -> bool {
        self.url.is_some()
    }

    /// Fetches all branches and tags.
    pub(super) fn fetch_all(&self, url: &str) -> Result<(), Box<Diagnostic>> {
        let heads = "+refs/heads/*:refs/heads/*";
        let tags = "+refs/tags/*:refs/tags/*";
        self.ask(&[
            "fetch",
            "--quiet",
            "--update-head-ok",
            "--",
            url,
            heads,
            tags,
        ])?;
        Ok(())
    }
}

/// Whether the text is the full name of a commit.
fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
