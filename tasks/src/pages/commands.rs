//! `docs/commands.md`, the page of all commands and their options, generated from the definitions of the command line.

use clap::{Arg, Command};
use crd_channels::cli::table::GROUPS;
use crd_channels::cli::{self, CommandRow};
use crd_channels::commands::program::Program;

/// Returns the whole page.
#[must_use]
pub fn page() -> String {
    let mut program = cli::command(Program::Plain);
    program.build();
    let mut page = String::from(INTRODUCTION);
    let global = program.get_arguments().filter(|it| it.is_global_set());
    let rows = String::from_iter(global.map(row));
    page = page.replacen("GLOBAL OPTIONS\n", &rows, 1);
    for (title, rows) in GROUPS {
        page.push_str(&format!("\n## {title}\n"));
        for row in rows {
            if let Some(command) = program.find_subcommand(row.name()) {
                page.push_str(&section(command, row));
            }
        }
    }
    page
}

fn section(command: &Command, of: &CommandRow) -> String {
    let about = command.get_about().map(ToString::to_string);
    let usage = command.clone().render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    let mut text = format!(
        "\n### `{}`\n\n{}.\n\n```text\n{usage}\n```\n",
        command.get_name(),
        about.unwrap_or_default().trim_end_matches('.')
    );
    let others: Vec<String> = command
        .get_all_aliases()
        .map(|other| format!("`{other}`"))
        .collect();
    if !others.is_empty() {
        let others = others.join(" or ");
        text.push_str(&format!("\nIt can also be typed as {others}.\n"));
    }
    let mut rows = command.get_arguments().filter(shown).map(row).peekable();
    if rows.peek().is_some() {
        text.push_str("\n| argument | meaning |\n|---|---|\n");
        text.extend(rows);
    }
    let examples = of.examples();
    let examples = examples.map(|(what, words)| format!("# {what}\ncrd-channels {words}\n"));
    text.push_str(&format!("\n```sh\n{}```\n", String::from_iter(examples)));
    text
}

/// Whether a command's own table includes an argument. Global options have their own table.
fn shown(argument: &&Arg) -> bool {
    !argument.is_hide_set() && !argument.is_global_set() && argument.get_id() != "help"
}

/// Returns a row of the table of arguments.
fn row(argument: &Arg) -> String {
    let values: Vec<&str> = argument
        .get_value_names()
        .unwrap_or_default()
        .iter()
        .map(clap::builder::Str::as_str)
        .collect();
    let takes = argument.get_action().takes_values();
    let value = match values.first() {
        Some(value) => (*value).to_owned(),
        None => argument.get_id().as_str().to_uppercase(),
    };
    let spelled = match (argument.get_long(), argument.get_short()) {
        (None, _) => format!("`{value}`"),
        (Some(long), short) => {
            let value = match takes {
                true if argument.is_require_equals_set() => format!("[={value}]"),
                true => format!(" {value}"),
                false => String::new(),
            };
            let short = short.map(|short| format!("`-{short}`, "));
            format!("{}`--{long}{value}`", short.unwrap_or_default())
        }
    };
    let help = argument.get_help().map(ToString::to_string);
    let mut meaning = help.unwrap_or_default();
    let possible = argument.get_possible_values();
    if takes && !possible.is_empty() && !argument.is_hide_possible_values_set() {
        let names: Vec<String> = possible
            .iter()
            .map(|value| format!("`{}`", value.get_name()))
            .collect();
        meaning.push_str(&format!(": {}", names.join(", ")));
    }
    if let [default] = argument.get_default_values()
        && takes
    {
        meaning.push_str(&format!("; the default is `{}`", default.to_string_lossy()));
    }
    format!(
        "| {} | {} |\n",
        spelled.replace('|', "\\|"),
        meaning.replace('|', "\\|")
    )
}

const INTRODUCTION: &str = "\
# Commands

This page lists every command with its arguments. `cargo xtask pages` generates it from the definitions that `--help` uses.

The program has two names: `crd-channels`, and `cargo crd-channels` as a command of cargo. In a workspace with the alias that
`init` writes it is also `cargo xtask`. Every command takes `--help`, which ends with examples. Results go to standard output,
findings go to standard error. The [JSON formats](json.md) have a page of their own.

## Global options

`-C DIR` before the command runs it as if it had been started in `DIR`. These options may stand before or after the command:

| argument | meaning |
|---|---|
GLOBAL OPTIONS

They affect neither files nor output for programs, such as `--format json`. With `--quiet` a command still prints what you asked
for, such as a list, a comparison, or what `--dry-run` would do.

## Exit codes

| code | what it means |
|---|---|
| 0 | success. Warnings may have been reported. `diff` without `--against` only reports changes, so it ends with 0 |
| 1 | the command found something wrong: an error in the types, the configuration or a CRD, a file that `--check` finds stale, a difference that `prove` finds, a change that `--against` does not allow, a bundle that is not as it was released, a release, a graduation, a removal or a pin that is refused |
| 2 | the command could not do its work: wrong arguments, no workspace, no configuration, no CRDs, a side of `diff` that cannot be read, a failure of cargo or git, a file that cannot be read or written |

## Environment

| variable | meaning |
|---|---|
| `NO_COLOR` | if set, output has no colours |
| `CLICOLOR_FORCE` | if set, output has colours even if it is not a terminal |
| `CRD_CHANNELS_KEY_PASSWORD` | the password of the key that signs bundles; without it the command asks |
| `CARGO_NET_OFFLINE` | `true` keeps cargo from using the network |
| `XDG_CACHE_HOME` | the folder of the cache for bundles and API servers, if it is not `~/.cache` |
| `KUBEBUILDER_ASSETS` | a folder with `kube-apiserver` and `etcd`, for `envtest` |
";
