//! Runs the commands of the pages, each in the situation that its page describes, and compares the output that a page shows.
//!
//! In the shown output, a line `..` matches any lines, and `..` in a line any text. A command must succeed, unless an error is
//! shown. `PAGES_RECORD=1 cargo test --test pages` writes the actual output into the pages, and `PAGE=docs/tutorial.md` selects
//! one page.

use super::blocks::{Block, blocks};
use super::shell::Shell;
use super::stages::{FOLLOWED, NOT_RUN, ScriptPosition, prepare};
use super::{pages, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A command of a page, and the output that the page shows.
struct Typed {
    command: String,
    shown: Vec<String>,
    /// The lines of the page with the output, counted from 0.
    lines: std::ops::Range<usize>,
}

/// Returns the commands of a block.
fn typed(block: &Block) -> Vec<Typed> {
    if block.language == "yaml" {
        return steps(block);
    }
    let mut found: Vec<Typed> = Vec::new();
    let mut continued = false;
    for (line, number) in block.text.lines().zip(block.line..) {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push(Typed {
                command: command.to_owned(),
                shown: Vec::new(),
                lines: number + 1..number + 1,
            }),
            (None, Some(last)) if continued => {
                last.command.push('\n');
                last.command.push_str(line);
                last.lines = number + 1..number + 1;
            }
            (None, Some(last)) => {
                last.shown.push(line.to_owned());
                last.lines.end = number + 1;
            }
            (None, None) => panic!("a block begins with output:\n{}", block.text),
        }
        continued = line.ends_with('\\') && found.last().is_some_and(|last| last.shown.is_empty());
    }
    found
}

