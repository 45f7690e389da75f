//! The arguments of `features`, `graduate`, `remove` and `deprecate`.

use super::{flag, format};
use crate::commands::graduate::Request;
use crate::commands::{deprecate, features, remove};
use clap::builder::NonEmptyStringValueParser;
use clap::{Arg, ArgMatches, Command};

pub(super) fn features_command() -> Command {
    Command::new("features")
        .about("Lists every feature: its stage, what it gates, whether it may graduate")
        .arg(flag(
            "history",
            "list what became of everything that a feature gates or gated, bundle by bundle",
        ))
        .arg(format::argument("how the list is written"))
}

/// Reads the request from the arguments.
pub(super) fn features_request(matches: &ArgMatches) -> features::Request {
    features::Request {
        format: format::output_format(matches),
        history: matches.get_flag("history"),
    }
}

pub(super) fn graduate_command() -> Command {
    Command::new("graduate")
        .about(
            "Makes everything that a feature gates stable: edits the types and `channels/*.toml`",
        )
        .arg(
            Arg::new("feature")
                .value_name("FEATURE")
                .help("the feature, as `channels/features.toml` declares it")
                .required(true),
        )
        .arg(flag("dry-run", "write nothing; show what would change"))
}

/// Reads the request from the arguments.
pub(super) fn graduate_request(matches: &ArgMatches) -> Request {
    Request {
        feature: matches
            .get_one::<String>("feature")
            .cloned()
            .unwrap_or_default(),
        dry_run: matches.get_flag("dry-run"),
    }
}

pub(super) fn remove_command() -> Command {
    Command::new("remove")
        .about("Removes everything that a feature gates: edits the types and `channels/*.toml`, and writes tombstones")
        .arg(
            Arg::new("feature")
                .value_name("FEATURE")
                .help("the feature, as `channels/features.toml` declares it")
                .required(true),
        )
        .arg(
            Arg::new("reason")
                .long("reason")
                .value_name("TEXT")
                .help("why it is removed, for the tombstones")
                .value_parser(NonEmptyStringValueParser::new())
                .required_unless_present("dry-run"),
        )
        .arg(flag("dry-run", "write nothing; show what would change"))
}

/// Reads the request from the arguments.
pub(super) fn remove_request(matches: &ArgMatches) -> remove::Request {
    let text = |name| matches.get_one::<String>(name).cloned();
    remove::Request {
        feature: text("feature").unwrap_or_default(),
        reason: text("reason").unwrap_or_else(|| "..".to_owned()),
        dry_run: matches.get_flag("dry-run"),
    }
}

pub(super) fn deprecate_command() -> Command {
    let option =
        |name: &'static str, value, help| Arg::new(name).long(name).value_name(value).help(help);
    Command::new("deprecate")
        .about("Marks a version of a kind as deprecated: edits its type")
        .arg(
            Arg::new("kind")
                .value_name("KIND")
                .help("the kind, such as Route")
                .required(true),
        )
        .arg(
            Arg::new("version")
                .value_name("VERSION")
                .help("the API version, such as v1beta1")
                .required(true),
        )
        .arg(option(
            "removed-in",
            "BUNDLE",
            "the bundle that removes it; by default the minor after the next one, or for a GA version the next major",
        ))
        .arg(option(
            "replaced-by",
            "VERSION",
            "the version, or the kind, that replaces it; by default the storage version",
        ))
        .arg(flag("dry-run", "write nothing; show what would change"))
}

/// Reads the request from the arguments.
pub(super) fn deprecate_request(matches: &ArgMatches) -> deprecate::Request {
    let text = |name| matches.get_one::<String>(name).cloned();
    deprecate::Request {
        kind: text("kind").unwrap_or_default(),
        version: text("version").unwrap_or_default(),
        removed_in: text("removed-in"),
        replaced_by: text("replaced-by"),
        dry_run: matches.get_flag("dry-run"),
    }
}
