//! The state of the working tree compared with the last commit.

use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Disk, Read, slashed};
use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// Returns the lines that git prints about changed or untracked files in the folder's working tree; `None` if the folder is in
/// no repository, or git is not installed.
///
/// # Errors
/// `unclean-tree` if git fails.
pub fn changes(folder: &Path) -> Result<Option<Vec<String>>, Box<Diagnostic>> {
    let Ok(status) = git(
        folder,
        &["status", "--porcelain", "--untracked-files=normal"],
    ) else {
        return Ok(None);
    };
    if !status.status.success() {
        let inside = git(folder, &["rev-parse", "--is-inside-work-tree"]);
        if !inside.is_ok_and(|inside| inside.status.success()) {
            return Ok(None);
        }
        let why = String::from_utf8_lossy(&status.stderr);
        let message = format!(
            "git cannot determine whether the working tree is clean: {}",
            why.trim()
        );
        let found = Diagnostic::new(Code::UncleanTree, None, message);
        return Err(Box::new(
            found.with_help("run `git status` and fix what it reports"),
        ));
    }
    let lines = String::from_utf8_lossy(&status.stdout);
    Ok(Some(lines.lines().map(str::to_owned).collect()))
}

/// Whether git tracks a file of the folder's working tree.
#[must_use]
pub fn is_tracked(folder: &Path, path: &str) -> bool {
    let listed = git(folder, &["ls-files", "--error-unmatch", "--", path]);
    listed.is_ok_and(|ran| ran.status.success())
}

/// Whether `git add --all` in the folder's working tree adds files in `place`, a path without links.
#[must_use]
pub fn adds(folder: &Path, place: &Path) -> bool {
    let top = git(folder, &["rev-parse", "--show-toplevel"]).ok();
    let Some(top) = top.filter(|ran| ran.status.success()) else {
        return false;
    };
    let top = String::from_utf8_lossy(&top.stdout);
    let Ok(top) = Disk.canonical(Path::new(top.trim_end_matches(['\n', '\r']))) else {
        return false;
    };
    let Ok(inside) = place.strip_prefix(&top) else {
        return false;
    };
    // A file in it, since a pattern may name a folder that does not exist yet.
    let file = slashed(&inside.join("file"));
    // 1 means that no pattern ignores it; on other errors, as in a submodule, git does not add it.
    let ignored = git(&top, &["check-ignore", "--quiet", "--", &file]);
    ignored.is_ok_and(|ran| ran.status.code() == Some(1))
}

/// Returns the names in a folder below the root that the last commit has; empty if there is no commit.
#[must_use]
pub fn committed(root: &Path, folder: &str) -> Vec<String> {
    let inside = format!("{folder}/");
    let listed = git(root, &["ls-tree", "--name-only", "-z", "HEAD", &inside]);
    let listed = listed.map(|ran| ran.stdout).unwrap_or_default();
    let listed = String::from_utf8_lossy(&listed);
    let names = listed
        .split('\0')
        .filter_map(|path| path.strip_prefix(&inside));
    names.map(str::to_owned).collect()
}

fn git(folder: &Path, arguments: &[&str]) -> io::Result<Output> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments).output()
}
