//! The test that runs the proof in a project's own CI.

use crd_channels_diagnostics::program::{self, Program};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::slashed;
use crd_channels_generator::pipeline::Setup;
use std::path::Path;

const TEMPLATE: &str = include_str!("crd_channels.txt");

/// Writes the test into the first package with kinds. Returns its path below the root.
///
/// # Errors
/// `config-exists` if the file exists; `write-failed`.
pub(super) fn write(root: &Path, setup: &Setup) -> Result<String, Box<Diagnostic>> {
    let packages = setup.packages.iter();
    let mut folders = packages.filter_map(|id| {
        let package = setup.workspace.package(*id)?;
        package.root.strip_prefix(&setup.workspace.root).ok()
    });
    let folder = folders.next().unwrap_or(Path::new(""));
    let path = folder.join("tests").join("crd_channels.rs");
    let shown = slashed(&path);
    if root.join(&path).exists() {
        let message = format!("`{shown}` already exists, and `prove` changes no file");
        let finding = Diagnostic::new(Code::ConfigExists, None, message);
        return Err(Box::new(
            finding.with_help("remove it, or leave out `--write-test`"),
        ));
    }
    super::write(root, &shown, test_text())?;
    Ok(shown)
}

fn test_text() -> String {
    let (words, missing) = match program::current() {
        Program::Alias => (
            "\"xtask\", \"prove\"",
            "check that `cargo xtask prove` runs",
        ),
        Program::Plain | Program::Subcommand | Program::Plugin => (
            "\"crd-channels\", \"prove\"",
            concat!(
                "install it with `cargo install --locked --git ",
                env!("CARGO_PKG_REPOSITORY"),
                " crd-channels`, and check that `cargo crd-channels prove` runs"
            ),
        ),
    };
    TEMPLATE
        .replace("$words", words)
        .replace("$missing", missing)
}
