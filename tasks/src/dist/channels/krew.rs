//! The manifest by which krew installs the program as the plugin `kubectl crd-channels`.

use super::{Packed, REPOSITORY, address};
use serde_json::{Value, json};

/// The name that krew wants the file to have. JSON is YAML.
pub const FILE: &str = "crd-channels.yaml";

/// The manifest of a version, for the platforms that have an archive.
#[must_use]
pub(super) fn manifest(version: &str, packed: &[Packed<'_>]) -> Value {
    let platforms = packed.iter().filter_map(|packed| {
        let (os, arch) = packed.platform.go?;
        let suffix = if os == "windows" { ".exe" } else { "" };
        let program = format!("crd-channels{suffix}");
        Some(json!({
            "selector": {"matchLabels": {"os": os, "arch": arch}},
            "uri": address(version, &packed.name),
            "sha256": packed.digest.hex(),
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
            "homepage": REPOSITORY,
            "shortDescription": "Pin, check, plan and install CRDs",
            "description": "Pins bundles of CRDs to the byte, validates custom objects as an API server\nwould, says what an update does to the objects in your files and in your\ncluster, and carries it out: installation, migration of stored objects,\nverification.\n",
            "platforms": platforms.collect::<Vec<_>>(),
        },
    })
}
