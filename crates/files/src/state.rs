//! Small files that a run leaves for the next one. Losing one costs time and nothing else, so failures are not reported.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// What an earlier run left, if it can be read.
#[must_use]
pub fn recall<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// Leaves something for the next run, wholly or not at all.
pub fn keep<T: Serialize>(path: &Path, value: &T) {
    // A run that is killed leaves this behind; the next one writes over it. What two runs write at once cannot be read.
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
