//! `cargo xtask`: runs `gen-crds` itself, since its first build is what newcomers wait for, and hands every other command to
//! the whole program in `tasks/`, which cargo builds when it is first needed.

mod whole;

use crd_channels_gen_crds::command_line;
use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = env::args_os().collect();
    command_line::run(&args).unwrap_or_else(|| whole::run(args.iter().skip(1)))
}
