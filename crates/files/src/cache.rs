//! The folder for files that can be downloaded or built again.

use std::path::PathBuf;

/// Returns the tool's folder in the user's cache: below `$XDG_CACHE_HOME`, else `~/.cache`, on Windows `%LOCALAPPDATA%`; `None`
/// if none of these is known.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    let given = |name: &str| {
        let path = std::env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let cache = given("XDG_CACHE_HOME")
        .or_else(|| given("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| given("HOME").map(|home| home.join(".cache")));
    cache.map(|cache| cache.join("crd-channels"))
}
