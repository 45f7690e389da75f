//! Drops `unseen-deprecation` if a released bundle already deprecated the version while it was served.

use crd_channels_check::Rule;
use crd_channels_diagnostics::{Diagnostic, Subject};
use crd_channels_files::{Disk, Read};
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::manifest::Manifest;
use crd_channels_released::{bundles, documents};
use serde_json::Value;
use std::path::Path;

/// Removes findings about deprecations that users no longer see, if a released bundle showed them.
pub fn without_seen_deprecations(findings: Vec<Diagnostic>, root: &Path) -> Vec<Diagnostic> {
    let mut findings = findings;
    let unseen = Rule::UnseenDeprecation.record().id;
    findings.retain(|finding| {
        let subject = finding.subject.as_deref();
        let is_unseen = finding.record().id == unseen;
        !is_unseen || !subject.is_some_and(|subject| was_seen(subject, root))
    });
    findings
}

fn was_seen(subject: &Subject, root: &Path) -> bool {
    let version = subject.field.split(' ').next().unwrap_or_default();
    was_shown(&subject.crd, version, root)
}

/// Whether a bundle below `channels/` in `root` both serves and deprecates a version of a CRD.
#[must_use]
pub fn was_shown(crd: &str, version: &str, root: &Path) -> bool {
    let folder = root.join(FOLDER);
    let released = bundles::all(&folder, &Disk).into_iter().rev();
    let mut seen = released.filter_map(|bundle| {
        let manifest = bundle.manifest(&Disk).ok()?;
        Some(files(&manifest, crd).any(|file| {
            let path = bundle.folder.join(file);
            is_deprecated(&path, crd, version).unwrap_or_default()
        }))
    });
    seen.any(|seen| seen)
}

/// Returns the files of a bundle that may have a CRD of the group.
fn files<'m>(manifest: &'m Manifest, crd: &str) -> impl Iterator<Item = &'m String> {
    let group = crd
        .split_once('.')
        .map_or("", |(_, group)| group)
        .to_owned();
    let files = manifest.channels.iter().flat_map(|channel| {
        let folder = format!("{}/crds/", channel.name);
        let files = channel.files.keys();
        files.filter(move |file| file.starts_with(&folder))
    });
    files.filter(move |file| file.contains(&group))
}

/// Whether a released CRD both deprecates and serves a version.
fn is_deprecated(path: &Path, crd: &str, version: &str) -> Option<bool> {
    let text = String::from_utf8(Disk.read(path).ok()?).ok()?;
    let all = documents::parse(&text).ok()?;
    let mut crds = all.iter().filter(|known| known["metadata"]["name"] == crd);
    Some(crds.any(|known| {
        let versions = known["spec"]["versions"].as_array();
        let is_true = |value: &Value| value.as_bool().unwrap_or_default();
        versions.into_iter().flatten().any(|known| {
            known["name"] == version && is_true(&known["served"]) && is_true(&known["deprecated"])
        })
    }))
}
