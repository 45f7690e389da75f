//! A folder that pinned CRDs are written into, held against the lock alone: its digests say all that there is to know.

use super::lock::Lock;
use crate::files::{Read, with_unix_line_ends};
use crate::released::digest::Digest;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

/// In what way a file is not as the lock has it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stale {
    /// It is not there.
    Missing,
    /// It has another digest, or cannot be read.
    Differs,
}

impl Lock {
    /// The files that are written into the folder: the path inside the bundle by the name.
    #[must_use]
    pub fn vendored(&self) -> BTreeMap<&str, &str> {
        let prefix = format!("{}/crds/", self.channel);
        let paths = self.files.keys();
        let named = paths.filter_map(|path| Some((path.strip_prefix(&prefix)?, path.as_str())));
        named.collect()
    }

    /// Those of them that are not in a folder as they were pinned. Windows line ends are git's business.
    #[must_use]
    pub fn stale(&self, folder: &Path, files: &dyn Read) -> BTreeMap<&str, Stale> {
        let mut stale = BTreeMap::new();
        for (name, path) in self.vendored() {
            let is_pinned = |bytes: &[u8]| self.files.get(path) == Some(&Digest::of(bytes));
            match files.read(&folder.join(name)) {
                Ok(bytes) if is_pinned(&bytes) || is_pinned(&with_unix_line_ends(&bytes)) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    stale.insert(name, Stale::Missing);
                }
                Ok(_) | Err(_) => {
                    stale.insert(name, Stale::Differs);
                }
            }
        }
        stale
    }
}
