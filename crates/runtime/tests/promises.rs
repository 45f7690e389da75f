//! The tests that the page of promises names exist.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;

#[test]
fn every_test_that_the_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("../../docs/promises.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let kept_by = rows.filter_map(|row| row.trim_end_matches('|').rsplit('|').next());
    let quoted = kept_by.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let (named, files): (Vec<&str>, Vec<&str>) = quoted.partition(|name| name.contains("::"));
    for file in files.into_iter().filter(|name| name.ends_with(".rs")) {
        let path = root.join("../..").join(file);
        assert!(path.is_file(), "`{file}` does not exist");
    }
    assert!(named.len() > 50, "the page has lost its tests: {named:?}");
    for name in named {
        let (file, test) = name.split_once("::").unwrap();
        let places = [format!("tests/{file}.rs"), format!("tests/{file}/main.rs")];
        let packages = [root, &root.join("../../oracle")];
        let text = packages.iter().find_map(|package| {
            let mut read = places
                .iter()
                .map(|place| fs::read_to_string(package.join(place)));
            read.find_map(Result::ok)
        });
        let text = text.unwrap_or_else(|| panic!("`{name}`: the file does not exist"));
        let test = format!("#[test]\nfn {test}()");
        let asynchronous = test.replace("#[test]\nfn", "#[tokio::test]\nasync fn");
        let threaded = asynchronous.replace("test]", "test(flavor = \"multi_thread\")]");
        assert!(
            [test, asynchronous, threaded]
                .iter()
                .any(|test| text.contains(test)),
            "`{name}` is missing"
        );
    }
}
