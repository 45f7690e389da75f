//! Detects whether a file changed, without reading it if that is safe.

use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::hash::Hasher;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// File systems round times, some to two seconds: a write this soon after the previous one may not change the file's times.
const COARSEST: Duration = Duration::from_secs(2);

/// The digest of a file's content, and its metadata at that time.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Fingerprint {
    digest: u64,
    stamp: Stamp,
}

/// The metadata that a write changes. Times are in nanoseconds since 1970.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
struct Stamp {
    length: u64,
    modified: u64,
    /// When anything about the file last changed (ctime), which programs cannot set. 0 if the system does not record it.
    changed: u64,
    inode: u64,
}

impl Fingerprint {
    /// The fingerprint of a file whose content had this digest when it was read.
    ///
    /// # Errors
    /// If the file's metadata cannot be read.
    pub fn of(path: &Path, digest: u64) -> io::Result<Self> {
        let stamp = Stamp::of(path)?;
        Ok(Self { digest, stamp })
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.stamp.length
    }

    /// The file's current fingerprint; `None` if its content changed. `taken` is when the run that made this fingerprint began:
    /// a file that was last written before then and has the same stamp is not read.
    #[must_use]
    pub fn again(&self, path: &Path, taken: SystemTime) -> Option<Self> {
        let stamp = Stamp::of(path).ok()?;
        if stamp == self.stamp && stamp.is_before(taken) {
            return Some(*self);
        }
        if stamp.length != self.stamp.length {
            return None;
        }
        let digest = digest(&std::fs::read(path).ok()?);
        (digest == self.digest).then_some(Self { digest, stamp })
    }
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let about = std::fs::metadata(path)?;
        if !about.is_file() {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        let (changed, inode) = beyond(&about);
        Ok(Self {
            length: about.len(),
            modified: about.modified().map(nanoseconds)?,
            changed,
            inode,
        })
    }

    fn is_before(&self, taken: SystemTime) -> bool {
        let last = Duration::from_nanos(self.modified.max(self.changed));
        last + COARSEST < taken.duration_since(UNIX_EPOCH).unwrap_or_default()
    }
}

fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(unix)]
fn beyond(about: &std::fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(about.ctime()).unwrap_or_default();
    let rest = u64::try_from(about.ctime_nsec()).unwrap_or_default();
    let changed = seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    (changed, about.ino())
}

#[cfg(not(unix))]
fn beyond(_: &std::fs::Metadata) -> (u64, u64) {
    (0, 0)
}

/// A digest for bytes that no one forges: equal digests mean equal bytes.
#[must_use]
pub fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{Fingerprint, digest};
    use std::time::{Duration, SystemTime};

    #[test]
    fn a_file_is_the_same_while_its_bytes_are() {
        let folder = std::env::temp_dir().join(format!("fingerprint-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a");
        std::fs::write(&file, "one").unwrap();
        let first = Fingerprint::of(&file, digest(b"one")).unwrap();
        let now = SystemTime::now();
        let later = now + Duration::from_secs(10);
        assert_eq!(first.again(&file, now), Some(first));
        assert_eq!(first.again(&file, later), Some(first));
        // Too recent for its stamp to be trusted, so its bytes are compared.
        let wrong = Fingerprint::of(&file, digest(b"two")).unwrap();
        assert_eq!(wrong.again(&file, now), None);
        assert_eq!(wrong.again(&file, later), Some(wrong));
        // Rewritten with other bytes of the same length, then with the same bytes.
        std::thread::sleep(Duration::from_millis(20));
        std::fs::write(&file, "two").unwrap();
        assert_eq!(first.again(&file, later), None);
        std::fs::write(&file, "one").unwrap();
        assert!(first.again(&file, later).is_some_and(|now| now != first));
        std::fs::write(&file, "three").unwrap();
        assert_eq!(first.again(&file, later), None);
        std::fs::remove_file(&file).unwrap();
        assert_eq!(first.again(&file, later), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
