//! The files of this repository.

#![allow(dead_code, reason = "each test uses a part")]

use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
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
