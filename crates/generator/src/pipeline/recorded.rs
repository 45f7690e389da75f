//! `channels/recorded.json`: parts that the source does not determine, taken from the compiled types by `prove --record`, with
//! the digests of the files that they depend on.

use super::proof::reach::{Items, digest};
use crate::lower::{Missing, RecordedField, Records};
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Sources, Span, Text};
use crd_channels_files::Read;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_workspace::Workspace;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The path of the file, below the workspace root.
pub const FILE: &str = "channels/recorded.json";

/// The version of the format; raise it whenever the meaning of the file changes. Until 3 the files behind called code were
/// incomplete, and until 4 they were all that was known of it.
const FORMAT: u32 = 4;

/// The oldest version whose records hold.
const OLDEST: u32 = 3;

const ABOUT: &str =
    "values that cannot be read from source, taken from the compiled types by `prove --record`";

/// The content of the file.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u32,
    about: String,
    recorded: Vec<Entry>,
}

/// The record of one part.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The full path of a type, or of a field: `my_crate::types::Settings.image`.
    pub place: String,
    /// `type`, `field` or `default`
    pub missing: String,
    /// The finding that it resolves.
    pub why: String,
    /// The schema of a type or a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// Whether the field is required.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// The default in a field's schema; absent if it has none.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub default: Option<Value>,
    /// The digest of the code that it depends on, if the rest of the files does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The files of the project that it depends on, from the workspace root, with their digests.
    pub sources: BTreeMap<String, String>,
    /// The dependencies that it depends on, with their versions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub packages: BTreeMap<String, String>,
}

/// Accepts `null` as a value.
fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

impl Entry {
    /// Returns the part that is missing in the source.
    #[must_use]
    pub fn missing(&self) -> Option<Missing> {
        let mut all = Missing::ALL.into_iter();
        Some(all.find(|(word, _)| *word == self.missing)?.1)
    }

    /// Returns the record without its dependencies.
    #[must_use]
    pub fn content(&self) -> (Option<&Value>, Option<bool>, Option<&Value>) {
        (self.schema.as_ref(), self.required, self.default.as_ref())
    }
}

/// Reads the records of the workspace at `root`, and reports what has changed since.
pub fn read_records(
    workspace: &Workspace,
    root: &Path,
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) -> Vec<Entry> {
    let path = root.join(FOLDER).join("recorded.json");
    if !files.is_file(&path) {
        return Vec::new();
    }
    let text = files.read(&path).map_err(|error| error.to_string());
    let text = text.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
    let parsed = text.and_then(|text| Ok((parse(&text)?, text)));
    let (
        File {
            format,
            recorded: entries,
            ..
        },
        text,
    ) = match parsed {
        Ok(parsed) => parsed,
        Err(why) => {
            let message = format!("`{FILE}` cannot be read: {why}");
            let finding = Diagnostic::new(Code::ConfigInvalid, None, message);
            sink.push(finding.with_help("run `crd-channels prove --record` to write it again"));
            return Vec::new();
        }
    };
    let file = sources.add(FILE, text.clone());
    if format < OLDEST {
        let message = format!("an older version of this tool wrote `{FILE}`");
        let finding = Diagnostic::new(Code::RecordStale, None, message);
        sink.push(
            finding.with_help("run `crd-channels gen-crds --record` to record the values again"),
        );
    }
    let mut known: BTreeMap<&str, Option<String>> = BTreeMap::new();
    let items = OnceCell::new();
    for entry in &entries {
        let changed = entry.sources.iter().find(|(path, then)| {
            let now = known.entry(path).or_insert_with(|| {
                files
                    .read(&root.join(path))
                    .ok()
                    .map(|bytes| digest(&bytes))
            });
            now.as_ref() != Some(then)
        });
        // What else is in the file does not matter.
        let changed = changed.filter(|_| {
            let items = items.get_or_init(|| Items::of(workspace, files));
            let now = items.behind(workspace, &entry.place);
            let now = entry.missing().and_then(|missing| now.digest(missing));
            entry.code.is_none() || now != entry.code
        });
        let changed = changed.map(|(path, _)| path.clone()).or_else(|| {
            let mut packages = entry.packages.iter();
            let other = packages.find(|(name, version)| {
                let mut all = workspace.packages.iter();
                !all.any(|package| package.name == **name && package.version == **version)
            });
            other.map(|(name, _)| name.clone())
        });
        if let Some(changed) = changed {
            let message = format!(
                "`{changed}` has changed since `{}` was recorded",
                entry.place
            );
            let place = place_in(&text, &entry.place, file);
            let finding = Diagnostic::new(Code::RecordStale, place, message);
            sink.push(
                finding
                    .with_help("run `crd-channels prove` to check it, or `crd-channels gen-crds --record` to record it again"),
            );
        }
    }
    entries
}

