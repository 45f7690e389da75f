//! Released bundles for tests: any files of channels, with a matching manifest.

use crd_channels_released::digest::Digest;
use crd_channels_released::manifest::{self, Channel, FORMAT, Feature, Manifest, Tombstones};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Files by path inside a channel.
pub type Files = Vec<(String, String)>;

/// Writes the bundle of a version into a folder of its name below `folder`. A channel has features, and files by path inside
/// it.
pub fn release(
    folder: &Path,
    version: &str,
    features: &[&str],
    channels: &[(&str, &[&str], Files)],
) {
    release_as("example.com", folder, version, features, channels);
}

/// The same for a project with that prefix.
pub fn release_as(
    prefix: &str,
    folder: &Path,
    version: &str,
    features: &[&str],
    channels: &[(&str, &[&str], Files)],
) {
    let folder = folder.join(version);
    let own = |name: &&str| (*name).to_owned();
    let channels = channels.iter().map(|(name, features, files)| {
        let mut digests = BTreeMap::new();
        for (path, text) in files {
            let path = format!("{name}/{path}");
            let place = folder.join(&path);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, text).unwrap();
            digests.insert(path, Digest::of(text.as_bytes()));
        }
        Channel {
            name: (*name).to_owned(),
            annotation: (*name).to_owned(),
            features: features.iter().map(own).collect(),
            conditions: Vec::new(),
            files: digests,
        }
    });
    let features = features.iter().map(|name| Feature {
        name: own(name),
        summary: "tried".to_owned(),
        owner: None,
        link: None,
        since: None,
        gates: None,
    });
    let manifest = Manifest {
        format: FORMAT,
        digest: None,
        version: version.parse().unwrap(),
        tool: "0.1.0".to_owned(),
        baseline: None,
        kubernetes: "1.31".to_owned(),
        annotation_prefix: prefix.to_owned(),
        channels: channels.collect(),
        shared: BTreeMap::new(),
        features: features.collect(),
        tombstones: Tombstones::default(),
        deprecated: Vec::new(),
        changes: Vec::new(),
        sources: Vec::new(),
        proofs: Vec::new(),
        history: Vec::new(),
    };
    fs::write(folder.join(manifest::FILE), manifest.to_text().0).unwrap();
}
