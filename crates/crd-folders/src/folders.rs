//! The CRDs in the folder of one channel.

use crate::origins;
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Sources, Span};
use crd_channels_files::{Read, shown_path, slashed};
use crd_channels_projection::channel::config::Channel;
use crd_channels_released::documents::{self, LeftOut};
use crd_channels_released::places::{self, Places};
use crd_channels_schema::Crd;
use crd_channels_validation::path::FieldPath;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What the folder of a channel has.
#[derive(Default)]
pub(crate) struct Folder {
    /// The CRDs, by name.
    pub(crate) crds: BTreeMap<String, Located>,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) others: Vec<String>,
}

/// A CRD and where it is written. Its schemas know their own places.
pub(crate) struct Located {
    pub(crate) crd: Crd,
    file: FileId,
    places: Places,
}

impl Located {
    /// The span of a field such as `spec.versions[0].name`, or of its nearest ancestor.
    pub(crate) fn span(&self, field: &FieldPath) -> Span {
        span(self.file, &self.places, field)
    }
}

/// Keys of a CRD that belong to one object in one cluster.
const OF_A_CLUSTER: [&str; 10] = [
    "status",
    "metadata.creationTimestamp",
    "metadata.deletionGracePeriodSeconds",
    "metadata.deletionTimestamp",
    "metadata.finalizers",
    "metadata.generation",
    "metadata.managedFields",
    "metadata.resourceVersion",
    "metadata.selfLink",
    "metadata.uid",
];

/// The version of a CRD that can be read.
const API_VERSION: &str = "apiextensions.k8s.io/v1";

/// Reads the CRDs in a channel's folder and its subfolders.
pub(crate) fn read(
    channel: &Channel,
    root: &Path,
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) -> Folder {
    let mut found = Folder::default();
    let Some(configured) = &channel.crds else {
        return found;
    };
    // It was reported.
    if configured.value.is_empty() {
        return found;
    }
    let folder = root.join(&*configured.value);
    if let Err(error) = files.list(&folder) {
        let message = match error.kind() {
            ErrorKind::NotFound => format!("there is no folder `{}`", configured.value),
            _ => format!("the folder `{}` cannot be read: {error}", configured.value),
        };
        let help = "write the folder with the CRDs of this channel, as your generator writes them";
        sink.push(Diagnostic::new(Code::ConfigInvalid, configured.span, message).with_help(help));
        return found;
    }
    for path in files_in(&folder, root, files, sink) {
        read_file(&path, root, files, sources, &mut found, sink);
    }
    let is_read = !sink.has_errors();
    if found.crds.is_empty() && is_read {
        let message = format!("the folder `{}` has no CRD", configured.value);
        let finding = Diagnostic::new(Code::NothingToDo, configured.span, message);
        sink.push(finding.with_help("let your generator write the CRDs first"));
    }
    found
}

/// The YAML and JSON files in a folder and its subfolders, without hidden ones. What cannot be read is reported: CRDs that are
/// left out would be removed from what is generated.
fn files_in(folder: &Path, root: &Path, files: &dyn Read, sink: &mut Sink) -> Vec<PathBuf> {
    let name = |path: &Path| {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase()
    };
    let is_hidden = |path: &Path| name(path).starts_with('.');
    let mut report = |path: &Path, left_out: LeftOut| {
        let shown = slashed(path.strip_prefix(root).unwrap_or(path));
        let (message, help) = match left_out {
            LeftOut::Unreadable(error) => (
                format!("the folder `{shown}` cannot be read: {error}"),
                "make the folder readable, or remove it",
            ),
            LeftOut::Linked => (
                format!("`{shown}` is a link to a folder"),
                "put the CRDs themselves into the folder of the channel",
            ),
        };
        sink.push(Diagnostic::new(Code::UnreadableFile, None, message).with_help(help));
    };
    let mut found = documents::files_below(folder, files, &is_hidden, &mut report);
    found.retain(|path| !is_hidden(path) && documents::is_named_so(Path::new(&name(path))));
    found.sort();
    found
}

