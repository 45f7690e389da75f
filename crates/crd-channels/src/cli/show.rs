//! The arguments of `show`.

use super::{format, reference};
use crate::commands::reference::show::Request;
use clap::{Arg, ArgMatches, Command};

pub(super) fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("show")
        .about("Shows what is known about a field: its facts, its channel, since when it is there")
        .arg(
            Arg::new("place")
                .value_name("KIND[.PATH]")
                .help("the kind, by any name that kubectl takes, also with its group, and a field, as in `edgeroute.spec.rules`")
                .required(true),
        )
        .arg(option("version", "VERSION", "the version; by default the first one that is served"))
        .arg(option("channel", "NAME", "show only this channel: `stable` or `experimental`").value_parser(["stable", "experimental"]))
        .arg(option(
            "since",
            "BUNDLE",
            "list the fields that appeared or changed their channel after this bundle",
        ))
        .arg(reference::sources().long("from"))
        .arg(format::argument("how facts are written"))
}

/// Reads the request from the arguments.
pub(super) fn request(matches: &ArgMatches) -> Request {
    let text = |name| matches.get_one::<String>(name).cloned();
    Request {
        place: text("place").unwrap_or_default(),
        version: text("version"),
        channel: text("channel"),
        since: text("since"),
        from: reference::named_sources(matches),
        format: format::output_format(matches),
    }
}
