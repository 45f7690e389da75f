//! Every package has a budget of lines. Growth is a decision: it raises the budget here, in the commit that says why.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod shared;

use shared::{root, rust_files};
use std::path::Path;

/// The most lines of source of each package, without its tests.
const BUDGETS: [(&str, usize); 27] = [
    ("api-types", 1_450),
    ("apiserver/cel", 14_490),
    ("apiserver/check", 8_790),
    ("apiserver/envtest", 1_070),
    ("apiserver/validation", 4_740),
    ("crates/compat", 15_095),
    ("crates/crd-channels", 40_490),
    ("crates/crd-folders", 1_390),
    ("crates/derive", 1_245),
    ("crates/diagnostics", 1_860),
    ("crates/files", 1_940),
    ("crates/gen-crds", 4_015),
    ("crates/generator", 14_220),
    ("crates/import", 5_925),
    ("crates/markers", 4_050),
    ("crates/projection", 14_950),
    ("crates/proof", 1_855),
    ("crates/reference", 4_650),
    ("crates/released", 2_840),
    ("crates/runtime", 11_600),
    ("crates/schema", 2_860),
    ("crates/signature", 220),
    ("crates/source", 6_395),
    ("crates/syntax", 8_910),
    ("crates/ungate", 1_350),
    ("crates/workspace", 2_330),
    ("xtask", 40),
];

/// How far below its budget a package may be before the budget is lowered, so that the next growth is seen.
const SLACK: usize = 100;

/// The line that starts the tests at the end of a file.
const TESTS: &str = "mod tests {";

fn is_product(file: &Path) -> bool {
    let mut folders = file.iter();
    let name = file.file_name().unwrap().to_str().unwrap();
    !folders.any(|folder| folder == "tests") && name != "tests.rs" && !name.ends_with("_tests.rs")
}

fn lines_of(package: &str) -> usize {
    let source = root().join(package).join("src");
    let files = rust_files(&source).into_iter();
    let files = files.filter(|file| is_product(file.strip_prefix(&source).unwrap()));
    files
        .map(|file| {
            let text = std::fs::read_to_string(file).unwrap();
            text.lines().take_while(|line| *line != TESTS).count()
        })
        .sum()
}

#[test]
fn no_package_exceeds_its_budget() {
    let mut wrong = Vec::new();
    for (package, budget) in BUDGETS {
        let lines = lines_of(package);
        if lines > budget || lines + SLACK < budget {
            wrong.push(format!(
                "{package}: {lines} lines, and a budget of {budget}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "change the budget together with its reason:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn every_package_has_a_budget() {
    let mut packages = shared::packages();
    packages.extend(["api-types", "xtask"].map(str::to_owned));
    packages.sort();
    assert_eq!(packages, BUDGETS.map(|(package, _)| package.to_owned()));
}
