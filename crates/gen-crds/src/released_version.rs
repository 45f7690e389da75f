//! Checks a working tree that has the version of a released bundle: the commit of the release, and those up to the next
//! version. Its CRDs must be those of the bundle, or the two could not be told apart.

use crd_channels_diagnostics::program::VERSION;
use crd_channels_diagnostics::{Code, Diagnostic, Sink};
use crd_channels_files::{Read, with_unix_line_ends};
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::manifest::{self, Manifest};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The CRDs that a run would write.
#[derive(Clone, Copy)]
pub struct GeneratedCrds<'a> {
    /// Their texts by channel and file, such as `stable/example.com_routes.yaml`, among other files.
    pub texts: &'a BTreeMap<String, String>,
    /// The paths of CRDs that an earlier run wrote and this run keeps.
    pub kept: &'a BTreeSet<String>,
    /// The names of their channels.
    pub channels: &'a [&'a str],
}

/// `version-released`: returns an error if CRDs differ from the bundle whose version the tree has.
#[must_use]
pub fn rejection(setup: &Setup, made: GeneratedCrds<'_>, files: &dyn Read) -> Option<Diagnostic> {
    // An unknown version was already reported when the CRDs were made.
    let version = pipeline::version(setup, &mut Sink::default())?;
    let version: BundleVersion = version.parse().ok()?;
    let folder = setup.workspace.root.join(FOLDER).join(version.to_string());
    if !files.is_file(&folder.join(manifest::FILE)) {
        return None;
    }
    let other = made
        .channels
        .iter()
        .find_map(|channel| other(made, channel, &folder, files))?;
    let message = format!(
        "the tree still has the version of {version}, which is released, but `{other}` would differ from the bundle"
    );
    let next = "run `crd-channels start-next`: it sets the next version, and CRDs may change again";
    let bytes = files.read(&folder.join(manifest::FILE)).ok()?;
    let help = match Manifest::parse(&bytes) {
        // Another version of the tool may generate other bytes from the same types.
        Ok(made) if made.tool != VERSION => {
            format!(
                "{next}; or use version {} of the tool, which made {version}",
                made.tool
            )
        }
        _ => next.to_owned(),
    };
    Some(Diagnostic::new(Code::VersionReleased, None, message).with_help(help))
}

/// Returns the first CRD of a channel that differs from the bundle's.
fn other(
    made: GeneratedCrds<'_>,
    channel: &str,
    bundle: &Path,
    files: &dyn Read,
) -> Option<String> {
    let released: BTreeMap<String, std::path::PathBuf> = files
        .list(&bundle.join(channel).join("crds"))
        .unwrap_or_default()
        .into_iter()
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?;
            Some((format!("{channel}/{name}"), path))
        })
        .collect();
    let is_same = |path: &str, place: &Path| match made.texts.get(path) {
        Some(text) => files
            .read(place)
            .is_ok_and(|bytes| with_unix_line_ends(&bytes) == text.as_bytes()),
        None => made.kept.contains(path),
    };
    let mut known = released.iter();
    if let Some((path, _)) = known.find(|(path, place)| !is_same(path, place)) {
        return Some(path.clone());
    }
    let inside = format!("{channel}/");
    let of_channel =
        |path: &&String| path.starts_with(&inside) && !path.ends_with("/kustomization.yaml");
    let all = made.texts.keys().chain(made.kept);
    let mut new = all
        .filter(of_channel)
        .filter(|path| !released.contains_key(*path));
    new.next().cloned()
}
