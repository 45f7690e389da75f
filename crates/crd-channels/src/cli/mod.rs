//! The command line: the commands with their arguments, and the exit codes.

mod prove;
mod init;
mod check;
mod diff;
mod release;
mod verify_release;
mod features;
mod pin;
mod format;
mod eval_rule;
mod explain_rule;
mod explain;
mod cluster;
mod completions;
pub mod examples;
pub mod groups;

use crate::commands::interrupted::{self, Hold};
use crate::commands::program::Program;
use crate::commands::{self, Outcome, versions_differ};
use clap::{ArgMatches, Command};
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Diagnostic, program};
use crd_channels_gen_crds::arguments;
use crd_channels_gen_crds::command_line::{parse, start};
use crd_channels_gen_crds::current_folder::current;
use crd_channels_gen_crds::options::{
    self, flag, format_of_findings, named_format, named_packages, packages,
};
use crd_channels_workspace as workspace;
use std::process::ExitCode;

/// A command that a repository adds to the program when it runs it as its `cargo xtask`.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Its name, its line in the help, and its options.
    pub command: fn() -> Command,
    /// Runs it.
    pub run: fn(&ArgMatches) -> Outcome,
}

/// Runs the command that the arguments name (the first argument is the program's name): one of the program's or one of `tasks`.
///
/// Exit codes: 0 success, 1 findings, 2 the command could not run.
pub fn run(args: impl IntoIterator<Item = std::ffi::OsString>, tasks: &[Task]) -> ExitCode {
    let args: Vec<_> = args.into_iter().collect();
    // While `prove` compiles, cargo calls this program in the place of rustc.
    if let Some(code) = workspace::wrap(&args) {
        return ExitCode::from(code);
    }
    let (program, args) = Program::of(args);
    program::set(program);
    let own = tasks.iter().map(|task| (task.command)());
    let command = command(program).subcommands(own);
    match parse(groups::with_help(command, program), &args) {
        Ok(matches) => start(&matches, |given| dispatch(given, tasks)),
        Err(code) => code,
    }
}

fn dispatch(matches: &ArgMatches, tasks: &[Task]) -> Outcome {
    let hold = hold_for(matches);
    let settled = match matches.subcommand_name() {
        // These read no file of a workspace, are called by git during a merge, or may run concurrently.
        Some("explain" | "completions" | "man" | "envtest" | "merge-driver" | "gen-crds") => {
            Ok(Vec::new())
        }
        _ => interrupted::recover_here(),
    };
    // Held until the command has ended.
    let (_hold, settled) = match hold.and_then(|hold| Ok((hold, settled?))) {
        Ok(begun) => begun,
        Err(finding) => {
            let name = matches.subcommand_name().unwrap_or_default();
            return commands::failed(name, &finding, format_of(matches));
        }
    };
    match matches.subcommand() {
        Some(("gen-crds", given)) => {
            commands::gen_crds::run(&arguments::request(given), versions_differ::differences)
        }
        Some(("prove", given)) => commands::prove::run(&prove::request(given)),
        Some(("init", given)) => commands::init::run(&init::request(given)),
        Some(("check", given)) => commands::check::run(&check::request(given)),
        Some(("eval-rule", given)) => commands::eval_rule::run(&eval_rule::request(given)),
        Some(("explain-rule", given)) => commands::explain_rule::run(&explain_rule::request(given)),
        Some(("diff", given)) => commands::diff::run(&diff::request(given)),
        Some(("release", given)) => run_or_report(release::request(given), |request| {
            commands::release::run(&request, &settled)
        }),
        Some(("start-next", _)) => commands::start_next::run(),
        Some(("adopt", given)) => run_or_report(release::adopt_request(given), |request| {
            commands::adopt::run(&request)
        }),
        Some(("merge-driver", given)) => match release::merge_driver_request(given) {
            Some(merge) => commands::merge_driver::run(&merge),
            None => commands::merge_driver::install(),
        },
        Some(("verify-release", given)) => {
            run_or_report(verify_release::request(given), |request| {
                commands::verify_release::run(request)
            })
        }
        Some(("keygen", given)) => commands::keygen::run(&verify_release::keygen_request(given)),
        Some(("sign", given)) => run_or_report(verify_release::sign_request(given), |request| {
            commands::sign::run(&request)
        }),
        Some(("archive", given)) => {
            run_or_report(verify_release::archive_request(given), |request| {
                commands::archive::run(&request)
            })
        }
        Some(("prune", given)) => commands::prune::run(given.get_flag("dry-run")),
        Some(("features", given)) => commands::features::run(format::named(given)),
        Some(("graduate", given)) => commands::graduate::run(&features::graduate_request(given)),
        Some(("remove", given)) => commands::remove::run(&features::remove_request(given)),
        Some(("deprecate", given)) => commands::deprecate::run(&features::deprecate_request(given)),
        Some(("pin", given)) => {
            commands::pin::run(&pin::pin_request(given), commands::vendor::unvendored)
        }
        Some(("vendor", given)) => commands::vendor::run(&pin::vendor_request(given)),
        Some(("explain", given)) => commands::explain::run(explain::request(given)),
        Some(("explain-warning", given)) => {
            let (kind, version) = cluster::explain_warning_request(given);
            commands::explain_warning::run(kind, version)
        }
        Some(("completions", given)) => completions::completions(given),
        Some(("man", given)) => completions::man(given),
        Some(("envtest", given)) => commands::envtest::run(&cluster::envtest_request(given)),
        Some((name, given)) => {
            let mut tasks = tasks.iter();
            match tasks.find(|task| (task.command)().get_name() == name) {
                Some(task) => (task.run)(given),
                None => Outcome::CouldNotRun,
            }
        }
        None => Outcome::CouldNotRun,
    }
}

