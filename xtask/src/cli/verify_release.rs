//! The arguments of `verify-release`.

use clap::{Arg, ArgMatches, Command};

/// The command.
pub(super) fn command() -> Command {
    Command::new("verify-release")
        .about("Checks that released bundles are what was released: files, digests, and the chain that they make")
        .arg(
            Arg::new("VERSION")
                .help("only this bundle and those that it follows, such as v0.4.0; all of them without it"),
        )
}

/// What was asked for.
pub(super) fn request(matches: &ArgMatches) -> Option<&str> {
    matches.get_one::<String>("VERSION").map(String::as_str)
}
