//! The arguments of `prove`.

use super::{flag, format_of_findings, named_format};
use crate::commands::prove::Request;
use clap::{Arg, ArgAction, ArgMatches, Command};

pub(super) fn command() -> Command {
    Command::new("prove")
        .about(
            "Compiles the types once and compares every fact of their CRDs with the generated ones",
        )
        .arg(flag(
            "record",
            "record values that cannot be read from source in `channels/recorded.json`",
        ))
        .arg(flag(
            "write-test",
            "if everything is proven, write a test that repeats the proof",
        ))
        .arg(format_of_findings())
        .arg(
            Arg::new("cargo")
                .value_name("CARGO-ARGUMENT")
                .help("after `--`: more arguments for `cargo build`, such as `--offline`")
                .last(true)
                .action(ArgAction::Append),
        )
}

/// Reads the request from the arguments.
pub(super) fn request(matches: &ArgMatches) -> Request {
    Request {
        record: matches.get_flag("record"),
        write_test: matches.get_flag("write-test"),
        format: named_format(matches),
        arguments: matches
            .get_many::<String>("cargo")
            .map(|arguments| arguments.cloned().collect())
            .unwrap_or_default(),
    }
}
