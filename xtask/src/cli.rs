//! The command line: what can be asked for, and what the exit code says.

use crate::commands::program::Program;
use crate::commands::{Outcome, check, e2e, envtest, explain, explain_warning, gen_crds, init};
use crate::diag::report::Format;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the command that the arguments (the program's name first) ask for.
///
/// Exit codes: 0 there is nothing to say, 1 there are findings, 2 it could not run.
pub fn run(args: impl IntoIterator<Item = std::ffi::OsString>) -> ExitCode {
    let package = std::env::var_os("CARGO_PKG_NAME");
    let (program, args) = Program::of(args.into_iter().collect(), package.as_deref());
    let matches = match command(program).try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let outcome = match matches.subcommand() {
        Some(("gen-crds", matches)) => gen_crds::run(&gen_crds_request(matches, program)),
        Some(("init", matches)) => init::run(&init_request(matches, program)),
        Some(("check", matches)) => check::run(&check_request(matches)),
        Some(("explain", matches)) => {
            explain::run(matches.get_one::<String>("code").map(String::as_str))
        }
        Some(("envtest", matches)) => envtest::run(envtest::Request {
            binaries: matches.get_flag("binaries"),
        }),
        Some(("e2e", _)) => e2e::run(),
        Some(("explain-warning", matches)) => {
            let text = |name| matches.get_one::<String>(name).map_or("", String::as_str);
            explain_warning::run(text("kind"), text("version"))
        }
        _ => Outcome::CouldNotRun,
    };
    match outcome {
        Outcome::Clean => ExitCode::SUCCESS,
        Outcome::Findings => ExitCode::from(1),
        Outcome::CouldNotRun => ExitCode::from(2),
    }
}

fn command(program: Program) -> Command {
    Command::new(program.name())
        .bin_name(program.name())
        .about("CRDs of a stable and an experimental channel, from Rust source that is read, not compiled")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(gen_crds_command())
        .subcommand(init_command())
        .subcommand(check_command())
        .subcommand(
            Command::new("explain")
                .about("Says what a diagnostic code means and what to do about it")
                .arg(Arg::new("code").help("the code, as in `error[CODE]`; without it all are listed")),
        )
        .subcommand(
            Command::new("explain-warning")
                .about("Says what users of a deprecated version will read, in every channel")
                .arg(Arg::new("kind").required(true).help("the kind, as in `kind: EdgeGateway`"))
                .arg(Arg::new("version").required(true).help("the version, as in `v1beta1`")),
        )
        .subcommand(
            Command::new("e2e")
                .about("Tries the CRDs of the working tree on a kube-apiserver that it starts and stops"),
        )
        .subcommand(
            Command::new("envtest")
                .about("Starts a kube-apiserver on loopback, says how to reach it, stops it at Ctrl-C")
                .arg(
                    Arg::new("binaries")
                        .long("binaries")
                        .help("start nothing; say where kube-apiserver, etcd and kubectl are, for a shell to evaluate")
                        .action(ArgAction::SetTrue),
                ),
        )
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .help(help)
        .action(ArgAction::SetTrue)
}

fn gen_crds_command() -> Command {
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

fn init_command() -> Command {
    Command::new("init")
        .about("Finds the kinds of a workspace and writes `channels/*.toml` for them; changes nothing that is there")
        .arg(flag("diff", "write nothing; show all that would be written").conflicts_with("compare"))
        .arg(
            Arg::new("compare")
                .long("compare")
                .value_name("FILE|DIR")
                .help("write nothing; say what would change for users of the CRDs in there; may be repeated")
                .value_parser(clap::value_parser!(PathBuf))
                .action(ArgAction::Append),
        )
}

fn init_request(matches: &ArgMatches, program: Program) -> init::Request {
    init::Request {
        diff: matches.get_flag("diff"),
        compare: matches
            .get_many::<PathBuf>("compare")
            .map(|paths| paths.cloned().collect())
            .unwrap_or_default(),
        program,
    }
}

fn check_command() -> Command {
    Command::new("check")
        .about("Says what an API server would refuse in CRDs, without one")
        .arg(
            Arg::new("path")
                .value_name("FILE|DIR|-")
                .help("YAML or JSON files, folders of them, or `-` for standard input")
                .required(true)
                .action(ArgAction::Append)
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .help("how findings are written; json is one object a file")
                .default_value("human")
                .value_parser(PossibleValuesParser::new(["human", "json"])),
        )
}

fn check_request(matches: &ArgMatches) -> check::Request {
    let paths = matches.get_many::<PathBuf>("path");
    check::Request {
        paths: paths
            .map(|paths| paths.cloned().collect())
            .unwrap_or_default(),
        format: match matches.get_one::<String>("format").map(String::as_str) {
            Some("json") => check::Format::Json,
            _ => check::Format::Human,
        },
    }
}

fn gen_crds_request(matches: &ArgMatches, program: Program) -> gen_crds::Request {
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
        program,
    }
}
