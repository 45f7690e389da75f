//! What a cluster is to have: the objects of the pinned bundles, from their vendored files, or the CRDs in a folder.

use super::crd::{self, Stamp};
use super::drift;
use super::kubectl::{Failure, Kubectl, Reason, patiently};
use crate::commands::crd_document::CrdDocument;
use crate::commands::pin::{locked, no_lock};
use crate::commands::vendor;
use crate::consumer::pinned::{POLICIES, Pinned};
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_files::{Disk, Read, shown_path, slashed};
use crd_channels_released::documents;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// The kinds of policies, with the resources that have them.
const POLICY_KINDS: [(&str, &str); 2] = [
    (
        "ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
    ),
    ("ValidatingAdmissionPolicy", "validatingadmissionpolicies"),
];

/// A set of objects: those of a bundle, or the CRDs of a folder.
pub(super) struct Wanted {
    /// The name of the bundle, or the folder.
    pub(super) name: String,
    /// The entry of the lock.
    pub(super) pinned: Option<Pinned>,
    /// In the order in which they are installed.
    pub(super) objects: Vec<Object>,
}

/// An object of a bundle.
pub(super) struct Object {
    pub(super) part: Part,
    pub(super) document: Value,
}

/// The part of a bundle that an object belongs to, in the order in which they are installed.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Part {
    Crd,
    /// After the CRDs, or the policy that was deleted for a change which it refuses would be there again before the change.
    Policy,
    Component,
}

/// An object as the server has it, and how it differs.
pub(super) struct Observed<'w> {
    pub(super) object: &'w Object,
    /// `None` if the server does not have it.
    pub(super) live: Option<CrdDocument>,
    pub(super) drift: Vec<String>,
}

/// Reads the objects of the pinned bundles. Their files have to be exactly those of the lock.
pub(super) fn pinned(here: &Path, sources: &Sources) -> Result<Vec<Wanted>, Vec<Diagnostic>> {
    let lock = locked(here, sources)?.ok_or_else(no_lock)?;
    let different = vendor::differences(here, sources)?;
    if !different.is_empty() {
        return Err(different);
    }
    let read = lock.bundles.into_iter().map(|pinned| {
        let folder = here.join(&pinned.folder);
        let paths = pinned.vendored().into_keys();
        let paths = paths.filter(|path| path != "kustomization.yaml").collect();
        Ok(Wanted {
            name: pinned.name.clone(),
            objects: objects(&folder, paths)?,
            pinned: Some(pinned),
        })
    });
    read.collect()
}

/// Reads the CRDs in a folder or a file.
pub(super) fn in_folder(folder: &Path) -> Result<Vec<Wanted>, Vec<Diagnostic>> {
    let (above, files) = match Disk.is_file(folder) {
        true => (Path::new(""), vec![folder.to_path_buf()]),
        false => (folder, documents::yaml_and_json_files(folder, &Disk)),
    };
    let below = files
        .iter()
        .filter_map(|path| path.strip_prefix(above).ok());
    let paths = below.map(slashed).collect();
    let mut objects = objects(above, paths)?;
    objects.retain(|object| object.part == Part::Crd);
    let name = shown_path(folder);
    if objects.is_empty() {
        return Err(vec![unreadable(&name, "it has no CRDs")]);
    }
    Ok(vec![Wanted {
        name,
        pinned: None,
        objects,
    }])
}

fn objects(folder: &Path, paths: Vec<String>) -> Result<Vec<Object>, Vec<Diagnostic>> {
    let mut objects = Vec::new();
    for path in paths {
        let file = folder.join(&path);
        let failed = |why: String| vec![unreadable(&shown_path(&file), &why)];
        let text = Disk
            .read_text(&file)
            .map_err(|error| failed(error.to_string()))?;
        for document in documents::parse(&text).map_err(failed)? {
            let is_crd = kind(&document) == "CustomResourceDefinition";
            let part = match path.split(['/', '.']).next() {
                _ if is_crd => Part::Crd,
                Some(POLICIES) => Part::Policy,
                _ => Part::Component,
            };
            objects.push(Object { part, document });
        }
    }
    // A namespace comes before what is in it; otherwise the order of the files stays.
    objects.sort_by_key(|object| (object.part, kind(&object.document) != "Namespace"));
    Ok(objects)
}

