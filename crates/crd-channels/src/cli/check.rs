//! The arguments of `check`.

use super::{format_of_findings, named_format};
use crate::commands::check::Request;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use crd_channels_check::{Level, Rule};
use crd_channels_projection::channel::config::Kubernetes;
use std::path::PathBuf;

pub(super) fn command() -> Command {
    Command::new("check")
        // The name of this command in other linters.
        .alias("lint")
        .about("Checks CRDs as an API server does, without a server")
        .arg(
            Arg::new("path")
                .value_name("FILE|DIR|-")
                .help("YAML or JSON files, folders of them, or `-` for standard input; in a folder, hidden folders and `target` are left out")
                .required(true)
                .action(ArgAction::Append)
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("kubernetes")
                .long("kubernetes")
                .value_name("1.MINOR")
                .help("the oldest Kubernetes that the CRDs are for; by default that of the configuration, or the newest known")
                .value_parser(clap::value_parser!(Kubernetes)),
        )
        .arg(level(
            "deny",
            "findings of this lint are errors; may be repeated",
        ))
        .arg(level("warn", "findings of this lint are warnings"))
        .arg(level("allow", "this lint is off"))
        .arg(format_of_findings())
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

/// Reads the request from the arguments.
pub(super) fn request(matches: &ArgMatches) -> Request {
    let paths = matches.get_many::<PathBuf>("path");
    Request {
        paths: paths
            .map(|paths| paths.cloned().collect())
            .unwrap_or_default(),
        format: named_format(matches),
        kubernetes: matches.get_one("kubernetes").copied(),
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
