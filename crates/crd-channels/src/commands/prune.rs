//! `prune`: removes pre-releases that a final bundle has superseded.

use super::release::versions::read_text;
use super::{Outcome, here, interrupted, say_with_summary};
use crate::git;
use crate::release::changelog::{self, without_entries};
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_files::{Disk, Plan, Read};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::bundles::{self, Released};
use crd_channels_released::manifest;
use crd_channels_workspace as workspace;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The folder to which bundles are moved before they are removed, so that no bundle is ever incomplete under its name.
const ASIDE: &str = ".pruned";

/// Removes the superseded pre-releases of the current folder's workspace, or lists them.
#[must_use]
pub fn run(dry_run: bool) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    match workspace::find_root(&here).and_then(|root| pruned(&root, dry_run)) {
        Ok(()) => Outcome::Clean,
        Err(finding) => {
            let outcome = match finding.code {
                Code::UncleanTree => Outcome::Findings,
                _ => Outcome::CouldNotRun,
            };
            say_with_summary(&[*finding], &Sources::default(), Format::Human);
            outcome
        }
    }
}

fn pruned(root: &Path, dry_run: bool) -> Result<(), Box<Diagnostic>> {
    let all = bundles::all(&root.join(FOLDER), &Disk);
    let followed = followed(&all);
    if dry_run {
        for version in &followed {
            println!("would remove {FOLDER}/{version}");
        }
        return Ok(());
    }
    let aside = root.join(FOLDER).join(ASIDE);
    let failed = |error: io::Error| {
        let message = format!("a pre-release cannot be removed: {error}");
        let finding = Diagnostic::new(Code::WriteFailed, None, message);
        Box::new(finding.with_help("fix the cause, and run `crd-channels prune` again"))
    };
    if followed.is_empty() {
        status!("no pre-release is followed by a final bundle");
        return remove(root, &followed, &aside).map_err(failed);
    }
    kept_by_git(root, &followed)?;
    let log = format!("{FOLDER}/{}", changelog::FILE);
    if let Some(text) = read_text(root, &log, &Disk)? {
        let left = without_entries(&text, &followed);
        let files = BTreeMap::from([(log.clone(), left)]);
        let plan = Plan::new(log, root.to_path_buf(), files, Vec::new());
        interrupted::apply(&plan)?;
    }
    remove(root, &followed, &aside).map_err(failed)
}

/// Returns the pre-releases that a final bundle of the same or a later version supersedes.
fn followed(all: &[Released]) -> Vec<BundleVersion> {
    let versions = || all.iter().map(|bundle| &bundle.version);
    let last = versions().rfind(|version| version.is_final());
    let gone = versions().filter(|version| {
        !version.is_final() && last.is_some_and(|last| version.as_final() <= *last)
    });
    gone.cloned().collect()
}

/// Refuses to remove bundles that could not be restored from git.
fn kept_by_git(root: &Path, followed: &[BundleVersion]) -> Result<(), Box<Diagnostic>> {
    let rejection = |message: String, help: &str| {
        let finding = Diagnostic::new(Code::UncleanTree, None, message);
        Err(Box::new(finding.with_help(help)))
    };
    match git::changes(root)? {
        Some(changes) if changes.is_empty() => {}
        Some(_) => {
            return rejection(
                "the working tree has changes".to_owned(),
                "commit them first, so that git keeps the pre-releases",
            );
        }
        None => {
            return rejection(
                "this is not a git repository, so the pre-releases would be lost".to_owned(),
                "run `crd-channels prune --dry-run`, and remove the folders that it names",
            );
        }
    }
    let lost = followed.iter().find(|version| {
        let manifest = format!("{FOLDER}/{version}/{}", manifest::FILE);
        !git::is_tracked(root, &manifest)
    });
    match lost {
        Some(version) => rejection(
            format!("git does not have `{FOLDER}/{version}`"),
            "commit it first, so that git keeps it",
        ),
        None => Ok(()),
    }
}

/// Moves each bundle aside, then removes the folder, including the remains of an interrupted run.
fn remove(root: &Path, followed: &[BundleVersion], aside: &Path) -> io::Result<()> {
    for version in followed {
        let name = version.to_string();
        fs::create_dir_all(aside)?;
        let to = aside.join(&name);
        if !Disk.is_file(&to) && to.exists() {
            fs::remove_dir_all(&to)?;
        }
        fs::rename(root.join(FOLDER).join(&name), to)?;
        status!("removed {FOLDER}/{version}");
    }
    match fs::remove_dir_all(aside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
