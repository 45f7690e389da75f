//! The facts about one place for a terminal, as `kubectl explain` prints them.

use crate::anchor::above;
use crate::life::status;
use crate::pages::{FieldRow, KindPage, VersionPage};
use crate::reserved::Reserved;
use std::fmt::Write as _;

/// What is shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The kind.
    pub kind: &'a KindPage,
    /// The version.
    pub version: &'a VersionPage,
    /// The place.
    pub field: &'a FieldRow,
}

/// Formats what is known about a place, and a line for each place directly inside of it.
#[must_use]
pub fn show(shown: Shown<'_>) -> String {
    let Shown {
        kind,
        version,
        field,
    } = shown;
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = writeln!(text, "GROUP:    {}", kind.group);
    let _ = writeln!(text, "KIND:     {}", kind.kind);
    let state = match status(&version.life) {
        Some(state) => format!(" ({state})"),
        None => String::new(),
    };
    let _ = writeln!(text, "VERSION:  {}{state}", version.name);
    if !field.path.is_empty() {
        let _ = writeln!(text, "FIELD:    {}", heading(field, &field.path, version));
    }
    for said in &field.docs {
        let only = only(&said.channels, &field.channels);
        let _ = writeln!(text, "\nDESCRIPTION{only}:");
        indent(&mut text, &said.text, "    ");
    }
    facts(&mut text, field);
    values(&mut text, field);
    let inside: Vec<&FieldRow> = version
        .fields
        .iter()
        .filter(|row| is_directly_inside(row, &field.path))
        .collect();
    if !inside.is_empty() {
        let _ = writeln!(text, "\nFIELDS:");
        for row in inside {
            let _ = writeln!(text, "    {}", heading(row, &row.name, version));
        }
    }
    let reserved = kind.reserved.iter().filter(|one| one.path == field.path);
    let mut reserved = reserved.peekable();
    if reserved.peek().is_some() {
        let _ = writeln!(text, "\nRESERVED:");
    }
    for Reserved {
        name,
        removed,
        reason,
        ..
    } in reserved
    {
        let _ = writeln!(text, "    {name}, removed in {removed}: {reason}");
    }
    text
}

/// A field in one line: its name, its type, whether it is required, and its state if that is not the version's.
fn heading(row: &FieldRow, name: &str, version: &VersionPage) -> String {
    let types: Vec<&str> = row.types.iter().map(|said| &*said.text).collect();
    let mut line = format!("{name} <{}>", types.join(" or "));
    let required = row.facts.iter().find(|said| said.fact.is_required());
    if let Some(said) = required {
        let _ = write!(line, ", required{}", only(&said.channels, &row.channels));
    }
    if row.life != version.life
        && let Some(state) = status(&row.life)
    {
        let _ = write!(line, ", {state}");
    }
    if !row.features.is_empty() {
        let _ = write!(line, ", feature {}", row.features.join(", "));
    }
    line
}

fn facts(text: &mut String, field: &FieldRow) {
    let mut facts = field
        .facts
        .iter()
        .filter(|said| !said.fact.is_required())
        .peekable();
    if facts.peek().is_some() {
        let _ = writeln!(text, "\nFACTS:");
    }
    for said in facts {
        let mut line = said.fact.words.clone();
        if let Some(code) = &said.fact.code {
            let _ = write!(line, ": {code}");
        }
        let _ = write!(line, "{}", only(&said.channels, &field.channels));
        indent(text, &line, "    ");
    }
}

fn values(text: &mut String, field: &FieldRow) {
    if !field.values.is_empty() {
        let _ = writeln!(text, "\nVALUES:");
    }
    for value in &field.values {
        let mut line = value.value.clone();
        if value.life != field.life
            && let Some(state) = status(&value.life)
        {
            let _ = write!(line, ", {state}");
        }
        if !value.features.is_empty() {
            let _ = write!(line, ", feature {}", value.features.join(", "));
        }
        let _ = writeln!(text, "    {line}");
    }
}

/// ` (stable only)` where not all channels say something.
fn only(channels: &[&'static str], all: &[&'static str]) -> String {
    match channels.len() == all.len() {
        true => String::new(),
        false => format!(" ({} only)", channels.join(" and ")),
    }
}

/// Whether a field is the next one below a place, not counting the steps to the elements of lists and maps.
fn is_directly_inside(row: &FieldRow, place: &str) -> bool {
    let mut around = above(&row.path).filter(|_| !row.is_element);
    while let Some(path) = around {
        if path == place {
            return true;
        }
        let is_element = path.ends_with("[]") || path.ends_with("{}");
        around = above(path).filter(|_| is_element);
    }
    false
}

fn indent(text: &mut String, what: &str, by: &str) {
    for line in what.lines() {
        let _ = match line.is_empty() {
            true => writeln!(text),
            false => writeln!(text, "{by}{line}"),
        };
    }
}
