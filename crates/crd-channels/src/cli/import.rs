//! The arguments of `import`.

use crate::commands::import::{Mode, Request};
use clap::{Arg, ArgAction, ArgMatches, Command};
use crd_channels_import::Purpose;
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
            Arg::new("client")
                .long("client")
                .help("types that only read and write objects: without schemas, and no CRD is made of them")
                .action(ArgAction::SetTrue)
                .conflicts_with("channel"),
        )
        .arg(
            Arg::new("keep-unknown")
                .long("keep-unknown")
                .help("keep the fields that a later version of the CRD may add")
                .action(ArgAction::SetTrue)
                .requires("client"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("DIR")
                .help("the folder of the package, which does not exist yet without `--check` and `--update`")
                .value_parser(clap::value_parser!(PathBuf))
                .required(true),
        )
        .arg(
            Arg::new("mapping")
                .long("mapping")
                .value_name("FILE")
                .help("the file with names [default: `import.toml` in the package]")
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("check")
                .long("check")
                .help("write nothing, and fail if the package is not what would be written")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("update")
                .long("update")
                .help("merge what changed in the CRDs into the package, and keep what you changed there")
                .action(ArgAction::SetTrue)
                .conflicts_with("check"),
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
    let purpose = match matches.get_flag("client") {
        true => Purpose::Client {
            keep_unknown: matches.get_flag("keep-unknown"),
        },
        false => Purpose::Source,
    };
    Request {
        paths: all("path").collect(),
        channels: channels.into_iter().flatten().cloned().collect(),
        purpose,
        out: all("out").next().unwrap_or_default(),
        mapping: all("mapping").next(),
        mode: match (matches.get_flag("check"), matches.get_flag("update")) {
            (true, _) => Mode::Check,
            (_, true) => Mode::Update,
            _ => Mode::New,
        },
    }
}
