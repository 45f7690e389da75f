//! `channels/warnings.json`: the known warnings of a project, so that only new ones are shown.
//!
//! An entry identifies a warning without its position: by the lint, the kind and the field, or by the code, the file and the
//! message without numbers. It stays valid when lines move, and becomes stale when its cause is gone.

use crate::interrupted;
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sources};
use crd_channels_files::{Disk, Plan, Read};
use crd_channels_projection::channel::config::FOLDER;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;

/// The file name below the folder of the configuration.
const NAME: &str = "warnings.json";

/// The version of the format, raised with any change that older versions would read wrongly.
const FORMAT: u32 = 1;

/// The maximum number of stale entries to name.
const MOST_NAMED: usize = 3;

/// The known warnings, with the number of each.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct KnownWarnings(BTreeMap<Entry, usize>);

/// The identity of a warning.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    code: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crd: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// An entry in the file.
#[derive(Deserialize, Serialize)]
struct Counted {
    #[serde(flatten)]
    entry: Entry,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    count: usize,
}

#[derive(Deserialize, Serialize)]
struct File {
    format: u32,
    warnings: Vec<Counted>,
}

fn one() -> usize {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_one(count: &usize) -> bool {
    *count == 1
}

/// The findings of a run, split by the baseline.
pub struct NewFindings {
    /// The findings to report.
    pub findings: Vec<Diagnostic>,
    /// The known warnings.
    pub known: Vec<Diagnostic>,
}

impl KnownWarnings {
    /// Reads the file; empty if there is none.
    ///
    /// # Errors
    /// `config-invalid` if the file is invalid.
    pub fn read(root: &Path) -> Result<Self, Box<Diagnostic>> {
        let unread = |why: &str| unread(why);
        let bytes = match Disk.read(&root.join(FOLDER).join(NAME)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(unread(&error.to_string())),
        };
        let File { format, warnings } =
            serde_json::from_slice(&bytes).map_err(|error| unread(&error.to_string()))?;
        if format > FORMAT {
            return Err(unread(&format!(
                "its format is {format}, but this version supports {FORMAT}"
            )));
        }
        let entries = warnings.into_iter().map(|it| (it.entry, it.count));
        Ok(Self(entries.collect()))
    }

    /// Returns all warnings among some findings.
    pub fn from_findings(findings: &[Diagnostic], sources: &Sources) -> Self {
        let mut all = BTreeMap::new();
        for finding in findings {
            if let Some(entry) = entry(finding, sources) {
                *all.entry(entry).or_default() += 1;
            }
        }
        Self(all)
    }

    /// Removes known warnings from findings. If there are more warnings of one identity than known, all of them are reported,
    /// since it is unclear which one is new. `whole` means that the run checked everything: entries that it did not find are
    /// stale.
    pub fn apply(&self, findings: Vec<Diagnostic>, whole: bool, sources: &Sources) -> NewFindings {
        let now = Self::from_findings(&findings, sources);
        let is_known = |entry: &Entry| {
            let of = |all: &Self| all.0.get(entry).copied().unwrap_or_default();
            of(&now) <= of(self)
        };
        let mut left = NewFindings {
            findings: Vec::with_capacity(findings.len()),
            known: Vec::new(),
        };
        for finding in findings {
            match entry(&finding, sources) {
                Some(entry) if is_known(&entry) => left.known.push(finding),
                _ => left.findings.push(finding),
            }
        }
        let gone: Vec<&Entry> = self
            .0
            .keys()
            .filter(|entry| !now.0.contains_key(entry))
            .collect();
        if whole && !gone.is_empty() {
            left.findings.push(stale(&gone));
        }
        left
    }

    /// Writes the file.
    ///
    /// # Errors
    /// `write-failed`
    pub fn write(&self, root: &Path) -> Result<(), Box<Diagnostic>> {
        let entries = self.0.iter().map(|(entry, count)| Counted {
            entry: entry.clone(),
            count: *count,
        });
        let file = File {
            format: FORMAT,
            warnings: entries.collect(),
        };
        // Serializing strings and numbers cannot fail.
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        let files = BTreeMap::from([(display_path(), text)]);
        let plan = Plan::new(display_path(), root.to_path_buf(), files, Vec::new());
        interrupted::apply(&plan).map(drop)
    }
}

/// The path of the file in messages.
pub fn display_path() -> String {
    format!("{FOLDER}/{NAME}")
}

/// Returns the identity of a warning; `None` for errors, which are always reported.
fn entry(finding: &Diagnostic, sources: &Sources) -> Option<Entry> {
    if finding.severity() != Severity::Warning {
        return None;
    }
    let code = finding.record().id.to_owned();
    let subject = finding.subject.as_deref();
    let file = || Some(sources.get(finding.span?.file)?.shown.to_string());
    Some(match subject {
        Some(subject) => Entry {
            code,
            crd: Some(subject.crd.clone()),
            field: Some(subject.field.clone()),
            file: None,
            message: None,
        },
        None => Entry {
            code,
            crd: None,
            field: None,
            file: file(),
            message: Some(without_numbers(&finding.message)),
        },
    })
}

/// Removes numbers from a message, since sizes grow with every field.
fn without_numbers(message: &str) -> String {
    let mut plain = String::with_capacity(message.len());
    let mut after_name = false;
    for c in message.chars() {
        let of_number = c.is_ascii_digit() || (c == ',' && plain.ends_with('#'));
        if !of_number || after_name {
            plain.push(c);
        } else if !plain.ends_with('#') {
            plain.push('#');
        }
        // A digit in a name such as `v1` is kept.
        after_name = c.is_alphabetic() || c == '_' || (after_name && c.is_ascii_digit());
    }
    plain
}

fn stale(gone: &[&Entry]) -> Diagnostic {
    let named = gone.iter().take(MOST_NAMED).map(|entry| {
        let Entry {
            code,
            crd,
            field,
            file,
            message: _,
        } = entry;
        match (crd, field, file) {
            (Some(crd), Some(field), _) => format!("`{code}` at `{field}` of `{crd}`"),
            (_, _, Some(file)) => format!("`{code}` in `{file}`"),
            _ => format!("`{code}`"),
        }
    });
    let named = named
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect::<Vec<_>>();
    let rest = gone.len().saturating_sub(named.len());
    let rest = if rest == 0 {
        String::new()
    } else {
        format!(" and {rest} more")
    };
    let message = format!(
        "`{}` lists warnings that no longer occur: {}{rest}",
        display_path(),
        named.join(", ")
    );
    Diagnostic::new(Code::StaleBaseline, None, message).with_help(
        "run `crd-channels gen-crds --write-baseline`, so that they are shown if they come back",
    )
}

fn unread(why: &str) -> Box<Diagnostic> {
    let message = format!("`{}` cannot be read: {why}", display_path());
    Box::new(
        Diagnostic::new(Code::ConfigInvalid, None, message).with_help(
            "remove it, or write it again with `crd-channels gen-crds --write-baseline`",
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::without_numbers;

    #[test]
    fn numbers_in_messages_are_ignored() {
        for (message, expected) in [
            (
                "`a` is 262,145 bytes, 1 too many",
                "`a` is # bytes, # too many",
            ),
            ("`x1` of v1beta2 in 3", "`x1` of v1beta2 in #"),
        ] {
            assert_eq!(without_numbers(message), expected);
        }
    }
}
