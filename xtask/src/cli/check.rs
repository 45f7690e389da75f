//! The arguments of `check`.

use crate::commands::check::{Format, Request};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::PathBuf;

/// The command.
pub(super) fn command() -> Command {
    Command::new("check")
        .about("Says what an API server would refuse in CRDs, without one")
        .arg(
            Arg::new("path")
                .value_name("FILE|DIR|-")
                .help("YAML or JSON files, folders of them, or `-` for standard input")
                .required(true)
                .action(ArgAction::Append)
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .help("how findings are written; json is one object a file")
                .default_value("human")
                .value_parser(PossibleValuesParser::new(["human", "json"])),
        )
}

/// What was asked for.
pub(super) fn request(matches: &ArgMatches) -> Request {
    let paths = matches.get_many::<PathBuf>("path");
    Request {
        paths: paths
            .map(|paths| paths.cloned().collect())
            .unwrap_or_default(),
        format: match matches.get_one::<String>("format").map(String::as_str) {
            Some("json") => Format::Json,
            _ => Format::Human,
        },
    }
}
