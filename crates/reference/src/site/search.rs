//! The names of all fields, as a script that pages load from beside them, since a page that is opened from a disk may load
//! nothing else.

use crate::anchor::is_unseen;
use crate::view::KindView;
use serde_json::json;
use std::fmt::Write as _;

/// Returns the entry of a kind: the name of its file, its group and name, and for each version its name and its fields. Fields
/// are lines in the order of the page; each begins with as many tabs as it has fields around it, and goes on with what its path adds to theirs.
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
            lines.push_str(&rest.replace(['\t', '\n'], " "));
            above.push(row.path);
        }
        json!([version.name, version.only.unwrap_or_default(), lines])
    });
    let versions: Vec<_> = versions.collect();
    escaped(&json!([file, view.group, view.kind, versions]).to_string())
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

/// Returns the script with the entries of all kinds.
#[must_use]
pub(crate) fn script<'e>(entries: impl Iterator<Item = &'e str>) -> String {
    let entries: Vec<&str> = entries.collect();
    let entries = entries.join(",\n");
    format!("window.crdChannelsFields = [\n{entries}\n];\n")
}
