//! `docs/commands.md` says what the command line takes, and the same of exit codes as the README.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

#[allow(dead_code, reason = "`main` is the example's")]
#[path = "../examples/commands_page.rs"]
mod example;

use std::path::Path;

fn text(path: &str) -> String {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut files = folders.map(|folder| folder.join(path));
    let file = files.find(|file| file.is_file());
    file.map(|file| std::fs::read_to_string(file).unwrap())
        .unwrap_or_default()
}

#[test]
fn the_page_is_that_of_the_definitions() {
    assert!(
        text("docs/commands.md") == example::page(),
        "docs/commands.md is stale; run\n\n    \
         cargo run -p crd-channels --example commands_page > docs/commands.md\n"
    );
}

#[test]
fn every_command_has_its_place() {
    let page = example::page();
    assert!(!page.contains("\n## More\n"), "name it in `GROUPS`");
    for (_, names) in example::GROUPS {
        for name in names {
            assert!(page.contains(&format!("\n### `{name}`\n")), "{name}");
        }
    }
}

/// The exit codes themselves are proven command by command in `exit_codes.rs`.
#[test]
fn exit_codes_are_told_once() {
    let readme = text("README.md");
    let table = readme.split("\n| code | what it means |\n").nth(1).unwrap();
    let table = table.split("\n\n").next().unwrap();
    assert!(example::page().contains(table));
}
