//! The tags of a repository: what they name, and on which branches that is.

use super::Repository;
use crate::diag::Diagnostic;

/// What the full names of tags begin with.
const TAGS: &str = "refs/tags/";

impl Repository {
    /// The names of its tags that begin with `v`, in no order, on whatever branch they are.
    ///
    /// # Errors
    /// `git-failed`
    pub fn version_tags(&self) -> Result<Vec<String>, Box<Diagnostic>> {
        let told = self.ask(&["for-each-ref", "--format=%(refname)", "refs/tags/v*"])?;
        let names = told.lines().filter_map(|name| name.strip_prefix(TAGS));
        Ok(names.map(str::to_owned).collect())
    }

    /// The commit of a tag.
    ///
    /// # Errors
    /// As [`Repository::commit`].
    pub fn tagged(&self, name: &str) -> Result<String, Box<Diagnostic>> {
        self.commit(&format!("{TAGS}{name}"))
    }

    /// Whether a commit has something at a path from the repository's top.
    ///
    /// # Errors
    /// `git-failed`
    pub fn has(&self, commit: &str, path: &str) -> Result<bool, Box<Diagnostic>> {
        let listed = ["ls-tree", "--full-tree", "--name-only", commit, "--", path];
        Ok(!self.ask(&listed)?.is_empty())
    }

    /// The branches that a commit is on, those of this clone first.
    ///
    /// # Errors
    /// `git-failed`
    pub fn branches_with(&self, commit: &str) -> Result<Vec<String>, Box<Diagnostic>> {
        let told = self.ask(&[
            "for-each-ref",
            "--contains",
            commit,
            "--format=%(refname:short)%09%(symref)",
            "refs/heads",
            "refs/remotes",
        ])?;
        // `origin/HEAD` is another name of a branch that is listed.
        let names = told.lines().filter_map(|line| line.strip_suffix('\t'));
        Ok(names.map(str::to_owned).collect())
    }

    /// Whether there are other clones that it exchanges commits and tags with.
    ///
    /// # Errors
    /// `git-failed`
    pub fn has_remotes(&self) -> Result<bool, Box<Diagnostic>> {
        Ok(!self.ask(&["remote"])?.is_empty())
    }
}
