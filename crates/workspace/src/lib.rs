//! The cargo workspace of the types: packages, targets, features, dependencies. Only this crate runs cargo.
#![doc = include_str!("../README.md")]

mod model;
mod cache;
mod metadata;
mod features;
mod kubernetes;
mod platform;
pub mod target;
mod toolchain;
mod overlay;
mod compile;
mod check;
mod program;
mod wrapper;

use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Disk, Read};
use std::path::{Path, PathBuf};

pub use cache::{cargo_home, guess_target_dir};
pub use check::{Checked, Order as CheckOrder, Rejection, check};
pub use compile::{CompileTarget, Order as CompileOrder, compile};
pub use kubernetes::versions as kubernetes_versions;
pub use metadata::cargo;
pub use model::{Package, PackageId, Target, Wanted, Workspace};
pub use program::{PROBE, Shown, program};
pub use wrapper::wrap;

/// Finds the root of the workspace around `start`: the folder of the nearest manifest upwards with a `[workspace]`, else of the
/// nearest manifest. A folder without a manifest and with the configuration of a bundle of CRDs is a root, too.
///
/// # Errors
/// `cargo-failed` if no folder upwards has one of them.
pub fn find_root(start: &Path) -> Result<PathBuf, Box<Diagnostic>> {
    root_above(start, &Disk).ok_or_else(|| {
        let message = format!("no `Cargo.toml` in `{}` or above", start.display());
        Box::new(Diagnostic::new(Code::CargoFailed, None, message).with_help(
            "run the command inside a cargo workspace; for CRDs without Rust types, run `crd-channels init --crds FOLDER` first",
        ))
    })
}

/// Like [`find_root`], in any files; `None` if no folder upwards has a manifest.
#[must_use]
pub fn root_above(start: &Path, files: &dyn Read) -> Option<PathBuf> {
    let mut nearest = None;
    for folder in start.ancestors() {
        let Ok(manifest) = files.read(&folder.join("Cargo.toml")) else {
            if nearest.is_none() && has_crds(folder, files) {
                return Some(folder.to_path_buf());
            }
            continue;
        };
        if declares_workspace(&String::from_utf8_lossy(&manifest)) {
            return Some(folder.to_path_buf());
        }
        nearest.get_or_insert_with(|| folder.to_path_buf());
    }
    nearest
}

/// Whether the configuration below a folder is that of a bundle whose source is CRDs, which needs no manifest.
fn has_crds(folder: &Path, files: &dyn Read) -> bool {
    let names_crds = || {
        let text = files.read_text(&folder.join("channels/stable.toml")).ok()?;
        let table = toml::from_str::<toml::Table>(&text).ok()?;
        table.contains_key("crds").then_some(())
    };
    files.is_file(&folder.join("channels/bundle.toml")) || names_crds().is_some()
}

/// Loads the workspace at `root`, resolved as wanted. cargo's answer is cached below the target folder and used as long as
/// nothing that it depends on changes.
///
/// # Errors
/// `cargo-failed` if cargo cannot be run or rejects the workspace.
pub fn load(root: &Path, wanted: Wanted<'_>) -> Result<Workspace, Box<Diagnostic>> {
    if let Some(workspace) = cache::load(root, wanted) {
        return Ok(workspace);
    }
    let workspace = metadata::ask_cargo(root, wanted)?;
    cache::store(&workspace, wanted);
    Ok(workspace)
}

/// Whether a manifest has a `[workspace]` table.
#[must_use]
pub fn declares_workspace(manifest: &str) -> bool {
    toml::from_str::<toml::Table>(manifest).is_ok_and(|table| table.contains_key("workspace"))
}
