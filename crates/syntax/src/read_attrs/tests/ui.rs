//! The invalid types of the derive's tests cause the same errors here, at the same spans.

use super::read_input;
use crate::attrs::Declaration;
use crd_channels_diagnostics::{FileId, Sink};
use std::fs;
use std::path::Path;

/// Message, help, line, column.
type Shown = (String, String, usize, usize);

#[test]
fn the_derive_and_the_generator_say_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../derive/tests/ui");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            let shown = fs::read_to_string(path.with_extension("stderr")).unwrap();
            assert_eq!(here(&source), there(&shown), "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 20, "only {count} files");
}

fn here(source: &str) -> Vec<Shown> {
    let file = syn::parse_file(source).unwrap();
    let mut found = Vec::new();
    for item in file.items {
        let input: syn::DeriveInput = match item {
            syn::Item::Struct(item) => item.into(),
            syn::Item::Enum(item) => item.into(),
            syn::Item::Union(item) => item.into(),
            _ => continue,
        };
        let mut sink = Sink::default();
        let derives = crate::derives::derives(&input.attrs);
        let derived = crate::derives::names(&derives);
        let file = FileId(0);
        let def = super::super::read_type(input, Vec::new(), &derives, &derived, file, &mut sink);
        let declared = match def.and_then(|def| def.declares) {
            Some(Declaration::Wrong(findings)) => findings,
            _ => Vec::new(),
        };
        for diagnostic in sink.into_diagnostics().into_iter().chain(declared) {
            let before = &source[..diagnostic.span.unwrap().start as usize];
            let line = before.matches('\n').count() + 1;
            let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
            let help = diagnostic.help.unwrap_or_default();
            found.push((diagnostic.message, help, line, column));
        }
    }
    found
}

/// The errors in the compiler's output.
fn there(shown: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    let mut lines = shown.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(message) = line.strip_prefix("error: ") else {
            continue;
        };
        let help = lines
            .next_if(|line| line.trim_start().starts_with("help: "))
            .map(|line| line.trim_start().trim_start_matches("help: "))
            .unwrap_or_default();
        let place = lines.next().unwrap();
        let mut numbers = place.rsplit(':').map(|number| number.parse().unwrap());
        let column = numbers.next().unwrap();
        let line = numbers.next().unwrap();
        found.push((message.to_owned(), help.to_owned(), line, column));
    }
    found
}

#[test]
fn a_union_is_no_part_of_an_api() {
    let source = "union A { a: u8 }";
    let (def, found) = read_input(syn::parse_str(source).unwrap(), source);
    assert!(def.is_none());
    assert_eq!(found, []);
}
