//! Reports for people, programs and release notes.

mod human;
mod markdown;
mod next;

pub use human::human;
pub use markdown::markdown;
pub use next::lowest;

use super::findings::Report;
use serde_json::{Value, json};

/// How a report about changes is written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Format {
    /// For people.
    #[default]
    Human,
    /// One JSON object.
    Json,
    /// For release notes and comments.
    Markdown,
}

impl Format {
    /// Every format by the name that `--format` takes.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("human", Self::Human),
        ("json", Self::Json),
        ("markdown", Self::Markdown),
    ];
}

/// The version of the JSON format: incremented when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// The report as one JSON object.
#[must_use]
pub fn json(report: &Report) -> Value {
    let changes = report.findings.iter().map(|finding| {
        let change = &finding.change;
        let mut object = json!({
            "code": finding.record.id,
            "group": &*finding.group,
            "kind": &*finding.kind,
            "version": &*finding.version,
            "field": finding.path,
            "channel": finding.channel_name(),
            "stored": change.stored.to_string(),
            "writers": change.writers.to_string(),
            "readers": change.readers.to_string(),
            "bump": change.bump.to_string(),
            "message": change.message,
        });
        if let (Some(value), Value::Object(object)) = (&change.rejected, &mut object) {
            object.insert("rejected".to_owned(), value.clone());
        }
        if let (Some(reason), Value::Object(object)) = (finding.waiver_reason(), &mut object) {
            object.insert("waived".to_owned(), json!(reason));
        }
        object
    });
    json!({
        "format": FORMAT,
        "bump": report.bump().to_string(),
        "changes": changes.collect::<Vec<_>>(),
        "notes": report.notes,
    })
}
