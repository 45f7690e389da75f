//! The arguments of `features` and `graduate`.

use super::flag;
use crate::commands::features::Format;
use crate::commands::graduate::Request;
use crate::commands::program::Program;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};

pub(super) fn features_command() -> Command {
    Command::new("features")
        .about("Lists every feature: its stage, what it gates, whether it may graduate")
        .arg(
            Arg::new("format")
                .long("format")
                .help("how the list is written")
                .default_value("human")
                .value_parser(PossibleValuesParser::new(["human", "json"])),
        )
}

/// How the list is written.
pub(super) fn features_request(matches: &ArgMatches) -> Format {
    match matches.get_one::<String>("format").map(String::as_str) {
        Some("json") => Format::Json,
        _ => Format::Human,
    }
}

pub(super) fn graduate_command() -> Command {
    Command::new("graduate")
        .about("Makes stable what a feature gates: edits the types and `channels/*.toml`")
        .arg(
            Arg::new("feature")
                .value_name("FEATURE")
                .help("the feature, as `channels/features.toml` declares it")
                .required(true),
        )
        .arg(flag("dry-run", "write nothing; show all that would change"))
}

/// What was asked for.
pub(super) fn graduate_request(matches: &ArgMatches, program: Program) -> Request {
    Request {
        feature: matches
            .get_one::<String>("feature")
            .cloned()
            .unwrap_or_default(),
        dry_run: matches.get_flag("dry-run"),
        program,
    }
}
