//! The JSON documents of `show`.

use super::Changed;
use crd_channels_diagnostics::report::json as findings_json;
use crd_channels_diagnostics::{Diagnostic, Sources};
use crd_channels_reference::{FactSaid, FieldRow, FieldValue, Said, Shown, Transition, VersionIn};
use serde_json::{Value, json};

/// The version of the format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// The document of a run that could not show anything.
pub(crate) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    json!({
        "format": FORMAT,
        "kind": null,
        "version": null,
        "fields": null,
        "changes": null,
        "findings": findings_json(findings, sources),
    })
}

/// The document about a field and all that is inside of it.
pub(super) fn fields<'a>(shown: Shown<'_>, rows: impl Iterator<Item = &'a FieldRow>) -> Value {
    let mut whole = head(shown);
    whole["fields"] = rows.map(row).collect();
    whole
}

/// The document about what changed.
pub(super) fn changes(shown: Shown<'_>, changes: &[Changed<'_>]) -> Value {
    let mut whole = head(shown);
    let changes = changes.iter().map(|changed| {
        let value = changed.place.value.as_deref();
        json!({
            "version": changed.place.version,
            "field": field(&changed.place.path),
            "value": value.filter(|_| changed.limited.is_none()).map(parsed),
            "limited": changed.limited,
            "life": life(changed.life),
        })
    });
    whole["changes"] = changes.collect();
    whole
}

fn head(shown: Shown<'_>) -> Value {
    let Shown { kind, version, .. } = shown;
    let channels = version.channels.iter().map(|there: &VersionIn| {
        json!({
            "channel": there.channel,
            "served": there.served,
            "storage": there.storage,
            "deprecated": there.deprecated,
            "warning": there.warning,
        })
    });
    json!({
        "format": FORMAT,
        "kind": {"group": kind.group, "kind": kind.kind, "names": kind.names, "namespaced": kind.namespaced},
        "version": {
            "version": version.name,
            "channels": channels.collect::<Value>(),
            "life": life(&version.life),
        },
        "fields": null,
        "changes": null,
        "findings": [],
    })
}

fn row(row: &FieldRow) -> Value {
    let facts = row.facts.iter().map(|FactSaid { fact, channels }| {
        json!({"keyword": fact.name, "words": fact.words, "code": fact.code, "channels": channels})
    });
    let values = row.values.iter().map(|value: &FieldValue| {
        json!({
            "value": parsed(&value.value),
            "channels": value.channels,
            "features": value.features,
            "life": life(&value.life),
        })
    });
    json!({
        "field": field(&row.path),
        "channels": row.channels,
        "types": said(&row.types),
        "descriptions": said(&row.docs),
        "facts": facts.collect::<Value>(),
        "values": values.collect::<Value>(),
        "features": row.features,
        "life": life(&row.life),
    })
}

/// A path as all documents name it: `.` is the root.
pub(crate) fn field(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

fn said(all: &[Said<String>]) -> Value {
    let all = all.iter();
    all.map(|said| json!({"text": said.text, "channels": said.channels}))
        .collect()
}

/// A life as all documents have it.
pub(crate) fn life(life: &[Transition]) -> Value {
    let steps = life.iter();
    steps
        .map(|step| json!({"bundle": step.release, "state": step.presence.to_string()}))
        .collect()
}

/// A value that pages have as text.
fn parsed(value: &str) -> Value {
    serde_json::from_str(value).unwrap_or_else(|_| Value::from(value))
}
