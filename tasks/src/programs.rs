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
    for folder in modules(&root)? {
        go::compile(&folder, &root.join(&folder), go::MODULES)?;
    }
    Ok(())
}

/// The folders of Go's modules that git has, except for one with the modules of several minors: their servers are asked on request
/// only, and each takes minutes to compile.
fn modules(root: &Path) -> Result<Vec<String>, Failure> {
    let mut git = process::Command::new("git");
    let listed = git.arg("-C").arg(root).args(["ls-files", "*.mod"]).output();
    let listed =
        listed.map_err(|error| Failure::new(format!("git could not be started: {error}")))?;
    if !listed.status.success() {
        return Err(Failure::new("`git ls-files` failed".to_owned()));
    }
    let listed = String::from_utf8_lossy(&listed.stdout);
    let files = |folder: &str| listed.lines().filter(|it| it.starts_with(folder)).count();
    let folders = listed.lines().filter_map(|it| it.strip_suffix(go::MODULES));
    let alone = folders.filter(|folder| files(folder) == 1);
    Ok(alone.map(str::to_owned).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    #[test]
    fn servers_of_older_minors_are_not_built() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let modules = super::modules(&root).unwrap();
        assert!(modules.contains(&"oracle/tests/apiserver/go/".to_owned()));
        let minors = |folder: &&String| folder.contains("minors");
        assert_eq!(modules.iter().find(minors), None);
    }
}
