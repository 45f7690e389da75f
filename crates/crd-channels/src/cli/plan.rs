//! The arguments of `plan`.

use super::cluster;
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
        .arg(
            option(
                "after",
                "SOURCE",
                "CRDs to change to, in place of an update of the lock: a file, a folder, an archive, or `git:REVISION:FOLDER`",
            )
            .conflicts_with_all(["to", "update", "from"]),
        )
        .arg(
            option(
                "before",
                "SOURCE",
                "the CRDs before that change; by default the pinned ones, or those of the cluster",
            )
            .requires("after"),
        )
        .arg(super::flag("cluster", "compare all objects of the cluster, with the CRDs that it has"))
        .args(cluster::kubectl_options().map(|option| option.requires("cluster")))
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
        before: text("before"),
        after: text("after"),
        cluster: matches
            .get_flag("cluster")
            .then(|| cluster::kubectl(matches)),
        offline: matches.get_flag("offline"),
        format: options::option_value(matches, "format", Format::NAMES),
    }
}
