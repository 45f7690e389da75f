//! Findings for people, rendered like rustc's.

use super::location::{Finding, Location};
use crate::Severity;
use crate::Sources;
use crate::program::as_typed;
use crate::terminal::clean;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::borrow::Cow;
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
        let beside = labels
            .iter()
            .filter(|(other, _)| Arc::ptr_eq(&other.file, &place.file));
        group = group.element(
            Snippet::source(&*place.file.text)
                .path(clean(place.path()))
                .annotation(AnnotationKind::Primary.span(place.bytes.clone()))
                .annotations(beside.map(|(other, text)| {
                    AnnotationKind::Context
                        .span(other.bytes.clone())
                        .label(&**text)
                })),
        );
    }
    for (place, text) in &labels {
        let shown = finding
            .place
            .as_ref()
            .is_some_and(|primary| Arc::ptr_eq(&primary.file, &place.file));
        if !shown {
            group = group.element(
                Snippet::source(&*place.file.text)
                    .path(clean(place.path()))
                    .annotation(
                        AnnotationKind::Context
                            .span(place.bytes.clone())
                            .label(&**text),
                    ),
            );
        }
    }
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(clean(help)));
    }
    renderer.render(&[group])
}
