//! Findings for people, rendered like rustc's.

use super::location::{Finding, Location};
use crate::Severity;
use crate::Sources;
use crate::lines::{LONGEST_SHOWN, to_render};
use crate::program::as_typed;
use crate::terminal::clean;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

pub(super) fn write(findings: &[Finding<'_>], sources: &Sources, color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut written = String::new();
    for finding in findings {
        written.push_str(&one(finding, sources, &renderer));
        written.push_str("\n\n");
    }
    written
}

fn one(finding: &Finding<'_>, sources: &Sources, renderer: &Renderer) -> String {
    let diagnostic = finding.diagnostic;
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(as_typed(&diagnostic.message))
        .id(diagnostic.record().id);
    let labels: Vec<(Location, Cow<'_, str>)> = diagnostic
        .labels
        .iter()
        .filter_map(|label| Some((Location::of_span(label.span, sources)?, clean(&label.text))))
        .collect();
    let help = diagnostic.help.as_deref().map(as_typed);
    let mut group = Group::with_title(title);
    if let Some(place) = &finding.place {
        let beside = || {
            let labels = labels.iter();
            labels.filter(|(other, _)| Arc::ptr_eq(&other.file, &place.file))
        };
        let shown = ShownLines::around(place, beside().map(|(other, _)| other));
        let annotations = beside().map(|(other, text)| {
            let within = AnnotationKind::Context.span(shown.within(other));
            within.label(&**text)
        });
        let primary = AnnotationKind::Primary.span(shown.within(place));
        group = shown.add_to(group, place, [primary].into_iter().chain(annotations));
    }
    for (place, text) in &labels {
        let is_shown = finding
            .place
            .as_ref()
            .is_some_and(|primary| Arc::ptr_eq(&primary.file, &place.file));
        if !is_shown {
            let shown = ShownLines::around(place, std::iter::empty());
            let label = AnnotationKind::Context.span(shown.within(place));
            group = shown.add_to(group, place, [label.label(&**text)]);
        }
    }
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(clean(help)));
    }
    renderer.render(&[group])
}

/// The lines of a file that a finding shows. The renderer looks through all that it is given.
struct ShownLines {
    first: usize,
    bytes: Range<usize>,
}

impl ShownLines {
    /// The lines of a place, and of others in the same file.
    fn around<'l>(place: &Location, others: impl Iterator<Item = &'l Location>) -> Self {
        let (mut start, mut end) = (place.bytes.start, place.bytes.end);
        for other in others {
            start = start.min(other.bytes.start);
            end = end.max(other.bytes.end);
        }
        let lines = place.file.lines();
        let (first, range) = lines.line(start);
        let (_, last) = lines.line(end);
        Self {
            first,
            bytes: range.start..last.end,
        }
    }

    /// Adds the lines to a finding, or only the place if one of them is long.
    fn add_to<'l>(
        &self,
        group: Group<'l>,
        place: &'l Location,
        annotations: impl IntoIterator<Item = Annotation<'l>>,
    ) -> Group<'l> {
        let text = to_render(&place.file.text, &self.bytes);
        let path = clean(place.path());
        if text.lines().any(|line| line.len() > LONGEST_SHOWN) {
            let (line, column) = place.line_column(place.bytes.start);
            return group.element(Origin::path(format!("{path}:{line}:{column}")));
        }
        let snippet = Snippet::source(text).line_start(self.first).path(path);
        group.element(snippet.annotations(annotations))
    }

    /// The bytes of a place, counted from the first line.
    fn within(&self, place: &Location) -> Range<usize> {
        let from = self.bytes.start;
        place.bytes.start.saturating_sub(from)..place.bytes.end.saturating_sub(from)
    }
}
