//! `completions` and `man`: shell completions and man pages.

use crate::commands::Outcome;
use crate::commands::program::Program;
use clap::builder::{PossibleValuesParser, StyledStr};
use clap::{Arg, ArgMatches, Command, value_parser};
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) fn completions_command() -> Command {
    Command::new("completions")
        .about("Prints completions of commands and options for a shell")
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .help("the shell")
                .required(true)
                .value_parser(PossibleValuesParser::new([
                    "bash",
                    "elvish",
                    "fish",
                    "powershell",
                    "zsh",
                ])),
        )
}

pub(super) fn man_command() -> Command {
    Command::new("man")
        .about("Prints the man page of the program or of a command")
        .arg(
            Arg::new("command")
                .value_name("COMMAND")
                .help("the command; by default the page of the program"),
        )
        .arg(
            Arg::new("output")
                .long("output")
                .value_name("DIR")
                .help("write the pages of the program and of all commands into this folder")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("command"),
        )
}

pub(super) use run::{completions, man};

/// What kubectl reads from a plugin's completions: after the proposals, whether to propose files as well.
const WITH_FILES: &str = ":0\n";
const WITHOUT_FILES: &str = ":4\n";

/// Completes the last of the arguments: the name of a command, an option, or a value of one.
pub(super) fn for_kubectl(args: &[OsString]) -> String {
    let words: Vec<_> = args.iter().skip(1).map(|it| it.to_string_lossy()).collect();
    let (last, before) = match words.split_last() {
        Some((last, before)) => (&**last, before),
        None => ("", &[][..]),
    };
    let program = super::command(Program::Plugin);
    let mut names = before.iter();
    let command = names.find_map(|name| program.find_subcommand(&**name));
    let within = command.unwrap_or(&program);
    let options = || {
        within
            .get_arguments()
            .filter(|option| !option.is_hide_set())
    };
    let is_named = |option: &&Arg, word: &str| {
        let name = word.strip_prefix("--");
        name.is_some() && option.get_long() == name
    };
    let valued = before.last().and_then(|word| {
        let mut options = options();
        options.find(|option| is_named(option, word) && option.get_action().takes_values())
    });
    let line = |name: &str, help: Option<&StyledStr>| {
        let help = help.map(|help| help.to_string().replace('\n', " "));
        format!("{name}\t{}\n", help.unwrap_or_default())
    };
    let proposals: Vec<String> = if let Some(option) = valued {
        let values = option.get_possible_values().into_iter();
        values
            .map(|value| line(value.get_name(), value.get_help()))
            .collect()
    } else if last.starts_with('-') {
        let options = options().filter_map(|option| {
            Some(line(
                &format!("--{}", option.get_long()?),
                option.get_help(),
            ))
        });
        options.collect()
    } else if command.is_none() {
        let shown = program.get_subcommands().filter(|it| !it.is_hide_set());
        shown
            .map(|it| line(it.get_name(), it.get_about()))
            .collect()
    } else {
        Vec::new()
    };
    let rest = if proposals.is_empty() {
        WITH_FILES
    } else {
        WITHOUT_FILES
    };
    let fitting = proposals.into_iter().filter(|line| line.starts_with(last));
    fitting.chain([rest.to_owned()]).collect()
}

#[cfg(not(feature = "completions"))]
mod run {
    use super::{ArgMatches, Outcome};

    fn left_out() -> Outcome {
        error!("this program was built without the feature `completions`");
        help!("use an installed `crd-channels`");
        Outcome::CouldNotRun
    }

    pub(crate) fn completions(_: &ArgMatches) -> Outcome {
        left_out()
    }

    pub(crate) fn man(_: &ArgMatches) -> Outcome {
        left_out()
    }
}

#[cfg(feature = "completions")]
mod run {
    use super::{ArgMatches, Command, Outcome, PathBuf, Program};
    use crate::cli;
    use clap_complete::Shell;
    use clap_mangen::Man;
    use crd_channels_files::shown_path;
    use std::io;
    use std::path::Path;

    /// Prints the completions of the installed program, whichever name the user called.
    pub(crate) fn completions(given: &ArgMatches) -> Outcome {
        let shell = given.get_one::<String>("shell");
        let Some(shell) = shell.and_then(|name| name.parse::<Shell>().ok()) else {
            return Outcome::CouldNotRun;
        };
        let mut command = cli::command(Program::Plain);
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command, Program::Plain.name(), &mut script);
        print!("{}", String::from_utf8_lossy(&script));
        Outcome::Clean
    }

    /// Prints one page, or writes all of them into a folder.
    pub(crate) fn man(given: &ArgMatches) -> Outcome {
        let mut program = cli::command(Program::Plain);
        program.build();
        if let Some(folder) = given.get_one::<PathBuf>("output") {
            return match write_all(program, folder) {
                Ok(()) => Outcome::Clean,
                Err(error) => {
                    let folder = folder.display();
                    error!("the pages cannot be written to `{folder}`: {error}");
                    Outcome::CouldNotRun
                }
            };
        }
        let command = match given.get_one::<String>("command") {
            None => program,
            Some(name) => match program.find_subcommand(name) {
                Some(command) => command.clone(),
                None => {
                    error!("there is no command `{name}`");
                    return Outcome::CouldNotRun;
                }
            },
        };
        match page(command) {
            Ok((_, page)) => {
                print!("{}", String::from_utf8_lossy(&page));
                Outcome::Clean
            }
            Err(error) => {
                error!("the page cannot be printed: {error}");
                Outcome::CouldNotRun
            }
        }
    }

    fn write_all(program: Command, folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let own = program.get_subcommands();
        let own = own.filter(|command| !command.is_hide_set() && command.get_name() != "help");
        let all: Vec<Command> = own.cloned().chain([program.clone()]).collect();
        for command in all {
            let (name, page) = page(command)?;
            std::fs::write(folder.join(&name), page)?;
            status!("wrote {}", shown_path(&folder.join(&name)));
        }
        Ok(())
    }

    /// Renders the page of a command. Returns it with the name of its file.
    fn page(command: Command) -> io::Result<(String, Vec<u8>)> {
        let man = Man::new(command);
        let mut page = Vec::new();
        man.render(&mut page)?;
        Ok((man.get_filename(), page))
    }
}