/// Returns the commands of a workflow's steps: the values of `run` and the items of `script`.
fn steps(block: &Block) -> Vec<Typed> {
    fn walk(value: &Value, found: &mut Vec<String>) {
        let texts = |value: &Value| -> Vec<String> {
            let items = value.as_array().cloned().unwrap_or(vec![value.clone()]);
            let texts = items.iter().filter_map(Value::as_str);
            texts
                .flat_map(str::lines)
                .map(|line| line.trim().to_owned())
                .collect()
        };
        match value {
            Value::Object(entries) => {
                for (key, value) in entries {
                    match key.as_str() {
                        "run" | "script" => found.extend(texts(value)),
                        _ => walk(value, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for document in serde_saphyr::from_multiple::<Value>(&block.text).unwrap_or_default() {
        walk(&document, &mut found);
    }
    let found = found.into_iter();
    found
        .map(|command| Typed {
            command,
            shown: Vec::new(),
            lines: 0..0,
        })
        .collect()
}

/// Whether the output matches the shown lines.
fn like(shown: &[String], printed: &[String]) -> bool {
    match (shown.split_first(), printed.split_first()) {
        (Some((first, rest)), _) if first == ".." => {
            (0..=printed.len()).any(|skipped| like(rest, &printed[skipped..]))
        }
        (Some((first, rest)), Some((line, others))) => line_like(first, line) && like(rest, others),
        (None, None) => true,
        _ => false,
    }
}

fn line_like(shown: &str, line: &str) -> bool {
    let mut parts = shown.split("..");
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (number, part) in parts.iter().enumerate() {
        if number + 1 == parts.len() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

/// Splits a text into lines without trailing white space.
fn lines(text: &str) -> Vec<String> {
    let text = text.trim_end();
    text.lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// Returns the last file name in the caption of a block.
fn file(block: &Block) -> String {
    let caption = block.caption();
    let mut spans = caption.rsplit('`').skip(1);
    spans
        .next()
        .unwrap_or_else(|| panic!("no file is named above\n{}", block.text))
        .to_owned()
}

/// Returns the index of the reason why a command of a page is not run.
fn reason(page: &str, command: &str) -> Option<usize> {
    let mut reasons = NOT_RUN.iter();
    reasons.position(|(pages, words, _)| {
        (pages.is_empty() || *pages == page) && command.starts_with(words)
    })
}

/// The results of a page's commands.
#[derive(Default)]
struct Account {
    run: usize,
    not_run: Vec<(String, &'static str)>,
    used: BTreeSet<usize>,
    wrong: Vec<String>,
    /// The lines of the page to replace.
    recorded: Vec<(std::ops::Range<usize>, Vec<String>)>,
}

/// Runs the commands of all pages, several pages at a time.
fn followed(pages: &[String]) -> Vec<(&String, Account)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let pages = numbers.map_while(|number| pages.get(number));
        let accounts = pages.map(|page| {
            let text = fs::read_to_string(root().join(page)).unwrap();
            (page, follow(page, &text))
        });
        accounts.collect::<Vec<_>>()
    };
    let mut accounts: Vec<_> = thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let accounts = workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap());
        accounts.collect()
    });
    accounts.sort_by_key(|(page, _)| *page);
    accounts
}

/// Runs all commands of a page.
fn follow(page: &str, text: &str) -> Account {
    let mut account = Account::default();
    let mut shell = Shell::new();
    prepare(&mut shell, page, ScriptPosition::Start);
    let followed = FOLLOWED.contains(&page);
    for block in blocks(text) {
        let edits = followed && !block.caption().is_empty() && block.caption().ends_with("`:");
        match block.language.as_str() {
            "diff" if edits => shell.edit(&file(&block), &block.text),
            "rust" | "toml" if edits => shell.write(&file(&block), &block.text),
            "yaml" if edits => {
                shell.write(&file(&block), &block.text);
                follow_block(page, &block, &mut shell, &mut account);
            }
            "console" | "yaml" => follow_block(page, &block, &mut shell, &mut account),
            _ => {}
        }
    }
    account
}

fn follow_block(page: &str, block: &Block, shell: &mut Shell, account: &mut Account) {
    for (number, typed) in typed(block).into_iter().enumerate() {
        let Typed {
            command,
            shown,
            lines: place,
        } = typed;
        if number == 0 {
            prepare(shell, page, ScriptPosition::Block(&command));
        }
        if let Some(number) = reason(page, &command) {
            prepare(shell, page, ScriptPosition::Instead(&command));
            account.used.insert(number);
            account.not_run.push((command, NOT_RUN[number].2));
            continue;
        }
        let printed = shell.run(&command);
        prepare(shell, page, ScriptPosition::After(&command));
        account.run += 1;
        let found = lines(&printed.text);
        let refused = shown.iter().any(|line| {
            line.starts_with("error")
                || line.starts_with("stale: ")
                || line.contains("\"severity\":\"error\"")
                || line.replace(' ', "").contains("\"accept\":false")
        });
        // `diff` exits with 1 if files differ.
        let failed = printed.code != i32::from(command.starts_with("diff "));
        if failed != refused {
            let code = printed.code;
            account.wrong.push(format!(
                "{page}: `{command}` ends with {code}:\n{}",
                printed.text
            ));
        } else if !shown.is_empty() && !like(&shown, &found) {
            account.wrong.push(format!(
                "{page}: `{command}` prints\n{}\nand not\n{}",
                found.join("\n"),
                shown.join("\n")
            ));
        }
        if !shown.is_empty() && !like(&shown, &found) {
            account.recorded.push((place, found));
        }
    }
}

/// Returns the page with the lines replaced.
fn recorded(text: &str, replaced: &[(std::ops::Range<usize>, Vec<String>)]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (place, new) in replaced.iter().rev() {
        lines.splice(place.clone(), new.iter().cloned());
    }
    lines.join("\n") + "\n"
}

#[test]
fn every_command_runs_or_says_why_not() {
    let record = std::env::var_os("PAGES_RECORD").is_some();
    let (mut run, mut not_run) = (0, Vec::new());
    let mut used = BTreeSet::new();
    let mut wrong = Vec::new();
    let only = std::env::var("PAGE").ok();
    let chosen = |page: &String| only.as_ref().is_none_or(|only| only == page);
    let pages: Vec<String> = pages().into_iter().filter(chosen).collect();
    for (page, account) in followed(&pages) {
        run += account.run;
        used.extend(account.used);
        let reasons = account.not_run.into_iter();
        not_run.extend(reasons.map(|(command, reason)| format!("{page}: `{command}`: {reason}")));
        if record && !account.recorded.is_empty() {
            let path = root().join(page);
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, recorded(&text, &account.recorded)).unwrap();
        }
        wrong.extend(account.wrong);
    }
    println!(
        "{run} commands of the pages were run, these {} were not:",
        not_run.len()
    );
    for line in &not_run {
        println!("  {line}");
    }
    let idle: Vec<_> = (0..NOT_RUN.len())
        .filter(|number| !used.contains(number))
        .map(|number| NOT_RUN[number].1)
        .collect();
    assert!(only.is_some() || idle.is_empty(), "no page has {idle:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn shown_output_may_omit_text() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let check = |shown: &str, printed: &str, expected: bool| {
        assert_eq!(like(&lines(shown), &lines(printed)), expected, "{shown}");
    };
    check("a\n..\nd", "a\nb\nc\nd", true);
    check("a\n..\nd", "a\nd", true);
    check("a\n..", "b", false);
    check("sha256:..", "sha256:00", true);
    check("x .. y .. z", "x 1 y 2 z", true);
    check("x .. y", "x 1 y 2", false);
    check("a", "a\nb", false);
}
