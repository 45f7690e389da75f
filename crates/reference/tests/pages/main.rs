//! Pages, read back: every fact is on them, descriptions of any origin are nothing but text, and links lead somewhere.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

#[path = "../../../../tasks/src/objects/dice.rs"]
mod dice;
mod draw;
mod features;
mod facts;
mod histories;
mod hostile;
mod html;
mod links;
mod markdown;
mod oracle;
mod reader;
mod reserved;
mod shown;
mod work;

use crd_channels_compat::{Channel, Set, read};
use crd_channels_reference::{Api, Bundle, Install, Release};
use crd_channels_released::manifest::Manifest;
use oracle::{Crds, Raw};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const CHANNELS: [(Channel, &str); 2] = [
    (Channel::Stable, "stable"),
    (Channel::Experimental, "experimental"),
];

/// Pages by their paths.
type Files = BTreeMap<String, String>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The CRDs of a folder with a folder for each channel, which has them `inside`.
fn set(folder: &Path, inside: &str) -> Set {
    let mut set = Set::default();
    for (channel, name) in CHANNELS {
        for entry in fs::read_dir(folder.join(name).join(inside)).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            for published in read::texts(&text).unwrap() {
                set.insert(channel, published).unwrap();
            }
        }
    }
    set
}

/// This repository's API: its bundles, and what is generated.
fn api() -> Api {
    let mut releases: Vec<Release> = ["v0.1.0", "v0.2.0", "v0.2.1", "v0.3.0", "v0.4.0", "v0.4.1"]
        .iter()
        .map(|name| {
            let folder = root().join("channels").join(name);
            let manifest = fs::read(folder.join("manifest.json")).unwrap();
            let manifest = Manifest::parse(&manifest).unwrap();
            Release {
                name: (*name).to_owned(),
                set: Set {
                    tombstones: Some(manifest.tombstones),
                    ..set(&folder, "crds")
                },
                features: manifest.features,
                history: manifest.history,
                bundle: Some(Bundle {
                    kubernetes: manifest.kubernetes,
                    digest: Some(manifest.digest.unwrap().to_string()),
                    signer: Some("75C8B1E2D3F4A596".to_owned()),
                    install: vec![Install {
                        channel: "stable".to_owned(),
                        command: format!("kubectl apply -k {name}"),
                    }],
                }),
            }
        })
        .collect();
    releases.push(Release {
        name: "unreleased".to_owned(),
        set: set(&root().join("generated"), ""),
        features: releases.last().unwrap().features.clone(),
        ..Release::default()
    });
    Api {
        releases,
        ..Api::default()
    }
}

/// An API of one CRD, written as JSON, in one channel.
fn api_of(crd: &str) -> Api {
    let mut set = Set::default();
    for published in read::texts(crd).unwrap() {
        set.insert(Channel::Stable, published).unwrap();
    }
    let release = |name: &str| Release {
        name: name.to_owned(),
        set: set.clone(),
        ..Release::default()
    };
    Api {
        releases: vec![release("v1"), release("v<2>{{ 7 * 7 }}")],
        ..Api::default()
    }
}

/// The JSON of an API.
fn raw(api: &Api) -> Raw {
    let releases = api.releases.iter().map(|release| {
        let of = |(channel, name): (Channel, &'static str)| {
            let crds = release.set.channel(channel)?.values();
            let crds = crds.map(|it| serde_json::to_value(&it.written).unwrap());
            Some((name, crds.collect()))
        };
        let crds: Crds = CHANNELS.into_iter().filter_map(of).collect();
        (release.name.clone(), crds)
    });
    Raw {
        releases: releases.collect(),
    }
}

/// The API whose JSON this is.
fn api_of_raw(raw: &Raw) -> Api {
    let releases = raw.releases.iter().map(|(name, crds)| {
        let mut set = Set::default();
        for (channel, name) in CHANNELS {
            for crd in &crds[name] {
                for published in read::texts(&crd.to_string()).unwrap() {
                    set.insert(channel, published).unwrap();
                }
            }
        }
        Release {
            name: name.clone(),
            set,
            ..Release::default()
        }
    });
    Api {
        releases: releases.collect(),
        ..Api::default()
    }
}
