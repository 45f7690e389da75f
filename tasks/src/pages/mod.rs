//! `pages`: writes the pages that are generated from records: one entry for each diagnostic code, each kind of change, and each
//! command.

mod changes;
mod commands;
mod diagnostics;
mod requirements;
mod trust;

use clap::Command;
use crd_channels::commands::Outcome;
use std::path::{Path, PathBuf};

/// The command `pages`.
#[must_use]
pub fn command() -> Command {
    Command::new("pages").about("Writes the pages of `docs/` that consist of records")
}

/// Writes the pages of this repository.
pub fn run() -> Outcome {
    for (path, text) in pages() {
        if let Err(error) = std::fs::write(&path, text) {
            eprintln!("error: `{}` cannot be written: {error}", path.display());
            return Outcome::CouldNotRun;
        }
    }
    Outcome::Clean
}

/// Returns each page with its path.
fn pages() -> [(PathBuf, String); 4] {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    [
        (docs.join("changes.md"), changes::page()),
        (docs.join("commands.md"), commands::page()),
        (docs.join("diagnostics.md"), diagnostics::page()),
        (docs.join("trust.md"), trust::page()),
    ]
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    #[test]
    fn pages_are_those_of_the_records() {
        for (path, text) in super::pages() {
            let page = std::fs::read_to_string(&path).unwrap();
            let shown = path.display();
            assert!(page == text, "{shown} is stale: run `cargo xtask pages`");
        }
    }
}
