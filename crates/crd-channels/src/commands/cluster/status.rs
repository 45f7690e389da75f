//! `cluster-status`: what is installed of the pinned bundles, how far it differs, and what objects use.

use super::crd::Stamp;
use super::kubectl::Kubectl;
use super::report;
use super::state::{CrdStatus, FieldUsage, Installed, OtherStatus, SetStatus, Usage};
use super::usage::{self, Affected, Effect, Replacement};
use super::wanted::{self, Observed, Part, Wanted};
use crate::commands::crd_document::CrdDocument;
use crate::commands::format::Format;
use crate::commands::pin::access;
use crate::commands::type_meta::TypeMeta;
use crate::commands::validate::verdict::feature_of;
use crate::commands::{Outcome, here, say};
use crate::consumer::access::Access;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_released::documents;
use crd_channels_released::manifest::Manifest;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The arguments of `cluster-status`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The cluster.
    pub kubectl: Kubectl,
    /// A folder whose CRDs count in place of the pinned ones.
    pub crds: Option<PathBuf>,
    /// Fetch nothing.
    pub offline: bool,
    /// The format of the output.
    pub format: Format,
}

/// Prints the status.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let sources = Sources::default();
    let (sets, findings) = match statuses(request, &here, &sources) {
        Ok(sets) => (sets, Vec::new()),
        Err(findings) => (Vec::new(), findings),
    };
    match request.format {
        Format::Human => {
            sets.iter().for_each(report::show);
            say(&findings, &sources);
        }
        Format::Json => println!("{:#}", report::json(&sets, &findings, &sources)),
    }
    match findings.as_slice() {
        [] => Outcome::Clean,
        unread if unread.iter().any(|it| it.code == Code::UnreadableFile) => Outcome::CouldNotRun,
        findings => Outcome::of_failed(findings),
    }
}

/// The JSON document of a run that could not begin.
pub(crate) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    report::json(&[], findings, sources)
}

fn statuses(
    request: &Request,
    here: &Path,
    sources: &Sources,
) -> Result<Vec<SetStatus>, Vec<Diagnostic>> {
    let all = match &request.crds {
        Some(folder) => wanted::in_folder(folder)?,
        None => wanted::pinned(here, sources)?,
    };
    let access = access(here, request.offline);
    let sets = all.iter().map(|wanted| {
        let stable = Stable::of(wanted, &access);
        status(&request.kubectl, wanted, stable.as_ref())
    });
    sets.collect()
}

fn status(
    kubectl: &Kubectl,
    wanted: &Wanted,
    stable: Option<&Stable>,
) -> Result<SetStatus, Vec<Diagnostic>> {
    let (mut crds, mut others) = (Vec::new(), Vec::new());
    for Observed {
        object,
        live,
        drift,
    } in wanted.observed(kubectl)?
    {
        if object.part != Part::Crd {
            others.push(OtherStatus {
                part: object.part,
                object: object.title(),
                installed: live.is_some(),
                drift,
            });
            continue;
        }
        let name = object.title();
        let installed = match live {
            Some(crd) => Some(installed(kubectl, wanted, &crd, stable, drift)?),
            None => None,
        };
        crds.push(CrdStatus { name, installed });
    }
    let stamps = crds.iter().filter_map(|crd| crd.installed.as_ref());
    let stamps: BTreeSet<_> = stamps
        .map(|it| it.bundle.as_ref().map(|it| (&it.version, &it.channel)))
        .collect();
    Ok(SetStatus {
        name: wanted.name.clone(),
        pinned: wanted.pinned.as_ref().map(|pinned| Stamp {
            version: pinned.version.to_string(),
            channel: pinned.channel_annotation().to_owned(),
        }),
        mixed: stamps.len() > 1,
        crds,
        others,
    })
}

fn installed(
    kubectl: &Kubectl,
    wanted: &Wanted,
    crd: &CrdDocument,
    stable: Option<&Stable>,
    drift: Vec<String>,
) -> Result<Installed, Vec<Diagnostic>> {
    let usage = usage(kubectl, crd, wanted, stable)?;
    let own = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    Ok(Installed {
        bundle: crd.stamp(wanted.prefix()),
        owners: crd.owners(),
        served: own(crd.served().collect()),
        deprecated: own(crd.deprecated().collect()),
        storage: crd.storage().to_owned(),
        stored_versions: own(crd.stored()),
        usage,
        drift,
    })
}

