//! The memory of a run that found no faults in these examples with these CRDs.

use super::read::Example;
use crd_channels_files as files;
use std::path::{Path, PathBuf};

/// The place of the memory.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'m> {
    /// The folder.
    pub state: &'m Path,
    /// A digest of the program, the configuration and the channels.
    pub key: u64,
}

impl Memory<'_> {
    fn file(self) -> PathBuf {
        self.state.join("examples.json")
    }

    /// Whether an earlier run found no faults for this digest.
    pub fn knows(self, digest: u64) -> bool {
        files::recall(&self.file()) == Some(digest)
    }

    /// Stores the digest for the next run.
    pub fn keep(self, digest: u64) {
        files::keep(&self.file(), &digest);
    }

    /// Returns the digest of the examples and of everything that validates them.
    pub fn digest(self, examples: &[Example], crds: &[(&str, String)]) -> u64 {
        let crds = crds.iter().flat_map(|(path, text)| [*path, text]);
        let examples = examples.iter().flat_map(|example| {
            let old = example.old.as_ref().map_or("", |(text, _)| text);
            [&*example.path, &example.text, old]
        });
        let mut bytes = self.key.to_le_bytes().to_vec();
        for text in crds.chain(examples) {
            // The digest includes where each text ends.
            bytes.extend(text.len().to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        files::digest(&bytes)
    }
}
