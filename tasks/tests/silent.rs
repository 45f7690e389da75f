//! A test that returns early looks as if it had passed. It must print that with `oracle/tests/shared/skipped.rs`, or call a
//! function that does and has `skipped` in its name.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod shared;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::iter::Peekable;
use std::path::Path;

/// The macros in test helpers that a silent return must not skip.
const ASSERTIONS: [&str; 3] = ["assert", "assert_eq", "assert_ne"];

/// A function with its attributes and body.
struct Function {
    name: String,
    is_test: bool,
    /// Whether it returns a value.
    has_result: bool,
    body: TokenStream,
}

/// Collects all functions, including those in modules and implementations; nested functions belong to the outer one.
fn functions(tokens: TokenStream, found: &mut Vec<Function>) {
    let (mut is_test, mut name, mut has_result) = (false, None, false);
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "fn" => {
                name = tokens.peek().map(ToString::to_string);
                has_result = false;
            }
            TokenTree::Punct(sign) if sign.as_char() == '-' => has_result |= is_arrow(&mut tokens),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                is_test |= group.stream().to_string() == "test";
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                match name.take() {
                    Some(name) => found.push(Function {
                        name,
                        is_test,
                        has_result,
                        body: group.stream(),
                    }),
                    None => functions(group.stream(), found),
                }
                is_test = false;
            }
            TokenTree::Punct(sign) if sign.as_char() == ';' => name = None,
            _ => {}
        }
    }
}

fn is_arrow(tokens: &mut Peekable<impl Iterator<Item = TokenTree>>) -> bool {
    matches!(tokens.peek(), Some(TokenTree::Punct(sign)) if sign.as_char() == '>')
}

/// The returns to count.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Count {
    /// All.
    All,
    /// Only those in blocks that do nothing else.
    Bare,
}

/// Counts the silent returns in code. A return is not silent if its block prints the reason before it, or what leads to the
/// block does, such as the condition of an `if`.
fn silent_returns(tokens: &TokenStream, count: Count, is_told: bool) -> usize {
    let (mut silent, mut told, mut leads_told) = (0, is_told, false);
    let mut tokens = tokens.clone().into_iter().peekable();
    let mut is_first = true;
    while let Some(token) = tokens.next() {
        let is_bare = std::mem::take(&mut is_first);
        match token {
            TokenTree::Ident(word) if word == "return" => {
                let is_nothing = match tokens.peek() {
                    None => true,
                    Some(TokenTree::Punct(sign)) => matches!(sign.as_char(), ';' | ','),
                    Some(_) => false,
                };
                let counts = count == Count::All || is_bare;
                silent += usize::from(is_nothing && counts && !told && !leads_told);
            }
            TokenTree::Ident(word) if word.to_string().contains("skipped") => {
                told = true;
                leads_told = true;
            }
            TokenTree::Group(group) => {
                silent += silent_returns(&group.stream(), count, leads_told);
                // A call in parentheses leads to what follows, a block does not.
                leads_told |= group.delimiter() != Delimiter::Brace && says_so(&group.stream());
            }
            TokenTree::Punct(sign) if sign.as_char() == ';' => leads_told = false,
            _ => {}
        }
    }
    silent
}

fn says_so(tokens: &TokenStream) -> bool {
    tokens.to_string().contains("skipped")
}

/// Whether something is asserted after a return.
fn asserts_after_return(tokens: &TokenStream) -> bool {
    let text = tokens.to_string();
    let after = text.split_once("return").map_or("", |(_, after)| after);
    let mut words = after.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| ASSERTIONS.contains(&word))
}

/// Returns the functions of a text that return silently: tests, and in files of tests, helpers that assert something.
fn silent(text: &str, has_helpers: bool) -> Vec<String> {
    let mut all = Vec::new();
    functions(text.parse().unwrap(), &mut all);
    let counts = |function: &&Function| {
        let helps = has_helpers && !function.has_result && asserts_after_return(&function.body);
        let count = match (function.is_test, helps) {
            (true, _) => Count::All,
            (false, true) => Count::Bare,
            (false, false) => return false,
        };
        silent_returns(&function.body, count, false) > 0
    };
    let silent = all.iter().filter(counts);
    silent.map(|function| function.name.clone()).collect()
}

fn is_of_tests(path: &Path) -> bool {
    let mut parts = path.iter().filter_map(|part| part.to_str());
    parts.any(|part| part == "tests" || part.ends_with("tests.rs"))
}

#[test]
fn no_test_returns_silently() {
    let root = shared::root();
    let (mut tests, mut found) = (0, Vec::new());
    for file in shared::rust_files_of(&[
        "tasks",
        "xtask",
        "apiserver",
        "crates",
        "api-types",
        "examples",
        "oracle",
        "benches",
    ]) {
        let text = std::fs::read_to_string(&file).unwrap();
        let shown = file.strip_prefix(&root).unwrap();
        tests += text.matches("#[test]\n").count();
        let is_input = shown.iter().any(|part| part == "ui");
        if !is_input {
            let names = silent(&text, is_of_tests(shown));
            found.extend(
                names
                    .iter()
                    .map(|name| format!("{}: {name}", shown.display())),
            );
        }
        // The output of a passing test is not shown.
        for print in ["println!(\"skipped", "println!(\n            \"skipped"] {
            if text.contains(print) && !file.ends_with("silent.rs") {
                found.push(format!("{}: {print}", shown.display()));
            }
        }
    }
    assert!(tests > 1_000, "only {tests} tests");
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn every_form_of_a_silent_return_is_seen() {
    let check = |body: &str, expected: bool| {
        let text = format!("#[test]\nfn t() {{ {body} }}");
        assert_eq!(silent(&text, true) == ["t"], expected, "{body}");
    };
    for body in [
        "if a { return; } b();",
        "let Some(a) = b() else { return };",
        "if let Some(a) = b() { c(a); } else { return }",
        "let check = |a| { let Some(b) = a else { return }; c(b) };",
        "match a { Some(b) => c(b), None => return, }",
    ] {
        check(body, true);
    }
    for body in [
        "if a { skipped(\"no server\"); return; } b();",
        "let Some(a) = unless_skipped() else { return };",
        "if is_skipped(a) { return; }",
        "let Some(a) = b() else { return skipped(\"no server\") };",
        "let found = all.map(|a| { if a { return 1; } 2 });",
    ] {
        check(body, false);
    }
    // A helper counts if it asserts something after the return.
    let helper = "fn check(a: Option<u8>) { let Some(a) = a else { return }; assert_eq!(a, 1); }";
    assert_eq!(silent(helper, true), ["check"]);
    assert_eq!(silent(helper, false), [""; 0]);
    let other_half = "fn check(a: u8) { if a == 0 { assert!(b()); return; } assert!(c()); }";
    assert_eq!(silent(other_half, true), [""; 0]);
    let walk = "fn walk(a: u8) { if a == 0 { return; } walk(a - 1); }";
    assert_eq!(silent(walk, true), [""; 0]);
}
