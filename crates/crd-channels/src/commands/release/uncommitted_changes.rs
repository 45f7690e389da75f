//! Checks git's view of a working tree before a release: bundles and temporary files are not a person's changes.

use super::tags::{Tag, tag_for};
use crate::commands::list_names;
use crate::git;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Disk, Read, is_aside};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::folder::verify;
use std::path::Path;

/// The maximum number of changes to name.
const MOST_NAMED: usize = 5;

/// Returns what prevents a release, given git's lines about changes.
pub fn rejections(root: &Path, changes: &[String]) -> Vec<Diagnostic> {
    let (temporary_files, changes): (Vec<&str>, Vec<&str>) = changes
        .iter()
        .map(|line| line.trim())
        .partition(|line| is_temporary(line));
    let mut findings = Vec::new();
    if !temporary_files.is_empty() {
        findings.push(of_temporary_files(&temporary_files));
    }
    if !changes.is_empty() {
        findings.push(of_changes(root, &changes));
    }
    findings
}

/// Whether the file is untracked and has the name of a temporary file.
fn is_temporary(line: &str) -> bool {
    let untracked = line.strip_prefix("?? ");
    untracked.is_some_and(|path| is_aside(path.rsplit('/').next().unwrap_or(path)))
}

fn of_temporary_files(lines: &[&str]) -> Diagnostic {
    let paths: Vec<&str> = lines
        .iter()
        .map(|line| line.trim_start_matches("?? "))
        .collect();
    let message = format!(
        "an interrupted run left temporary files, but its journal is missing: {}",
        list_names(&paths, MOST_NAMED)
    );
    Diagnostic::new(Code::UncleanTree, None, message)
        .with_help(format!("remove them: `rm {}`", paths.join(" ")))
}

fn of_changes(root: &Path, changes: &[&str]) -> Diagnostic {
    let named = list_names(changes, MOST_NAMED);
    let (message, help) = match uncommitted_bundle(root) {
        Some((version, true)) => (
            format!("{version} is written but not committed: {named}"),
            how_to_finish(root, &version),
        ),
        Some((version, false)) => (
            format!("{version} is only partly written: {named}"),
            "undo it with `git stash --include-untracked` and run the command again".to_owned(),
        ),
        None => (
            format!("the working tree has changes: {named}"),
            "commit them, or undo them with `git stash --include-untracked`".to_owned(),
        ),
    };
    Diagnostic::new(Code::UncleanTree, None, message).with_help(help)
}

/// Describes how to finish what wrote a bundle: a release, or an adoption if its tag exists.
pub fn how_to_finish(root: &Path, version: &BundleVersion) -> String {
    let commit = |verb: &str| format!("`git add --all && git commit --message '{verb} {version}'`");
    let tag = match tag_for(root, version) {
        Tag::There => {
            return format!("commit the adopted files first: {}", commit("Adopt"));
        }
        Tag::ToBe(tag) => tag,
    };
    let release = format!("finish that release first: {}", commit("Release"));
    match version.is_snapshot() {
        true => release,
        false => format!("{release}, then `git tag {tag}`"),
    }
}

/// Returns the newest bundle that the last commit lacks, and whether it is complete.
fn uncommitted_bundle(root: &Path) -> Option<(BundleVersion, bool)> {
    let committed = git::committed(root, FOLDER);
    let entries = Disk.list(&root.join(FOLDER)).unwrap_or_default();
    let names = entries.iter().filter_map(|path| path.file_name()?.to_str());
    let new = names.filter(|name| !committed.iter().any(|known| known == name));
    let version = new
        .filter_map(|name| BundleVersion::try_from(name.to_owned()).ok())
        .max()?;
    let folder = root.join(FOLDER).join(version.to_string());
    Some((version, verify(&folder, &Disk).is_ok()))
}
