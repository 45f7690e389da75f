//! The arguments of `plan`.

use crate::commands::plan::Request;
use clap::{Arg, ArgAction, ArgMatches, Command};
use crd_channels_compat::report::Format;
use crd_channels_gen_crds::options;
use std::path::PathBuf;

pub(super) fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("plan")
        .about("Says what an update of pinned bundles does to objects, and how to carry it out")
        .arg(
            Arg::new("path")
                .value_name("FILE|DIR|-")
                .help("YAML or JSON files with objects, folders of them, or `-` for standard input")
                .action(ArgAction::Append)
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(
            option(
                "to",
                "REQUIREMENT",
                "which bundles may be chosen, as in `^0.3`; by default as `bundle.lock` says",
            )
            .visible_alias("version"),
        )
        .arg(option(
            "update",
            "NAME",
            "the bundle to update; by default all of them",
        ))
        .arg(option(
            "from",
            "SOURCE",
            "another source of bundles, as for `pin`",
        ))
        .arg(option(
            "channel",
            "NAME",
            "the channel to update to; by default the pinned one",
        ))
        .arg(super::pin::offline())
        .arg(options::format("how the plan is written", Format::NAMES))
}

/// Reads the request from the arguments.
pub(super) fn request(matches: &ArgMatches) -> Request {
    let text = |name| matches.get_one::<String>(name).cloned();
    let paths = matches.get_many::<PathBuf>("path");
    Request {
        paths: paths.into_iter().flatten().cloned().collect(),
        update: text("update"),
        from: text("from"),
        to: text("to"),
        channel: text("channel"),
        offline: matches.get_flag("offline"),
        format: options::option_value(matches, "format", Format::NAMES),
    }
}
