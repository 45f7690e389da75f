//! The groups in which help and the page of commands list the commands.

use crate::commands::program::Program;
use clap::Command;
use std::fmt::Write as _;

/// The groups and their commands, in the order in which they are listed.
pub const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Generate and check CRDs",
        &["init", "gen-crds", "check", "prove", "explain"],
    ),
    ("Try rules", &["eval-rule", "explain-rule"]),
    (
        "Change an API",
        &[
            "features",
            "graduate",
            "remove",
            "deprecate",
            "explain-warning",
        ],
    ),
    (
        "Release bundles",
        &[
            "diff",
            "release",
            "start-next",
            "verify-release",
            "keygen",
            "sign",
            "archive",
            "adopt",
            "merge-driver",
            "prune",
        ],
    ),
    ("Use bundles and API servers", &["pin", "vendor", "envtest"]),
    ("Set up a shell", &["completions", "man"]),
];

/// Makes the help list the commands by group. Commands that a repository adds come last.
pub(super) fn with_help(command: Command, program: Program) -> Command {
    let visible = || command.get_subcommands().filter(|it| !it.is_hide_set());
    let width = visible().map(|it| it.get_name().len()).max();
    let width = width.unwrap_or_default();
    let grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let others = visible().map(Command::get_name);
    let others: Vec<&str> = others.filter(|name| !grouped(name)).collect();
    let groups = GROUPS.into_iter();
    let groups = groups.chain([("Tasks of this repository", &others[..])]);
    let mut list = String::new();
    for (title, names) in groups.filter(|(_, names)| !names.is_empty()) {
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
