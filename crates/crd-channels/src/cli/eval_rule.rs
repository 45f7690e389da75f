//! The arguments of `eval-rule`.

use super::format;
use crate::commands::eval_rule::Request;
use clap::{Arg, ArgMatches, Command};
use std::path::PathBuf;

pub(super) fn command() -> Command {
    let path = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name)
            .value_name(value)
            .help(help)
            .value_parser(clap::value_parser!(PathBuf))
    };
    Command::new("eval-rule")
        .about("Evaluates rules on objects as a server does: which rules pass, which fail, and in which part")
        .arg(path("objects", "FILE|-", "YAML or JSON with the objects").required(true))
        .arg(path("old", "FILE", "the object before an update").long("old"))
        .arg(
            path("crds", "FILE|DIR", "the CRDs, such as those of one channel")
                .long("crds")
                .default_value("generated"),
        )
        .arg(format::argument("how verdicts are written"))
}

/// Reads the request from the arguments.
pub(super) fn request(matches: &ArgMatches) -> Request {
    let path = |name| matches.get_one::<PathBuf>(name).cloned();
    Request {
        objects: path("objects").unwrap_or_default(),
        old: path("old"),
        crds: path("crds").unwrap_or_default(),
        format: format::output_format(matches),
    }
}
