//! The command line: what can be asked for, and what the exit code says.

use crate::commands::{Outcome, diff, explain, gen_crds};
use crate::compat::Bump;
use crate::compat::report::Format as DiffFormat;
use crate::diag::report::Format;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the command that the arguments (the program's name first) ask for.
///
/// Exit codes: 0 there is nothing to say, 1 there are findings, 2 it could not run.
pub fn run(args: impl IntoIterator<Item = std::ffi::OsString>) -> ExitCode {
    let matches = match command().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let outcome = match matches.subcommand() {
        Some(("gen-crds", matches)) => gen_crds::run(&gen_crds_request(matches)),
        Some(("diff", matches)) => diff::run(&diff_request(matches)),
        Some(("explain", matches)) => {
            explain::run(matches.get_one::<String>("code").map(String::as_str))
        }
        _ => Outcome::CouldNotRun,
    };
    match outcome {
        Outcome::Clean => ExitCode::SUCCESS,
        Outcome::Findings => ExitCode::from(1),
        Outcome::CouldNotRun => ExitCode::from(2),
    }
}

fn command() -> Command {
    Command::new("cargo xtask")
        .bin_name("cargo xtask")
        .about("CRDs of a stable and an experimental channel, from Rust source that is read, not compiled")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(gen_crds_command())
        .subcommand(diff_command())
        .subcommand(
            Command::new("explain")
                .about("Says what a diagnostic code means and what to do about it")
                .arg(Arg::new("code").help("the code, as in `error[CODE]`; without it all are listed")),
        )
}

fn gen_crds_command() -> Command {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .help(help)
            .action(ArgAction::SetTrue)
    };
    Command::new("gen-crds")
        .about("Reads the API types and writes the CRDs of every channel")
        .arg(flag(
            "check",
            "write nothing; exit 1 when a file is stale, missing or orphaned",
        ))
        .arg(flag("diff", "write nothing; show all that would change").conflicts_with("watch"))
        .arg(flag(
            "sizes",
            "show the size of every CRD beside the limits that tools have",
        ))
        .arg(flag("watch", "stay, and write again after every edit").conflicts_with("check"))
        .arg(
            Arg::new("channel")
                .long("channel")
                .value_name("NAME")
                .help("only this channel; may be repeated")
                .action(ArgAction::Append),
        )
        .arg(
            Arg::new("output")
                .long("output")
                .value_name("DIR")
                .help("write below this folder instead of the configured one")
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .help("how findings are written")
                .default_value("human")
                .value_parser(PossibleValuesParser::new(
                    Format::NAMES.map(|(name, _)| name),
                )),
        )
}

fn gen_crds_request(matches: &ArgMatches) -> gen_crds::Request {
    let format = matches
        .get_one::<String>("format")
        .map_or("human", String::as_str);
    gen_crds::Request {
        check: matches.get_flag("check"),
        diff: matches.get_flag("diff"),
        sizes: matches.get_flag("sizes"),
        watch: matches.get_flag("watch"),
        channels: matches
            .get_many::<String>("channel")
            .map(|names| names.cloned().collect())
            .unwrap_or_default(),
        output: matches.get_one::<PathBuf>("output").cloned(),
        format: Format::NAMES
            .into_iter()
            .find(|(name, _)| *name == format)
            .map(|(_, format)| format)
            .unwrap_or_default(),
    }
}

/// The bumps that `--against` takes.
const AGAINST: [(&str, Bump); 3] = [
    ("patch", Bump::Patch),
    ("minor", Bump::Minor),
    ("major", Bump::NewApiVersion),
];

fn diff_command() -> Command {
    let set = |name: &'static str, help: &'static str| Arg::new(name).required(true).help(help);
    Command::new("diff")
        .about("Compares two sets of CRDs: what changed, for whom, and which bump may carry it")
        .arg(set(
            "OLD",
            "a folder or file of CRDs, or `.` for the working tree",
        ))
        .arg(set("NEW", "what it became"))
        .arg(
            Arg::new("format")
                .long("format")
                .help("how the report is written")
                .default_value("human")
                .value_parser(PossibleValuesParser::new(
                    DiffFormat::NAMES.map(|(name, _)| name),
                )),
        )
        .arg(
            Arg::new("against")
                .long("against")
                .value_name("BUMP")
                .help("exit 1 when the changes ask for more than this bump")
                .value_parser(PossibleValuesParser::new(AGAINST.map(|(name, _)| name))),
        )
        .arg(
            Arg::new("waivers")
                .long("waivers")
                .value_name("FILE")
                .help("instead of `channels/waivers.toml`")
                .value_parser(clap::value_parser!(PathBuf)),
        )
}

fn diff_request(matches: &ArgMatches) -> diff::Request {
    let text = |name| matches.get_one::<String>(name).cloned();
    let format = text("format").unwrap_or_default();
    let against = text("against");
    diff::Request {
        old: text("OLD").unwrap_or_default(),
        new: text("NEW").unwrap_or_default(),
        format: DiffFormat::NAMES
            .into_iter()
            .find(|(name, _)| *name == format)
            .map(|(_, format)| format)
            .unwrap_or_default(),
        against: AGAINST
            .into_iter()
            .find(|(name, _)| Some(*name) == against.as_deref())
            .map(|(_, bump)| bump),
        waivers: matches.get_one::<PathBuf>("waivers").cloned(),
    }
}
