//! Reads sets from disk: a folder with a folder for each channel, a folder of files, or one file.

use super::{Published, Set};
use crate::components::{Components, add as add_component};
use crate::findings::verdict::Channel;
use crd_channels_cel::Text;
use crd_channels_files::{Read, shown_path};
use crd_channels_released::documents;
use crd_channels_released::folder::Verified;
use crd_channels_validation::proof::Proof;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Reads a set. Ignores documents of other kinds.
///
/// # Errors
/// If a file cannot be read or parsed, if a channel has two different CRDs of one name, or if there are no CRDs; in one line.
pub fn set(path: &Path, files: &dyn Read) -> Result<Set, String> {
    let mut set = Set::default();
    if files.is_file(path) {
        set.insert_flat(published(&[path.to_path_buf()], files)?)?;
    } else {
        let entries = files
            .list(path)
            .map_err(|error| format!("`{}`: {error}", shown_path(path)))?;
        for entry in &entries {
            let name = entry.file_name().and_then(|name| name.to_str());
            let channel = name.and_then(Channel::from_name);
            if channel.is_none() && files.is_file(&entry.join("kustomization.yaml")) {
                others(
                    &mut set,
                    &Text::from(name.unwrap_or_default()),
                    entry,
                    files,
                )?;
            }
            if let Some(channel) = channel.filter(|_| !files.is_file(entry)) {
                set.by_folder = true;
                let paths = documents::yaml_and_json_files(entry, files);
                for published in published(&paths, files)? {
                    set.insert(channel, published)?;
                }
            }
        }
        if !set.by_folder {
            let paths = documents::yaml_and_json_files(path, files);
            set.insert_flat(published(&paths, files)?)?;
            set.others.clear();
        }
    }
    if set.channels.is_empty() {
        return Err(format!(
            "`{}`: no CustomResourceDefinition found",
            shown_path(path)
        ));
    }
    Ok(set)
}

/// Another folder beside the channels' is an additional channel if its CRDs say so.
fn others(set: &mut Set, name: &Text, folder: &Path, files: &dyn Read) -> Result<(), String> {
    let all = published(&documents::yaml_and_json_files(folder, files), files).unwrap_or_default();
    let is_own = |published: &Published| {
        let channel = published.annotation("/channel");
        channel.is_some_and(|(_, channel)| channel == name)
    };
    if all.iter().all(is_own) {
        for published in all {
            set.insert_other(name, published)?;
        }
    }
    Ok(())
}

