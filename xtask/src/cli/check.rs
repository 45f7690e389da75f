//! The arguments of `check`.

use crate::check::{Level, Rule};
use crate::commands::check::Request;
use crate::diag::report::Format;
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
        .arg(level(
            "deny",
            "findings of this lint are errors; may be repeated",
        ))
        .arg(level("warn", "findings of this lint are warnings"))
        .arg(level("allow", "this lint says nothing"))
        .arg(
            Arg::new("format")
                .long("format")
                .help("how findings are written; json is one object a file")
                .default_value("human")
                .value_parser(PossibleValuesParser::new(
                    Format::NAMES.map(|(name, _)| name),
                )),
        )
}

fn level(name: &'static str, help: &'static str) -> Arg {
    let lints = Rule::ALL.iter().filter(|rule| rule.is_lint());
    Arg::new(name)
        .long(name)
        .value_name("LINT")
        .help(help)
        .hide_possible_values(true)
        .action(ArgAction::Append)
        .value_parser(PossibleValuesParser::new(
            lints.map(|rule| rule.record().id),
        ))
}

/// What was asked for.
pub(super) fn request(matches: &ArgMatches) -> Request {
    let paths = matches.get_many::<PathBuf>("path");
    let format = matches.get_one::<String>("format");
    let named = Format::NAMES
        .into_iter()
        .find(|(name, _)| Some(*name) == format.map(String::as_str));
    Request {
        paths: paths
            .map(|paths| paths.cloned().collect())
            .unwrap_or_default(),
        format: named.map(|(_, format)| format).unwrap_or_default(),
        levels: Level::ALL
            .into_iter()
            .flat_map(|level| {
                let lints = matches.get_many::<String>(level.name());
                let rules = lints.into_iter().flatten().filter_map(|id| rule(id));
                rules.map(move |rule| (rule, level))
            })
            .collect(),
    }
}

fn rule(id: &str) -> Option<Rule> {
    let mut rules = Rule::ALL.iter().copied();
    rules.find(|rule| rule.record().id == id)
}
