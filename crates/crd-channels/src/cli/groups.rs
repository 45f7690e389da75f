//! The help of the program, which lists the commands in groups.

use super::row::CommandRow;
use super::table::{GROUPS, commands};
use crate::commands::program::Program;
use clap::Command;
use std::fmt::Write as _;

/// Makes the help list the commands by group. Commands that a repository adds come last.
pub(super) fn with_help(command: Command, program: Program) -> Command {
    let known: Vec<String> = commands().map(CommandRow::name).collect();
    let visible = || command.get_subcommands().filter(|it| !it.is_hide_set());
    let width = visible().map(|it| it.get_name().len()).max();
    let width = width.unwrap_or_default();
    let names = visible().map(|it| it.get_name().to_owned());
    let others = names.filter(|name| !known.contains(name)).collect();
    let groups = GROUPS.map(|(title, rows)| (title, rows.iter().map(CommandRow::name).collect()));
    let mut list = String::new();
    for (title, names) in groups
        .into_iter()
        .chain([("Tasks of this repository", others)])
    {
        let names: Vec<String> = names;
        if names.is_empty() {
            continue;
        }
        // Writing into a string cannot fail.
        let _ = writeln!(list, "{title}:");
        for command in names
            .iter()
            .filter_map(|name| command.find_subcommand(name))
        {
            let about = command.get_about().map(ToString::to_string);
            let (name, about) = (command.get_name(), about.unwrap_or_default());
            let _ = writeln!(list, "  {name:width$}  {about}");
        }
        list.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}\n\n\
         `{program} COMMAND --help` shows the options of a command, with examples.\n"
    ))
}
