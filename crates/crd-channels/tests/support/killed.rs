//! A run that is killed while it writes.

use crd_channels_files::{Disk, Entry, Write};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The operations at which a run is killed, without an end: one in seven, or each with `KILLS=all`.
#[allow(dead_code, reason = "short runs are killed everywhere")]
pub fn moments() -> impl Iterator<Item = usize> {
    let all = std::env::var("KILLS").is_ok_and(|kills| kills == "all");
    (0..).step_by(if all { 1 } else { 7 })
}

/// A disk for a process that is killed at its nth modifying operation.
pub struct Killed(AtomicUsize);

impl Killed {
    /// Kills at the given operation, counted from 0.
    pub fn at(operation: usize) -> Self {
        Self(AtomicUsize::new(operation))
    }

    fn step<T>(&self, run: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let left = self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                left.checked_sub(1)
            });
        left.map_err(|_| io::Error::other("killed"))?;
        run()
    }
}

impl Write for Killed {
    fn look(&self, path: &Path) -> io::Result<Option<Entry>> {
        Disk.look(path)
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<(String, Entry)>> {
        Disk.entries(folder)
    }

    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        Disk.load(path)
    }

    fn store(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        // Half of the bytes are written.
        let whole = self.step(|| Ok(()));
        if whole.is_err() && self.0.fetch_add(0, Ordering::SeqCst) == 0 {
            let _ = Disk.store(path, &bytes[..bytes.len() / 2]);
        }
        whole?;
        Disk.store(path, bytes)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.step(|| Disk.make_folder(path))
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.step(|| Disk.remove_folder(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(|| Disk.rename(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step(|| Disk.remove(path))
    }

    fn lock(&self, path: &Path) -> io::Result<Option<File>> {
        Disk.lock(path)
    }
}