fn published(paths: &[PathBuf], files: &dyn Read) -> Result<Vec<Published>, String> {
    let read: Vec<Result<Vec<Published>, String>> = paths
        .par_iter()
        .map(|path| {
            let in_file = |error: String| format!("`{}`: {error}", shown_path(path));
            let bytes = files
                .read(path)
                .map_err(|error| in_file(error.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|error| in_file(error.to_string()))?;
            texts(&text).map_err(in_file)
        })
        .collect();
    let mut all = Vec::new();
    for published in read {
        all.extend(published?);
    }
    Ok(all)
}

/// The CRDs in a text.
///
/// # Errors
/// The reason in one line, if a CRD cannot be decoded.
pub fn texts(text: &str) -> Result<Vec<Published>, String> {
    let mut all = Vec::new();
    for document in documents::parse(text)? {
        all.extend(Published::read(&document)?);
    }
    Ok(all)
}

/// The CRDs of a released bundle.
///
/// # Errors
/// The reason in one line, if a CRD cannot be decoded.
pub fn bundle(bundle: &Verified) -> Result<Set, String> {
    let manifest = &bundle.manifest;
    let channels: Vec<NamedChannel<'_>> = manifest
        .channels
        .iter()
        .map(|channel| NamedChannel {
            name: &channel.name,
            annotation: &channel.annotation,
            bare: channel.features.is_empty(),
        })
        .collect();
    let promises = promises(&channels);
    let minor = manifest.kubernetes.split_once('.');
    let mut set = Set {
        by_folder: true,
        kubernetes: minor.and_then(|(_, minor)| minor.parse().ok()),
        tombstones: Some(manifest.tombstones.clone()),
        components: Some(components(bundle)?),
        proofs: proofs(bundle),
        ..Set::default()
    };
    for channel in &manifest.channels {
        let name = Text::from(channel.name.as_str());
        let promise = promises.get(&channel.name).copied();
        for published in of_channel(bundle, &channel.name)? {
            set.insert_into(&name, promise, published)?;
        }
    }
    Ok(set)
}

fn proofs(bundle: &Verified) -> BTreeMap<String, Result<Proof, String>> {
    let proofs = bundle.manifest.proofs.iter();
    let named = proofs.map(|proof| (proof.claim.crd.clone(), Ok(proof.clone())));
    named.collect()
}

/// The objects of a released bundle that are not CRDs, in any of its channels.
fn components(bundle: &Verified) -> Result<Components, String> {
    let mut components = Components::new();
    let files = bundle.files.iter();
    for (path, bytes) in files.filter(|(path, _)| path.split('/').nth(1) == Some("components")) {
        let in_file = |error: String| format!("`{path}` of {}: {error}", bundle.manifest.version);
        let text = std::str::from_utf8(bytes).map_err(|error| in_file(error.to_string()))?;
        let channel = path.split('/').next().unwrap_or_default();
        for object in documents::parse(text).map_err(in_file)? {
            let prefix = &bundle.manifest.annotation_prefix;
            add_component(&mut components, channel, object, prefix);
        }
    }
    Ok(components)
}

/// The CRDs of one channel of a released bundle, without the others: the view of a consumer of the channel.
///
/// # Errors
/// The reason in one line, if a CRD cannot be decoded.
pub fn channel(bundle: &Verified, name: &str) -> Result<Set, String> {
    let mut set = Set {
        proofs: proofs(bundle),
        ..Set::default()
    };
    set.channels.insert(Channel::Stable, BTreeMap::new());
    for published in of_channel(bundle, name)? {
        set.insert(Channel::Stable, published)?;
    }
    Ok(set)
}

fn of_channel(bundle: &Verified, name: &str) -> Result<Vec<Published>, String> {
    let Verified { manifest, files } = bundle;
    let mut channels = manifest.channels.iter();
    let of = channels.find(|channel| channel.name == name);
    let folder = format!("{name}/crds/");
    let paths = of.into_iter().flat_map(|channel| channel.files.keys());
    let mut all = Vec::new();
    for path in paths.filter(|path| path.starts_with(&folder)) {
        let in_file = |error: String| format!("`{path}` of {}: {error}", manifest.version);
        let bytes = files.get(path).cloned().unwrap_or_default();
        let text = String::from_utf8(bytes).map_err(|error| in_file(error.to_string()))?;
        let published = texts(&text).map_err(in_file)?.into_iter();
        all.extend(published.map(|published| published.declaring(manifest.conditions(name))));
    }
    Ok(all)
}

/// A channel as configured, from which its [`Channel`] is derived.
#[derive(Clone, Copy, Debug)]
pub struct NamedChannel<'a> {
    /// Its name.
    pub name: &'a str,
    /// The value of its annotation.
    pub annotation: &'a str,
    /// Whether it has no feature.
    pub bare: bool,
}

/// Maps channels to stable and experimental: by name, by annotation, or because one has no feature.
#[must_use]
pub fn promises(channels: &[NamedChannel<'_>]) -> BTreeMap<String, Channel> {
    let by_name = |channel: &NamedChannel<'_>| Channel::from_name(channel.name);
    let by_annotation = |channel: &NamedChannel<'_>| Channel::from_name(channel.annotation);
    let by_features = |channel: &NamedChannel<'_>| channel.bare.then_some(Channel::Stable);
    let mut found: BTreeMap<String, Channel> = BTreeMap::new();
    let mut decide = |is: &dyn Fn(&NamedChannel<'_>) -> Option<Channel>| {
        for channel in channels {
            if let Some(is) = is(channel)
                && !found.contains_key(channel.name)
                && !found.values().any(|known| *known == is)
            {
                found.insert(channel.name.to_owned(), is);
            }
        }
    };
    decide(&by_name);
    decide(&by_annotation);
    decide(&by_features);
    found
}
