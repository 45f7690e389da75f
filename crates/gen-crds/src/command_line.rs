//! From arguments to an exit code.
//!
//! Exit codes: 0 success, 1 findings, 2 the command could not run.

use crate::arguments::{self, EXAMPLES};
use crate::gen_crds;
use crate::options::{self, with_examples};
use crate::outcome::Outcome;
use crate::program::Program;
use clap::{ArgMatches, Command};
use crd_channels_diagnostics::terminal::{self, Stopwatch};
use rayon::ThreadPoolBuilder;
use std::borrow::Cow;
use std::env;
use std::ffi::OsString;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread::{self, ScopedJoinHandle};

/// Runs `gen-crds` if the arguments name it (the first argument is the program's name). Returns `None`, without any effect, if
/// they name another command or none, or ask for help with all commands; and if versions of a kind are not the same or pages are
/// asked for, which is for the whole program.
#[must_use]
pub fn run(args: &[OsString]) -> Option<ExitCode> {
    let (program, args) = Program::from_arguments(args.to_vec());
    let command = with_examples(arguments::command(), EXAMPLES, program);
    let named = command_name(program, &args)?;
    let is_gen_crds =
        named == command.get_name() || command.get_all_aliases().any(|alias| named == alias);
    if !is_gen_crds {
        return None;
    }
    let program_of_one = options::program(program).subcommand(command);
    let matches = match parse(program_of_one, &args) {
        Ok(matches) => matches,
        Err(code) => return Some(code),
    };
    crate::program::set(program);
    let here = env::current_dir();
    let mut outcome = Outcome::CouldNotRun;
    let code = start(&matches, |given| {
        if let Some((_, given)) = given.subcommand() {
            outcome = gen_crds::run(&arguments::request(given), gen_crds::GEN_CRDS_ALONE);
        }
        outcome
    });
    if outcome != Outcome::NotCompared {
        return Some(code);
    }
    // The options of the whole program are relative to it.
    if let Ok(here) = here {
        let _ = env::set_current_dir(here);
    }
    None
}

/// Returns the name of the command in the arguments, after any options.
fn command_name(program: Program, args: &[OsString]) -> Option<OsString> {
    let any = options::program(program)
        .disable_help_subcommand(true)
        .allow_external_subcommands(true);
    let matches = any.try_get_matches_from(args).ok()?;
    matches.subcommand_name().map(OsString::from)
}

/// Parses the arguments. Prints help and errors in them.
///
/// # Errors
/// Returns the exit code if help or an error was printed.
pub fn parse(command: Command, args: &[OsString]) -> Result<ArgMatches, ExitCode> {
    command.try_get_matches_from(args).map_err(|error| {
        // Arguments may have control characters, which clap would print.
        let plain = error.render().to_string();
        match terminal::clean(&plain) {
            Cow::Borrowed(_) => {
                let _ = error.print();
            }
            Cow::Owned(clean) => eprint!("{clean}"),
        }
        ExitCode::from(if error.use_stderr() { 2 } else { 0 })
    })
}

/// Runs a command in the folder, and with the verbosity, that the global options set.
pub fn start(matches: &ArgMatches, run: impl FnOnce(&ArgMatches) -> Outcome + Send) -> ExitCode {
    if let Some(folder) = options::directory(matches)
        && let Err(error) = env::set_current_dir(folder)
    {
        error!("cannot change to `{}`: {error}", folder.display());
        return ExitCode::from(2);
    }
    let (color, verbosity) = options::output_settings(matches);
    terminal::set(color, verbosity);
    let mut watch = Stopwatch::start();
    let outcome = on_large_stacks(|| run(matches));
    let name = matches.subcommand_name().unwrap_or_default();
    watch.lap(format_args!("`{name}` ended"));
    if let Some(why) = terminal::finish() {
        error!("the output cannot be written: {why}");
        return ExitCode::from(2);
    }
    match outcome {
        Outcome::Clean => ExitCode::SUCCESS,
        Outcome::Findings => ExitCode::from(1),
        Outcome::CouldNotRun | Outcome::NotCompared => ExitCode::from(2),
    }
}

/// Runs a command on a thread, with worker threads for parallel work, whose stacks suffice for the deepest permitted nesting.
fn on_large_stacks(run: impl FnOnce() -> Outcome + Send) -> Outcome {
    // If that fails, the default stack size is enough for all realistic input.
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
