//! The provenance of a bundle, as an in-toto statement with SLSA's predicate.

use super::Subject;
use crd_channels_released::digest::Digest;
use serde_json::{Value, json};

/// The URL of the page that describes how a bundle is made from these parameters and files.
const BUILD_TYPE: &str = concat!(
    env!("CARGO_PKG_REPOSITORY"),
    "/blob/main/docs/releasing.md#archives"
);

/// Returns the statement about files, by name: those attached to a release and those in the archive. It repeats the manifest in a
/// form that general tools can check.
pub(super) fn statement<'a>(
    subject: Subject<'_>,
    files: impl Iterator<Item = (String, &'a Vec<u8>)>,
) -> Value {
    let manifest = &subject.bundle.manifest;
    let digest = |digest: &Digest| json!({"sha256": digest.hex()});
    let version = &manifest.version;
    let subjects =
        files.map(|(name, bytes)| json!({"name": name, "digest": digest(&Digest::of(bytes))}));
    let channels: serde_json::Map<String, Value> = manifest
        .channels
        .iter()
        .map(|channel| (channel.name.clone(), json!(channel.features)))
        .collect();
    let sources = manifest.sources.iter().map(|source| {
        json!({
            "name": format!("{}/{}", source.package, source.path),
            "digest": digest(&source.digest),
        })
    });
    json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects.collect::<Vec<_>>(),
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {"version": version.to_string(), "channels": channels},
                "resolvedDependencies": sources.collect::<Vec<_>>(),
            },
            "runDetails": {
                "builder": {"id": format!("pkg:cargo/{}@{}", env!("CARGO_PKG_NAME"), manifest.tool)},
            },
        },
    })
}
