//! The arguments of `show`.

use super::format;
use crate::commands::reference::show::Request;
use clap::{Arg, ArgAction, ArgMatches, Command};

pub(super) fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("show")
        .about("Shows what is known about a field: its facts, its channel, since when it is there")
        .arg(
            Arg::new("place")
                .value_name("KIND[.PATH]")
                .help("the kind, by any name that kubectl takes, and a field, as in `edgeroute.spec.rules`")
                .required(true),
        )
        .arg(option("version", "VERSION", "the version; by default the first one that is served"))
        .arg(option("channel", "NAME", "show only this channel: `stable` or `experimental`").value_parser(["stable", "experimental"]))
        .arg(option(
            "since",
            "BUNDLE",
            "list the fields that appeared or changed their channel after this bundle",
        ))
        .arg(from())
        .arg(format::argument("how facts are written"))
}

/// The option that names the releases of an API.
fn from() -> Arg {
    Arg::new("from")
        .long("from")
        .value_name("SOURCE")
        .help("a bundle, a folder or file of CRDs, `.` or `git:REV`, by default `.`, with the bundles before it; several are releases, oldest first, and so are folders in a folder that are called after versions")
        .action(ArgAction::Append)
}

/// Reads the request from the arguments.
pub(super) fn request(matches: &ArgMatches) -> Request {
    let text = |name| matches.get_one::<String>(name).cloned();
    Request {
        place: text("place").unwrap_or_default(),
        version: text("version"),
        channel: text("channel"),
        since: text("since"),
        from: matches
            .get_many("from")
            .into_iter()
            .flatten()
            .cloned()
            .collect(),
        format: format::output_format(matches),
    }
}
