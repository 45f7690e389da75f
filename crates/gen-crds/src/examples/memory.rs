//! What a run leaves for the next one: that nothing was wrong with these examples by these CRDs.

use super::read::Example;
use crd_channels_files as files;
use std::path::{Path, PathBuf};

/// Where it is left.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'m> {
    /// The folder.
    pub state: &'m Path,
    /// Stands for the program, the configuration and the channels.
    pub key: u64,
}

impl Memory<'_> {
    fn file(self) -> PathBuf {
        self.state.join("examples.json")
    }

    /// Whether nothing was wrong.
    pub fn knows(self, digest: u64) -> bool {
        files::recall(&self.file()) == Some(digest)
    }

    /// Leaves it for the next run.
    pub fn keep(self, digest: u64) {
        files::keep(&self.file(), &digest);
    }

    /// Stands for all that examples are judged by, and for themselves.
    pub fn digest(self, examples: &[Example], crds: &[(&str, String)]) -> u64 {
        let crds = crds.iter().flat_map(|(path, text)| [*path, text]);
        let examples = examples.iter().flat_map(|example| {
            let old = example.old.as_ref().map_or("", |(text, _)| text);
            [&*example.path, &example.text, old]
        });
        let mut bytes = self.key.to_le_bytes().to_vec();
        for text in crds.chain(examples) {
            // Where a text ends is part of it.
            bytes.extend(text.len().to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        files::digest(&bytes)
    }
}
