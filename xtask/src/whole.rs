//! Runs the whole program, after cargo has built it if necessary.

use crd_channels_gen_crds::hand_over;
use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// The manifest of its package.
const MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tasks/Cargo.toml");

/// Runs it with these arguments. cargo is not quiet: it could build for a minute without a message.
pub fn run<'a>(args: impl Iterator<Item = &'a OsString>) -> ExitCode {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command.args(["run", "--manifest-path", MANIFEST, "--"]);
    match hand_over(command.args(args)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: cannot start `{}`: {error}", cargo.display());
            ExitCode::from(2)
        }
    }
}