/// Keeps others from writing while a command changes files depending on what it reads in them; `None` for other commands. What
/// `gen-crds` and `prove` write depends only on sources, and builds may run them in between.
fn hold_for(matches: &ArgMatches) -> Result<Option<Hold>, Box<Diagnostic>> {
    let Some((name, given)) = matches.subcommand() else {
        return Ok(None);
    };
    let is_set = |flag: &str| matches!(given.try_get_one(flag), Ok(Some(true)));
    if is_set("dry-run") || is_set("check") {
        return Ok(None);
    }
    let here = current()?;
    let folder = match name {
        "pin" | "vendor" => here,
        "release" | "start-next" | "adopt" | "sign" | "prune" | "init" | "graduate" | "remove"
        | "deprecate" => workspace::find_root(&here).unwrap_or(here),
        _ => return Ok(None),
    };
    Hold::of(&folder).map(Some)
}

/// Runs a command with its request; prints why the arguments are invalid.
fn run_or_report<R>(request: Result<R, String>, run: impl FnOnce(R) -> Outcome) -> Outcome {
    match request {
        Ok(request) => run(request),
        Err(message) => {
            error!("{message}");
            Outcome::CouldNotRun
        }
    }
}

/// All commands with their arguments, as help and the page of commands show them.
#[must_use]
pub fn command(program: Program) -> Command {
    let command = options::program(program)
        .subcommand(arguments::command())
        .subcommand(prove::command())
        .subcommand(init::command())
        .subcommand(check::command())
        .subcommand(eval_rule::command())
        .subcommand(explain_rule::command())
        .subcommand(diff::command())
        .subcommand(release::command())
        .subcommand(release::start_next_command())
        .subcommand(release::adopt_command())
        .subcommand(release::merge_driver_command())
        .subcommand(verify_release::command())
        .subcommand(verify_release::keygen_command())
        .subcommand(verify_release::sign_command())
        .subcommand(release::prune_command())
        .subcommand(verify_release::archive_command())
        .subcommand(features::features_command())
        .subcommand(features::graduate_command())
        .subcommand(features::remove_command())
        .subcommand(features::deprecate_command())
        .subcommand(pin::pin_command())
        .subcommand(pin::vendor_command())
        .subcommand(explain::command())
        .subcommand(cluster::explain_warning_command())
        .subcommand(cluster::envtest_command())
        .subcommand(completions::completions_command())
        .subcommand(completions::man_command());
    groups::with_help(examples::with_help(command, program), program)
}

/// Returns the format of a command's findings; the default if the command has no such option.
fn format_of(matches: &ArgMatches) -> Format {
    let given = matches.subcommand().map(|(_, given)| given);
    let given = given.and_then(|given| given.try_get_one::<String>("format").ok()?);
    let named = Format::NAMES
        .into_iter()
        .find(|(name, _)| given.is_some_and(|given| given == name));
    named.map(|(_, format)| format).unwrap_or_default()
}
