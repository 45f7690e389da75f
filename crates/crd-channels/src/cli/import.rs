//! The arguments of `import`.

use crate::commands::import::Request;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::PathBuf;

pub(super) fn command() -> Command {
    Command::new("import")
        .about("Makes a package of Rust types of CRDs, from which `gen-crds` writes the same CRDs again")
        .arg(
            Arg::new("path")
                .value_name("FILE|DIR")
                .help("CRDs; `-` is standard input")
                .value_parser(clap::value_parser!(PathBuf))
                .num_args(1..)
                .required_unless_present("channel"),
        )
        .arg(
            Arg::new("channel")
                .long("channel")
                .value_name("NAME=FILE|DIR")
                .help("the CRDs of a channel: what only `experimental` has is gated; may be repeated")
                .value_parser(channel)
                .action(ArgAction::Append)
                .conflicts_with("path"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("DIR")
                .help("the folder of the package, which does not exist yet")
                .value_parser(clap::value_parser!(PathBuf))
                .required(true),
        )
}

/// Reads `NAME=PATH`.
pub(super) fn channel(text: &str) -> Result<(String, PathBuf), String> {
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    match text.split_once('=') {
        Some((name, path)) if is_name(name) && !path.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(path)))
        }
        _ => Err(
            "write the channel's name and its CRDs, as in `stable=config/crd/standard`".to_owned(),
        ),
    }
}

/// Reads the request from the arguments.
pub(super) fn request(matches: &ArgMatches) -> Request {
    let all = |name: &str| {
        matches
            .get_many::<PathBuf>(name)
            .into_iter()
            .flatten()
            .cloned()
    };
    let channels = matches.get_many::<(String, PathBuf)>("channel");
    Request {
        paths: all("path").collect(),
        channels: channels.into_iter().flatten().cloned().collect(),
        out: all("out").next().unwrap_or_default(),
    }
}
