//! Small files that a run leaves for the next one. Losing one only costs time, so failures are not reported.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// Reads what an earlier run left, if possible.
#[must_use]
pub fn recall<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// Writes a value for the next run, all or nothing.
pub fn keep<T: Serialize>(path: &Path, value: &T) {
    // A killed run leaves this file behind, and the next one overwrites it. If two runs write at once, it cannot be read.
    let aside = path.with_extension("tmp");
    let written = serde_json::to_vec(value).is_ok_and(|bytes| {
        path.parent()
            .is_some_and(|folder| std::fs::create_dir_all(folder).is_ok())
            && std::fs::write(&aside, bytes).is_ok()
            && std::fs::rename(&aside, path).is_ok()
    });
    if !written {
        let _ = std::fs::remove_file(&aside);
    }
}
