//! Files on disk of which some are replaced in memory.

use crd_channels_files::{Disk, Read};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Texts that replace files on disk.
pub struct Overlay(pub BTreeMap<PathBuf, String>);

impl Overlay {
    /// Returns the text that replaces a file.
    pub fn text(&self, path: &Path) -> Option<&String> {
        let whole = Disk.canonical(path).ok();
        // A new file does not exist on disk, but its folder does.
        let new = || Some(Disk.canonical(path.parent()?).ok()?.join(path.file_name()?));
        self.0.get(&whole.or_else(new)?)
    }
}

impl Read for Overlay {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.text(path) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => Disk.read(path),
        }
    }

    fn is_file(&self, path: &Path) -> bool {
        self.text(path).is_some() || Disk.is_file(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        Disk.canonical(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut listed = Disk.list(folder)?;
        let canonical = Disk.canonical(folder)?;
        let new = self.0.keys().filter(|path| !path.exists());
        let inside = new.filter(|path| path.parent() == Some(&*canonical));
        listed.extend(inside.filter_map(|path| Some(folder.join(path.file_name()?))));
        Ok(listed)
    }
}
