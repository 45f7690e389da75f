//! The program's command line without its commands, and the options of several commands.

use crate::program::Program;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use crd_channels_diagnostics::program::VERSION;
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::terminal::{Color, Verbosity};
use std::path::{Path, PathBuf};

/// The heading of the options that every command takes.
const GLOBAL: &str = "Global options";

/// The program with the global options and without commands.
#[must_use]
pub fn program(program: Program) -> Command {
    Command::new(program.name())
        .bin_name(program.name())
        .about("Generates CRDs of a stable and an experimental channel from Rust source, without compiling it")
        .version(VERSION)
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
}

/// The folder of `-C`.
#[must_use]
pub fn directory(matches: &ArgMatches) -> Option<&Path> {
    let folder = matches.get_one::<PathBuf>("directory");
    folder.map(PathBuf::as_path)
}

/// Reads the color and verbosity options.
#[must_use]
pub fn output_settings(matches: &ArgMatches) -> (Color, Verbosity) {
    let verbosity = match (matches.get_flag("quiet"), matches.get_flag("verbose")) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    };
    (option_value(matches, "color", Color::NAMES), verbosity)
}

/// Reads examples: the purpose of each, after `#`, and its arguments in the next line.
pub fn examples(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut lines = text
        .trim()
        .lines()
        .map(|line| line.trim_start_matches([' ', '#']));
    std::iter::from_fn(move || Some((lines.next()?, lines.next()?)))
}

/// Adds examples at the end of a command's help.
#[must_use]
pub fn with_examples(command: Command, text: &str, program: Program) -> Command {
    let all = examples(text).map(|(what, words)| format!("\n  # {what}\n  {program} {words}"));
    command.after_help(format!("Examples:{}", String::from_iter(all)))
}

/// `-p PACKAGE`: the packages whose build decides which features are on.
#[must_use]
pub fn packages() -> Arg {
    Arg::new("package")
        .long("package")
        .short('p')
        .value_name("PACKAGE")
        .help("read the types with the features that `cargo build -p PACKAGE` turns on; may be repeated")
        .action(ArgAction::Append)
}

/// Returns the packages that the option names.
#[must_use]
pub fn named_packages(matches: &ArgMatches) -> Vec<String> {
    let names = matches.get_many::<String>("package");
    names
        .map(|names| names.cloned().collect())
        .unwrap_or_default()
}

/// `--format`: the format of findings.
#[must_use]
pub fn format_of_findings() -> Arg {
    format("how findings are written", Format::NAMES)
}

/// `--format` with these formats.
pub fn format<T, const N: usize>(help: &'static str, names: [(&'static str, T); N]) -> Arg {
    Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .help(help)
        .default_value("human")
        .value_parser(PossibleValuesParser::new(names.map(|(name, _)| name)))
}

/// Returns the format that the option names.
#[must_use]
pub fn named_format(matches: &ArgMatches) -> Format {
    option_value(matches, "format", Format::NAMES)
}

/// Returns the value that an option names; the default if the option is absent, or the command does not have it.
pub fn option_value<T: Default, const N: usize>(
    matches: &ArgMatches,
    option: &str,
    names: [(&str, T); N],
) -> T {
    let given = matches.try_get_one::<String>(option).ok().flatten();
    let mut names = names.into_iter();
    let named = names.find(|(name, _)| given.is_some_and(|given| given == name));
    named.map(|(_, value)| value).unwrap_or_default()
}

/// An option without a value.
#[must_use]
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .help(help)
        .action(ArgAction::SetTrue)
}
