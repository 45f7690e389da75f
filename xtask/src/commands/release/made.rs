//! The CRDs of all channels under one version, and the set that they are once they are published.

use crate::bundle::folder::Verified;
use crate::bundle::layout;
use crate::bundle::version::BundleVersion;
use crate::channel::config::Channel;
use crate::channel::{Kind, Stamp};
use crate::compat::{self, Set, read};
use crate::diag::Sink;
use crate::pipeline::Setup;
use crate::pipeline::build::Order;
use crate::pipeline::publish::publish;
use crate::release::contents::Crds;
use crate::release::policies;
use std::collections::BTreeMap;
use std::time::SystemTime;

/// The CRDs of every channel, in the order of the configuration.
pub fn crds(setup: &Setup, kinds: &[Kind], stamp: &Stamp, sink: &mut Sink) -> Vec<Crds> {
    let channels: Vec<&Channel> = setup.config.channels.iter().collect();
    let order = Order {
        setup,
        channels: &channels,
        measure: false,
        key: 0,
        began: SystemTime::UNIX_EPOCH,
    };
    let made = publish(order, kinds, stamp, sink);
    let of = |channel: &&Channel| {
        let files = made.iter().flat_map(|made| &made.files);
        let files = files.filter(|file| *file.channel == *channel.name);
        let mut files: Vec<(String, String)> = files
            .map(|file| {
                let name = file.path.rsplit('/').next().unwrap_or(&file.path);
                (name.to_owned(), file.text.clone())
            })
            .collect();
        files.sort();
        Crds {
            channel: policies::Channel {
                name: channel.name.to_string(),
                annotation: channel.annotation.value.to_string(),
                features: channel.features.iter().map(ToString::to_string).collect(),
            },
            files,
        }
    };
    channels.iter().map(of).collect()
}

/// The version's stamp.
pub fn stamped(stamp: &Stamp, version: &BundleVersion) -> Stamp {
    Stamp {
        version: version.semantic().to_string().into(),
        prefix: stamp.prefix.clone(),
    }
}

/// What `gen-crds` would write, by path below the output folder.
pub fn generated(crds: &[Crds]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for Crds {
        channel,
        files: texts,
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

/// The set as whoever installs it reads it.
///
/// # Errors
/// What is not understood, in one line.
pub fn set(crds: &[Crds]) -> Result<Set, String> {
    let files = crds.iter().flat_map(|crds| {
        let files = crds.files.iter();
        files.map(|(_, text)| (crds.channel.name.as_str(), text.as_str()))
    });
    collect(files)
}

/// The set of a released bundle.
///
/// # Errors
/// What is not understood, in one line.
pub fn released(bundle: &Verified) -> Result<Set, String> {
    let mut files = Vec::new();
    for (path, bytes) in &bundle.files {
        let mut parts = path.split('/');
        if let (Some(channel), Some("crds")) = (parts.next(), parts.next()) {
            let text = str::from_utf8(bytes).map_err(|error| format!("`{path}`: {error}"))?;
            files.push((channel, text));
        }
    }
    let set = collect(files.into_iter())?;
    Ok(Set {
        tombstones: Some(bundle.manifest.tombstones.clone()),
        ..set
    })
}

fn collect<'t>(files: impl Iterator<Item = (&'t str, &'t str)>) -> Result<Set, String> {
    let mut set = Set {
        by_folder: true,
        ..Set::default()
    };
    for (channel, text) in files {
        let Some(channel) = compat::Channel::named(channel) else {
            continue;
        };
        for published in read::texts(text)? {
            set.insert(channel, published)?;
        }
    }
    Ok(set)
}
