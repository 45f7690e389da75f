//! `gen-crds --watch`: looks at the files that a run depends on, and runs again when one of them changes.

use crate::files::{Disk, Read};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

/// How often the files are looked at. Looking at 400 of them takes about a millisecond.
const INTERVAL: Duration = Duration::from_millis(20);

/// Links may lead folders back into themselves.
const DEEPEST_FOLDER: usize = 24;

/// When every watched file was changed last, and how long it is.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Seen(BTreeMap<PathBuf, (Option<SystemTime>, u64)>);

/// Looks at every Rust source, manifest, lock file and configuration below the folders.
#[must_use]
pub fn look(folders: &[PathBuf]) -> Seen {
    let mut seen = Seen::default();
    for folder in folders {
        visit(folder, 0, &mut seen);
    }
    seen
}

/// Waits until something below the folders is not as it was seen.
pub fn wait(folders: &[PathBuf], before: &Seen) {
    while look(folders) == *before {
        sleep(INTERVAL);
    }
}

fn visit(path: &Path, depth: usize, seen: &mut Seen) {
    if Disk.is_file(path) {
        let watched = path.extension().is_some_and(|extension| {
            extension == "rs" || extension == "toml" || extension == "lock"
        });
        if watched && let Ok(about) = std::fs::metadata(path) {
            seen.0
                .insert(path.to_path_buf(), (about.modified().ok(), about.len()));
        }
        return;
    }
    let skipped = path
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| depth > 0 && (name == "target" || name.starts_with('.')));
    if depth < DEEPEST_FOLDER && !skipped {
        for entry in Disk.list(path).unwrap_or_default() {
            visit(&entry, depth + 1, seen);
        }
    }
}
