//! The manifest by which krew installs the program as the plugin `kubectl crd-channels`.

use crd_channels_released::digest::Digest;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The name that krew wants the file to have. JSON is YAML.
pub const FILE: &str = "crd-channels.yaml";

/// Where the archives of a version are published.
const RELEASES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/download");

/// The platforms that krew knows, and the archives for them, the best one first.
const PLATFORMS: [(&str, &str, &[&str]); 6] = [
    (
        "linux",
        "amd64",
        &["x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu"],
    ),
    (
        "linux",
        "arm64",
        &["aarch64-unknown-linux-musl", "aarch64-unknown-linux-gnu"],
    ),
    ("darwin", "amd64", &["x86_64-apple-darwin"]),
    ("darwin", "arm64", &["aarch64-apple-darwin"]),
    (
        "windows",
        "amd64",
        &["x86_64-pc-windows-msvc", "x86_64-pc-windows-gnu"],
    ),
    ("windows", "arm64", &["aarch64-pc-windows-msvc"]),
];

/// The manifest of a version, for the platforms that have an archive.
#[must_use]
pub fn manifest(version: &str, archives: &BTreeMap<String, Digest>) -> Value {
    let platforms = PLATFORMS.iter().filter_map(|(os, arch, triples)| {
        let mut named = triples
            .iter()
            .map(|triple| format!("crd-channels-v{version}-{triple}.tar.gz"));
        let (name, digest) = named.find_map(|name| Some((name.clone(), archives.get(&name)?)))?;
        let suffix = if *os == "windows" { ".exe" } else { "" };
        let program = format!("crd-channels{suffix}");
        Some(json!({
            "selector": {"matchLabels": {"os": os, "arch": arch}},
            "uri": format!("{RELEASES}/v{version}/{name}"),
            "sha256": digest.hex(),
            "files": [{"from": program, "to": "."}, {"from": "LICENSE", "to": "."}],
            "bin": program,
        }))
    });
    json!({
        "apiVersion": "krew.googlecontainertools.github.com/v1alpha2",
        "kind": "Plugin",
        "metadata": {"name": "crd-channels"},
        "spec": {
            "version": format!("v{version}"),
            "homepage": env!("CARGO_PKG_REPOSITORY"),
            "shortDescription": "Pin, check, plan and install CRDs",
            "description": "Pins bundles of CRDs to the byte, validates custom objects as an API server\nwould, says what an update does to the objects in your files and in your\ncluster, and carries it out: installation, migration of stored objects,\nverification.\n",
            "platforms": platforms.collect::<Vec<_>>(),
        },
    })
}
