//! The names of all fields and values, and of those that are gone, as a script that pages load from beside them, since a page
//! that is opened from a disk may load nothing else.

use crate::anchor::is_unseen;
use crate::survey::ReleaseChanges;
use crate::view::KindView;
use serde_json::json;
use std::fmt::Write as _;

/// Returns the entry of a kind: the name of its file, its group and name, for each version its name and its fields, and its names
/// for kubectl. Fields are lines in the order of the page; each begins with as many tabs as it has fields around it, and goes on
/// with what its path adds to theirs. Values are lines inside of their fields; each begins with `=`. Lines end with a tab and the
/// channel of what is in one only.
#[must_use]
pub(crate) fn entry(view: &KindView<'_>, file: &str) -> String {
    let versions = view.versions.iter().map(|version| {
        let mut lines = String::new();
        let mut above: Vec<&str> = Vec::new();
        for row in &version.rows {
            while above
                .last()
                .is_some_and(|above| !crd_channels_schema::path::leads_through(row.path, above))
            {
                above.pop();
            }
            if !lines.is_empty() {
                lines.push('\n');
            }
            lines.extend(std::iter::repeat_n('\t', above.len()));
            let rest = match above.last() {
                Some(above) => row.path.strip_prefix(above).unwrap_or(row.path),
                None => row.path,
            };
            lines.push_str(&in_line(rest));
            if let Some(only) = row.only {
                let _ = write!(lines, "\t{only}");
            }
            above.push(row.path);
            for value in &row.values {
                lines.push('\n');
                lines.extend(std::iter::repeat_n('\t', above.len()));
                let _ = write!(lines, "={}", in_line(value.value));
                if let Some(only) = value.only {
                    let _ = write!(lines, "\t{only}");
                }
            }
        }
        json!([version.name, version.only.unwrap_or_default(), lines])
    });
    let versions: Vec<_> = versions.collect();
    let names = [&[view.plural.to_owned()], view.names].concat().join(" ");
    escaped(&json!([file, view.group, view.kind, versions, names]).to_string())
}

/// A name or a value as a part of a line.
fn in_line(text: &str) -> String {
    text.replace(['\t', '\n'], " ")
}

/// Returns the entries of what was removed and is not there any more, newest first: the group, the kind, the version, the path,
/// the value, the channel if only one is concerned, and the name and the number of the release that removed it.
fn gone(changes: &[ReleaseChanges]) -> String {
    let mut entries = Vec::new();
    for (number, release) in changes.iter().enumerate() {
        for kind in &release.kinds {
            for change in kind.changes.iter().filter(|change| change.is_gone) {
                let entry = json!([
                    kind.group,
                    kind.kind,
                    change.version,
                    change.path,
                    change.value,
                    change.only,
                    release.release,
                    number + 1,
                ]);
                entries.push(escaped(&entry.to_string()));
            }
        }
    }
    entries.join(",\n")
}

/// Writes JSON without invisible characters, of which some end lines in scripts, and without what could end a script.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '<' && !is_unseen(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing into a string cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

/// Returns the script with the entries of all kinds, and of what changes removed.
#[must_use]
pub(crate) fn script<'e>(
    entries: impl Iterator<Item = &'e str>,
    changes: &[ReleaseChanges],
) -> String {
    let entries: Vec<&str> = entries.collect();
    let entries = entries.join(",\n");
    let gone = gone(changes);
    format!("window.crdChannelsFields = [\n{entries}\n];\nwindow.crdChannelsGone = [\n{gone}\n];\n")
}
