//! The arguments of `pin` and `vendor`.

use super::flag;
use crate::commands::{pin, vendor};
use clap::{Arg, ArgMatches, Command};
use std::path::PathBuf;

pub(super) fn pin_command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("pin")
        .about("Chooses a released bundle and writes `bundle.lock`, which remembers it to the byte")
        .arg(
            option(
                "from",
                "SOURCE",
                "a folder with bundles, or a git repository: `git:PATH` or a URL, `#REVISION` behind it",
            )
            .required_unless_present("update"),
        )
        .arg(option(
            "revision",
            "REVISION",
            "of the git repository; it alone is read, without it the tags are, too",
        ))
        .arg(option("channel", "NAME", "the channel, `stable` unless said otherwise"))
        .arg(option(
            "version",
            "REQUIREMENT",
            "which bundles may be chosen, as in `^0.2`; the newest is",
        ))
        .arg(flag(
            "update",
            "choose again, as the lock says; shows what changes before it writes",
        ))
        .arg(flag("dry-run", "write nothing"))
        .arg(offline())
        .arg(flag(
            "allow-downgrade",
            "pin a bundle that is older than the one that is pinned",
        ))
        .arg(flag(
            "allow-data-loss",
            "pin a bundle by which stored objects lose something or are refused",
        ))
}

/// What was asked for.
pub(super) fn pin_request(matches: &ArgMatches) -> pin::Request {
    let text = |name| matches.get_one::<String>(name).cloned();
    pin::Request {
        from: text("from"),
        revision: text("revision"),
        channel: text("channel"),
        version: text("version"),
        update: matches.get_flag("update"),
        offline: matches.get_flag("offline"),
        dry_run: matches.get_flag("dry-run"),
        allow_downgrade: matches.get_flag("allow-downgrade"),
        allow_data_loss: matches.get_flag("allow-data-loss"),
    }
}

pub(super) fn vendor_command() -> Command {
    Command::new("vendor")
        .about("Writes the CRDs that `bundle.lock` pins, each held against its digest")
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .help("the folder to write into; CRDs of this tool that are not pinned are removed from it")
                .default_value("crds")
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(flag(
            "check",
            "write nothing; exit 1 when a file is not as it was pinned",
        ))
        .arg(offline())
}

/// What was asked for.
pub(super) fn vendor_request(matches: &ArgMatches) -> vendor::Request {
    vendor::Request {
        folder: matches
            .get_one::<PathBuf>("folder")
            .cloned()
            .unwrap_or_default(),
        offline: matches.get_flag("offline"),
        check: matches.get_flag("check"),
    }
}

fn offline() -> Arg {
    flag(
        "offline",
        "fetch nothing; what was fetched before is in the cache",
    )
}
