//! `gen-crds --watch`: looks at the files that a run depends on, and runs again when one of them changes.

use super::packages::any_file;
use crate::files::Disk;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

/// How often the files are looked at. Looking at 400 of them takes about a millisecond.
const INTERVAL: Duration = Duration::from_millis(20);

/// When every watched file was changed last, and how long it is.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Seen(BTreeMap<PathBuf, (Option<SystemTime>, u64)>);

/// Looks at every Rust source, manifest, lock file and configuration below the folders.
#[must_use]
pub fn look(folders: &[PathBuf]) -> Seen {
    let mut seen = Seen::default();
    for folder in folders {
        any_file(folder, &Disk, 0, &mut |path| {
            let watched = path.extension().is_some_and(|extension| {
                extension == "rs" || extension == "toml" || extension == "lock"
            });
            if watched && let Ok(about) = std::fs::metadata(path) {
                let change = (about.modified().ok(), about.len());
                seen.0.insert(path.to_path_buf(), change);
            }
            false
        });
    }
    seen
}

/// Waits until something below the folders is not as it was seen.
pub fn wait(folders: &[PathBuf], before: &Seen) {
    while look(folders) == *before {
        sleep(INTERVAL);
    }
}
