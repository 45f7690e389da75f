//! Reports with `gen-crds` what would keep the working tree from becoming the first bundle.

use crd_channels_compat::{AGREE, Channel, Published, Set, first, waivers};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Disk, Read};
use crd_channels_generator::pipeline::Setup;
use crd_channels_generator::pipeline::build::Built;
use crd_channels_projection::channel::config::FOLDER;
use std::path::Path;

/// Returns a finding for each pair of versions that differ without a conversion.
#[must_use]
pub fn differences(built: &Built, setup: &Setup, root: &Path) -> Vec<Diagnostic> {
    let mut channels = setup.config.channels.iter();
    let Some(stable) = channels.find(|channel| channel.features.is_empty()) else {
        return Vec::new();
    };
    let files = built.made.iter().flat_map(|(_, made)| &made.files);
    let files = files.filter(|file| *file.channel == *stable.name);
    let mut set = Set::default();
    for crd in files.filter_map(|file| file.versions.clone()) {
        // Duplicate names are reported elsewhere.
        let _ = set.insert(Channel::Stable, Published::new(crd));
    }
    let mut report = first(&set);
    // `release` reports errors in the file.
    let text = Disk.read(&root.join(FOLDER).join("waivers.toml")).ok();
    let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
    let waived = text.and_then(|text| waivers::parse(&text).ok());
    let version = set.bundle_version();
    waivers::apply(&waived.unwrap_or_default(), version.as_deref(), &mut report);
    let open = report.findings.iter();
    let open = open.filter(|finding| finding.waived.is_none());
    open.map(|finding| {
        let found = Diagnostic::new(Code::VersionsDiffer, finding.origin, finding.described());
        found.with_help(AGREE)
    })
    .collect()
}
