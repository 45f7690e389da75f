//! The arguments of `diff`.

use super::{named_packages, packages};
use crate::commands::diff::Request;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use crd_channels_compat::Bump;
use crd_channels_compat::report::Format;
use crd_channels_gen_crds::options;
use std::path::PathBuf;

/// The bumps that `--against` accepts.
const AGAINST: [(&str, Bump); 3] = [
    ("patch", Bump::Patch),
    ("minor", Bump::Minor),
    ("major", Bump::NewApiVersion),
];

pub(super) fn command() -> Command {
    let set = |name: &'static str, help: &'static str| Arg::new(name).required(true).help(help);
    Command::new("diff")
        // The names of this command in other tools.
        .aliases(["breaking", "compare"])
        .about("Compares two sets of CRDs: what changed, who is affected, and which version bump is needed")
        .arg(set(
            "OLD",
            "a released bundle, a folder or file of CRDs, `.` for the working tree, or `git:REV` for a revision of it",
        ))
        .arg(set("NEW", "the new set, in the same forms"))
        .arg(packages())
        .arg(options::format("how the report is written", Format::NAMES))
        .arg(
            Arg::new("against")
                .long("against")
                .value_name("BUMP")
                .help("exit 1 if the changes need more than this bump")
                .value_parser(PossibleValuesParser::new(AGAINST.map(|(name, _)| name))),
        )
        .arg(
            Arg::new("waivers")
                .long("waivers")
                .value_name("FILE")
                .help("read the waivers from this file instead of `channels/waivers.toml`")
                .value_parser(clap::value_parser!(PathBuf)),
        )
}

/// Reads the request from the arguments.
pub(super) fn request(matches: &ArgMatches) -> Request {
    let text = |name| matches.get_one::<String>(name).cloned();
    let against = text("against");
    Request {
        old: text("OLD").unwrap_or_default(),
        new: text("NEW").unwrap_or_default(),
        format: options::option_value(matches, "format", Format::NAMES),
        against: AGAINST
            .into_iter()
            .find(|(name, _)| Some(*name) == against.as_deref())
            .map(|(_, bump)| bump),
        waivers: matches.get_one::<PathBuf>("waivers").cloned(),
        packages: named_packages(matches),
    }
}
