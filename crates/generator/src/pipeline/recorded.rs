//! `channels/recorded.json`: parts that the source does not determine, taken from the compiled types by `gen-crds --record`, each
//! with a digest of the code that may decide it. Nothing else of the project is in the file, so that edits of other code change
//! nothing in it, and git merges the records of two branches.

use super::reach::Items;
use crate::lower::{Missing, RecordedField, Records};
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Sources, Span, Text};
use crd_channels_files::{Read, conflict};
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_workspace::Workspace;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The path of the file, below the workspace root.
pub const FILE: &str = "channels/recorded.json";

/// The version of the format; raise it whenever the meaning of the file changes. Until 4 a record had no digest of its code,
/// and until 5 the digests of all files of that code as well.
const FORMAT: u32 = 5;

const ABOUT: &str =
    "values that cannot be read from source, taken from the compiled types by `gen-crds --record`";

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
    /// The digest of the code that it depends on; absent in formats before 4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The files of that code, in formats before 5.
    #[serde(default, rename = "sources", skip_serializing)]
    pub files: IgnoredAny,
    /// The dependencies that it depends on, with their versions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub packages: BTreeMap<String, String>,
    /// Why it may not hold any more.
    #[serde(skip)]
    pub stale: Option<Stale>,
}

/// Why a record may not hold any more, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Stale {
    /// What has changed, in words.
    pub changed: String,
    span: Option<Span>,
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

    /// Returns the warning about a record whose value is used although it may not hold any more.
    #[must_use]
    pub fn warning(&self) -> Option<Diagnostic> {
        let Stale { changed, span } = self.stale.as_ref()?;
        let message = format!("{changed} since `{}` was recorded", self.place);
        let finding = Diagnostic::new(Code::RecordStale, *span, message);
        Some(finding.with_help("run `crd-channels gen-crds --record` to record it again"))
    }
}

/// Reads the records of the workspace at `root`, and finds those that may not hold any more.
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
    let parsed = match text {
        Ok(text) => parse(&text)
            .map_err(|why| unreadable(&text, &why))
            .map(|file| (file, text)),
        Err(why) => Err(unreadable("", &why)),
    };
    let (mut entries, text) = match parsed {
        Ok((file, text)) => (file.recorded, text),
        Err(finding) => {
            sink.push(*finding);
            return Vec::new();
        }
    };
    let file = sources.add(FILE, text.clone());
    if entries.is_empty() {
        return entries;
    }
    let items = Items::of(workspace, files);
    for entry in &mut entries {
        let changed = changed(entry, &items, workspace);
        entry.stale = changed.map(|changed| Stale {
            changed,
            span: place_in(&text, &entry.place, file),
        });
    }
    entries
}

/// Returns what has changed since something was recorded, in words.
fn changed(entry: &Entry, items: &Items<'_>, workspace: &Workspace) -> Option<String> {
    let Some(code) = &entry.code else {
        return Some("this tool has learnt to tell what a record depends on".to_owned());
    };
    let now = items.behind(workspace, &entry.place);
    if entry
        .missing()
        .map(|missing| items.digest(&now, missing))
        .as_ref()
        != Some(code)
    {
        return Some("code has changed that may decide it".to_owned());
    }
    let mut packages = entry.packages.iter();
    let other = packages.find(|(name, version)| {
        let mut all = workspace.packages.iter();
        !all.any(|package| package.name == **name && package.version == **version)
    });
    other.map(|(name, _)| format!("the version of `{name}` has changed"))
}

/// Returns the error about a file that cannot be read.
fn unreadable(text: &str, why: &str) -> Box<Diagnostic> {
    let message = match conflict(text) {
        Some(_) => format!("git left a merge conflict in `{FILE}`"),
        None => format!("`{FILE}` cannot be read: {why}"),
    };
    let finding = Diagnostic::new(Code::ConfigInvalid, None, message);
    Box::new(finding.with_help("run `crd-channels gen-crds --record`, which writes it again"))
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
        if let Some(Stale { changed, .. }) = &entry.stale {
            records.stale.insert(place, changed.clone());
            continue;
        }
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
