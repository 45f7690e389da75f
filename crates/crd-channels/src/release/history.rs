//! The released bundles, each verified, and the chain that they form: every bundle records the version and digest of the one
//! that it was compared with.

use super::rejection;
use crd_channels_compat::{Set, read};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::Read;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::folder::{Verified, verify};
use crd_channels_released::manifest;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

/// CRDs by their bundle.
pub type Sets = BTreeMap<BundleVersion, Set>;

/// Released bundles by version.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// All bundles, including pre-releases.
    pub bundles: BTreeMap<BundleVersion, Verified>,
}

impl History {
    /// Reads and verifies the bundles in a folder: its subfolders with names such as `v0.4.0`. A missing folder is an empty
    /// history.
    ///
    /// # Errors
    /// Returns everything that differs from its release, and every broken link of the chain.
    pub fn read(folder: &Path, files: &dyn Read) -> Result<Self, Vec<Diagnostic>> {
        let entries = match files.list(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                let message = format!("`{}` cannot be listed: {error}", folder.display());
                return Err(vec![*rejection(
                    Code::UnreadableFile,
                    message,
                    "make the folder readable",
                )]);
            }
        };
        let mut history = Self::default();
        let mut faults = Vec::new();
        for entry in entries.iter().filter(|entry| !files.is_file(entry)) {
            let name = entry.file_name().and_then(|name| name.to_str());
            let version = name.and_then(|name| BundleVersion::try_from(name.to_owned()).ok());
            let Some(version) = version else {
                continue;
            };
            if let Err(found) = history.add(version, entry, files) {
                faults.extend(found);
            }
        }
        history.unbroken(faults)
    }

    /// The same for one bundle and those that it follows, regardless of others.
    ///
    /// # Errors
    /// As [`History::read`].
    pub fn chain(
        folder: &Path,
        version: &BundleVersion,
        files: &dyn Read,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut history = Self::default();
        history.follow(folder, Some(version.clone()), false, files)?;
        history.unbroken(Vec::new())
    }

    /// Adds a bundle and those that it follows. `may_end` says whether bundles may be missing.
    fn follow(
        &mut self,
        folder: &Path,
        mut open: Option<BundleVersion>,
        may_end: bool,
        files: &dyn Read,
    ) -> Result<(), Vec<Diagnostic>> {
        // Manifests contain the digest of the bundle before, so a chain cannot be a cycle; but the loop must end even for a
        // forged one.
        while let Some(version) = open.take_if(|version| !self.bundles.contains_key(version)) {
            let entry = folder.join(version.to_string());
            if may_end && !files.is_file(&entry.join(manifest::FILE)) {
                break;
            }
            self.add(version.clone(), &entry, files)?;
            let bundle = self.bundles.get(&version);
            let baseline = bundle.and_then(|bundle| bundle.manifest.baseline.as_ref());
            open = baseline.map(|baseline| baseline.version.clone());
        }
        Ok(())
    }

    /// The bundles that the one in a folder follows, as far as they are beside it.
    ///
    /// # Errors
    /// As [`History::read`].
    pub fn beside(folder: &Path, files: &dyn Read) -> Result<Self, Vec<Diagnostic>> {
        let bundle = verify(folder, files)?;
        let own = bundle.manifest.version.clone();
        let baseline = bundle.manifest.baseline.clone();
        let mut history = Self::default();
        history.bundles.insert(own.clone(), bundle);
        if let (Some(all), Some(baseline)) = (folder.parent(), baseline) {
            history.follow(all, Some(baseline.version), true, files)?;
        }
        let faults = history.broken_links(true);
        history.bundles.remove(&own);
        match faults.is_empty() {
            true => Ok(history),
            false => Err(faults),
        }
    }

    fn add(
        &mut self,
        version: BundleVersion,
        folder: &Path,
        files: &dyn Read,
    ) -> Result<(), Vec<Diagnostic>> {
        if !files.is_file(&folder.join(manifest::FILE)) {
            let message = format!(
                "the folder `{version}` has no `{}`, so the bundle is incomplete",
                manifest::FILE
            );
            return Err(vec![*rejection(
                Code::BundleInvalid,
                message,
                "get the bundle from where it was released; if an interrupted release left it, remove the folder",
            )]);
        }
        let bundle = verify(folder, files)?;
        if bundle.manifest.version != version {
            return Err(vec![*rejection(
                Code::BundleTampered,
                format!(
                    "the folder `{version}` contains bundle {}",
                    bundle.manifest.version
                ),
                "give the folder the name of its bundle",
            )]);
        }
        self.bundles.insert(version, bundle);
        Ok(())
    }

    fn unbroken(self, mut faults: Vec<Diagnostic>) -> Result<Self, Vec<Diagnostic>> {
        if faults.is_empty() {
            faults = self.broken_links(false);
        }
        if faults.is_empty() {
            Ok(self)
        } else {
            Err(faults)
        }
    }

    /// Returns the broken links of the chain. `may_end` says whether bundles may be missing.
    fn broken_links(&self, may_end: bool) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        for (version, bundle) in &self.bundles {
            let Some(baseline) = &bundle.manifest.baseline else {
                continue;
            };
            let before = self.bundles.get(&baseline.version);
            let digest = before.and_then(|bundle| bundle.manifest.digest.as_ref());
            let fault = match digest {
                None if may_end => continue,
                None => "which is missing here",
                Some(digest) if *digest != baseline.digest => {
                    "which changed since: its digest differs"
                }
                Some(_) => continue,
            };
            faults.push(*rejection(
                Code::BundleTampered,
                format!(
                    "bundle {version} was compared with {}, {fault}",
                    baseline.version
                ),
                "get all bundles from where they were released: folders of bundles are only ever added",
            ));
        }
        faults
    }

    /// Returns the CRDs of every bundle.
    ///
    /// # Errors
    /// Returns what is invalid, in one line.
    pub fn sets(&self) -> Result<Sets, String> {
        let bundles = self.bundles.par_iter();
        let sets = bundles.map(|(version, bundle)| Ok((version.clone(), read::bundle(bundle)?)));
        sets.collect()
    }
}
