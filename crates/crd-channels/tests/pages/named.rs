//! Commands and options in the text of pages exist, and the page for users of controller-gen has every marker.

use super::{pages, root};
use clap::Command;
use crd_channels::cli;
use crd_channels::commands::program::Program;
use std::fs;

/// The names of the program.
const NAMES: [&str; 3] = ["cargo xtask ", "cargo crd-channels ", "crd-channels "];

/// The commands that the `xtask` of this repository adds to the program.
const TASKS: [&str; 5] = [
    "cargo xtask dist",
    "cargo xtask e2e",
    "cargo xtask pages",
    "cargo xtask record",
    "cargo xtask record --check",
];

/// Returns the code spans of a page.
fn spans(page: &str) -> Vec<String> {
    let mut fenced = false;
    let prose = page.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    });
    let prose: Vec<&str> = prose.collect();
    let text = prose.join(" ");
    let parts = text.split('`').skip(1).step_by(2);
    parts.map(str::to_owned).collect()
}

/// Returns what is wrong with a call of the program, if the span is one.
fn wrong(program: &Command, span: &str) -> Option<String> {
    if TASKS.contains(&span) {
        return None;
    }
    let call = NAMES.iter().find_map(|name| span.strip_prefix(name))?;
    // Arguments after `--` and other commands are not checked.
    let call = call.split(" -- ").next()?.split(';').next()?;
    let mut words = call.split_whitespace();
    let name = words.next()?;
    if matches!(name, "help" | "--version" | "--help") {
        return None;
    }
    let Some(command) = program.find_subcommand(name) else {
        return Some(format!("no command `{name}`"));
    };
    words
        .filter_map(|word| word.strip_prefix("--"))
        .map(|word| word.split('=').next().unwrap_or(word))
        .filter(|long| !long.is_empty() && *long != "help")
        .find(|long| {
            command
                .get_arguments()
                .all(|arg| arg.get_long() != Some(long))
        })
        .map(|long| format!("`{name}` has no `--{long}`"))
}

#[test]
fn calls_in_text_are_possible() {
    let mut program = cli::command(Program::Plain);
    program.build();
    let mut found = Vec::new();
    let mut calls = 0;
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for span in spans(&text) {
            calls += usize::from(NAMES.iter().any(|name| span.starts_with(name)));
            let fault = wrong(&program, &span);
            found.extend(fault.map(|fault| format!("{page}: `{span}`: {fault}")));
        }
    }
    assert!(calls > 50, "{calls}");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_marker_has_a_row() {
    let read = |page: &str| fs::read_to_string(root().join(page)).unwrap();
    let reference = read("docs/attributes.md");
    let known = reference.split("\n### Markers of Go\n").nth(1).unwrap();
    let known = known.split("\n### ").next().unwrap();
    let page = read("docs/from-controller-gen.md");
    let rows = known.lines().filter_map(|line| line.strip_prefix("| `+"));
    let markers = rows.filter_map(|row| row.split('`').next());
    // A row may have several markers of one family, the later ones by their last word.
    let words = markers.filter_map(|marker| marker.rsplit(':').next());
    let missing: Vec<&str> = words.filter(|word| !page.contains(*word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
