//! The command line: what can be asked for, and what the exit code says.

mod gen_crds;
mod prove;
mod init;
mod check;
mod diff;
mod release;
mod verify_release;
mod features;
mod pin;
mod eval_rule;
mod explain_rule;
mod explain;
mod cluster;
mod completions;
pub mod examples;
pub mod groups;

use crate::commands::program::Program;
use crate::commands::{self, Outcome, interrupted};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use crd_channels_diagnostics::program;
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::terminal::{self, Color, Stopwatch, Verbosity};
use crd_channels_workspace as workspace;
use rayon::ThreadPoolBuilder;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::{self, ScopedJoinHandle};

/// A command that a repository adds to the program where it is its `cargo xtask`.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Its name, its line of the help and its options.
    pub command: fn() -> Command,
    /// Runs it.
    pub run: fn(&ArgMatches) -> Outcome,
}

/// Runs the command that the arguments name (the program's name comes first): one of the program or one of `tasks`.
///
/// Exit codes: 0 it went well, 1 there are findings, 2 it could not run.
pub fn run(args: impl IntoIterator<Item = std::ffi::OsString>, tasks: &[Task]) -> ExitCode {
    let args: Vec<_> = args.into_iter().collect();
    // While `prove` compiles, cargo calls this program in the place of rustc.
    if let Some(code) = workspace::wrap(&args) {
        return ExitCode::from(code);
    }
    let (program, args) = Program::of(args);
    program::set(program.name());
    let own = tasks.iter().map(|task| (task.command)());
    let command = command(program).subcommands(own);
    let matches = match groups::with_help(command, program).try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    if let Some(folder) = matches.get_one::<PathBuf>("directory")
        && let Err(error) = std::env::set_current_dir(folder)
    {
        error!("cannot change to `{}`: {error}", folder.display());
        return ExitCode::from(2);
    }
    let (color, verbosity) = output_settings(&matches);
    terminal::set(color, verbosity);
    let mut watch = Stopwatch::start();
    let outcome = on_large_stacks(|| dispatch(&matches, program, tasks));
    let name = matches.subcommand_name().unwrap_or_default();
    watch.lap(format_args!("`{name}` ended"));
    match outcome {
        Outcome::Clean => ExitCode::SUCCESS,
        Outcome::Findings => ExitCode::from(1),
        Outcome::CouldNotRun => ExitCode::from(2),
    }
}

/// Runs a command on a thread, and what it does in parallel on threads, that no nesting within bounds overflows.
fn on_large_stacks(run: impl FnOnce() -> Outcome + Send) -> Outcome {
    // Where that is refused the threads are as large as usual, which is enough for all that people write.
    let _ = ThreadPoolBuilder::new()
        .stack_size(crd_channels_schema::STACK)
        .build_global();
    thread::scope(|threads| {
        let large = thread::Builder::new().stack_size(crd_channels_schema::STACK);
        let thread = large.spawn_scoped(threads, run);
        match thread.map(ScopedJoinHandle::join) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(error) => {
                error!("no thread can be started: {error}");
                Outcome::CouldNotRun
            }
        }
    })
}

