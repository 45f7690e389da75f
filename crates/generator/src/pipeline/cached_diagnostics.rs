//! Diagnostics about a kind, as one run keeps them for the next.

use crd_channels_check::{Level, Rule};
use crd_channels_diagnostics::{Code, Diagnostic, Label, Severity, Sources, Span, Subject};
use crd_channels_files::{Disk, Read as _};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The maximum length of a text that is kept with a diagnostic.
const MOST_TEXT: usize = 64 << 10;

/// A diagnostic in a form that does not depend on the run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct CachedDiagnostic {
    /// The id of the code or the lint.
    id: String,
    /// For a lint, whether it is denied.
    denied: Option<bool>,
    /// The span.
    place: Option<CachedSpan>,
    /// The message.
    message: String,
    /// Other spans, each with its label.
    labels: Vec<(CachedSpan, String)>,
    /// The help.
    help: Option<String>,
    /// The CRD and the field that it concerns.
    subject: Option<(String, String)>,
}

/// A span in a file of the workspace, or in a text that a macro generated.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct CachedSpan {
    /// The file as messages show it: its path below the workspace root.
    file: String,
    /// The first byte.
    start: u32,
    /// The byte after the last one.
    end: u32,
    /// The text, if it is not that of a file.
    text: Option<String>,
}

impl CachedDiagnostic {
    /// Records a diagnostic. Returns `None` if it points into a dependency, or into generated text that is too long to keep.
    pub fn record(finding: &Diagnostic, root: &Path, sources: &Sources) -> Option<Self> {
        let place = |span: Span| {
            let file = sources.get(span.file)?;
            let is_file = root.join(&*file.shown).is_file();
            let is_kept = !file.foreign && (is_file || file.text.len() <= MOST_TEXT);
            is_kept.then(|| CachedSpan {
                file: file.shown.to_string(),
                start: span.start,
                end: span.end,
                text: (!is_file).then(|| file.text.to_string()),
            })
        };
        let labels = finding.labels.iter();
        let labels = labels.map(|label| Some((place(label.span)?, label.text.clone())));
        let lint = finding.lint.as_deref();
        Some(Self {
            id: finding.record().id.to_owned(),
            denied: lint.map(|lint| lint.severity == Severity::Error),
            place: match finding.span {
                Some(span) => Some(place(span)?),
                None => None,
            },
            message: finding.message.clone(),
            labels: labels.collect::<Option<_>>()?,
            help: finding.help.clone(),
            subject: finding
                .subject
                .as_deref()
                .map(|Subject { crd, field }| (crd.clone(), field.clone())),
        })
    }

    /// Returns the file that the diagnostic is in. `None` if it is not in a file, or the file is gone.
    pub fn path(&self, root: &Path) -> Option<PathBuf> {
        let place = self.place.as_ref()?;
        let is_file = place.text.is_none();
        is_file.then(|| Disk.canonical(&root.join(&place.file)).ok())?
    }

    /// Returns the diagnostic with spans in this run's `sources`, or `None` if one of its files can no longer be read.
    pub fn replay(&self, root: &Path, sources: &Sources) -> Option<Diagnostic> {
        let place = |place: &CachedSpan| {
            let read = || {
                let text = Disk.read_text(&root.join(&place.file)).ok()?;
                Some(sources.add(&*place.file, text))
            };
            let file = match &place.text {
                Some(text) => sources.add(&*place.file, &**text),
                None => sources.file_named(&place.file).or_else(read)?,
            };
            Some(Span {
                file,
                start: place.start,
                end: place.end,
            })
        };
        let span = match &self.place {
            Some(of) => Some(place(of)?),
            None => None,
        };
        let finding = match self.denied {
            None => {
                let mut codes = Code::ALL.iter();
                let code = codes.find(|code| code.record().id == self.id)?;
                Diagnostic::new(*code, span, self.message.clone())
            }
            Some(denied) => {
                let mut rules = Rule::ALL.iter();
                let rule = rules.find(|rule| rule.record().id == self.id)?;
                let level = if denied { Level::Deny } else { Level::Warn };
                Diagnostic::of_lint(rule.record_at(level), span, self.message.clone())
            }
        };
        let labels = self.labels.iter().map(|(of, text)| {
            Some(Label {
                span: place(of)?,
                text: text.clone(),
            })
        });
        Some(Diagnostic {
            labels: labels.collect::<Option<_>>()?,
            help: self.help.clone(),
            subject: self.subject.as_ref().map(|(crd, field)| {
                Box::new(Subject {
                    crd: crd.clone(),
                    field: field.clone(),
                })
            }),
            ..finding
        })
    }
}
