//! Pushes a bundle to a registry, under its version as the tag.

use super::{bundles, helm, signature};
use crate::commands::release::tags::Tags;
use crate::consumer::artifact;
use crate::consumer::one;
use crate::oci::Registry;
use crate::oci::address::{self, Address, with_reference};
use crate::oci::manifest::{Artifact, Descriptor, INDEX, MANIFEST, index_tag};
use crate::release::archive::Subject;
use crate::release::archive::artifact::{Released, of_bundle, referrers};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Disk, Read};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::digest::Digest;
use crd_channels_workspace as workspace;
use serde_json::{Value, json};
use std::path::Path;

type Asked<T> = Result<T, Box<Diagnostic>>;

/// Pushes a bundle of the workspace around `here`, with its signature and provenance. Leaves what the registry has already.
pub(super) fn pushed(
    version: &BundleVersion,
    address: &Address,
    here: &Path,
) -> Result<(), Vec<Diagnostic>> {
    let root = workspace::find_root(here).map_err(one)?;
    let (folder, bundle) = bundles::find_bundle(&root.join(FOLDER), version, &Disk)?;
    let signature = Disk.read(&folder.join(signature::FILE)).ok();
    let subject = Subject {
        name: &helm::name(&bundle),
        bundle: &bundle,
        signature: signature.as_deref(),
    };
    let tag = version.to_string();
    if !address::is_tag(&tag) {
        let message =
            format!("{version} cannot be a tag of a registry, which has at most 128 characters");
        let finding = Diagnostic::new(Code::RegistryFailed, None, message);
        return Err(vec![finding.with_help("release a shorter version")]);
    }
    let registry = Registry::open(address, true).map_err(one)?;
    let (_, digest) = bundle.manifest.to_text();
    let place = with_reference(&address.to_string(), &tag);
    let there = artifact::published(&registry, &address.to_string(), version)?;
    let is_new = there.is_none();
    let manifest = match there {
        Some(there) if there.bundle == Some(digest) => there.manifest,
        Some(_) => return Err(vec![taken(version, address)]),
        None => {
            let released = released(version, &root).map_err(one)?;
            let packed = of_bundle(subject, helm::source(&bundle), released.as_ref());
            let packed = packed.map_err(|error| {
                let message = format!("bundle {version} cannot be packed: {error}");
                let finding = Diagnostic::new(Code::WriteFailed, None, message);
                vec![finding.with_help("check the bundle with `crd-channels verify-release`")]
            })?;
            push_artifact(&registry, &packed).map_err(one)?;
            packed.manifest
        }
    };
    push_referrers(&registry, &manifest, subject).map_err(one)?;
    // The tag comes last, so that users see all or nothing. Some registries refuse to write one again.
    if is_new {
        let pushed = registry.push_manifest(&tag, MANIFEST, &manifest);
        pushed.map_err(one)?;
    }
    let done = if is_new { "pushed" } else { "there already:" };
    status!("{done} {place}@{}", Digest::of(&manifest));
    Ok(())
}

/// Pushes the signature and the provenance of a bundle, unless the registry has them already.
fn push_referrers(registry: &Registry, manifest: &Vec<u8>, subject: Subject<'_>) -> Asked<()> {
    let digest = Digest::of(manifest);
    let there = artifact::referrers(registry, &digest)?;
    for referrer in referrers(subject, manifest) {
        let kind = &referrer.descriptor.artifact_type;
        if kind.as_deref() == Some(artifact::SIGNATURE) {
            signed_otherwise(registry, &digest, subject)?;
        }
        // Another version of this tool writes another list of the same contents.
        if there.iter().any(|known| known.artifact_type == *kind) {
            continue;
        }
        push_artifact(registry, &referrer)?;
        let known = registry.referrers(&digest)?;
        let is_known = |it: &Descriptor| it.digest == referrer.descriptor.digest;
        if !known.iter().any(is_known) {
            add_to_index(registry, &digest, &referrer.descriptor)?;
        }
    }
    Ok(())
}

fn push_artifact(registry: &Registry, artifact: &Artifact) -> Asked<()> {
    for blob in &artifact.blobs {
        registry.push_blob(blob)?;
    }
    let digest = artifact.descriptor.digest.to_string();
    registry.push_manifest(&digest, MANIFEST, &artifact.manifest)
}

/// Adds an entry to the index of what refers to a manifest, which registries without an API for that have under a tag.
fn add_to_index(registry: &Registry, subject: &Digest, entry: &Descriptor) -> Asked<()> {
    let tag = index_tag(subject);
    let mut index: Value = match registry.manifest(&tag)? {
        Some(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
        None => json!({"schemaVersion": 2, "mediaType": INDEX, "manifests": []}),
    };
    let Some(all) = index.get_mut("manifests").and_then(Value::as_array_mut) else {
        let message = format!("the tag `{tag}` of the registry is not an index of referrers");
        let finding = Diagnostic::new(Code::RegistryFailed, None, message);
        return Err(Box::new(
            finding.with_help("delete that tag, and push again"),
        ));
    };
    all.push(json!(entry));
    registry.push_manifest(&tag, INDEX, index.to_string().as_bytes())
}

/// Refuses a signature beside one with another key, as `sign` does.
fn signed_otherwise(registry: &Registry, of: &Digest, subject: Subject<'_>) -> Asked<()> {
    let id = |bytes: &[u8]| signature::key_id(std::str::from_utf8(bytes).ok()?);
    let Some(known) = artifact::signature(registry, of)? else {
        return Ok(());
    };
    if id(&known) == subject.signature.and_then(id) {
        return Ok(());
    }
    let message = "the bundle in the registry is already signed with another key";
    let finding = Diagnostic::new(Code::KeyInvalid, None, message);
    Err(Box::new(finding.with_help(
        "users who have the public key of that signature cannot verify a new one; to replace it, delete it in the registry first",
    )))
}

fn taken(version: &BundleVersion, address: &Address) -> Diagnostic {
    let message = format!("`{address}` has another bundle {version}");
    Diagnostic::new(Code::BundleTampered, None, message).with_help(
        "a released bundle never changes: release a new version; if the one in the registry is wrong, delete its tag there",
    )
}

/// Returns the commit of the bundle's tag and its time; `None` with a note if it has no tag here.
fn released(version: &BundleVersion, root: &Path) -> Asked<Option<Released>> {
    let tags = Tags::discover(root);
    let found = match &tags {
        Ok(tags) => tags.released_at(version)?,
        Err(_) => None,
    };
    if found.is_none() {
        note!("{version} has no tag in git here, so the artifact does not name its commit");
    }
    Ok(found.map(|(commit, time)| Released { commit, time }))
}
