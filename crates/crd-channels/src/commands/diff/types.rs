//! Makes the set of CRDs of the types in a working tree or a revision.

use super::origin::Origin;
use super::unread::Unread;
use crate::commands::manifest;
use crate::commands::proofs::proofs;
use crate::commands::published_set::published_set;
use crate::commands::release::components;
use crate::git::Revision;
use crd_channels_compat::Set;
use crd_channels_diagnostics::{Code, Sink, Sources};
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::channel::Kind;
use crd_channels_released::history::KindHistory;
use crd_channels_released::manifest::Feature;
use std::fmt;

/// The CRDs that types are published as.
#[derive(Default)]
pub struct PublishedCrds {
    /// The set.
    pub set: Set,
    /// The kinds that it is made from.
    pub kinds: Vec<Kind>,
    /// The features, if they are recorded.
    pub features: Vec<Feature>,
    /// What a bundle records of itself and the bundles before it.
    pub history: Vec<KindHistory>,
    /// Why the components cannot be read.
    pub note: Option<String>,
    /// The workspace and the configuration of the types.
    pub setup: Option<Setup>,
}

/// Makes the CRDs that `gen-crds` would write. Messages name them `shown`.
///
/// # Errors
/// Returns why the types cannot be read.
pub fn crds_of_types(
    shown: &impl fmt::Display,
    origin: &Origin,
    built: &[String],
    sources: &Sources,
) -> Result<PublishedCrds, Unread> {
    let mut sink = Sink::default();
    let made = projected(origin, built, sources, &mut sink);
    if sink.has_errors() {
        let (sink, last) = match origin {
            Origin::WorkingTree(_) => (
                sink,
                "the working tree has errors; `crd-channels gen-crds` reports the same".to_owned(),
            ),
            Origin::Revision(revision) => (
                with_advice_for_revision(sink, revision),
                format!("the types of {shown} cannot be read"),
            ),
        };
        return Err(Unread::after(sink.into_diagnostics(), last));
    }
    let made = made.ok_or_else(|| format!("{shown} cannot be read"))?;
    if made.set.channels.is_empty() {
        return Err(format!("{shown} has no kinds").into());
    }
    Ok(made)
}

/// Replaces the help of errors that cannot be fixed in a revision.
fn with_advice_for_revision(sink: Sink, revision: &Revision) -> Sink {
    let mut advised = Sink::default();
    for finding in sink.into_diagnostics() {
        if finding.code == Code::ConfigMissing {
            let help = "name a revision with channels, or CRDs: `git show REVISION:PATH > FILE` writes those that the revision has";
            advised.push(finding.with_help(help));
            continue;
        }
        if finding.code != Code::CargoFailed {
            advised.push(finding);
            continue;
        }
        let submodules: Vec<&str> = revision.submodules().collect();
        advised.push(finding.with_help(match submodules.as_slice() {
            [] => "give cargo access to the registry if a dependency is missing, or name another revision".to_owned(),
            paths => format!(
                "the files of submodules are not read, and `{}` is one: name CRDs that were generated where the types need it",
                paths.join("`, `")
            ),
        }));
    }
    advised
}

fn projected(
    origin: &Origin,
    built: &[String],
    sources: &Sources,
    sink: &mut Sink,
) -> Option<PublishedCrds> {
    let files = origin.files();
    let mut setup = pipeline::setup_as(origin.root(), built, files, sources, sink)?;
    if matches!(origin, Origin::Revision(_)) {
        setup.keep_stale_records(sink);
    }
    let kinds = pipeline::read_kinds(&setup, files, sources, sink);
    let mut set = published_set(&setup, &kinds, sink);
    // The CRDs have no stamps yet, but components may have some. Without a version there is no bundle.
    let stamp = pipeline::stamp(&setup, pipeline::groups(&kinds), &mut Sink::default());
    let prefix = stamp.map(|stamp| stamp.prefix).unwrap_or_default();
    set.proofs = proofs(origin.root(), files);
    let mut note = None;
    match components::read_components(&setup.config, origin.root(), files) {
        Ok(read) => set.components = Some(components::compared(&read, &setup.config, &prefix)),
        Err(why) => note = Some(why),
    }
    Some(PublishedCrds {
        set,
        features: manifest::features(&setup, &kinds),
        history: Vec::new(),
        kinds,
        note,
        setup: Some(setup),
    })
}
