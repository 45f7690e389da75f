//! The help of the program, which lists the commands in groups.

use super::table::GROUPS;
use crate::commands::program::Program;
use clap::Command;
use std::fmt::Write as _;

/// Makes the help list the commands by group.
pub(super) fn with_help(command: Command, program: Program) -> Command {
    let list = list(&command);
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}\n\n\
         `{program} COMMAND --help` shows the options of a command, with examples.\n"
    ))
}

/// The commands by group: those of the table, in its order, and then those that a repository adds.
fn list(command: &Command) -> String {
    let names = command.get_subcommands().map(|it| it.get_name().len());
    let width = names.max().unwrap_or_default();
    let mut commands = command.get_subcommands();
    let mut list = String::new();
    let groups = GROUPS.map(|(title, rows)| (title, rows.len()));
    for (title, many) in groups
        .into_iter()
        .chain([("Tasks of this repository", usize::MAX)])
    {
        let mut group = commands.by_ref().take(many).peekable();
        if group.peek().is_none() {
            continue;
        }
        // Writing into a string cannot fail.
        let _ = writeln!(list, "{title}:");
        for command in group {
            let about = command.get_about().map(ToString::to_string);
            let (name, about) = (command.get_name(), about.unwrap_or_default());
            let _ = writeln!(list, "  {name:width$}  {about}");
        }
        list.push('\n');
    }
    list
}