fn dispatch(matches: &ArgMatches, program: Program, tasks: &[Task]) -> Outcome {
    let settled = match matches.subcommand_name() {
        // These look at no file of a workspace, are called by git while it merges, or may run more than once.
        Some("explain" | "completions" | "man" | "envtest" | "merge-driver" | "gen-crds") => {
            Ok(Vec::new())
        }
        _ => interrupted::recover_here(),
    };
    let settled = match settled {
        Ok(settled) => settled,
        Err(finding) => {
            let name = matches.subcommand_name().unwrap_or_default();
            return commands::failed(name, &finding, format_of(matches));
        }
    };
    match matches.subcommand() {
        Some(("gen-crds", given)) => commands::gen_crds::run(&gen_crds::request(given, program)),
        Some(("prove", given)) => commands::prove::run(&prove::request(given, program)),
        Some(("init", given)) => commands::init::run(&init::request(given, program)),
        Some(("check", given)) => commands::check::run(&check::request(given)),
        Some(("eval-rule", given)) => commands::eval_rule::run(&eval_rule::request(given)),
        Some(("explain-rule", given)) => commands::explain_rule::run(&explain_rule::request(given)),
        Some(("diff", given)) => commands::diff::run(&diff::request(given)),
        Some(("release", given)) => match release::request(given, program) {
            Ok(request) => commands::release::run(&request, &settled),
            Err(message) => {
                error!("{message}");
                Outcome::CouldNotRun
            }
        },
        Some(("start-next", _)) => commands::start_next::run(program),
        Some(("adopt", given)) => match release::adopt_request(given, program) {
            Ok(request) => commands::adopt::run(&request),
            Err(message) => {
                error!("{message}");
                Outcome::CouldNotRun
            }
        },
        Some(("merge-driver", given)) => match release::merge_driver_request(given) {
            Some(merge) => commands::merge_driver::run(&merge),
            None => commands::merge_driver::install(program),
        },
        Some(("verify-release", given)) => match verify_release::request(given) {
            Ok(request) => commands::verify_release::run(request),
            Err(message) => {
                error!("{message}");
                Outcome::CouldNotRun
            }
        },
        Some(("sign", given)) => match verify_release::sign_request(given) {
            Ok(request) => commands::sign::run(&request),
            Err(message) => {
                error!("{message}");
                Outcome::CouldNotRun
            }
        },
        Some(("archive", given)) => match verify_release::archive_request(given) {
            Ok(request) => commands::archive::run(&request),
            Err(message) => {
                error!("{message}");
                Outcome::CouldNotRun
            }
        },
        Some(("prune", given)) => commands::prune::run(given.get_flag("dry-run"), program),
        Some(("features", given)) => {
            commands::features::run(features::features_request(given), program)
        }
        Some(("graduate", given)) => {
            commands::graduate::run(&features::graduate_request(given, program))
        }
        Some(("remove", given)) => commands::remove::run(&features::remove_request(given, program)),
        Some(("deprecate", given)) => {
            commands::deprecate::run(&features::deprecate_request(given, program))
        }
        Some(("pin", given)) => commands::pin::run(&pin::pin_request(given)),
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

/// Every command with its arguments, as help and the page of commands show them.
#[must_use]
pub fn command(program: Program) -> Command {
    let command = Command::new(program.name())
        .bin_name(program.name())
        .about("Generates CRDs of a stable and an experimental channel from Rust source, without compiling it")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .arg(
            Arg::new("directory")
                .short('C')
                .value_name("DIR")
                .help("run as if started in DIR")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("color")
                .long("color")
                .value_name("WHEN")
                .help("when messages are coloured; `auto` colours them on a terminal, unless `NO_COLOR` or `CLICOLOR_FORCE` is set")
                .global(true)
                .help_heading(GLOBAL)
                .default_value("auto")
                .value_parser(PossibleValuesParser::new(Color::NAMES.map(|(name, _)| name))),
        )
        .arg(
            flag("quiet", "print only results and errors: no warnings, notes, or what was done")
                .short('q')
                .global(true)
                .help_heading(GLOBAL)
                .conflicts_with("verbose"),
        )
        .arg(
            flag("verbose", "also print each step, and how long it took")
                .short('v')
                .global(true)
                .help_heading(GLOBAL),
        )
        .subcommand(gen_crds::command())
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

/// The heading of the options that every command takes.
const GLOBAL: &str = "Global options";

/// How people are told.
fn output_settings(matches: &ArgMatches) -> (Color, Verbosity) {
    let color = matches.get_one::<String>("color");
    let mut names = Color::NAMES.into_iter();
    let color = names.find(|(name, _)| color.is_some_and(|given| given == name));
    let verbosity = match (matches.get_flag("quiet"), matches.get_flag("verbose")) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    };
    (color.map(|(_, color)| color).unwrap_or_default(), verbosity)
}

/// `-p PACKAGE`: whose build decides which features are on.
fn packages() -> Arg {
    Arg::new("package")
        .long("package")
        .short('p')
        .value_name("PACKAGE")
        .help("read the types with the features that `cargo build -p PACKAGE` turns on; may be repeated")
        .action(ArgAction::Append)
}

/// The packages that it names.
fn named_packages(matches: &ArgMatches) -> Vec<String> {
    let names = matches.get_many::<String>("package");
    names
        .map(|names| names.cloned().collect())
        .unwrap_or_default()
}

/// `--format`: how findings are written.
fn format_of_findings() -> Arg {
    Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .help("how findings are written")
        .default_value("human")
        .value_parser(PossibleValuesParser::new(
            Format::NAMES.map(|(name, _)| name),
        ))
}

/// The format that a command's findings have, where it has one for them.
fn format_of(matches: &ArgMatches) -> Format {
    let given = matches.subcommand().map(|(_, given)| given);
    let given = given.and_then(|given| given.try_get_one::<String>("format").ok()?);
    let named = Format::NAMES
        .into_iter()
        .find(|(name, _)| given.is_some_and(|given| given == name));
    named.map(|(_, format)| format).unwrap_or_default()
}

/// The format that it names.
fn named_format(matches: &ArgMatches) -> Format {
    let given = matches.get_one::<String>("format").map(String::as_str);
    let mut names = Format::NAMES.into_iter();
    let named = names.find(|(name, _)| Some(*name) == given);
    named.map(|(_, format)| format).unwrap_or_default()
}

/// An option that is there or not.
fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .help(help)
        .action(ArgAction::SetTrue)
}
