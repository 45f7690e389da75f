//! Bundles that two clones released under the same version: the one here, and the one that was pushed first.

use super::Repository;
use super::destination::Upstream;
use crd_channels_diagnostics::Diagnostic;
use crd_channels_diagnostics::shell::word;

/// A bundle of this branch that differs from the one of the same version in its upstream.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Raced {
    /// The path of its manifest in the repository.
    pub path: String,
    /// The branch that has the other one.
    pub upstream: Upstream,
    /// The commit before the one that added it here.
    pub before: String,
    /// The number of commits since, without the one that added it.
    pub later: usize,
}

impl Repository {
    /// Returns a wanted file below a folder that both HEAD and its upstream added since they parted, with different contents.
    ///
    /// # Errors
    /// `git-failed`
    pub fn raced(
        &self,
        folder: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Option<Raced>, Box<Diagnostic>> {
        let Some(upstream) = self.upstream()? else {
            return Ok(None);
        };
        if !self
            .run(&["rev-parse", "--verify", "--quiet", "HEAD"])?
            .status
            .success()
        {
            return Ok(None);
        }
        let below = format!(":(top,literal){folder}");
        // Files that only one side has are neither modified nor of another type.
        let differ = [
            "diff-tree",
            "-r",
            "--name-only",
            "-z",
            "--no-renames",
            "--diff-filter=MT",
            &upstream.commit,
            "HEAD",
            "--",
            &below,
        ];
        let differ = self.ask(&differ)?;
        let Some(path) = differ.split('\0').find(|path| is_wanted(path)) else {
            return Ok(None);
        };
        let top = format!(":(top,literal){path}");
        let added = self.ask(&[
            "log",
            "--diff-filter=A",
            "--no-renames",
            "--format=%H",
            "-1",
            "HEAD",
            "--",
            &top,
        ])?;
        // What the upstream has too was not added by this branch, but edited.
        if added.is_empty() || self.is_part_of(&added, &upstream.commit)? {
            return Ok(None);
        }
        let parent = self.run(&[
            "rev-parse",
            "--short",
            "--verify",
            "--quiet",
            &format!("{added}^"),
        ])?;
        let before = String::from_utf8_lossy(&parent.stdout).trim().to_owned();
        if before.is_empty() {
            return Ok(None);
        }
        let later = self.ask(&["rev-list", "--count", &format!("{added}..HEAD")])?;
        Ok(Some(Raced {
            path: path.to_owned(),
            upstream,
            before,
            later: later.parse().unwrap_or_default(),
        }))
    }
}

impl Raced {
    /// Returns the command that goes back to before the bundle and gets the commits of the others. `tag` is the tag of the
    /// bundle here, if it has one.
    #[must_use]
    pub fn way_back(&self, tag: Option<&str>) -> String {
        let tag = tag.map(|tag| format!("git tag --delete {} && ", word(tag)));
        format!(
            "{}git reset --hard {} && {}",
            tag.unwrap_or_default(),
            self.before,
            self.upstream.pull
        )
    }
}
