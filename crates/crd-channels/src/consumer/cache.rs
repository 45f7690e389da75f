//! A cache of fetched bundles, by the digest of their manifest, so that a pinned bundle is fetched once.

use crd_channels_files::{Disk, cache_folder};
use crd_channels_released::digest::Digest;
use crd_channels_released::folder::{Verified, verify};
use crd_channels_released::manifest;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder with a folder for each bundle. Bundles are verified when read, and losing the cache only costs a fetch.
#[derive(Clone, Debug)]
pub struct Cache {
    /// `None` if the user has no cache folder.
    folder: Option<PathBuf>,
}

impl Cache {
    /// The cache of the current user.
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

    /// Returns the bundle whose manifest has the given digest.
    #[must_use]
    pub fn get(&self, digest: &Digest) -> Option<Verified> {
        let bundle = verify(&self.place(digest)?, &Disk).ok()?;
        (bundle.manifest.digest.as_ref() == Some(digest)).then_some(bundle)
    }

    /// Stores a bundle. If that fails, it is fetched again next time.
    pub fn keep(&self, bundle: &Verified) {
        let (text, digest) = bundle.manifest.to_text();
        let Some(place) = self.place(&digest) else {
            return;
        };
        if self.get(&digest).is_some() {
            return;
        }
        // Rename, so that other runs never see an incomplete bundle.
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
