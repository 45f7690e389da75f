//! The arguments of `verify-release`.

use crate::commands::verify_release::Request;
use clap::{Arg, ArgMatches, Command};

/// The command.
pub(super) fn command() -> Command {
    Command::new("verify-release")
        .about("Checks that released bundles are what was released: files, digests, and the chain that they make")
        .arg(
            Arg::new("VERSION")
                .help("only this bundle and those that it follows, such as v0.4.0; all of them without it"),
        )
        .arg(
            Arg::new("source")
                .long("source")
                .value_name("git:REV")
                .requires("VERSION")
                .help("make the bundle again from this revision, and compare"),
        )
}

/// What was asked for; what is wrong with it otherwise.
pub(super) fn request(matches: &ArgMatches) -> Result<Request<'_>, String> {
    let text = |name| matches.get_one::<String>(name).map(String::as_str);
    let source = match text("source") {
        None => None,
        Some(source) => Some(source.strip_prefix("git:").ok_or_else(|| {
            format!("`{source}` is not a revision: write `--source git:{source}`")
        })?),
    };
    Ok(Request {
        version: text("VERSION"),
        source,
    })
}
