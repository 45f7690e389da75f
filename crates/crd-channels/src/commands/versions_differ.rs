//! Reports with `gen-crds` which versions differ without a conversion, as no bundle may have them: neither the first one, nor a
//! later one unless the last bundle has the same difference.

use crd_channels_compat::{AGREE, Channel, Finding, Published, Set, first, read, waivers};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Disk, Read};
use crd_channels_generator::pipeline::Setup;
use crd_channels_generator::pipeline::build::Built;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::bundles;
use crd_channels_released::folder::verify;
use std::path::Path;

/// Returns a finding for each pair of versions that differ without a conversion; never `None`.
#[must_use]
pub fn differences(built: &Built, setup: &Setup, root: &Path) -> Option<Vec<Diagnostic>> {
    let mut channels = setup.config.channels.iter();
    let stable = channels.find(|channel| channel.features.is_empty());
    Some(stable.map_or_else(Vec::new, |stable| of_channel(&stable.name, built, root)))
}

fn of_channel(stable: &str, built: &Built, root: &Path) -> Vec<Diagnostic> {
    let files = built.made.iter().flat_map(|(_, made)| &made.files);
    let files = files.filter(|file| *file.channel == *stable);
    let mut set = Set::default();
    for crd in files.filter_map(|file| file.versions.clone()) {
        // Duplicate names are reported elsewhere.
        let _ = set.insert(Channel::Stable, Published::new(crd));
    }
    let mut report = first(&set);
    if report.findings.is_empty() {
        return Vec::new();
    }
    let version = set.bundle_version();
    let version = version.and_then(|version| version.parse::<BundleVersion>().ok());
    if let Some(known) = released(root, version.as_ref()) {
        let known = first(&known).findings;
        let is_known = |finding: &Finding| known.iter().any(|known| known.is_again(finding));
        report.findings.retain(|finding| !is_known(finding));
    }
    // `release` reports errors in the file.
    let text = Disk.read(&root.join(FOLDER).join("waivers.toml")).ok();
    let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
    let waived = text
        .and_then(|text| waivers::parse(&text).ok())
        .unwrap_or_default();
    // It is not known yet which of the next versions will be released.
    for bundle in waived
        .iter()
        .filter_map(|waiver| waiver.bundle.parse::<BundleVersion>().ok())
    {
        if version
            .as_ref()
            .is_none_or(|tree| bundle >= tree.as_final())
        {
            waivers::apply(&waived, Some(&bundle.to_string()), &mut report);
        }
    }
    let open = report.findings.iter();
    let open = open.filter(|finding| finding.waived.is_none());
    open.map(|finding| {
        let found = Diagnostic::new(Code::VersionsDiffer, finding.origin, finding.described());
        found.with_help(AGREE)
    })
    .collect()
}

/// Returns the CRDs of the last bundle before the version of the tree; `None` if there is none. `release` reports bundles that
/// were changed.
fn released(root: &Path, tree: Option<&BundleVersion>) -> Option<Set> {
    let all = bundles::all(&root.join(FOLDER), &Disk);
    let mut finals = all
        .into_iter()
        .rev()
        .filter(|bundle| bundle.version.is_final());
    let last = finals.find(|bundle| tree.is_none_or(|tree| bundle.version <= tree.as_final()))?;
    read::bundle(&verify(&last.folder, &Disk).ok()?).ok()
}
