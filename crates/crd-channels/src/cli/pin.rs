//! The arguments of `pin` and `vendor`.

use super::{flag, format};
use crate::commands::{pin, vendor};
use crate::consumer::pinned::Part;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The value of `--with` for no parts.
const NONE: &str = "none";

pub(super) fn pin_command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let parts = Part::ALL.map(Part::name).into_iter().chain([NONE]);
    Command::new("pin")
        .about("Chooses released bundles and writes `bundle.lock`, which records them to the byte")
        .arg(
            option(
                "from",
                "SOURCE",
                "a folder with bundles, an archive `NAME.tar.gz` or its URL, a git repository: `git:PATH` or a URL, optionally followed by `#REVISION`, or a repository of a registry: `oci://REGISTRY/REPOSITORY`, optionally followed by `:TAG` or `@sha256:DIGEST`",
            )
            .required_unless_present_any(["update", "remove", "repair", "list", "outdated"]),
        )
        .arg(option(
            "revision",
            "REVISION",
            "a revision of the git repository, or a tag or digest in the registry; only it is read, by default the tags are read too",
        ))
        .arg(option(
            "path",
            "FOLDER",
            "the folder of the source that has the bundles, for a project in a subfolder of a repository; by default the top",
        ))
        .arg(option(
            "name",
            "NAME",
            "the bundle's name in the lock; by default the prefix of its annotations",
        ))
        .arg(option("channel", "NAME", "the channel; by default `stable`"))
        .arg(option(
            "version",
            "REQUIREMENT",
            "which bundles may be chosen, as in `^0.2`; the newest one is pinned",
        ))
        .arg(
            option("folder", "FOLDER", "the folder that `vendor` writes into; by default `crds`")
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(
            option(
                "with",
                "PARTS",
                "what `vendor` writes besides the CRDs; by default `components`",
            )
            .value_delimiter(',')
            .value_parser(PossibleValuesParser::new(parts)),
        )
        .arg(
            option(
                "update",
                "NAME",
                "choose one or all bundles again, as the lock specifies; shows what changes before it writes",
            )
            .num_args(0..=1)
            .default_missing_value("")
            .conflicts_with("name"),
        )
        .arg(
            option(
                "repair",
                "NAME",
                "pin one or all bundles again whose entries a merge or an edit left broken: the version and the channel that they name",
            )
            .num_args(0..=1)
            .default_missing_value("")
            .conflicts_with_all(["update", "name"]),
        )
        .arg(
            option("remove", "NAME", "remove a bundle from the lock, and its files")
                .conflicts_with_all(["from", "update", "repair", "name"]),
        )
        .arg(
            flag("list", "show the bundles of the source, or of all sources in the lock")
                .conflicts_with_all(["update", "repair", "remove", "outdated"]),
        )
        .arg(
            flag("outdated", "show which pinned bundles have newer ones, and what keeps `pin` from taking them")
                .conflicts_with_all(["from", "update", "repair", "remove"]),
        )
        .arg(flag("keep-files", "with `--remove`: leave the files of the bundle").requires("remove"))
        .arg(option(
            "key",
            "KEY",
            "accept only bundles signed with this key, now and later: a public key of minisign, or its file",
        ))
        .arg(flag("dry-run", "write nothing"))
        .arg(offline())
        .arg(flag(
            "allow-downgrade",
            "pin a bundle that is older than the pinned one",
        ))
        .arg(flag(
            "allow-data-loss",
            "pin a bundle that makes stored objects lose data or fail validation",
        ))
        .arg(flag(
            "allow-broken-chain",
            "pin a bundle that follows a missing or changed one",
        ))
        .arg(flag(
            "allow-manual-steps",
            "with `--against`: pin a bundle that needs more than the vendored files, such as a running webhook",
        ))
        .arg(
            option(
                "against",
                "BUMP",
                "exit 1 if an update is a larger bump than this, breaks objects or manifests, or needs a person",
            )
            .value_parser(PossibleValuesParser::new(pin::Bound::NAMES.map(|(name, _)| name))),
        )
        .arg(format::argument("how the result is written"))
}

/// Reads the request from the arguments.
pub(super) fn pin_request(matches: &ArgMatches) -> pin::Request {
    let text = |name| matches.get_one::<String>(name).cloned();
    let revision = text("revision");
    let with = matches.get_many::<String>("with").map(|names| {
        let names: BTreeSet<&str> = names.map(String::as_str).collect();
        let all = Part::ALL.into_iter();
        all.filter(|part| names.contains(part.name())).collect()
    });
    pin::Request {
        from: text("from"),
        revision,
        path: text("path"),
        name: text("name"),
        channel: text("channel"),
        version: text("version"),
        folder: matches.get_one::<PathBuf>("folder").cloned(),
        with,
        update: text("update").map(names),
        repair: text("repair").map(names),
        remove: text("remove"),
        overview: match (matches.get_flag("list"), matches.get_flag("outdated")) {
            (true, _) => Some(pin::Overview::List),
            (_, true) => Some(pin::Overview::Outdated),
            _ => None,
        },
        keep_files: matches.get_flag("keep-files"),
        key: text("key"),
        offline: matches.get_flag("offline"),
        dry_run: matches.get_flag("dry-run"),
        allow_downgrade: matches.get_flag("allow-downgrade"),
        allow_data_loss: matches.get_flag("allow-data-loss"),
        allow_broken_chain: matches.get_flag("allow-broken-chain"),
        allow_manual_steps: matches.get_flag("allow-manual-steps"),
        against: called(pin::Bound::NAMES, text("against")),
        format: format::output_format(matches),
    }
}

/// Reads the optional name of a bundle.
fn names(name: String) -> pin::Names {
    match name.is_empty() {
        true => pin::Names::All,
        false => pin::Names::One(name),
    }
}

/// Returns the value with the given name.
fn called<T, const N: usize>(names: [(&str, T); N], name: Option<String>) -> Option<T> {
    let mut names = names.into_iter();
    let (_, found) = names.find(|(known, _)| Some(*known) == name.as_deref())?;
    Some(found)
}

pub(super) fn vendor_command() -> Command {
    Command::new("vendor")
        .about("Writes the files that `bundle.lock` pins, and verifies each digest")
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .help("the folder to write into instead of the lock's; files that this tool wrote there and that are not pinned are removed")
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(flag(
            "check",
            "write nothing; exit 1 if a file is not as pinned",
        ))
        .arg(flag(
            "allow-crd-removal",
            "remove CRDs even if none that a folder has would stay, or if another pinned bundle has them",
        ))
        .arg(offline())
        .arg(format::argument("how the result is written"))
}

/// Reads the request from the arguments.
pub(super) fn vendor_request(matches: &ArgMatches) -> vendor::Request {
    vendor::Request {
        folder: matches.get_one::<PathBuf>("folder").cloned(),
        offline: matches.get_flag("offline"),
        check: matches.get_flag("check"),
        allow_crd_removal: matches.get_flag("allow-crd-removal"),
        format: format::output_format(matches),
    }
}

pub(super) fn offline() -> Arg {
    flag("offline", "fetch nothing; use the cache")
}
