//! `cargo crd-channels`: starts `crd-channels`, the binary beside it, so that the program is linked and installed once.

use crd_channels_gen_crds::hand_over;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// The first argument that cargo passes, from which the program learns how it was called.
const SUBCOMMAND: &str = "crd-channels";

fn main() -> ExitCode {
    let program = program();
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if arguments.first().is_none_or(|first| first != SUBCOMMAND) {
        arguments.insert(0, SUBCOMMAND.into());
    }
    match hand_over(Command::new(&program).args(arguments)) {
        Ok(code) => code,
        Err(error) => {
            let program = program.display();
            eprintln!("error: cannot start `{program}`: {error}");
            let repository = env!("CARGO_PKG_REPOSITORY");
            eprintln!(
                "  = help: install both binaries: `cargo install --locked --git {repository} crd-channels`"
            );
            ExitCode::from(2)
        }
    }
}

/// The binary beside this one, or if there is none, the one found on the path.
fn program() -> PathBuf {
    let name = format!("crd-channels{}", env::consts::EXE_SUFFIX);
    let own = env::current_exe().and_then(|own| own.canonicalize());
    match own.map(|own| own.with_file_name(&name)) {
        Ok(beside) if beside.is_file() => beside,
        _ => name.into(),
    }
}
