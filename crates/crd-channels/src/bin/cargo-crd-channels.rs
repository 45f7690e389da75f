//! The same tool under the name by which cargo finds it: `cargo crd-channels gen-crds`, without any alias.

use std::process::ExitCode;

fn main() -> ExitCode {
    crd_channels::cli::run(std::env::args_os(), &[])
}