fn unreadable(what: &str, why: &str) -> Diagnostic {
    let message = format!("`{what}` cannot be read: {why}");
    Diagnostic::new(Code::UnreadableFile, None, message)
        .with_help("name a folder with CRDs as YAML or JSON files")
}

fn kind(document: &Value) -> &str {
    let kind = document.get("kind").and_then(Value::as_str);
    kind.unwrap_or_default()
}

impl Object {
    /// Its name for people: a CRD's own, otherwise with its kind.
    pub(super) fn title(&self) -> String {
        let name = self
            .document
            .pointer("/metadata/name")
            .and_then(Value::as_str);
        let name = name.unwrap_or_default();
        match self.part {
            Part::Crd => name.to_owned(),
            Part::Policy | Part::Component => format!("{} {name}", kind(&self.document)),
        }
    }

    pub(super) fn kind(&self) -> &str {
        kind(&self.document)
    }

    /// Returns what the server has in its place.
    pub(super) fn live(&self, kubectl: &Kubectl) -> Result<Option<Value>, Failure> {
        if self.part == Part::Crd {
            return kubectl.find(&crd::place(&self.title()));
        }
        let input = self.document.to_string();
        let called = kubectl.call(&["get", "--filename=-", "--output=json"], &input)?;
        match called.succeeded() {
            Ok(text) => {
                let found: Value = serde_json::from_str(&text).unwrap_or_default();
                // Some releases of kubectl list the only object.
                Ok(Some(found.pointer("/items/0").cloned().unwrap_or(found)))
            }
            Err(failure) if matches!(failure.reason, Reason::NotFound | Reason::NoKind) => Ok(None),
            Err(failure) => Err(failure),
        }
    }
}

impl Wanted {
    /// Compares all objects with what the server has.
    pub(super) fn observed(&self, kubectl: &Kubectl) -> Result<Vec<Observed<'_>>, Vec<Diagnostic>> {
        let observed = self.objects.iter().map(|object| {
            let live = patiently(|| object.live(kubectl));
            let live =
                live.map_err(|it| vec![it.finding(&format!("read `{}`", object.title()))])?;
            let live = live.map(CrdDocument);
            let drift = live.as_ref().map_or_else(Vec::new, |live| {
                let mut drift = drift::differences(&object.document, &live.0);
                if object.part == Part::Crd {
                    drift.extend(live.out_of_use());
                }
                drift
            });
            Ok(Observed {
                object,
                live,
                drift,
            })
        });
        observed.collect()
    }

    /// Returns what is wrong with the policies of the bundle that a server has and that are not pinned any more, such as those of
    /// another channel. Which components a former bundle had is not known.
    pub(super) fn left_over(&self, kubectl: &Kubectl) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let policies = self.objects.iter().filter(|it| it.part == Part::Policy);
        let pinned: Vec<String> = policies.map(Object::title).collect();
        let kinds = POLICY_KINDS.iter().filter(|_| !pinned.is_empty());
        let mut findings = Vec::new();
        for (kind, plural) in kinds {
            let path = format!("/apis/admissionregistration.k8s.io/v1/{plural}");
            let found = patiently(|| kubectl.find(&path));
            let found = found.map_err(|it| vec![it.finding(&format!("list `{plural}`"))])?;
            let items = found
                .as_ref()
                .and_then(|list| list.get("items")?.as_array());
            for item in items.into_iter().flatten() {
                let item = CrdDocument(item.clone());
                let title = format!("{kind} {}", item.name());
                let Some(Stamp { version, channel }) = item
                    .stamp(self.prefix())
                    .filter(|_| !pinned.contains(&title))
                else {
                    continue;
                };
                let message =
                    format!("`{title}` is of {version} {channel}, and not pinned any more");
                let finding = Diagnostic::new(Code::ClusterDiffers, None, message);
                let help = format!("remove it: `kubectl delete {plural} {}`", item.name());
                findings.push(finding.with_help(help));
            }
        }
        Ok(findings)
    }

    /// Its CRD of a name.
    pub(super) fn crd(&self, name: &str) -> Option<CrdDocument> {
        let mut objects = self.objects.iter();
        let found = objects.find(|it| it.part == Part::Crd && it.title() == name)?;
        Some(CrdDocument(found.document.clone()))
    }

    /// The part of its annotations before `/bundle-version`.
    pub(super) fn prefix(&self) -> &str {
        self.pinned.as_ref().map_or("", |pinned| &pinned.prefix)
    }
}
