//! Reads the kinds of a bundle whose source is CRDs: one folder for each channel.
#![doc = include_str!("../README.md")]

mod drafts;
mod features;
mod folders;
mod nodes;
mod origins;
mod tombstones;

use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::Read;
use crd_channels_projection::channel::config::{Channel, Config};
use crd_channels_projection::channel::{self, Kind};
use std::path::{Path, PathBuf};

/// The kinds of the folders, and what they were read from.
#[derive(Debug, Default)]
pub struct CrdFolders {
    /// The kinds, each with its CRD in every channel that has it.
    pub kinds: Vec<Kind>,
    /// The files with CRDs.
    pub files: Vec<PathBuf>,
    /// The other objects in the folders, in words.
    pub others: Vec<String>,
}

/// Reads the CRDs in the folders of all channels, and finds out what each feature gates: what some channels have and others lack.
///
/// Reports what cannot be read, and what a channel has without the feature that gates it.
pub fn read(
    config: &Config,
    root: &Path,
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) -> CrdFolders {
    let found: Vec<folders::Folder> = config
        .channels
        .iter()
        .map(|channel| folders::read(channel, root, files, sources, sink))
        .collect();
    let channels: Vec<&Channel> = config.channels.iter().collect();
    let mut features = features::Features::new(config, &channels);
    let mut tombstones = tombstones::Fields::new(&config.tombstones.fields);
    let drafts = drafts::drafts(&found, &mut features, &mut tombstones, sink);
    let is_complete = !sink.has_errors();
    let mut kinds = channel::group(drafts, sink);
    for kind in &mut kinds {
        let name = kind.crd_name();
        let of = |(folder, channel): (&folders::Folder, &&Channel)| {
            Some((channel.name.clone(), folder.crds.get(&name)?.crd.clone()))
        };
        kind.crds = Some(found.iter().zip(&channels).filter_map(of).collect());
    }
    if is_complete {
        features.unused(sink);
        tombstones.unused(sink);
    }
    channel::check_crds(&kinds, config, is_complete, sink);
    let mut files: Vec<PathBuf> = found.iter().flat_map(|it| it.files.clone()).collect();
    files.sort();
    files.dedup();
    CrdFolders {
        kinds,
        files,
        others: found.into_iter().flat_map(|it| it.others).collect(),
    }
}
