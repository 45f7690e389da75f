//! The facts about one place for a terminal, as `kubectl explain` prints them.

use crate::anchor::{above, visible};
use crate::life::status;
use crate::pages::{FieldRow, KindPage, VersionPage};
use crate::reserved::Reserved;
use crd_channels_released::history::Transition;
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

/// Formats what is known about a place and its elements, and a line for each place directly inside of it.
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
    body(&mut text, field, "");
    // A list or a map also shows what is known about its elements.
    let mut around = &*field.path;
    let element = |around: &str| {
        let mut rows = version.fields.iter().filter(|row| row.is_element);
        rows.find(|row| above(&row.path) == Some(around))
    };
    while let Some(element) = element(around) {
        body(&mut text, element, &format!(" OF {}", element.path));
        around = &element.path;
    }
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
    visible(&text).into_owned()
}

/// A field in one line: its name, its type, whether it is required, and its state if that is not the version's.
fn heading(row: &FieldRow, name: &str, version: &VersionPage) -> String {
    let types = row.types.iter();
    let types: Vec<String> = types
        .map(|said| format!("{}{}", said.text, only(&said.channels, &row.channels)))
        .collect();
    let mut line = format!("{name} <{}>", types.join(" or "));
    let required = row.facts.iter().find(|said| said.fact.is_required());
    if let Some(said) = required {
        let _ = write!(line, ", required{}", only(&said.channels, &row.channels));
    }
    let around: Vec<&'static str> = version.channels.iter().map(|it| it.channel).collect();
    line.push_str(&state((&row.life, &row.channels), (&version.life, &around)));
    if !row.features.is_empty() {
        let _ = write!(line, ", feature {}", row.features.join(", "));
    }
    line
}

/// The description, the facts and the values of a place. `of` names it if it is not the one that is shown.
fn body(text: &mut String, field: &FieldRow, of: &str) {
    for said in &field.docs {
        let only = only(&said.channels, &field.channels);
        let _ = writeln!(text, "\nDESCRIPTION{of}{only}:");
        indent(text, &said.text, "    ");
    }
    facts(text, field, of);
    values(text, field, of);
}

fn facts(text: &mut String, field: &FieldRow, of: &str) {
    let mut facts = field
        .facts
        .iter()
        .filter(|said| !said.fact.is_required())
        .peekable();
    if facts.peek().is_some() {
        let _ = writeln!(text, "\nFACTS{of}:");
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

fn values(text: &mut String, field: &FieldRow, of: &str) {
    if !field.values.is_empty() {
        let _ = writeln!(text, "\nVALUES{of}:");
    }
    for value in &field.values {
        let mut line = value.value.clone();
        line.push_str(&state(
            (&value.life, &value.channels),
            (&field.life, &field.channels),
        ));
        if !value.features.is_empty() {
            let _ = write!(line, ", feature {}", value.features.join(", "));
        }
        let _ = writeln!(text, "    {line}");
    }
}

/// A life and the channels that have what lives.
type Lived<'a> = (&'a [Transition], &'a [&'static str]);

/// The state and the channels of something, where they are not those of what is around it.
fn state((life, channels): Lived<'_>, (around, all): Lived<'_>) -> String {
    let state = status(life).filter(|_| life != around);
    let only = match (life.last(), channels) {
        // The state says it.
        (Some(last), [one]) if state.is_some() && last.presence.to_string() == *one => {
            String::new()
        }
        _ => only(channels, all),
    };
    let state = state.map_or_else(String::new, |state| format!(", {state}"));
    state + &only
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
