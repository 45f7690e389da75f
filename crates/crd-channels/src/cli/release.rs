//! The arguments of `release` and `prune`.

use super::import::channel;
use super::{flag, format};
use crate::commands::release::Request;
use crate::commands::{adopt, merge_driver};
use crate::release::version_choice::RequestedVersion;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::PathBuf;

pub(super) fn command() -> Command {
    Command::new("release")
        .about("Writes a bundle of the working tree's CRDs, if the versioning rules allow it")
        .arg(
            Arg::new("VERSION")
                .required(true)
                .help("patch, minor, major, a version such as 0.4.0 or 0.4.0-rc.1, or snapshot"),
        )
        .arg(
            Arg::new("date")
                .long("date")
                .value_name("YYYY-MM-DD")
                .help("the date of a snapshot; the clock is never read"),
        )
        .arg(
            Arg::new("sign")
                .long("sign")
                .value_name("FILE")
                .help("sign the bundle with this secret key of minisign"),
        )
        .arg(
            Arg::new("archive")
                .long("archive")
                .value_name("DIR")
                .help("also write an archive of the bundle into this folder, as `archive` does"),
        )
        .arg(flag("dry-run", "write nothing; show what would be written"))
        .arg(format::argument("how the result is written"))
}

/// `start-next`, the second step of a release.
pub(super) fn start_next_command() -> Command {
    Command::new("start-next").about("Sets the next `-dev` version after a release is tagged")
}

/// `adopt`, which brings a bundle of another branch to this one.
pub(super) fn adopt_command() -> Command {
    Command::new("adopt")
        .about(
            "Copies a bundle that another branch released, and those that it follows, to this branch",
        )
        .arg(
            Arg::new("VERSION")
                .required_unless_present("tags")
                .help("the bundle, such as v0.2.2"),
        )
        .arg(
            Arg::new("from")
                .long("from")
                .value_name("REVISION")
                .help("the branch or commit that has it; by default the tag of that name"),
        )
        .arg(
            Arg::new("tags")
                .long("tags")
                .value_name("PATTERN")
                .help("before the first release: make bundles of the CRDs that tags such as `v1.*` have")
                .conflicts_with_all(["VERSION", "from"]),
        )
        .arg(
            Arg::new("crds")
                .long("crds")
                .value_name("NAME=DIR")
                .help("the folder of a channel's CRDs at the tags, instead of the configured one; may be repeated")
                .value_parser(channel)
                .action(ArgAction::Append)
                .requires("tags"),
        )
}

/// Reads the request from the arguments; an error describes an invalid version.
pub(super) fn adopt_request(matches: &ArgMatches) -> Result<adopt::Request, String> {
    let text = |name| matches.get_one::<String>(name).map(String::as_str);
    Ok(adopt::Request {
        version: text("VERSION").unwrap_or_default().parse()?,
        from: text("from").map(str::to_owned),
    })
}

/// Reads the request from the arguments; `None` without `--tags`.
pub(super) fn adopt_tags_request(matches: &ArgMatches) -> Option<adopt::tagged::Request> {
    let crds = matches.get_many::<(String, PathBuf)>("crds");
    Some(adopt::tagged::Request {
        tags: matches.get_one::<String>("tags")?.clone(),
        crds: crds.into_iter().flatten().cloned().collect(),
    })
}

/// `merge-driver`, which git calls for files that always differ between release lines.
pub(super) fn merge_driver_command() -> Command {
    let file = |name: &'static str| Arg::new(name).hide(true).required_unless_present("install");
    Command::new("merge-driver")
        .about("Merge driver for git: merges generated files and versions of release branches; `--install` configures git to use it")
        .arg(file("BASE"))
        .arg(file("OURS"))
        .arg(file("THEIRS"))
        .arg(file("PATH"))
        .arg(flag(
            "install",
            "add it to this clone's configuration and to `.gitattributes`",
        ))
}

/// Returns the files to merge; `None` if the driver is to be installed.
pub(super) fn merge_driver_request(matches: &ArgMatches) -> Option<merge_driver::Merge> {
    let text = |name| matches.get_one::<String>(name).cloned();
    Some(merge_driver::Merge {
        base: text("BASE")?.into(),
        ours: text("OURS")?.into(),
        theirs: text("THEIRS")?.into(),
        path: text("PATH")?,
    })
}

/// Reads the request from the arguments; an error describes invalid ones.
pub(super) fn request(matches: &ArgMatches) -> Result<Request, String> {
    let text = |name| matches.get_one::<String>(name).map(String::as_str);
    let asked = match (text("VERSION").unwrap_or_default(), text("date")) {
        ("snapshot", Some(date)) => RequestedVersion::Snapshot(date.to_owned()),
        ("snapshot", None) => {
            return Err("a snapshot needs its date: `--date YYYY-MM-DD`".to_owned());
        }
        (_, Some(_)) => return Err("`--date` is for snapshots".to_owned()),
        ("patch", None) => RequestedVersion::Patch,
        ("minor", None) => RequestedVersion::Minor,
        ("major", None) => RequestedVersion::Major,
        (version, None) => {
            let version = version.parse();
            let others = "write `patch`, `minor`, `major`, `snapshot` or a version";
            RequestedVersion::Exactly(version.map_err(|why: String| format!("{why}; {others}"))?)
        }
    };
    Ok(Request {
        asked,
        sign: text("sign").map(PathBuf::from),
        archive: text("archive").map(PathBuf::from),
        dry_run: matches.get_flag("dry-run"),
        format: format::output_format(matches),
    })
}

pub(super) fn prune_command() -> Command {
    Command::new("prune")
        .about("Removes release candidates and snapshots that a final bundle has superseded")
        .arg(flag(
            "dry-run",
            "remove nothing; show what would be removed",
        ))
}
