//! `completions` and `man`: shell completions and man pages.

use crate::commands::Outcome;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};
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
    use super::{ArgMatches, Command, Outcome, PathBuf};
    use crate::cli;
    use crate::commands::program::Program;
    use clap_complete::Shell;
    use clap_mangen::Man;
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
            status!("wrote {}", folder.join(&name).display());
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
