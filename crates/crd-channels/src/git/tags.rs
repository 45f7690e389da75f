//! The tags of a repository, their commits, and the branches of these.

use super::objects::Objects;
use super::{Repository, ended, unstarted};
use crd_channels_diagnostics::Diagnostic;
use std::collections::BTreeSet;

/// The prefix of the full names of tags.
const TAGS: &str = "refs/tags/";

/// The number of tags that are fetched by name. For more, everything is fetched: command lines are limited.
const NAMED: usize = 300;

/// Reads files at tags, all by one process.
#[derive(Debug)]
pub struct TaggedFiles(Objects);

impl TaggedFiles {
    /// Returns the bytes of a file at a local tag, by its path in the repository; `None` if the tag has none.
    ///
    /// # Errors
    /// `git-failed`
    pub fn file_at(&self, tag: &str, path: &str) -> Result<Option<Vec<u8>>, Box<Diagnostic>> {
        let bytes = self.0.look(&format!("{TAGS}{tag}:{path}"));
        bytes.map_err(|error| ended(&error))
    }
}

impl Repository {
    /// Returns the names of the tags, in no order; for a fetched repository, the tags of its remote.
    pub(super) fn tags(&self) -> Result<Vec<String>, Box<Diagnostic>> {
        let refs = match &self.url {
            Some(url) => self.ask(&["ls-remote", "--refs", "--", url, "refs/tags/*"])?,
            None => self.ask(&["for-each-ref", "--format=%(objectname)%09%(refname)", TAGS])?,
        };
        let names = refs.lines().filter_map(|line| line.split_once('\t'));
        let names = names.filter_map(|(_, name)| name.strip_prefix(TAGS));
        Ok(names.map(str::to_owned).collect())
    }

    /// Fetches tags that are missing here: only these if the server allows it, or else everything.
    ///
    /// # Errors
    /// `git-failed`
    pub fn get_tags(&self, names: &[&str]) -> Result<(), Box<Diagnostic>> {
        let Some(url) = &self.url else {
            return Ok(());
        };
        let refs = self.ask(&["for-each-ref", "--format=%(refname)", TAGS])?;
        let there: BTreeSet<&str> = refs.lines().collect();
        let names = names.iter().map(|name| format!("{TAGS}{name}"));
        let missing = names.filter(|name| !there.contains(name.as_str()));
        let wanted: Vec<String> = missing.map(|name| format!("+{name}:{name}")).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        if wanted.len() > NAMED {
            return self.fetch_all(url);
        }
        let mut alone = vec!["fetch", "--quiet", "--depth=1", "--no-tags", "--", url];
        alone.extend(wanted.iter().map(String::as_str));
        match self.run(&alone)?.status.success() {
            true => Ok(()),
            false => self.fetch_all(url),
        }
    }

    /// Returns the time of a commit, as RFC 3339 has it, in UTC.
    ///
    /// # Errors
    /// `git-failed`
    pub fn committed_at(&self, commit: &str) -> Result<String, Box<Diagnostic>> {
        let form = "--date=format-local:%Y-%m-%dT%H:%M:%SZ";
        let arguments = ["show", "--no-patch", "--format=%cd", form, commit];
        let output = self.command(&arguments).env("TZ", "UTC0").output();
        let output = output.map_err(|error| unstarted(&error))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
            false => Err(self.failed("show", &output)),
        }
    }

    /// Opens the files at the tags that are here.
    ///
    /// # Errors
    /// `git-failed`
    pub fn tagged_files(&self) -> Result<TaggedFiles, Box<Diagnostic>> {
        let command = self.command(&["cat-file", "--batch"]);
        Objects::open(command)
            .map(TaggedFiles)
            .map_err(|error| unstarted(&error))
    }

    /// Returns those of some files, each with a tag that has it, that were part of HEAD's history or still are part of HEAD,
    /// by their paths.
    ///
    /// # Errors
    /// `git-failed`
    pub fn were_here(&self, files: &[(&str, &str)]) -> Result<BTreeSet<String>, Box<Diagnostic>> {
        let merged = self.run(&["for-each-ref", "--merged=HEAD", "--format=%(refname)", TAGS])?;
        let merged = String::from_utf8_lossy(&merged.stdout);
        let merged = merged.lines().filter_map(|name| name.strip_prefix(TAGS));
        let merged: BTreeSet<&str> = merged.collect();
        let files = files.iter().filter(|(tag, _)| merged.contains(tag));
        let paths: Vec<&str> = files.map(|(_, path)| *path).collect();
        if paths.is_empty() {
            return Ok(BTreeSet::new());
        }
        let mut tree = vec!["ls-tree", "-z", "--full-tree", "--name-only", "HEAD", "--"];
        tree.extend(&paths);
        // A merge that did not take the files over removed nothing.
        let top: Vec<String> = paths
            .iter()
            .map(|path| format!(":(top,literal){path}"))
            .collect();
        let mut log = vec![
            "log",
            "-z",
            "--no-renames",
            "--diff-filter=D",
            "--name-only",
            "--format=",
        ];
        log.extend(["HEAD", "--"]);
        log.extend(top.iter().map(String::as_str));
        let listed = [self.ask(&tree)?, self.ask(&log)?];
        let listed = listed.iter().flat_map(|listed| listed.split('\0'));
        Ok(listed.map(str::to_owned).collect())
    }

    /// Returns the commit of a local tag; `None` if it names another object, such as a file.
    ///
    /// # Errors
    /// `git-failed`
    pub fn tagged(&self, name: &str) -> Result<Option<String>, Box<Diagnostic>> {
        self.find(&format!("{TAGS}{name}^{{commit}}"))
    }

    /// Returns the object at a path of a commit from the repository's top, through links.
    ///
    /// # Errors
    /// `git-failed`
    pub fn object_at(&self, commit: &str, path: &str) -> Result<Option<String>, Box<Diagnostic>> {
        self.find(&format!("{commit}:{path}"))
    }

    /// Whether a commit added what is at a path: its first parent lacks it.
    ///
    /// # Errors
    /// `git-failed`
    pub fn introduces(&self, commit: &str, path: &str) -> Result<bool, Box<Diagnostic>> {
        match self.find(&format!("{commit}^^{{commit}}"))? {
            Some(parent) => Ok(self.object_at(&parent, path)?.is_none()),
            None => Ok(true),
        }
    }

    /// Returns the branches that contain a commit, local ones first.
    ///
    /// # Errors
    /// `git-failed`
    pub fn branches_with(&self, commit: &str) -> Result<Vec<String>, Box<Diagnostic>> {
        let refs = self.ask(&[
            "for-each-ref",
            "--contains",
            commit,
            "--format=%(refname:short)%09%(symref)",
            "refs/heads",
            "refs/remotes",
        ])?;
        // `origin/HEAD` is an alias of a listed branch.
        let names = refs.lines().filter_map(|line| line.strip_suffix('\t'));
        Ok(names.map(str::to_owned).collect())
    }
}
