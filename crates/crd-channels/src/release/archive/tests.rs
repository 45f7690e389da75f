//! Archives are reproducible, and their provenance and contents list are correct.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use super::{Subject, files};
use crd_channels_released::digest::Digest;
use crd_channels_released::fixture::manifest;
use crd_channels_released::folder::Verified;
use crd_channels_released::manifest::{Manifest, Source};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;

const SUMS: &str = "example-crds-v0.1.0.sha256";
const INSTALL: &str = "example-crds-v0.1.0-stable-install.yaml";

fn bundle() -> Verified {
    let crd = (
        "stable/crds/example.com_routes.yaml".to_owned(),
        b"crd".to_vec(),
    );
    Verified {
        manifest: Manifest {
            shared: BTreeMap::new(),
            sources: vec![Source {
                package: "api".to_owned(),
                path: "src/lib.rs".to_owned(),
                digest: Digest::of(b"source"),
            }],
            ..manifest()
        },
        files: BTreeMap::from([crd]),
    }
}

fn made(signature: Option<&[u8]>) -> BTreeMap<String, Vec<u8>> {
    let bundle = bundle();
    let subject = Subject {
        name: "example-crds",
        bundle: &bundle,
        signature,
    };
    files(subject).unwrap()
}

#[test]
fn an_archive_holds_the_bundle_and_no_time() {
    let made = made(Some(b"signed"));
    let names: Vec<&str> = made.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            INSTALL,
            "example-crds-v0.1.0.provenance.json",
            SUMS,
            "example-crds-v0.1.0.spdx.json",
            "example-crds-v0.1.0.tar.gz",
        ]
    );
    let packed = &made["example-crds-v0.1.0.tar.gz"];
    let mut archive = tar::Archive::new(GzDecoder::new(packed.as_slice()));
    let mut found = BTreeMap::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        assert_eq!(entry.header().mtime().unwrap(), 0);
        assert_eq!(entry.header().mode().unwrap(), 0o644);
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        found.insert(entry.path().unwrap().display().to_string(), bytes);
    }
    let (manifest, _) = bundle().manifest.to_text();
    assert_eq!(
        found,
        BTreeMap::from([
            ("v0.1.0/manifest.json".to_owned(), manifest.into_bytes()),
            (
                "v0.1.0/manifest.json.minisig".to_owned(),
                b"signed".to_vec()
            ),
            (
                "v0.1.0/stable/crds/example.com_routes.yaml".to_owned(),
                b"crd".to_vec()
            ),
            ("v0.1.0/stable/install.yaml".to_owned(), b"crd".to_vec()),
        ])
    );
    // Bytes 4 to 8 of a gzip file are its time.
    assert_eq!(packed[4..8], [0; 4]);
}

#[test]
fn checksums_and_provenance_match_the_files() {
    let made = made(None);
    let sums = String::from_utf8(made[SUMS].clone()).unwrap();
    assert_eq!(sums.lines().count(), 4);
    for line in sums.lines() {
        let (digest, name) = line.split_once("  ").unwrap();
        assert_eq!(digest, Digest::of(&made[name]).hex());
    }
    let provenance: Value =
        serde_json::from_slice(&made["example-crds-v0.1.0.provenance.json"]).unwrap();
    let subjects = provenance["subject"].as_array().unwrap();
    let archive = Digest::of(&made["example-crds-v0.1.0.tar.gz"]);
    let digests: Vec<(&str, &str)> = subjects
        .iter()
        .map(|one| (&one["name"], &one["digest"]["sha256"]))
        .map(|(name, digest)| (name.as_str().unwrap(), digest.as_str().unwrap()))
        .collect();
    let (manifest, _) = bundle().manifest.to_text();
    let (crd, manifest) = (Digest::of(b"crd"), Digest::of(manifest.as_bytes()));
    assert_eq!(
        digests,
        [
            (INSTALL, crd.hex()),
            ("example-crds-v0.1.0.tar.gz", archive.hex()),
            ("v0.1.0/manifest.json", manifest.hex()),
            ("v0.1.0/stable/crds/example.com_routes.yaml", crd.hex()),
            ("v0.1.0/stable/install.yaml", crd.hex()),
        ]
    );
    let sources = &provenance["predicate"]["buildDefinition"]["resolvedDependencies"];
    assert_eq!(sources[0]["name"], "api/src/lib.rs");
    assert_eq!(sources[0]["digest"]["sha256"], Digest::of(b"source").hex());
    let list: Value = serde_json::from_slice(&made["example-crds-v0.1.0.spdx.json"]).unwrap();
    // `printf crd | sha1sum`
    let sums: Vec<&Value> = list["files"][1]["checksums"]
        .as_array()
        .unwrap()
        .iter()
        .collect();
    assert_eq!(
        sums[0]["checksumValue"],
        "d89d0a6c6cc323be44820b48a21119265cb10306"
    );
    assert_eq!(list["packages"][1]["name"], "api");
}