/// The CRDs of the channel with the fewest features, and what the features gate.
struct Stable {
    crds: BTreeMap<String, CrdDocument>,
    manifest: Manifest,
}

impl Stable {
    /// Reads them from the bundle; `None`, with a note, if it cannot be read.
    fn of(wanted: &Wanted, access: &Access) -> Option<Self> {
        let pinned = wanted.pinned.as_ref()?;
        let bundle = match access.open_pinned(pinned) {
            Ok(bundle) => bundle,
            Err(findings) => {
                let why = findings.first().map(|it| &*it.message).unwrap_or_default();
                note!(
                    "the use of experimental fields of `{}` is not counted, since its bundle cannot be read: {why}",
                    wanted.name
                );
                return None;
            }
        };
        let channels = bundle.manifest.channels.iter();
        let least = channels.min_by_key(|channel| channel.features.len())?;
        let folder = format!("{}/crds/", least.name);
        let files = bundle
            .files
            .iter()
            .filter(|(path, _)| path.starts_with(&folder));
        let texts = files.filter_map(|(_, bytes)| std::str::from_utf8(bytes).ok());
        let documents = texts
            .filter_map(|text| documents::parse(text).ok())
            .flatten();
        let crds = documents
            .map(CrdDocument)
            .map(|crd| (crd.name().to_owned(), crd));
        Some(Self {
            crds: crds.collect(),
            manifest: bundle.manifest,
        })
    }

    /// The feature that gates a field, or a value behind `: `.
    fn feature(&self, crd: &CrdDocument, version: &str, field: &str) -> Option<String> {
        let (field, _) = field.split_once(": ").unwrap_or((field, ""));
        let api_version = format!("{}/{version}", crd.group());
        let named = TypeMeta {
            api_version: &api_version,
            kind: crd.kind(),
        };
        let found = feature_of(&self.manifest, named, field)?;
        Some(found.name.clone())
    }
}

/// Counts the objects of a CRD, and what they use that the stable channel changes.
fn usage(
    kubectl: &Kubectl,
    crd: &CrdDocument,
    wanted: &Wanted,
    stable: Option<&Stable>,
) -> Result<Usage, Vec<Diagnostic>> {
    let pinned = wanted.crd(crd.name());
    let both = pinned
        .as_ref()
        .zip(stable.and_then(|it| it.crds.get(crd.name())));
    let replacement = both.map(|(before, after)| Replacement { before, after });
    let counts = usage::count(kubectl, crd, replacement)?;
    let changed = counts.affected.into_iter();
    let used = [Effect::Dropped, Effect::Rejected];
    let changed = changed.filter(|(it, _)| used.contains(&it.effect));
    let experimental = changed.map(|(Affected { version, field, .. }, objects)| FieldUsage {
        feature: stable.and_then(|it| it.feature(crd, &version, &field)),
        version,
        field,
        objects,
    });
    let mut usage = Usage {
        experimental: experimental.collect(),
        objects: counts.objects,
        written_in: counts.written_in,
    };
    if let Some(stable) = stable {
        usage.experimental.extend(gone(crd, wanted, stable, &usage));
    }
    Ok(usage)
}

/// Returns the versions that the pinned channel has, and the stable one lacks.
fn gone(crd: &CrdDocument, wanted: &Wanted, stable: &Stable, usage: &Usage) -> Vec<FieldUsage> {
    let kept = stable.crds.get(crd.name());
    let pinned = wanted.crd(crd.name());
    let gone = crd.served().filter(|it| {
        let is_pinned = pinned.as_ref().is_some_and(|crd| crd.schema(it).is_some());
        is_pinned && kept.is_none_or(|kept| kept.schema(it).is_none())
    });
    let gone = gone.map(|version| FieldUsage {
        version: version.to_owned(),
        field: ".".to_owned(),
        feature: stable.feature(crd, version, "."),
        objects: match kept {
            None => usage.objects,
            Some(_) => usage.written_in.get(version).copied().unwrap_or_default(),
        },
    });
    gone.filter(|it| it.objects > 0).collect()
}
