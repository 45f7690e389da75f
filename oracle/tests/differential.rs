//! The generator's `kube` convention against kube-derive: for every kind of the twins, channel by channel and version by
//! version, the CRDs must be equal.
//!
//! Left out of the comparison is what kube-derive cannot say: several versions in one CRD, the two annotations of a
//! bundle, and the list kind that is the server's default. Every other difference is a record in [`KNOWN`].

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod compare;

use compare::{by_version, shown};
use crd_channels_diagnostics::report::{self, Format};
use crd_channels_diagnostics::{Code, Sink, Sources};
use crd_channels_files::{Disk, Memory, Read};
use crd_channels_generator::pipeline;
use crd_channels_proof::documented::by_id;
use crd_channels_proof::facts::compare;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// A difference that is meant to be.
struct Known {
    set: &'static str,
    /// Empty for every kind.
    kind: &'static str,
    /// The end of the path to it, inside the CRD.
    path: &'static str,
    /// Its row in `docs/differences.md`, which says why it is right.
    row: &'static str,
}

/// The effect of `#[crd(conditions = ..)]` on a list, which kube-derive does not know.
const fn of_conditions(path: &'static str) -> Known {
    Known {
        set: "api_types",
        kind: "",
        path,
        row: "own-attributes",
    }
}

const KNOWN: &[Known] = &[
    of_conditions("properties[conditions].description"),
    of_conditions("properties[conditions].items.properties[message].maxLength"),
    of_conditions("properties[conditions].items.properties[observedGeneration].minimum"),
    of_conditions("properties[conditions].items.properties[reason].maxLength"),
    of_conditions("properties[conditions].items.properties[reason].minLength"),
    of_conditions("properties[conditions].items.properties[reason].pattern"),
    of_conditions("properties[conditions].items.properties[status].enum"),
    of_conditions("properties[conditions].items.properties[type].maxLength"),
    of_conditions("properties[conditions].items.properties[type].pattern"),
    Known {
        set: "api_types",
        kind: "EdgeGateway",
        path: ".deprecationWarning",
        row: "deprecation-warning",
    },
    Known {
        set: "fixtures",
        kind: "Headed",
        path: ".oneOf[0].title",
        row: "variant-titles",
    },
];

/// A finding that the fixtures provoke on purpose, as kube accepts what it warns of.
const PROVOKED: &[Code] = &[Code::MisplacedRule, Code::NoEffect, Code::IgnoredAttribute];

#[test]
fn api_types() {
    let root = workspace();
    let read = |name: &str| std::fs::read_to_string(root.join("channels").join(name)).unwrap();
    let bundle =
        read("bundle.toml").replace("conventions = \"kubernetes\"", "conventions = \"kube\"");
    check(
        "api_types",
        &[
            ("bundle.toml", &bundle),
            ("features.toml", &read("features.toml")),
            ("stable.toml", &read("stable.toml")),
            ("experimental.toml", &read("experimental.toml")),
        ],
    );
}

#[test]
fn fixtures() {
    let features: String = ["Columns", "Limits", "Remote", "Trials"]
        .iter()
        .map(|name| {
            format!(
                "[{name}]\nsummary = \"A feature of the fixtures.\"\nowner = \"nobody\"\nlink = \"none\"\nsince = \"v0.1.0\"\n"
            )
        })
        .collect();
    check(
        "fixtures",
        &[
            (
                "bundle.toml",
                "conventions = \"kube\"\npackages = [\"oracle-fixtures\"]\n",
            ),
            ("features.toml", &features),
            (
                "stable.toml",
                "features = \"none\"\nannotation = \"stable\"\n",
            ),
            (
                "experimental.toml",
                "features = \"all\"\nannotation = \"experimental\"\n",
            ),
        ],
    );
}

fn check(set: &str, channels: &[(&str, &str)]) {
    let ours = generated(channels);
    let mut found = Vec::new();
    for (channel, ours) in &ours {
        let kube: BTreeMap<String, Value> = oracle::crds(set, channel)
            .iter()
            .flat_map(|crd| by_version(&serde_json::to_value(crd).unwrap()))
            .collect();
        assert!(!kube.is_empty(), "no twin of {set} in {channel}");
        let names: BTreeSet<&String> = kube.keys().chain(ours.keys()).collect();
        for name in names {
            let differences = compare(ours.get(name), kube.get(name)).differences;
            found.extend(differences.iter().map(|difference| {
                let (path, text) = shown(difference);
                (name.clone(), format!("{channel} {name} {path}"), text)
            }));
        }
    }
    assert_ne!(
        oracle::crds(set, "stable"),
        oracle::crds(set, "experimental"),
        "the twins of {set} are one"
    );
    for known in KNOWN {
        assert!(by_id(known.row).is_some(), "`{}` is not a row", known.row);
    }
    let known: Vec<&Known> = KNOWN.iter().filter(|known| known.set == set).collect();
    let is = |known: &Known, name: &str, place: &str| {
        let of_kind = known.kind.is_empty() || name.starts_with(&format!("{}/", known.kind));
        of_kind && place.ends_with(known.path)
    };
    let unknown: Vec<String> = found
        .iter()
        .filter(|(name, place, _)| !known.iter().any(|known| is(known, name, place)))
        .map(|(_, place, text)| format!("{place}\n{text}"))
        .collect();
    let gone: Vec<String> = known
        .iter()
        .filter(|known| !found.iter().any(|(name, place, _)| is(known, name, place)))
        .map(|known| format!("{} {}: {}", known.kind, known.path, known.row))
        .collect();
    assert!(
        unknown.is_empty(),
        "{} differences:\n{}",
        unknown.len(),
        unknown.join("\n")
    );
    assert!(
        gone.is_empty(),
        "these known differences occur no longer; take them off the list:\n{}",
        gone.join("\n")
    );
}

/// The generator's CRDs of the workspace with these files as its `channels/`: for each channel the versions by name.
fn generated(channels: &[(&str, &str)]) -> Vec<(String, BTreeMap<String, Value>)> {
    let root = workspace();
    let files = Overlay::new(&root.join("channels"), channels);
    let sources = Sources::default();
    let mut sink = Sink::default();
    let setup = pipeline::setup(&root, &files, &sources, &mut sink);
    let projected = setup.map(|setup| {
        let kinds = pipeline::read_kinds(&setup, &files, &sources, &mut sink);
        pipeline::project(&setup, &kinds, &mut sink)
    });
    let mut findings = sink.into_diagnostics();
    findings.retain(|finding| !PROVOKED.contains(&finding.code));
    assert!(
        findings.is_empty(),
        "{}",
        report::write(&findings, &sources, Format::Human, false)
    );
    projected
        .unwrap()
        .into_iter()
        .map(|projected| {
            let versions = projected
                .crds
                .iter()
                .flat_map(|crd| by_version(&serde_json::to_value(crd).unwrap()))
                .collect();
            (projected.channel, versions)
        })
        .collect()
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_path_buf()
}

/// The disk, with one folder whose files are in memory.
struct Overlay {
    folder: PathBuf,
    files: Memory,
}

impl Overlay {
    fn new(folder: &Path, files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(name, text)| (folder.join(name), text.as_bytes().to_vec()))
            .collect();
        Self {
            folder: folder.to_path_buf(),
            files: Memory(files),
        }
    }

    fn reader_for(&self, path: &Path) -> &dyn Read {
        if path.starts_with(&self.folder) {
            &self.files
        } else {
            &Disk
        }
    }
}

impl Read for Overlay {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.reader_for(path).read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.reader_for(path).is_file(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.reader_for(path).canonical(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.reader_for(folder).list(folder)
    }
}