fn parse(text: &str) -> Result<File, String> {
    let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if file.format > FORMAT {
        return Err("a newer version of this tool wrote it".to_owned());
    }
    for entry in &file.recorded {
        let Some(missing) = entry.missing() else {
            return Err(format!("`{}` is not a recorded value", entry.missing));
        };
        if (missing == Missing::Default) == entry.schema.is_some() {
            return Err(format!(
                "`{}` has the wrong value for a {}",
                entry.place, entry.missing
            ));
        }
    }
    Ok(file)
}

/// Returns the span that names a part.
fn place_in(text: &str, place: &str, file: FileId) -> Option<Span> {
    let quoted = serde_json::to_string(place).ok()?;
    let at = u32::try_from(text.find(&quoted)?).ok()?;
    let length = u32::try_from(quoted.len()).ok()?;
    Some(Span {
        file,
        start: at,
        end: at + length,
    })
}

/// Returns the text of the file.
#[must_use]
pub fn format_records(entries: &[Entry]) -> String {
    let mut recorded = entries.to_vec();
    recorded.sort_by(|one, other| (&one.place, &one.missing).cmp(&(&other.place, &other.missing)));
    let file = File {
        format: FORMAT,
        about: ABOUT.to_owned(),
        recorded,
    };
    let text = serde_json::to_string_pretty(&file).unwrap_or_default();
    format!("{text}\n")
}

/// Converts the entries to the form that reading types uses.
#[must_use]
pub fn records(entries: &[Entry]) -> Records {
    let mut records = Records::default();
    for entry in entries {
        let place = Text::from(entry.place.as_str());
        match (entry.missing(), &entry.schema) {
            (Some(Missing::Type), Some(schema)) => {
                records.types.insert(place, schema.clone());
            }
            (Some(Missing::Field), Some(schema)) => {
                let field = RecordedField {
                    schema: schema.clone(),
                    required: entry.required.unwrap_or_default(),
                };
                records.fields.insert(place, field);
            }
            (Some(Missing::Default), _) => {
                records.defaults.insert(place, entry.default.clone());
            }
            _ => {}
        }
    }
    records
}

/// Adds the files that something depends on: those of the workspace with their digests, other packages with their versions.
pub(crate) fn depends_on(
    files: impl IntoIterator<Item = PathBuf>,
    workspace: &Workspace,
    disk: &dyn Read,
    entry: &mut Entry,
) {
    let true_name = |path: &Path| disk.canonical(path).unwrap_or_else(|_| path.to_path_buf());
    let root = true_name(&workspace.root);
    let packages = workspace.packages.iter();
    let packages: Vec<_> = packages
        .map(|package| (true_name(&package.root), package))
        .collect();
    for file in files {
        let file = true_name(&file);
        let of_package = packages
            .iter()
            .filter(|(folder, _)| file.starts_with(folder))
            .max_by_key(|(folder, _)| folder.components().count());
        let local = of_package.is_none_or(|(_, package)| package.local);
        if let (true, Ok(bytes)) = (local, disk.read(&file)) {
            entry.sources.insert(slashed(&file, &root), digest(&bytes));
        } else if let Some((_, package)) = of_package {
            let version = package.version.clone();
            entry.packages.insert(package.name.clone(), version);
        }
    }
}

/// Returns the path from a folder to a file, with `/` on every system.
fn slashed(file: &Path, folder: &Path) -> String {
    let above = folder.ancestors().position(|above| file.starts_with(above));
    let above = above.unwrap_or_default();
    let shared = folder.ancestors().nth(above).unwrap_or(folder);
    let inside = file.strip_prefix(shared).unwrap_or(file);
    let parts = inside.components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let up = std::iter::repeat_n("..", above);
    up.chain(parts).collect::<Vec<_>>().join("/")
}
