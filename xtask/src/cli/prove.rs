//! The arguments of `prove`.

use super::flag;
use crate::commands::program::Program;
use crate::commands::prove::Request;
use crate::diag::report::Format;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};

/// The command.
pub(super) fn command() -> Command {
    Command::new("prove")
        .about("Compiles the types once and compares every fact of their CRDs with what is read from source")
        .arg(flag(
            "record",
            "take what source cannot tell from the compiled types, into `channels/recorded.json`",
        ))
        .arg(flag(
            "write-test",
            "where all is proven, write a test that proves it again",
        ))
        .arg(
            Arg::new("format")
                .long("format")
                .help("how findings are written")
                .default_value("human")
                .value_parser(PossibleValuesParser::new(Format::NAMES.map(|(name, _)| name))),
        )
        .arg(
            Arg::new("cargo")
                .value_name("CARGO-ARGUMENT")
                .help("behind `--`: more arguments for `cargo build`, such as `--offline`")
                .last(true)
                .action(ArgAction::Append),
        )
}

/// What was asked for.
pub(super) fn request(matches: &ArgMatches, program: Program) -> Request {
    let format = matches
        .get_one::<String>("format")
        .map_or("human", String::as_str);
    Request {
        record: matches.get_flag("record"),
        write_test: matches.get_flag("write-test"),
        format: Format::NAMES
            .into_iter()
            .find(|(name, _)| *name == format)
            .map(|(_, format)| format)
            .unwrap_or_default(),
        arguments: matches
            .get_many::<String>("cargo")
            .map(|arguments| arguments.cloned().collect())
            .unwrap_or_default(),
        program,
    }
}
