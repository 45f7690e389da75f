//! The arguments of `pin` and `vendor`.

use super::flag;
use crate::commands::{pin, vendor};
use crate::consumer::pinned::Part;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What `--with` takes for nothing.
const NONE: &str = "none";

pub(super) fn pin_command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let parts = Part::ALL.map(Part::name).into_iter().chain([NONE]);
    Command::new("pin")
        .about("Chooses released bundles and writes `bundle.lock`, which remembers them to the byte")
        .arg(
            option(
                "from",
                "SOURCE",
                "a folder with bundles, or a git repository: `git:PATH` or a URL, `#REVISION` behind it",
            )
            .required_unless_present_any(["update", "remove"]),
        )
        .arg(option(
            "revision",
            "REVISION",
            "of the git repository; it alone is read, without it the tags are, too",
        ))
        .arg(option(
            "name",
            "NAME",
            "the bundle's name in the lock, else the prefix of its annotations",
        ))
        .arg(option("channel", "NAME", "the channel, `stable` unless said otherwise"))
        .arg(option(
            "version",
            "REQUIREMENT",
            "which bundles may be chosen, as in `^0.2`; the newest is",
        ))
        .arg(
            option("folder", "FOLDER", "the folder that `vendor` writes into, `crds` unless said otherwise")
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(
            option(
                "with",
                "PARTS",
                "what `vendor` writes beside the CRDs, `components` unless said otherwise",
            )
            .value_delimiter(',')
            .value_parser(PossibleValuesParser::new(parts)),
        )
        .arg(
            option(
                "update",
                "NAME",
                "choose again, as the lock says, all bundles or one; shows what changes before it writes",
            )
            .num_args(0..=1)
            .default_missing_value("")
            .conflicts_with("name"),
        )
        .arg(
            option("remove", "NAME", "take a bundle out of the lock")
                .conflicts_with_all(["from", "update", "name"]),
        )
        .arg(option(
            "key",
            "KEY",
            "take only bundles that are signed with this, now and later: a public key of minisign, or its file",
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
        .arg(flag(
            "allow-broken-chain",
            "pin a bundle that follows one that is gone or was changed",
        ))
        .arg(
            option(
                "against",
                "BUMP",
                "exit 1 when an update is more than that by its version, or breaks objects or manifests",
            )
            .value_parser(PossibleValuesParser::new(pin::Bound::NAMES.map(|(name, _)| name))),
        )
        .arg(
            option("format", "FORMAT", "how the outcome is told")
                .default_value("human")
                .value_parser(PossibleValuesParser::new(pin::Format::NAMES.map(|(name, _)| name))),
        )
}

/// What was asked for.
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
        name: text("name"),
        channel: text("channel"),
        version: text("version"),
        folder: matches.get_one::<PathBuf>("folder").cloned(),
        with,
        update: text("update").map(|name| match name.is_empty() {
            true => pin::Names::All,
            false => pin::Names::One(name),
        }),
        remove: text("remove"),
        key: text("key"),
        offline: matches.get_flag("offline"),
        dry_run: matches.get_flag("dry-run"),
        allow_downgrade: matches.get_flag("allow-downgrade"),
        allow_data_loss: matches.get_flag("allow-data-loss"),
        allow_broken_chain: matches.get_flag("allow-broken-chain"),
        against: called(pin::Bound::NAMES, text("against")),
        format: called(pin::Format::NAMES, text("format")).unwrap_or_default(),
    }
}

/// What has that name.
fn called<T, const N: usize>(names: [(&str, T); N], name: Option<String>) -> Option<T> {
    let mut names = names.into_iter();
    let (_, found) = names.find(|(known, _)| Some(*known) == name.as_deref())?;
    Some(found)
}

pub(super) fn vendor_command() -> Command {
    Command::new("vendor")
        .about("Writes the files that `bundle.lock` pins, each held against its digest")
        .arg(
            Arg::new("folder")
                .value_name("FOLDER")
                .help("the folder to write into instead of the lock's; files of this tool that are not pinned are removed from it")
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
        folder: matches.get_one::<PathBuf>("folder").cloned(),
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
