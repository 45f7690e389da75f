//! The bundles in a folder such as `channels/`.

use super::folder::{Verified, verify};
use super::manifest::{FILE, Manifest};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Read, shown_path};
use crd_channels_projection::bundle::version::BundleVersion;
use std::path::{Path, PathBuf};

/// A bundle and its folder.
#[derive(Clone, Debug)]
pub struct Released {
    /// Its version, which is the name of its folder.
    pub version: BundleVersion,
    /// Its folder.
    pub folder: PathBuf,
}

/// Returns every folder in `folder` that is named like a bundle and has a manifest, oldest first.
#[must_use]
pub fn all(folder: &Path, files: &dyn Read) -> Vec<Released> {
    let listed = files.list(folder).unwrap_or_default();
    let mut found: Vec<Released> = listed
        .into_iter()
        .filter_map(|folder| {
            let name = folder.file_name()?.to_str()?.to_owned();
            let version = BundleVersion::try_from(name).ok()?;
            let is_bundle = files.is_file(&folder.join(FILE));
            is_bundle.then_some(Released { version, folder })
        })
        .collect();
    found.sort_by(|one, other| one.version.cmp(&other.version));
    found
}

/// Returns the bundle of a version in `folder`, verified, and its own folder.
///
/// # Errors
/// `bundle-missing`, or as [`verify`].
pub fn find_bundle(
    folder: &Path,
    version: &BundleVersion,
    files: &dyn Read,
) -> Result<(PathBuf, Verified), Vec<Diagnostic>> {
    let own = folder.join(version.to_string());
    if !files.is_file(&own.join(FILE)) {
        let names: Vec<String> = all(folder, files)
            .iter()
            .map(|released| released.version.to_string())
            .collect();
        let message = format!("there is no bundle {version} in `{}`", shown_path(folder));
        let finding = Diagnostic::new(Code::BundleMissing, None, message);
        return Err(vec![finding.with_help(match names.is_empty() {
            true => "release one first".to_owned(),
            false => format!("available: {}", names.join(", ")),
        })]);
    }
    let bundle = verify(&own, files)?;
    Ok((own, bundle))
}

impl Released {
    /// Reads the manifest without verifying the files.
    ///
    /// # Errors
    /// As [`Manifest::parse`].
    pub fn manifest(&self, files: &dyn Read) -> Result<Manifest, Vec<Diagnostic>> {
        match files.read(&self.folder.join(FILE)) {
            Ok(bytes) => Manifest::parse(&bytes).map_err(|finding| vec![*finding]),
            // The error says why it cannot be read.
            Err(_) => verify(&self.folder, files).map(|bundle| bundle.manifest),
        }
    }

    /// Reads and verifies the bundle.
    ///
    /// # Errors
    /// As [`verify`].
    pub fn verified(&self, files: &dyn Read) -> Result<Verified, Vec<Diagnostic>> {
        verify(&self.folder, files)
    }
}

/// Returns the bundle to compare a tree of a version with: the newest final one up to that version.
#[must_use]
pub fn baseline<'a>(all: &'a [Released], version: &BundleVersion) -> Option<&'a Released> {
    let limit = version.as_final();
    let mut fit = all.iter().rev();
    fit.find(|released| released.version.is_final() && released.version <= limit)
}
