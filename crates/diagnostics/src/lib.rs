//! Diagnostics with a place: what every stage reports, in one shape, collected rather than thrown.
//!
#![doc = include_str!("../README.md")]

mod codes;
mod sources;
pub mod program;
pub mod report;
pub mod terminal;
mod written;

pub use codes::{Code, Record, Severity};
pub use crd_channels_markers::nearest;
pub use sources::{SourceFile, Sources};
pub use written::{Piece, Written};

/// Text that many places share.
pub type Text = std::sync::Arc<str>;

/// Which source file a [`Span`] points into; an index into the run's [`Sources`].
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

/// A value and its place.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The value's place.
    pub span: Span,
}

/// A second place that belongs to a diagnostic, with what there is to say about it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What about it: lowercase, no full stop.
    pub text: String,
}

/// What a finding about CRDs is about, wherever it is written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Subject {
    /// `plural.group`
    pub crd: String,
    /// The field, the version's name before it where it is one of a version.
    pub field: String,
}

/// One finding. Built with [`Diagnostic::new`] and the `with_` methods.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Diagnostic {
    /// Which rule speaks; its severity and its explanation hang on the code.
    pub code: Code,
    /// What speaks in the place of the code: a lint, with the severity that its level gives it.
    pub lint: Option<Box<Record>>,
    /// The place, where there is one.
    pub span: Option<Span>,
    /// What is wrong: lowercase, no full stop, literals in backticks.
    pub message: String,
    /// Other places that belong to it.
    pub labels: Vec<Label>,
    /// The exact text or command that fixes it.
    pub help: Option<String>,
    /// What it is about, for findings about CRDs.
    pub subject: Option<Box<Subject>>,
}

impl Diagnostic {
    /// A finding at a place.
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

    /// The finding of a lint, a rule about CRDs that servers do not know.
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

    /// What is known of that which speaks.
    #[must_use]
    pub fn record(&self) -> Record {
        let lint = self.lint.as_deref().copied();
        lint.unwrap_or_else(|| self.code.record())
    }

    /// Gives it another place.
    #[must_use]
    pub fn at(mut self, span: Option<Span>) -> Self {
        self.span = span;
        self
    }

    /// Adds what to write or to run instead.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what it is about.
    #[must_use]
    pub fn about(mut self, subject: Subject) -> Self {
        self.subject = Some(Box::new(subject));
        self
    }

    /// Adds a second place.
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

/// Where a stage puts what it has to say. Every stage reports all it finds and goes on with what is whole.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
}

impl Sink {
    /// Takes one finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Takes all findings of a parallel task.
    pub fn append(&mut self, other: Sink) {
        self.diagnostics.extend(other.diagnostics);
    }

    /// Takes out what came after the first `count` findings.
    #[must_use]
    pub fn take_after(&mut self, count: usize) -> Vec<Diagnostic> {
        self.diagnostics
            .split_off(count.min(self.diagnostics.len()))
    }

    /// Whether anything stops the run.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error)
    }

    /// All findings so far, in the order they came.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// All findings, without repeats, in the order they came. Sorting by place is the renderer's, which knows the paths.
    #[must_use]
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        unique(self.diagnostics)
    }
}

/// Findings without those that say again what one before says of another field.
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
