//! `programs`: builds the Go programs that tests run. CI does so while a core is idle, and no test waits for them then.

use crate::e2e::{krew, programs::Programs};
use clap::Command;
use crd_channels::commands::Outcome;
use crd_channels_envtest::{Failure, binaries, go};
use std::path::Path;
use std::process;

/// The command `programs`.
#[must_use]
pub fn command() -> Command {
    Command::new("programs").about("Builds the Go programs that tests run, so that these find them")
}

/// Builds them all.
#[must_use]
pub fn run() -> Outcome {
    match build() {
        Ok(()) => Outcome::Clean,
        Err(failure) => {
            eprintln!("{failure}");
            Outcome::CouldNotRun
        }
    }
}

fn build() -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    binaries::find()?;
    Programs::build(&root)?;
    krew::build(&root)?;
    // Where tests put them is known to cargo alone, but Go needs little more than what it has compiled.
    for file in modules(&root)? {
        let (folder, modules) = file.rsplit_once('/').unwrap_or((".", &file));
        go::compile(&file, &root.join(folder), modules)?;
    }
    Ok(())
}

/// The files of modules that git has: `go.mod`, or those beside it, which then have the versions.
fn modules(root: &Path) -> Result<Vec<String>, Failure> {
    let mut git = process::Command::new("git");
    let listed = git.arg("-C").arg(root).args(["ls-files", "*.mod"]).output();
    let listed =
        listed.map_err(|error| Failure::new(format!("git could not be started: {error}")))?;
    if !listed.status.success() {
        return Err(Failure::new("`git ls-files` failed".to_owned()));
    }
    let listed = String::from_utf8_lossy(&listed.stdout);
    let has_others = |file: &str| {
        let folder = file.strip_suffix(go::MODULES);
        folder.is_some_and(|folder| listed.lines().filter(|it| it.starts_with(folder)).count() > 1)
    };
    let files = listed.lines().filter(|file| !has_others(file));
    Ok(files.map(str::to_owned).collect())
}
