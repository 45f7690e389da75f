//! The texts that were asked for: files, the files of folders, standard input.

use crate::files::DEEPEST_FOLDER;
use crate::released::documents;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A text and how it is called.
pub(super) struct File {
    pub(super) name: String,
    pub(super) text: String,
}

/// Every file that the paths name, those of a folder in the order of their names; or why it cannot be read.
pub(super) fn named(paths: &[PathBuf]) -> Vec<Result<File, String>> {
    paths.iter().flat_map(|path| one(path)).collect()
}

fn one(path: &Path) -> Vec<Result<File, String>> {
    if path == Path::new("-") {
        return vec![stdin()];
    }
    if !path.is_dir() {
        return vec![read(path)];
    }
    let mut found = Vec::new();
    match collect(path, 0, &mut found) {
        Ok(()) => found.iter().map(|path| read(path)).collect(),
        Err(message) => vec![Err(message)],
    }
}

fn stdin() -> Result<File, String> {
    let mut text = String::new();
    match std::io::stdin().lock().read_to_string(&mut text) {
        Ok(_) => Ok(File {
            name: "-".to_owned(),
            text,
        }),
        Err(error) => Err(format!("standard input cannot be read: {error}")),
    }
}

fn read(path: &Path) -> Result<File, String> {
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(File { name, text }),
        Err(error) => Err(format!("{name} cannot be read: {error}")),
    }
}

/// The YAML and JSON files of a folder and the folders below.
fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), String> {
    if depth == DEEPEST_FOLDER {
        return Ok(());
    }
    let unreadable =
        |error: std::io::Error| format!("{} cannot be read: {error}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, depth + 1, found)?;
            continue;
        }
        if documents::is_named_so(&path) {
            found.push(path);
        }
    }
    Ok(())
}
