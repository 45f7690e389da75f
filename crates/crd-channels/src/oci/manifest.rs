//! Manifests of artifacts, as the OCI image specification 1.1 has them.

use crd_channels_released::digest::Digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The media type of a manifest.
pub const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// The media type of an index.
pub const INDEX: &str = "application/vnd.oci.image.index.v1+json";
/// The media type of a configuration without content, which is [`NOTHING`].
pub const EMPTY: &str = "application/vnd.oci.empty.v1+json";
/// The content of an empty configuration.
pub const NOTHING: &[u8] = b"{}";

/// The tag under which registries without an API for referrers have an index of what refers to a manifest.
#[must_use]
pub fn index_tag(subject: &Digest) -> String {
    subject.to_string().replace(':', "-")
}

/// A reference to a blob or a manifest.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    /// The media type of the content.
    pub media_type: String,
    /// The kind of artifact, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_type: Option<String>,
    /// The digest of the content.
    pub digest: Digest,
    /// The size of the content in bytes.
    pub size: u64,
}

impl Descriptor {
    /// Describes some bytes.
    #[must_use]
    pub fn of(media_type: &str, bytes: &[u8]) -> Self {
        Self {
            media_type: media_type.to_owned(),
            artifact_type: None,
            digest: Digest::of(bytes),
            size: bytes.len() as u64,
        }
    }
}

/// A manifest.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    schema_version: u8,
    /// Its own media type.
    #[serde(default)]
    pub media_type: String,
    /// The kind of artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact_type: Option<String>,
    /// The configuration.
    pub config: Descriptor,
    /// The content.
    pub layers: Vec<Descriptor>,
    /// The manifest that this one says something about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Descriptor>,
    /// Facts for people and tools.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

/// An artifact to push.
#[derive(Clone, Debug)]
pub struct Artifact {
    /// The bytes of its manifest.
    pub manifest: Vec<u8>,
    /// Its entry in the index of its subject, or in any other.
    pub descriptor: Descriptor,
    /// The configuration and the content.
    pub blobs: [Vec<u8>; 2],
}

/// Some bytes with their media type.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The media type.
    pub media_type: &'static str,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Artifact {
    /// Makes an artifact of a configuration and one layer.
    #[must_use]
    pub fn new(
        artifact_type: &str,
        config: Typed,
        layer: Typed,
        subject: Option<Descriptor>,
        annotations: BTreeMap<String, String>,
    ) -> Self {
        let artifact_type = Some(artifact_type.to_owned());
        let manifest = Manifest {
            schema_version: 2,
            media_type: MANIFEST.to_owned(),
            artifact_type: artifact_type.clone(),
            config: Descriptor::of(config.media_type, &config.bytes),
            layers: vec![Descriptor::of(layer.media_type, &layer.bytes)],
            subject,
            annotations,
        };
        let manifest = serde_json::to_vec(&manifest).unwrap_or_default();
        Self {
            descriptor: Descriptor {
                artifact_type,
                ..Descriptor::of(MANIFEST, &manifest)
            },
            manifest,
            blobs: [config.bytes, layer.bytes],
        }
    }
}
