//! The arguments of `explain-rule`.

use super::format;
use crate::commands::explain_rule::Request;
use clap::{Arg, ArgMatches, Command};
use std::path::PathBuf;

pub(super) fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("explain-rule")
        .about("Explains every part of a rule: its type, its cost and the reason for it")
        .arg(
            Arg::new("kind")
                .value_name("KIND")
                .help("the kind, as in `kind: EdgeGateway`")
                .required(true),
        )
        .arg(
            Arg::new("field")
                .value_name("FIELD")
                .help("the field of the rule, as in `spec.rules[]`, `.` for the root; by default all rules of the kind are explained"),
        )
        .arg(
            option("rule", "NUMBER", "which of the rules of that field, starting at 0")
                .value_parser(clap::value_parser!(usize))
                .requires("field")
                .conflicts_with("expression"),
        )
        .arg(option(
            "expression",
            "CEL",
            "explain this expression instead, as if it were a rule of that field",
        ))
        .arg(option("version", "VERSION", "only this version"))
        .arg(
            option("crds", "FILE|DIR", "the CRDs, such as those of one channel")
                .default_value("generated")
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(format::argument("how explanations are written"))
}

/// Reads the request from the arguments.
pub(super) fn request(matches: &ArgMatches) -> Request {
    let text = |name| matches.get_one::<String>(name).cloned();
    Request {
        kind: text("kind").unwrap_or_default(),
        field: text("field"),
        rule: matches.get_one::<usize>("rule").copied(),
        expression: text("expression"),
        version: text("version"),
        crds: matches.get_one("crds").cloned().unwrap_or_default(),
        format: format::output_format(matches),
    }
}
