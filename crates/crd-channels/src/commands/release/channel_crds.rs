//! Makes the CRDs of all channels under one version, and the set that they form once published.

use crate::commands::manifest;
use crate::release::contents::Crds;
use crate::release::policy;
use crd_channels_compat::Set;
use crd_channels_compat::read::{self, NamedChannel};
use crd_channels_diagnostics::{Sink, Sources, Text};
use crd_channels_generator::pipeline::publish::{Options, publish, unused_allowances};
use crd_channels_generator::pipeline::{Projection, Setup};
use crd_channels_projection::bundle::layout;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::Channel;
use crd_channels_projection::channel::{Kind, Stamp};
use std::collections::BTreeMap;

/// The CRDs of every channel, in the order of the configuration.
pub fn crds(
    setup: &Setup,
    kinds: &[Kind],
    stamp: &Stamp,
    sources: &Sources,
    sink: &mut Sink,
) -> Vec<Crds> {
    let channels: Vec<&Channel> = setup.config.channels.iter().collect();
    let projection = Projection {
        setup,
        channels: &channels,
        stamp,
    };
    let made = publish(projection, kinds, Options::texts(sources), sink);
    for finding in unused_allowances(projection, &made, sink) {
        sink.push(finding);
    }
    let of = |channel: &&Channel| {
        let files = made.iter().flat_map(|made| &made.files);
        let mut files: Vec<(String, String)> = files
            .filter(|file| *file.channel == *channel.name)
            .map(|file| {
                let name = file.path.rsplit('/').next().unwrap_or(&file.path);
                (name.to_owned(), file.text.clone())
            })
            .collect();
        files.sort();
        Crds {
            channel: policy::Channel {
                name: channel.name.to_string(),
                annotation: channel.annotation.value.to_string(),
                features: channel.features.iter().map(ToString::to_string).collect(),
            },
            files,
            conditions: manifest::conditions(kinds, channel),
        }
    };
    channels.iter().map(of).collect()
}

/// Returns the names of the channels.
pub fn channel_names(setup: &Setup) -> Vec<&str> {
    let channels = setup.config.channels.iter();
    channels.map(|channel| &*channel.name).collect()
}

/// Returns the stamp with another version.
pub fn stamped(stamp: &Stamp, version: &BundleVersion) -> Stamp {
    Stamp {
        version: version.semantic().to_string().into(),
        prefix: stamp.prefix.clone(),
    }
}

/// Returns the files that `gen-crds` would write, by path below the output folder.
pub fn generated_files(crds: &[Crds]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for Crds {
        channel,
        files: texts,
        conditions: _,
    } in crds
    {
        let paths = texts.iter().map(|(file, _)| file.as_str());
        files.extend([layout::kustomization(&channel.name, paths)]);
        for (file, text) in texts {
            files.insert(format!("{}/{file}", channel.name), text.clone());
        }
    }
    files
}

/// Returns the set of CRDs as its users read it.
///
/// # Errors
/// Returns what is invalid, in one line.
pub fn set(crds: &[Crds]) -> Result<Set, String> {
    let mut set = Set {
        by_folder: true,
        ..Set::default()
    };
    let known: Vec<NamedChannel<'_>> = crds
        .iter()
        .map(|Crds { channel, .. }| NamedChannel {
            name: &channel.name,
            annotation: &channel.annotation,
            bare: channel.features.is_empty(),
        })
        .collect();
    let promises = read::promises(&known);
    for Crds {
        channel,
        files,
        conditions,
    } in crds
    {
        let name = Text::from(channel.name.as_str());
        let promise = promises.get(&channel.name).copied();
        for published in files.iter().map(|(_, text)| read::texts(text)) {
            for published in published? {
                set.insert_into(&name, promise, published.declaring(Some(conditions)))?;
            }
        }
    }
    Ok(set)
}
