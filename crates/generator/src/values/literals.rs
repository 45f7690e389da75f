//! Maps texts to the literals that they come from.

use crd_channels_diagnostics::{Span, Text, Written};
use crd_channels_source::Graph;

/// A part of a text, and the span of its expression.
type Part = (Text, Span);

/// The texts that literals form in one evaluation, each with its literals in order.
///
/// A value does not know its origin. A text that is passed on keeps its content, which distinguishes it from all texts but
/// equal ones.
#[derive(Debug, Default)]
pub(crate) struct Literals(Vec<(Text, Vec<Part>)>);

impl Literals {
    /// Records a literal, or the text of a file.
    pub(crate) fn record(&mut self, text: &Text, span: Span) {
        self.0.push((text.clone(), vec![(text.clone(), span)]));
    }

    /// Records a text that consists of parts.
    pub(crate) fn join(&mut self, text: Text, parts: Vec<Part>) {
        let mut all = Vec::with_capacity(parts.len());
        for (part, span) in parts {
            match self.unique_parts(&part, |known| is_within(known, span)) {
                Some(known) => all.extend_from_slice(known),
                None => all.push((part, span)),
            }
        }
        self.0.push((text, all));
    }

    /// Returns where a text is written; nowhere if several literals have the same text, or none does.
    pub(crate) fn location_of(&self, text: &str, graph: &Graph<'_>) -> Written {
        let parts = self.unique_parts(text, |_| true).unwrap_or_default();
        let pieces = parts.iter();
        pieces
            .flat_map(|(part, span)| graph.pieces(*span, part))
            .collect()
    }

    /// Returns the parts of a text, if only one combination of wanted parts forms it.
    fn unique_parts(&self, text: &str, wanted: impl Fn(&[Part]) -> bool) -> Option<&[Part]> {
        let alike = self.0.iter().filter(|(known, _)| **known == *text);
        let mut known = alike
            .map(|(_, parts)| &parts[..])
            .filter(|parts| wanted(parts));
        let first = known.next()?;
        known.all(|other| other == first).then_some(first)
    }
}

/// Returns true if all parts are inside a span.
fn is_within(parts: &[Part], place: Span) -> bool {
    let mut spans = parts.iter().map(|(_, span)| span);
    spans.all(|span| span.file == place.file && place.start <= span.start && span.end <= place.end)
}
