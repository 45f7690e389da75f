//! The pages are correct: the types in them can be read, the commands can be run, the links lead to something, and the
//! generated pages are up to date.

#![cfg_attr(
    not(unix),
    allow(
        dead_code,
        reason = "the commands of pages are typed into a shell of Unix"
    )
)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "../support/mod.rs"]
mod support;

mod blocks;
mod types;
#[cfg(unix)]
mod shell;
#[cfg(unix)]
mod stages;
#[cfg(unix)]
mod commands;
mod links;
mod named;
mod pictures;

use std::path::{Path, PathBuf};

/// Returns the folder of the repository, which has the pages.
fn root() -> &'static Path {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut roots = folders.filter(|folder| folder.join("docs").is_dir());
    roots.next().unwrap()
}

/// Returns every page, as a path below the repository.
fn pages() -> Vec<String> {
    let files = std::fs::read_dir(root().join("docs")).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|name| name == "md"));
    let name = |path: PathBuf| format!("docs/{}", path.file_name().unwrap().to_str().unwrap());
    let mut pages: Vec<String> = pages.map(name).collect();
    pages.push("README.md".to_owned());
    pages.sort();
    pages
}
