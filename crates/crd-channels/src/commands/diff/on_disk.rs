//! Reads sets of CRDs from disk: released bundles, folders and files.

use super::origin::root_here;
use super::types::PublishedCrds;
use super::unread::Unread;
use crate::commands::{Outcome, list_names};
use crd_channels_compat::read;
use crd_channels_files::{Disk, Read, shown_path};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::manifest::{self, Manifest};
use crd_channels_released::{bundles, folder};
use std::path::{Path, PathBuf};

/// The maximum number of bundles to name in a message.
const MOST_NAMED: usize = 5;

/// Reads CRDs from disk: a released bundle, which is verified and returned with its folder, or a folder or a file. `v0.1.0` is
/// the bundle of that version below `channels/`, unless a file has that name. Only bundles record features.
///
/// # Errors
/// Returns why it cannot be read.
pub fn on_disk(path: &Path) -> Result<(PublishedCrds, Option<PathBuf>), Unread> {
    if !path.exists() {
        let folder = root_here().map(|root| root.join(FOLDER));
        let released = folder.map(|folder| bundles::all(&folder, &Disk));
        let released = released.unwrap_or_default();
        let version: Option<BundleVersion> = path.to_str().and_then(|name| name.parse().ok());
        let asked = released
            .iter()
            .find(|it| Some(&it.version) == version.as_ref());
        if let Some(bundle) = asked {
            return on_disk(&bundle.folder);
        }
        let mut message = format!("`{}`: no such bundle, file or folder", shown_path(path));
        let versions = released.iter().rev().map(|it| it.version.to_string());
        let names: Vec<String> = versions.collect();
        if !names.is_empty() {
            message.push_str(&format!("; bundles: {}", list_names(&names, MOST_NAMED)));
        }
        return Err(message.into());
    }
    let manifest = Disk.read(&path.join(manifest::FILE));
    if !manifest.is_ok_and(|bytes| Manifest::is_ours(&bytes)) {
        let crds = PublishedCrds {
            set: read::set(path, &Disk)?,
            ..PublishedCrds::default()
        };
        return Ok((crds, None));
    }
    match folder::verify(path, &Disk) {
        Ok(bundle) => {
            let crds = PublishedCrds {
                set: read::bundle(&bundle)?,
                features: bundle.manifest.features,
                history: bundle.manifest.history,
                ..PublishedCrds::default()
            };
            Ok((crds, Some(path.to_path_buf())))
        }
        Err(findings) => Err(Unread {
            outcome: Outcome::of(&findings),
            ..Unread::after(
                findings,
                format!("`{}` cannot be compared", shown_path(path)),
            )
        }),
    }
}
