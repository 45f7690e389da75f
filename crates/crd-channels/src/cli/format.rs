//! `--format human|json` of the commands that print a result.

use crate::commands::format::Format;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches};

/// The option `--format`.
pub(super) fn argument(help: &'static str) -> Arg {
    Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .help(help)
        .default_value("human")
        .value_parser(PossibleValuesParser::new(
            Format::NAMES.map(|(name, _)| name),
        ))
}

/// Returns the format that the option names.
pub(super) fn named(matches: &ArgMatches) -> Format {
    let given = matches.get_one::<String>("format").map(String::as_str);
    let mut names = Format::NAMES.into_iter();
    let named = names.find(|(name, _)| Some(*name) == given);
    named.map(|(_, format)| format).unwrap_or_default()
}
