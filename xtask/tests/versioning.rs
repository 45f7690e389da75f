//! The page of the rules names tests that exist.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;

#[test]
fn every_test_that_the_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/versioning.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let kept_by = rows.filter_map(|row| row.trim_end_matches([' ', '|']).rsplit('|').next());
    let named: Vec<&str> = kept_by
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .filter(|name| name.contains("::"))
        .collect();
    assert!(named.len() > 60, "the page has lost its tests: {named:?}");
    for name in named {
        let (file, test) = name.split_once("::").unwrap();
        let of_root = file.starts_with("xtask/") || file.starts_with("crates/");
        let file = match of_root {
            true => root.join(file),
            false => root.join("xtask/tests").join(file),
        };
        let places = [".rs", "/main.rs", "/mod.rs"].map(|end| format!("{}{end}", file.display()));
        let mut texts = places
            .iter()
            .filter_map(|place| fs::read_to_string(place).ok());
        let text = texts
            .next()
            .unwrap_or_else(|| panic!("`{name}`: there is no such file"));
        let mut lines = text.lines().map(str::trim);
        let is_there = lines.any(|line| {
            let function = line.strip_prefix("async ").unwrap_or(line);
            function.starts_with(&format!("fn {test}("))
        });
        assert!(is_there, "`{name}` is missing");
    }
}