fn read_file(
    path: &Path,
    root: &Path,
    files: &dyn Read,
    sources: &Sources,
    found: &mut Folder,
    sink: &mut Sink,
) {
    let shown = slashed(path.strip_prefix(root).unwrap_or(path));
    let text = match files.read_text(path) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("`{}` cannot be read: {error}", shown_path(path));
            let finding = Diagnostic::new(Code::UnreadableFile, None, message);
            sink.push(finding.with_help("make the file readable, or remove it"));
            return;
        }
    };
    let file = sources.add(shown.as_str(), text.as_str());
    let at = |places: Option<&Places>, field: &FieldPath| {
        let start = Span {
            file,
            start: 0,
            end: 0,
        };
        places.map_or(start, |places| span(file, places, field))
    };
    let documents = match documents::parse(&text) {
        Ok(documents) => documents,
        Err(why) => {
            let place = at(None, &FieldPath::default());
            let finding = Diagnostic::new(Code::UnreadableFile, place, format!("`{shown}`: {why}"));
            sink.push(finding.with_help("correct the file, or leave it out of the folder"));
            return;
        }
    };
    let all_places = places::find_places(&text).unwrap_or_default();
    for (nth, document) in documents.iter().enumerate() {
        let places = all_places.get(nth);
        if document["kind"] != "CustomResourceDefinition" {
            found.others.extend(other_object(document, &shown));
            continue;
        }
        let name = document["metadata"]["name"].as_str().unwrap_or_default();
        let place = at(
            places,
            &FieldPath::default().child("metadata").child("name"),
        );
        let mut report = |span: Span, message: String, help: &str| {
            sink.push(Diagnostic::new(Code::UnreadableFile, span, message).with_help(help));
        };
        if document["apiVersion"] != API_VERSION {
            let place = at(places, &FieldPath::default().child("apiVersion"));
            report(
                place,
                format!("`{name}` is not `{API_VERSION}`"),
                "let your generator write that version, which every Kubernetes since 1.16 has",
            );
            continue;
        }
        let Some(places) = places else {
            report(
                place,
                format!("the places of the fields of `{name}` cannot be found"),
                "write the CRD as YAML",
            );
            continue;
        };
        match typed(document) {
            Ok(mut crd) => {
                origins::set(&mut crd, file, places);
                let located = Located {
                    crd,
                    file,
                    places: places.clone(),
                };
                if let Some(first) = found.crds.get(name) {
                    let message = format!("`{name}` is there twice in this channel");
                    let first = first.span(&FieldPath::default().child("metadata").child("name"));
                    let finding = Diagnostic::new(Code::UnreadableFile, place, message)
                        .with_label(first, "the first one")
                        .with_help("keep one of them in the folder");
                    sink.push(finding);
                } else {
                    found.crds.insert(name.to_owned(), located);
                    found.files.push(path.to_path_buf());
                }
            }
            Err(misreads) => {
                for (path, reason) in misreads {
                    let place = at(Some(places), &field_path(&path));
                    let at = if path.is_empty() { "." } else { &path };
                    report(
                        place,
                        format!("`{name}` cannot be read at `{at}`: {reason}"),
                        "correct what writes the CRD; `crd-channels check` says what an API server makes of it",
                    );
                }
            }
        }
    }
}

/// Reads a CRD without what belongs to one cluster.
///
/// # Errors
/// The paths that cannot be read, each with the reason.
fn typed(document: &Value) -> Result<Crd, Vec<(String, String)>> {
    let read = Crd::from_foreign_json(document).map_err(|misreads| {
        let misreads = misreads.into_iter();
        misreads.map(|it| (it.path, it.reason)).collect::<Vec<_>>()
    });
    let (crd, unknown) = read?;
    let refused: Vec<(String, String)> = unknown
        .into_iter()
        .filter(|(path, value)| {
            let is_off = path == "spec.preserveUnknownFields" && *value == Value::Bool(false);
            !is_off && !OF_A_CLUSTER.contains(&path.as_str())
        })
        .map(|(path, _)| (path, "unknown key, which a server ignores".to_owned()))
        .collect();
    match refused.is_empty() {
        true => Ok(crd),
        false => Err(refused),
    }
}

/// Names an object other than a CRD; `None` for what only kustomize reads, and for documents without a kind.
fn other_object(document: &Value, file: &str) -> Option<String> {
    let kind = document["kind"].as_str()?;
    let version = document["apiVersion"].as_str().unwrap_or_default();
    if version.starts_with("kustomize.config.k8s.io/") || kind == "Kustomization" {
        return None;
    }
    let name = document["metadata"]["name"].as_str().unwrap_or_default();
    Some(format!("{kind} `{name}` in `{file}`"))
}

fn span(file: FileId, places: &Places, field: &FieldPath) -> Span {
    Span::of_bytes(file, places.of_field(field))
}

/// The path that a message of the reader names, such as `spec.versions[0].schema`.
fn field_path(written: &str) -> FieldPath {
    let mut path = FieldPath::default();
    for part in written.split(['.', '[']).filter(|part| !part.is_empty()) {
        let inner = part.trim_end_matches(']');
        path = match (part.ends_with(']'), inner.parse()) {
            (true, Ok(index)) => path.index(index),
            _ => path.child(inner),
        };
    }
    path
}
