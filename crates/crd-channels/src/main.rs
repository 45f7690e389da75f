//! The binary, which passes its arguments to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    crd_channels::cli::run(std::env::args_os(), &[])
}
