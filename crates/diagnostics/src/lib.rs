//! Diagnostics with source spans, collected rather than returned as errors.
#![doc = include_str!("../README.md")]

mod codes;
mod sources;
pub mod lines;
pub mod program;
pub mod report;
pub mod shell;
pub mod terminal;
pub mod uri;
mod written;

pub use codes::{Code, Record, Severity};
pub use crd_channels_markers::nearest;
pub use sources::{SourceFile, Sources};
pub use written::{Piece, Written};

use std::ops::Range;

/// A shared text.
pub type Text = std::sync::Arc<str>;

/// The source file that a [`Span`] points into; an index into the run's [`Sources`].
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of a range of bytes.
    #[must_use]
    pub fn of_bytes(file: FileId, range: Range<usize>) -> Self {
        let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self {
            file,
            start: byte(range.start),
            end: byte(range.end),
        }
    }
}

/// A value and its span.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The span of the value.
    pub span: Span,
}

/// A further span of a diagnostic, with a text about it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Label {
    /// The labelled span.
    pub span: Span,
    /// The text: lowercase, no full stop.
    pub text: String,
}

/// The CRD and field that a finding is about, independent of its source.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Subject {
    /// `plural.group`
    pub crd: String,
    /// The field path, after the version's name if it belongs to one version.
    pub field: String,
}

/// A finding of any stage. Built with [`Diagnostic::new`] and the `with_` methods.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Diagnostic {
    /// The code, which determines the severity and the explanation.
    pub code: Code,
    /// The lint that replaces the code, with the severity that its level gives it.
    pub lint: Option<Box<Record>>,
    /// The span, if the source has one.
    pub span: Option<Span>,
    /// The message: lowercase, no full stop, literals in backticks.
    pub message: String,
    /// Further spans.
    pub labels: Vec<Label>,
    /// The exact text or command that fixes it.
    pub help: Option<String>,
    /// The CRD and field, for findings about CRDs.
    pub subject: Option<Box<Subject>>,
}

impl Diagnostic {
    /// Creates a diagnostic, with a span if there is one.
    #[must_use]
    pub fn new(code: Code, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        Self {
            code,
            lint: None,
            span: span.into(),
            message: message.into(),
            labels: Vec::new(),
            help: None,
            subject: None,
        }
    }

    /// Creates the diagnostic of a lint, a rule about CRDs that servers do not have.
    #[must_use]
    pub fn of_lint(
        lint: Record,
        span: impl Into<Option<Span>>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            lint: Some(Box::new(lint)),
            ..Self::new(Code::RefusedCrd, span, message)
        }
    }

    /// The documentation of its lint, else of its code.
    #[must_use]
    pub fn record(&self) -> Record {
        let lint = self.lint.as_deref().copied();
        lint.unwrap_or_else(|| self.code.record())
    }

    /// Replaces the span.
    #[must_use]
    pub fn at(mut self, span: Option<Span>) -> Self {
        self.span = span;
        self
    }

    /// Adds help: what to write or run instead.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the CRD and field.
    #[must_use]
    pub fn about(mut self, subject: Subject) -> Self {
        self.subject = Some(Box::new(subject));
        self
    }

    /// Adds a further span.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Whether it stops the run.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.record().severity
    }
}

/// Collects the diagnostics of a stage. Every stage reports all it finds and continues with what is valid.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
}

impl Sink {
    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds all diagnostics of a parallel task.
    pub fn append(&mut self, other: Sink) {
        self.diagnostics.extend(other.diagnostics);
    }

    /// Removes and returns all diagnostics after the first `count`.
    #[must_use]
    pub fn take_after(&mut self, count: usize) -> Vec<Diagnostic> {
        self.diagnostics
            .split_off(count.min(self.diagnostics.len()))
    }

    /// Whether any diagnostic stops the run.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error)
    }

    /// All diagnostics so far, in the order in which they were reported.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// All diagnostics without duplicates, in the order in which they were reported. The renderer sorts them by location, since
    /// it knows the paths.
    #[must_use]
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        unique(self.diagnostics)
    }
}

/// Removes findings that differ from an earlier one only in their subject.
#[must_use]
pub fn once_each(mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for finding in &mut findings {
        finding.subject = None;
    }
    unique(findings)
}

fn unique(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut unique: Vec<Diagnostic> = Vec::with_capacity(findings.len());
    for finding in findings {
        if !unique.contains(&finding) {
            unique.push(finding);
        }
    }
    unique
}
