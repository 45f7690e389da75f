//! Artifacts of registries, such as those that `archive --push` makes: unpacked into memory, with the signature beside them.

use super::archive;
use super::location::Location;
use super::one;
use crate::oci::Registry;
use crate::oci::manifest::{Descriptor, EMPTY, Manifest};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::Read;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::digest::Digest;
use crd_channels_released::manifest;
use std::path::PathBuf;

/// The kind of artifact that is the signature of a bundle.
pub const SIGNATURE: &str = "application/vnd.crd-channels.minisign";

/// The end of the media types of layers that are archives. Other tools have other beginnings.
const PACKED: &str = "tar+gzip";

/// Opens the artifact with a tag or a digest, or the folder at a path inside it.
pub(super) fn open(
    registry: &Registry,
    name: &str,
    reference: &str,
    path: Option<&str>,
) -> Result<Location, Box<Diagnostic>> {
    let Some(bytes) = registry.manifest(reference)? else {
        let message = format!("`{name}` has no artifact `{reference}`");
        let finding = Diagnostic::new(Code::RevisionNotFound, None, message);
        return Err(Box::new(finding.with_help(
            "`crd-channels pin --list` lists the bundles of a repository",
        )));
    };
    let digest = Digest::of(&bytes);
    let layer = only_layer(&bytes).map_err(|why| {
        let message = format!("`{reference}` in `{name}` is no artifact with a bundle: {why}");
        let finding = Diagnostic::new(Code::BundleInvalid, None, message);
        Box::new(finding.with_help("name an artifact that `crd-channels archive --push` pushed"))
    })?;
    let top = PathBuf::from(format!("{name}@{digest}"));
    let mut files = archive::files_in(name, &top, &registry.blob(&layer)?)?;
    let place = top.join(manifest::SIGNATURE);
    if files.is_file(&top.join(manifest::FILE)) && !files.is_file(&place) {
        let signature = signature(registry, &digest)?;
        files
            .0
            .extend(signature.map(|signature| (place, signature)));
    }
    Ok(Location::in_memory(top, path, files).with_digest(&digest))
}

/// Returns the digest of the artifact with a tag, if it may have a bundle. Images, for example, have no single layer.
pub(super) fn digest(registry: &Registry, tag: &str) -> Result<Option<String>, Box<Diagnostic>> {
    let bytes = registry.manifest(tag)?;
    let bytes = bytes.filter(|bytes| only_layer(bytes).is_ok());
    Ok(bytes.map(|bytes| Digest::of(&bytes).to_string()))
}

/// An artifact that was pushed.
pub struct Published {
    /// The bytes of its manifest.
    pub manifest: Vec<u8>,
    /// The digest of the bundle's own manifest in it, if it has the bundle that its tag names.
    pub bundle: Option<Digest>,
}

/// Returns the artifact with a bundle's version as its tag; `None` if there is no such tag.
///
/// # Errors
/// As [`Registry::manifest`] and [`Registry::blob`]; the errors in the bundle.
pub fn published(
    registry: &Registry,
    name: &str,
    version: &BundleVersion,
) -> Result<Option<Published>, Vec<Diagnostic>> {
    let Some(manifest) = registry.manifest(&version.to_string()).map_err(one)? else {
        return Ok(None);
    };
    let digest = Digest::of(&manifest).to_string();
    let location = open(registry, name, &digest, None).map_err(one)?;
    let bundles = location.bundles();
    let bundle = bundles.iter().find(|bundle| bundle.version == *version);
    let bundle = bundle.map(|bundle| location.read(bundle)).transpose()?;
    Ok(Some(Published {
        manifest,
        bundle: bundle.and_then(|bundle| bundle.manifest.digest),
    }))
}

/// Returns the artifacts that refer to another one, each with its kind. Registries that were made for drafts of the specification
/// state the type of the configuration instead, which is none here.
///
/// # Errors
/// As [`Registry::referrers`] and [`Registry::manifest`].
pub fn referrers(
    registry: &Registry,
    subject: &Digest,
) -> Result<Vec<Descriptor>, Box<Diagnostic>> {
    let mut all = registry.referrers(subject)?;
    for found in &mut all {
        if found.artifact_type.as_deref().is_none_or(|it| it == EMPTY) {
            let bytes = registry.manifest(&found.digest.to_string())?;
            let manifest = bytes.and_then(|bytes| serde_json::from_slice::<Manifest>(&bytes).ok());
            found.artifact_type = manifest.and_then(|manifest| manifest.artifact_type);
        }
    }
    Ok(all)
}

/// Returns the signature that refers to an artifact.
///
/// # Errors
/// As [`Registry::referrers`] and [`Registry::blob`].
pub fn signature(
    registry: &Registry,
    subject: &Digest,
) -> Result<Option<Vec<u8>>, Box<Diagnostic>> {
    let all = referrers(registry, subject)?.into_iter();
    for found in all.filter(|it| it.artifact_type.as_deref() == Some(SIGNATURE)) {
        let bytes = registry.manifest(&found.digest.to_string())?;
        let manifest = bytes.and_then(|bytes| serde_json::from_slice::<Manifest>(&bytes).ok());
        if let Some([content]) = manifest.as_ref().map(|manifest| manifest.layers.as_slice()) {
            return registry.blob(content).map(Some);
        }
    }
    Ok(None)
}

/// Returns the only packed layer of a manifest, or why there is none.
fn only_layer(bytes: &[u8]) -> Result<Descriptor, String> {
    let manifest: Manifest = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let layers = manifest.layers.into_iter();
    let mut packed = layers.filter(|it| it.media_type.ends_with(PACKED));
    match (packed.next(), packed.next()) {
        (Some(layer), None) => Ok(layer),
        (None, _) => Err(format!("it has no layer `{PACKED}`")),
        (Some(_), Some(_)) => Err(format!("it has several layers `{PACKED}`")),
    }
}
