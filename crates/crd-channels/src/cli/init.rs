//! The arguments of `init`.

use super::import::channel;
use super::{flag, named_packages, packages};
use crate::commands::init::Request;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::PathBuf;

pub(super) fn command() -> Command {
    Command::new("init")
        .about("Finds the kinds of a workspace and writes `channels/*.toml` for them; changes no existing file")
        .arg(flag("diff", "write nothing; show what would be written").conflicts_with("compare"))
        .arg(
            flag(
                "yes",
                "if source does not tell everything, compile the types without asking, as `gen-crds --record` does",
            )
            .conflicts_with_all(["compare", "diff"]),
        )
        .arg(packages())
        .arg(
            Arg::new("compare")
                .long("compare")
                .value_name("FILE|DIR")
                .help("write nothing; show what would change for users of these CRDs; may be repeated")
                .value_parser(clap::value_parser!(PathBuf))
                .action(ArgAction::Append),
        )
        .arg(
            Arg::new("crds")
                .long("crds")
                .value_name("[NAME=]DIR")
                .help("without Rust types: the folder of a channel's CRDs, or one with a folder for each channel; may be repeated")
                .value_parser(crds)
                .action(ArgAction::Append)
                .conflicts_with_all(["compare", "package", "yes"]),
        )
}

/// Reads `NAME=DIR`, or a folder alone.
fn crds(text: &str) -> Result<(Option<String>, PathBuf), String> {
    if !text.contains('=') {
        return Ok((None, PathBuf::from(text)));
    }
    channel(text).map(|(name, folder)| (Some(name), folder))
}

/// Reads the request from the arguments.
pub(super) fn request(matches: &ArgMatches) -> Request {
    Request {
        diff: matches.get_flag("diff"),
        compare: matches
            .get_many::<PathBuf>("compare")
            .map(|paths| paths.cloned().collect())
            .unwrap_or_default(),
        packages: named_packages(matches),
        yes: matches.get_flag("yes"),
        crds: matches
            .get_many::<(Option<String>, PathBuf)>("crds")
            .map(|folders| folders.cloned().collect())
            .unwrap_or_default(),
    }
}
