//! What `cargo publish` would send to a registry: which packages promise semver, for which compilers, and with which licence.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod shared;

use crd_channels_diagnostics::program::VERSION;
use serde_json::Value;
use shared::{metadata, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What API crates and controllers link, and the program. Everything else that is published is internal.
const PROMISED: [&str; 6] = [
    "crd-channels",
    "crd-channels-cel",
    "crd-channels-derive",
    "crd-channels-markers",
    "crd-channels-runtime",
    "crd-channels-validation",
];

/// The packages that `cargo publish` takes.
fn published(metadata: &Value) -> Vec<&Value> {
    let members: Vec<&Value> = metadata["workspace_members"]
        .as_array()
        .unwrap()
        .iter()
        .collect();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .filter(|package| members.contains(&&package["id"]) && package["publish"].is_null())
        .collect()
}

fn is_promised(package: &Value) -> bool {
    PROMISED.contains(&package["name"].as_str().unwrap())
}

fn folder(package: &Value) -> PathBuf {
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    manifest.parent().unwrap().to_owned()
}

#[test]
fn internal_packages_promise_nothing_and_say_so() {
    let metadata = metadata(&["--no-deps"]);
    let packages = published(&metadata);
    let promised = packages.iter().filter(|package| is_promised(package));
    assert_eq!(promised.count(), PROMISED.len());
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let version = package["version"].as_str().unwrap();
        if is_promised(package) {
            assert_eq!(version, VERSION, "{name}");
            continue;
        }
        assert!(name.starts_with("crd-channels-internal-"), "{name}");
        assert!(version.starts_with("0.0."), "{name} {version}");
        let page = std::fs::read_to_string(folder(package).join("README.md")).unwrap();
        assert!(page.contains("\nInternal to [crd-channels]"), "{name}");
    }
}

/// The examples of internal packages are compiled as one program, which takes a second where one for each takes fifteen.
#[test]
fn every_example_is_compiled() {
    let examples = std::fs::read_to_string(root().join("crates/crd-channels/src/lib.rs")).unwrap();
    let root = root().canonicalize().unwrap();
    for package in published(&metadata(&["--no-deps"])) {
        let folder = folder(package);
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let inside = folder.strip_prefix(&root).unwrap().display();
        assert!(
            !manifest.contains("doctest = false")
                || examples.contains(&format!("\"../../../{inside}/README.md\"")),
            "no test compiles the example in {inside}/README.md"
        );
    }
}

/// An archive is what people look into for a licence, and tests need what is beside the package in the repository.
#[test]
fn archives_have_the_licence_and_no_tests() {
    let metadata = metadata(&["--no-deps"]);
    for package in published(&metadata) {
        let name = package["name"].as_str().unwrap();
        let output = Command::new(env!("CARGO"))
            .args(["package", "--list", "--allow-dirty", "--package", name])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: cargo package --list");
        let files = String::from_utf8(output.stdout).unwrap();
        assert!(files.lines().any(|file| file == "LICENSE"), "{name}");
        let test = files.lines().find(|file| file.starts_with("tests/"));
        assert_eq!(test, None, "{name}");
        let license = std::fs::read(folder(package).join("LICENSE")).unwrap();
        assert_eq!(license, std::fs::read(root().join("LICENSE")).unwrap());
    }
}

/// A compiler that builds kube also builds what is linked beside it.
#[test]
fn what_is_linked_asks_for_no_newer_compiler_than_kube() {
    let metadata = metadata(&[]);
    let packages = metadata["packages"].as_array().unwrap();
    let minor = |package: &Value| {
        let version = package["rust_version"].as_str()?;
        version.split('.').nth(1)?.parse::<u32>().ok()
    };
    let kube = packages.iter().find(|package| package["name"] == "kube");
    let kube = minor(kube.unwrap()).unwrap();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        if is_promised(package) && name != "crd-channels" {
            assert!(minor(package).unwrap() <= kube, "{name}");
        }
    }
}

/// The words in backquotes that begin the rows of a section's table.
fn rows(page: &str, title: &str) -> BTreeSet<String> {
    let section = page.split("\n## ").find(|part| part.starts_with(title));
    let lines = section.unwrap().lines();
    let cells = lines.filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let names = cells.flat_map(|cell| cell.split(", "));
    names.map(|name| name.replace('`', "")).collect()
}

#[test]
fn the_ledger_has_each_dependency_and_what_is_built_twice() {
    let metadata = metadata(&["--all-features"]);
    let page = std::fs::read_to_string(root().join("docs/dependencies.md")).unwrap();
    let mut direct = BTreeSet::new();
    for package in published(&metadata) {
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = dependency["name"].as_str().unwrap();
            if dependency["kind"].is_null() && !name.starts_with("crd-channels") {
                direct.insert(name.to_owned());
            }
        }
    }
    let tables = ["Of the program", "Of the runtime"].map(|title| rows(&page, title));
    let twice: Vec<_> = tables[0].intersection(&tables[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
    let listed: BTreeSet<String> = tables.into_iter().flatten().collect();
    assert_eq!(listed, direct);

    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let node = |id: &Value| nodes.iter().find(|node| node["id"] == *id).unwrap();
    let packages = published(&metadata).into_iter();
    let mut next: Vec<&Value> = packages.map(|package| &package["id"]).collect();
    let mut built = BTreeSet::new();
    while let Some(id) = next.pop() {
        if !built.insert(id.as_str().unwrap()) {
            continue;
        }
        for needed in node(id)["deps"].as_array().unwrap() {
            let kinds = needed["dep_kinds"].as_array().unwrap();
            if kinds.iter().any(|kind| kind["kind"] != "dev") {
                next.push(&needed["pkg"]);
            }
        }
    }
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        if built.contains(package["id"].as_str().unwrap()) {
            let name = package["name"].as_str().unwrap();
            let version = package["version"].as_str().unwrap();
            versions.entry(name).or_default().insert(version);
        }
    }
    let several = versions.iter().filter(|(_, versions)| versions.len() > 1);
    let several: BTreeSet<String> = several.map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(rows(&page, "In two versions"), several);
}
