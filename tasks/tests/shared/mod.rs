//! The files of this repository.

#![allow(dead_code, reason = "each test uses a part")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use walkdir::WalkDir;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns cargo's description of the workspace, with further options such as `--no-deps`.
pub fn metadata(options: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(options)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The folders of the packages that the product consists of.
pub const PACKAGES: [&str; 2] = ["apiserver", "crates"];

/// The packages of these folders, below the workspace.
pub fn packages() -> Vec<String> {
    let folders = PACKAGES.into_iter();
    let packages = folders.flat_map(|folder| {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        entries.map(move |entry| format!("{folder}/{}", entry.unwrap().file_name().display()))
    });
    let is_package = |package: &String| root().join(package).join("Cargo.toml").is_file();
    packages.filter(is_package).collect()
}

/// Returns true for a path in one of these folders.
pub fn is_of_product(path: &Path) -> bool {
    let path = path.canonicalize().unwrap();
    let root = root().canonicalize().unwrap();
    PACKAGES
        .iter()
        .any(|folder| path.starts_with(root.join(folder)))
}

/// Returns the Rust files in a folder and its subfolders, sorted.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let paths = entries.map(|entry| entry.unwrap().into_path());
    paths.filter(|path| is_rust(path)).collect()
}

/// The same for several folders of the workspace.
pub fn rust_files_of(folders: &[&str]) -> Vec<PathBuf> {
    let root = root();
    let folders = folders.iter();
    folders
        .flat_map(|folder| rust_files(&root.join(folder)))
        .collect()
}

fn is_rust(path: &Path) -> bool {
    path.is_file() && path.extension().is_some_and(|extension| extension == "rs")
}
