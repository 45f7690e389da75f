//! Which literals a text comes from.

use crd_channels_diagnostics::{Span, Text, Written};
use crd_channels_source::Graph;

/// A part of a text and the expression that says it.
type Part = (Text, Span);

/// The texts that literals made in one evaluation, each with its literals in their order.
///
/// A value does not know where it comes from. A text that is handed on still has its words, which tell it apart from all
/// others but its like.
#[derive(Debug, Default)]
pub(super) struct Literals(Vec<(Text, Vec<Part>)>);

impl Literals {
    /// Takes down a literal, or the text of a file.
    pub(super) fn read(&mut self, text: &Text, span: Span) {
        self.0.push((text.clone(), vec![(text.clone(), span)]));
    }

    /// Takes down a text that is made of parts.
    pub(super) fn join(&mut self, text: Text, parts: Vec<Part>) {
        let mut all = Vec::with_capacity(parts.len());
        for (part, span) in parts {
            match self.of(&part, |known| is_within(known, span)) {
                Some(known) => all.extend_from_slice(known),
                None => all.push((part, span)),
            }
        }
        self.0.push((text, all));
    }

    /// Where a text is written. Nowhere, where several literals say the same, or none does.
    pub(super) fn location_of(&self, text: &str, graph: &Graph<'_>) -> Written {
        let parts = self.of(text, |_| true).unwrap_or_default();
        let pieces = parts.iter();
        pieces
            .flat_map(|(part, span)| graph.pieces(*span, part))
            .collect()
    }

    /// The parts of a text, if there is only one way to make it of those that are wanted.
    fn of(&self, text: &str, wanted: impl Fn(&[Part]) -> bool) -> Option<&[Part]> {
        let alike = self.0.iter().filter(|(known, _)| **known == *text);
        let mut known = alike
            .map(|(_, parts)| &parts[..])
            .filter(|parts| wanted(parts));
        let first = known.next()?;
        known.all(|other| other == first).then_some(first)
    }
}

/// Whether all parts are written inside a place.
fn is_within(parts: &[Part], place: Span) -> bool {
    let mut spans = parts.iter().map(|(_, span)| span);
    spans.all(|span| span.file == place.file && place.start <= span.start && span.end <= place.end)
}
