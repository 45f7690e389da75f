//! A bundle as an artifact of a registry, and the artifacts that refer to it: its provenance, the list of its contents, and its
//! signature.

use super::{Contents, Subject, json_bytes, packed, provenance, spdx};
use crate::consumer::artifact::SIGNATURE;
use crate::oci::manifest::{Artifact, Descriptor, EMPTY, MANIFEST, NOTHING, Typed};
use crd_channels_signature as signature;
use std::collections::BTreeMap;
use std::io;

/// The kind of artifact that a bundle is.
const BUNDLE: &str = "application/vnd.crd-channels.bundle.v1";

/// The configuration of what `flux push artifact` pushes, by which registries and their pages know such artifacts.
const CONFIG: &str = "application/vnd.cncf.flux.config.v1+json";

/// The layer. Flux takes any; Argo CD takes no other unless it is configured.
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// Where and when a bundle was released.
#[derive(Clone, Debug)]
pub struct Released {
    /// The commit of its tag.
    pub commit: String,
    /// The time of that commit, as RFC 3339 has it, in UTC.
    pub time: String,
}

/// The time if none is known: the same for everybody.
const NEVER: &str = "1970-01-01T00:00:00Z";

/// The files in the artifact. Signatures refer to it: a bundle may be signed after it was pushed.
fn contents(subject: Subject<'_>) -> BTreeMap<String, Vec<u8>> {
    let mut content = subject.files();
    content.remove(signature::FILE);
    content
}

fn by_path(content: &BTreeMap<String, Vec<u8>>) -> Contents<'_> {
    let content = content.iter();
    content.map(|(path, bytes)| (path.clone(), bytes)).collect()
}

/// Returns the artifact of a bundle. Its files are at the top, so that their paths are those of every version. The result is
/// reproducible: it depends only on the bundle and on its tag in git.
///
/// # Errors
/// Returns what cannot be packed.
pub fn of_bundle(
    subject: Subject<'_>,
    source: Option<String>,
    released: Option<&Released>,
) -> io::Result<Artifact> {
    let content = contents(subject);
    let time = released.map_or(NEVER, |released| &released.time);
    let mut annotations = vec![
        ("version", subject.version().to_string()),
        ("created", time.to_owned()),
    ];
    annotations.extend(source.map(|source| ("source", source)));
    annotations.extend(released.map(|released| ("revision", released.commit.clone())));
    let annotations = annotations.into_iter();
    let annotations =
        annotations.map(|(key, value)| (format!("org.opencontainers.image.{key}"), value));
    Ok(Artifact::new(
        BUNDLE,
        Typed {
            media_type: CONFIG,
            bytes: NOTHING.to_vec(),
        },
        Typed {
            media_type: LAYER,
            bytes: packed(&by_path(&content), |_| false)?,
        },
        None,
        annotations.collect(),
    ))
}

/// Returns the artifacts that refer to that of a bundle, which has a manifest.
#[must_use]
pub fn referrers(subject: Subject<'_>, manifest: &Vec<u8>) -> Vec<Artifact> {
    let content = contents(subject);
    let own = std::iter::once((subject.stem(), manifest));
    let made = provenance::statement(subject, own.chain(by_path(&content)));
    let list = spdx::document(subject, &subject.stem(), &content);
    let mut all = vec![
        ("application/vnd.in-toto+json", json_bytes(&made)),
        ("application/spdx+json", json_bytes(&list)),
    ];
    all.extend(subject.signature.map(|it| (SIGNATURE, it.to_vec())));
    let all = all.into_iter().map(|(media_type, bytes)| {
        let config = Typed {
            media_type: EMPTY,
            bytes: NOTHING.to_vec(),
        };
        let layer = Typed { media_type, bytes };
        let subject = Some(Descriptor::of(MANIFEST, manifest));
        Artifact::new(media_type, config, layer, subject, BTreeMap::new())
    });
    all.collect()
}
