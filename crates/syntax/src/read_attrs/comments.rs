//! Markers of Go's generators in plain comments, which the parser drops: those above a type, a field or a variant are reported
//! as those in doc comments are.

use super::go_markers::{Marker, marker};
use crate::attrs::FacetAttrs;
use crate::tree::{Body, FieldDef, Item, TypeDef};
use crd_channels_diagnostics::{Diagnostic, FileId, Span};
use crd_channels_schema::draft::{Conditional, Gate, KindFacets};
use std::sync::Arc;

/// A marker in a comment.
struct Marked<'t> {
    marker: Marker<'t>,
    /// The comment's line, without indentation.
    span: Span,
    /// The start of the name that it is above.
    above: u32,
}

/// Adds findings about the markers in the text of a file to the types that they are above.
pub(crate) fn report(text: &str, file: FileId, items: &mut [Item]) {
    let marked = marked(text, file);
    if !marked.is_empty() {
        report_in(items, &marked);
    }
}

fn report_in(items: &mut [Item], marked: &[Marked<'_>]) {
    for item in items {
        match item {
            Item::Type(def) => {
                if let Some(def) = Arc::get_mut(def) {
                    let found = of_type(def, marked);
                    def.findings.extend(found);
                }
            }
            Item::Mod(def) => {
                let inside = Arc::get_mut(def).and_then(|def| def.inline.as_mut());
                report_in(inside.map_or(&mut [], Vec::as_mut_slice), marked);
            }
            _ => {}
        }
    }
}

fn of_type(def: &TypeDef, marked: &[Marked<'_>]) -> Vec<Diagnostic> {
    let kube = def.attrs.kube.as_ref();
    let own = is_gated(def.attrs.gate.as_ref(), &def.attrs.facets)
        || kube.is_some_and(|kube| has_gates(&kube.facets));
    let mut nodes = vec![(def.span.start, own)];
    let of_field = |field: &FieldDef| {
        let gated = is_gated(field.attrs.gate.as_ref(), &field.attrs.facets);
        (field.span.start, gated)
    };
    match &def.body {
        Body::Struct(_, fields) => nodes.extend(fields.iter().map(of_field)),
        Body::Enum(variants) => {
            for variant in variants {
                let attrs = &variant.attrs;
                let gated = is_gated(attrs.gate.as_ref(), &attrs.facets);
                nodes.push((variant.span.start, gated));
                nodes.extend(variant.fields.iter().map(of_field));
            }
        }
    }
    let mut found = Vec::new();
    for Marked {
        marker,
        span,
        above,
    } in marked
    {
        if let Some((_, is_gated)) = nodes.iter().find(|(start, _)| start == above) {
            let (code, message, help) = marker.words("comment", *is_gated);
            found.push(Diagnostic::new(code, *span, message).with_help(help));
        }
    }
    found
}

fn is_gated(gate: Option<&Gate>, facets: &Conditional<FacetAttrs>) -> bool {
    gate.is_some() || !facets.when.is_empty()
}

fn has_gates<V>(facets: &Conditional<KindFacets<V>>) -> bool {
    !facets.when.is_empty()
}

/// The markers that are the only text of a line of a plain comment.
fn marked(text: &str, file: FileId) -> Vec<Marked<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    // The end of the last search, which all comments before it share.
    let mut below = (0, false);
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let trimmed = line.trim();
        if let Some(marker) = comment(trimmed).and_then(marker) {
            if end > below.0 {
                below = name_below(text, end);
            }
            let first = start + (line.len() - line.trim_start().len());
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            if below.1 {
                found.push(Marked {
                    marker,
                    span: Span {
                        file,
                        start: offset(first),
                        end: offset(first + trimmed.len()),
                    },
                    above: offset(below.0),
                });
            }
        }
        start = end;
    }
    found
}

/// The text of a line that is a plain comment, rather than documentation.
fn comment(line: &str) -> Option<&str> {
    let is_doc = |rest: &str| rest.starts_with(['/', '!', '*']);
    if let Some(rest) = line.strip_prefix("//") {
        return (!is_doc(rest)).then_some(rest);
    }
    let rest = line.strip_prefix("/*")?.strip_suffix("*/")?;
    (!is_doc(rest)).then_some(rest)
}

/// The position of the first thing from a position on that is neither a comment nor an attribute, nor a keyword before the
/// name of a type or a field; and whether it is a name.
fn name_below(text: &str, mut at: usize) -> (usize, bool) {
    while let Some(rest) = text.get(at..) {
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        let word = trimmed.find(|c: char| !c.is_alphanumeric() && c != '_');
        let word = trimmed
            .get(..word.unwrap_or(trimmed.len()))
            .unwrap_or_default();
        let skipped = if trimmed.starts_with("//") {
            trimmed.find('\n')
        } else if trimmed.starts_with("/*") {
            trimmed.find("*/").map(|end| end + 2)
        } else if trimmed.starts_with('#') {
            closing(trimmed)
        } else if trimmed.starts_with("pub(") || trimmed.starts_with("pub (") {
            trimmed.find(')').map(|end| end + 1)
        } else if matches!(word, "pub" | "struct" | "enum") {
            Some(word.len())
        } else {
            return (at, !word.is_empty());
        };
        match skipped {
            Some(length) => at += length,
            None => break,
        }
    }
    (text.len(), false)
}

/// The length of an attribute at the start of a text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '[' => depth += 1,
            ']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}
