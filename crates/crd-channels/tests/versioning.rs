//! The tests and checks that the pages of the rules name exist.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the enforcement of each rule of a page: the last cell of every row.
fn kept_by(page: &str) -> Vec<String> {
    let page = fs::read_to_string(root().join("docs").join(page)).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let cells = rows.filter_map(|row| row.trim_end_matches([' ', '|']).rsplit('|').next());
    cells.map(str::to_owned).collect()
}

/// Returns the texts between two of these marks.
fn between(cells: &[String], mark: char) -> impl Iterator<Item = &str> {
    cells
        .iter()
        .flat_map(move |cell| cell.split(mark).skip(1).step_by(2))
}

#[test]
fn every_test_that_the_pages_name_exists() {
    let root = root();
    for (page, least) in [("versioning.md", 60), ("subresources.md", 4)] {
        let cells = kept_by(page);
        let named: Vec<&str> = between(&cells, '`')
            .filter(|name| name.contains("::"))
            .collect();
        assert!(
            named.len() > least,
            "`{page}` has lost its tests: {named:?}"
        );
        for name in named {
            let (file, test) = name.split_once("::").unwrap();
            let mut folders = ["apiserver/", "crates/", "tasks/"].into_iter();
            let of_root = folders.any(|folder| file.starts_with(folder));
            let file = match of_root {
                true => root.join(file),
                false => root.join("crates/crd-channels/tests").join(file),
            };
            let places =
                [".rs", "/main.rs", "/mod.rs"].map(|end| format!("{}{end}", file.display()));
            let mut texts = places
                .iter()
                .filter_map(|place| fs::read_to_string(place).ok());
            let text = texts
                .next()
                .unwrap_or_else(|| panic!("`{name}`: the file does not exist"));
            let mut lines = text.lines().map(str::trim);
            let is_there = lines.any(|line| {
                let function = line.strip_prefix("async ").unwrap_or(line);
                function.starts_with(&format!("fn {test}("))
            });
            assert!(is_there, "`{name}` is missing");
        }
    }
}

#[test]
fn every_check_that_the_page_of_subresources_names_exists() {
    let folder = root().join("tasks/src/e2e/seeds");
    let files = ["subresources.rs", "replicas.rs", "refused.rs"];
    let source = files.map(|file| fs::read_to_string(folder.join(file)).unwrap());
    let source = source.concat();
    let cells = kept_by("subresources.md");
    let named: Vec<&str> = between(&cells, '"').collect();
    assert!(named.len() > 40, "the page has lost its checks: {named:?}");
    for name in named {
        let ends = ['"', ':', '}'].map(|before| match before {
            '"' => format!("\"{name}\""),
            before => format!("{before} {name}\""),
        });
        assert!(
            ends.iter().any(|end| source.contains(end)),
            "`{name}` is missing"
        );
    }
}
