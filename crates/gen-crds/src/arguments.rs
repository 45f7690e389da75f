//! The arguments of `gen-crds`.

use crate::gen_crds::Request;
use crate::options::{flag, named_format, named_packages, packages};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use crd_channels_diagnostics::report::Format;
use std::path::PathBuf;

/// The format in which findings are part of cargo's messages, not a report of their own.
const RUSTC_JSON: &str = "rustc-json";

/// Examples of real use.
pub const EXAMPLES: &str = "
    # write the CRDs of every channel
    gen-crds
    # in CI: fail if a committed file is stale
    gen-crds --check
    # show what each rule costs an API server
    gen-crds --cost";

/// The command `gen-crds`.
#[must_use]
pub fn command() -> Command {
    Command::new("gen-crds")
        // The names of this command in other generators.
        .aliases(["crd", "generate"])
        .about("Reads the API types and writes the CRDs of every channel")
        .arg(flag(
            "check",
            "write nothing; exit 1 if a file is stale, missing or orphaned",
        ))
        .arg(flag("diff", "write nothing; show what would change").conflicts_with("watch"))
        .arg(flag(
            "sizes",
            "write nothing; show the size of every CRD beside the limits of common tools",
        ).conflicts_with("watch"))
        .arg(
            flag(
                "cost",
                "write nothing; show the cost of every rule beside the budgets of API servers, also together with --check or --diff; --format json prints data",
            )
            .conflicts_with("watch"),
        )
        .arg(flag("watch", "keep running, and write again after every edit").conflicts_with("check"))
        .arg(
            flag(
                "record",
                "compile the types once if source does not tell everything, and record what they tell in channels/recorded.json",
            )
            .conflicts_with_all(["check", "diff", "watch"]),
        )
        .arg(
            flag(
                "write-baseline",
                "record the warnings of this run as known: later runs show only new warnings",
            )
            .conflicts_with_all(["check", "diff", "watch", "channel"]),
        )
        .arg(
            Arg::new("channel")
                .long("channel")
                .value_name("NAME")
                .help("only this channel; may be repeated")
                .action(ArgAction::Append),
        )
        .arg(packages())
        .arg(
            Arg::new("output")
                .long("output")
                .value_name("DIR")
                .help("write below this folder instead of the configured one")
                .value_parser(folder),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .help("how findings are written; rustc-json is the format of cargo's compiler messages, for editors")
                .default_value("human")
                .value_parser(PossibleValuesParser::new(
                    Format::NAMES.map(|(name, _)| name).into_iter().chain([RUSTC_JSON]),
                )),
        )
}

/// Reads the request from the arguments.
#[must_use]
pub fn request(matches: &ArgMatches) -> Request {
    let format = matches.get_one::<String>("format");
    Request {
        check: matches.get_flag("check"),
        diff: matches.get_flag("diff"),
        sizes: matches.get_flag("sizes"),
        cost: matches.get_flag("cost"),
        watch: matches.get_flag("watch"),
        record: matches.get_flag("record"),
        write_baseline: matches.get_flag("write-baseline"),
        channels: matches
            .get_many::<String>("channel")
            .map(|names| names.cloned().collect())
            .unwrap_or_default(),
        packages: named_packages(matches),
        output: matches.get_one::<PathBuf>("output").cloned(),
        format: named_format(matches),
        rustc_json: format.is_some_and(|format| format == RUSTC_JSON),
    }
}

/// Parses the output folder. Files of several channels do not fit into one stream.
fn folder(given: &str) -> Result<PathBuf, String> {
    match given {
        "-" => Err("CRDs are written into a folder, not to standard output".to_owned()),
        given => Ok(PathBuf::from(given)),
    }
}
