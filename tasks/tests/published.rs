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
use shared::root;
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

fn metadata(more: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(more)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "cargo metadata");
    serde_json::from_slice(&output.stdout).unwrap()
}

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
