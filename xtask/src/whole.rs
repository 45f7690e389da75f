//! The whole program: cargo builds it if it is not up to date, says so, and runs it.

use crd_channels_gen_crds::hand_over;
use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// Its package.
const MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tasks/Cargo.toml");

/// Runs it with these arguments. cargo is not told to be quiet: it would build for a minute and say nothing.
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
