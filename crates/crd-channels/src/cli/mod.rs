//! The command line: the commands with their arguments, and the exit codes.

mod prove;
mod import;
mod init;
mod check;
mod validate;
mod diff;
mod release;
mod verify_release;
mod features;
mod pin;
mod plan;
mod format;
mod eval_rule;
mod explain_rule;
mod explain;
mod reference;
mod show;
mod cluster;
mod completions;
mod row;
pub mod table;
mod groups;

use crate::commands::Outcome;
use crate::commands::interrupted::{self, Hold};
use crate::commands::program::Program;
use clap::{ArgMatches, Command};
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Diagnostic, Sources, program};
use crd_channels_files::Recovered;
use crd_channels_gen_crds::command_line::{parse, start};
use crd_channels_gen_crds::current_folder::current;
use crd_channels_gen_crds::findings::say_as;
use crd_channels_gen_crds::options::{
    self, flag, format_of_findings, named_format, named_packages, packages, with_examples,
};
use crd_channels_workspace as workspace;
pub use row::CommandRow;

use row::Start;
use std::ffi::OsString;
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
pub fn run(args: impl IntoIterator<Item = OsString>, tasks: &[Task]) -> ExitCode {
    let args: Vec<_> = args.into_iter().collect();
    // While `prove` compiles, cargo calls this program in the place of rustc.
    if let Some(code) = workspace::wrap(&args) {
        return ExitCode::from(code);
    }
    if Program::completes_for_kubectl(&args) {
        print!("{}", completions::for_kubectl(&args));
        return ExitCode::SUCCESS;
    }
    let (program, mut args) = Program::from_arguments(args);
    join_cluster(&mut args);
    program::set(program);
    let own = tasks.iter().map(|task| (task.command)());
    let command = without_help(program).subcommands(own);
    let names = command.get_subcommands().map(|it| it.get_name().to_owned());
    let names: Vec<_> = names.collect();
    match parse(groups::with_help(command, program), &args) {
        Ok(matches) => start(&matches, |given| dispatch(given, &names, tasks)),
        Err(code) => code,
    }
}

/// Reads `cluster status` as `cluster-status`, and so on: names of one group may be written apart.
fn join_cluster(args: &mut Vec<OsString>) {
    if let [_, group, name, ..] = &mut args[..]
        && group == CLUSTER
        && let Some(joined) = name.to_str().map(|name| format!("{CLUSTER}-{name}"))
        && table::commands().any(|row| row.is_called(&joined))
    {
        *group = joined.into();
        args.remove(2);
    }
}

/// The first word of the commands about clusters.
const CLUSTER: &str = "cluster";

/// Runs the named command: `names` has those of the table and then those of `tasks`.
fn dispatch(matches: &ArgMatches, names: &[String], tasks: &[Task]) -> Outcome {
    let Some((name, given)) = matches.subcommand() else {
        return Outcome::CouldNotRun;
    };
    let mut rows = names.iter().zip(table::commands());
    let row = rows.find_map(|(known, row)| (known == name).then_some(row));
    let start = row.map_or(Start::Settled(None), |row| row.start);
    // Held until the command has ended.
    let (_hold, settled) = match begun(start, given) {
        Ok(begun) => begun,
        Err(finding) => return failed(start, &finding, named_format(given)),
    };
    let mut tasks = names.iter().rev().zip(tasks.iter().rev());
    let task = tasks.find_map(|(known, task)| (known == name).then_some(task));
    match (row, task) {
        (Some(row), _) => (row.run)(given, &settled),
        (None, Some(task)) => (task.run)(given),
        (None, None) => Outcome::CouldNotRun,
    }
}

/// Does what comes before a command. One that writes nothing does not keep others from writing.
fn begun(
    start: Start,
    given: &ArgMatches,
) -> Result<(Option<Hold>, Vec<Recovered>), Box<Diagnostic>> {
    let is_set = |flag: &str| matches!(given.try_get_one(flag), Ok(Some(true)));
    let writes = !["dry-run", "check", "list", "outdated"]
        .into_iter()
        .any(is_set);
    let here = writes.then(current).transpose()?;
    let folder = match start {
        Start::AtOnce => return Ok((None, Vec::new())),
        Start::Settled(_) => None,
        Start::HoldingFolder(_) => here,
        Start::HoldingWorkspace(_) => here.map(|it| workspace::find_root(&it).unwrap_or(it)),
    };
    let hold = folder.map(|folder| Hold::acquire(&folder)).transpose();
    let settled = interrupted::recover_here();
    Ok((hold?, settled?))
}

/// Ends a command that cannot begin. As JSON, it prints the document that the command would print.
fn failed(start: Start, finding: &Diagnostic, format: Format) -> Outcome {
    let (findings, sources) = (std::slice::from_ref(finding), Sources::default());
    let document = match start {
        Start::AtOnce => None,
        Start::Settled(it) | Start::HoldingFolder(it) | Start::HoldingWorkspace(it) => it,
    };
    match document.filter(|_| format == Format::Json) {
        Some(document) => println!("{}", document(findings, &sources)),
        None => say_as(findings, &sources, format),
    }
    Outcome::CouldNotRun
}

/// All commands with their arguments, as help and the page of commands show them.
#[must_use]
pub fn command(program: Program) -> Command {
    groups::with_help(without_help(program), program)
}

fn without_help(program: Program) -> Command {
    let commands =
        table::commands().map(|row| with_examples((row.command)(), row.examples, program));
    options::program(program).subcommands(commands)
}
