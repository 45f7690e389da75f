//! Projects whose toolchain is not installed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// The files in which a project selects a toolchain; rustup reads the nearest one upwards.
const FILES: [&str; 2] = ["rust-toolchain.toml", "rust-toolchain"];

/// cargo's own exit code for errors; rustup, running in its place, exits with 1.
const REFUSED_BY_CARGO: i32 = 101;

/// rustup's default cargo, if it was rustup in place of cargo that failed because of the project's toolchain.
pub(super) fn other_cargo(root: &Path, ended: ExitStatus) -> Option<Command> {
    let asks = |folder: &Path| FILES.iter().any(|file| folder.join(file).is_file());
    if ended.code() == Some(REFUSED_BY_CARGO) || !root.ancestors().any(asks) {
        return None;
    }
    let found = Command::new("rustup")
        .args(["which", "cargo"])
        .current_dir(root.ancestors().last()?)
        .output()
        .ok()?;
    let path = PathBuf::from(String::from_utf8(found.stdout).ok()?.trim_end());
    let mut cargo = Command::new(&path);
    cargo.env("RUSTC", path.with_file_name("rustc"));
    found.status.success().then_some(cargo)
}
