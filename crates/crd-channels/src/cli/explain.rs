//! The arguments of `explain`.

use clap::{Arg, ArgMatches, Command};

pub(super) fn command() -> Command {
    Command::new("explain")
        .about("Explains a diagnostic code and how to fix it")
        .arg(
            Arg::new("code")
                .value_name("CODE")
                .help("the code, as in `error[CODE]`; without it all are listed"),
        )
}

/// Returns the code to explain.
pub(super) fn request(matches: &ArgMatches) -> Option<&str> {
    matches.get_one::<String>("code").map(String::as_str)
}
