//! Bundles that were fetched once, by the digest of their manifest, so that what is pinned need not be fetched again.

use crd_channels_files::{Disk, cache_folder};
use crd_channels_released::digest::Digest;
use crd_channels_released::folder::{Verified, verify};
use crd_channels_released::manifest;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder with a folder for each bundle. Nothing in it is believed before it was verified, and losing it costs a fetch.
#[derive(Clone, Debug)]
pub struct Cache {
    /// None where the user has no folder for caches.
    folder: Option<PathBuf>,
}

impl Cache {
    /// The user's own.
    #[must_use]
    pub fn of_user() -> Self {
        Self {
            folder: cache_folder().map(|folder| folder.join("bundles")),
        }
    }

    fn place(&self, digest: &Digest) -> Option<PathBuf> {
        let name = digest.to_string().replace(':', "-");
        Some(self.folder.as_ref()?.join(name))
    }

    /// The bundle whose manifest states that digest.
    #[must_use]
    pub fn get(&self, digest: &Digest) -> Option<Verified> {
        let bundle = verify(&self.place(digest)?, &Disk).ok()?;
        (bundle.manifest.digest.as_ref() == Some(digest)).then_some(bundle)
    }

    /// Keeps a bundle. Where that fails it is fetched again.
    pub fn keep(&self, bundle: &Verified) {
        let (text, digest) = bundle.manifest.to_text();
        let Some(place) = self.place(&digest) else {
            return;
        };
        if self.get(&digest).is_some() {
            return;
        }
        // What another run reads is there as a whole or not at all.
        let aside = place.with_extension(std::process::id().to_string());
        let written = write(&aside, &text, bundle).and_then(|()| {
            if place.exists() {
                fs::remove_dir_all(&place)?;
            }
            fs::rename(&aside, &place)
        });
        if written.is_err() {
            let _ = fs::remove_dir_all(&aside);
        }
    }
}

fn write(folder: &Path, manifest: &str, bundle: &Verified) -> io::Result<()> {
    for (path, bytes) in &bundle.files {
        let path = folder.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, bytes)?;
    }
    fs::create_dir_all(folder)?;
    fs::write(folder.join(manifest::FILE), manifest)
}
