//! Output of findings, for people and as JSON.

use super::excerpts::{Excerpt, excerpts};
use super::files::{Unread, shown};
use super::{CheckedCrd, CheckedFile};
use annotate_snippets::{AnnotationKind, Group, Level as Title, Origin, Renderer, Snippet};
use crd_channels_check::{self as check, Finding, Level, Reason};
use crd_channels_diagnostics::program::as_typed;
use crd_channels_diagnostics::report::{
    self, Annotation, Format, Region, counted, github, json_finding, sarif,
};
use crd_channels_diagnostics::terminal::{clean, is_colored, is_quiet, is_verbose};
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_projection::channel::config::Lints;
use serde_json::{Value, json};

/// Formats all findings. Files that could not be read are already reported if the output is for people.
pub(super) fn write(
    checked: &[CheckedFile],
    unread: &[Unread],
    lints: &Lints,
    format: Format,
) -> String {
    match format {
        Format::Human => human(checked, lints),
        Format::Json => format!("{}\n", json(checked, unread, lints)),
        Format::Github => github(&annotations(checked, lints)),
        Format::Sarif => sarif(&annotations(checked, lints)),
    }
}

/// The version of the JSON format, raised when a key is removed or changes its meaning. In format 1 each file was a document of
/// its own.
const FORMAT: u64 = 2;

/// Formats the files and all of their findings as one JSON object.
pub(super) fn json(checked: &[CheckedFile], unread: &[Unread], lints: &Lints) -> Value {
    let accepted = checked
        .iter()
        .map(|file| json!({"file": file.file, "accept": file.is_accepted()}));
    let without_answer = unread
        .iter()
        .map(|file| json!({"file": file.name, "accept": null}));
    let findings = all_placed(checked).map(|(file, crd, finding, place)| {
        let field = finding.field.as_ref().map(ToString::to_string);
        let keys = ExtraKeys {
            file: Some(&file.file),
            crd: Some(&crd.name),
            field: field.as_deref(),
            reason: finding.reason.map(Reason::name),
        };
        keys.add_to(json_finding(&annotation(file, crd, finding, place, lints)))
    });
    let unreadable = unread.iter().map(|Unread { name, message }| {
        let keys = ExtraKeys {
            file: Some(name),
            ..ExtraKeys::default()
        };
        keys.add_to(json_finding(&Annotation {
            record: Code::UnreadableFile.record(),
            message: message.clone(),
            help: None,
            file: Some(name.clone()),
            region: None,
            field: None,
        }))
    });
    document(
        accepted.chain(without_answer).collect(),
        findings.chain(unreadable).collect(),
    )
}

/// The same for a run that could not begin.
pub(super) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    let mut findings = report::json(findings, sources);
    for finding in findings.as_array_mut().into_iter().flatten() {
        *finding = ExtraKeys::default().add_to(finding.take());
    }
    document(json!([]), findings)
}

fn document(files: Value, findings: Value) -> Value {
    json!({"format": FORMAT, "files": files, "findings": findings})
}

/// The keys of a finding that only this command prints.
#[derive(Default)]
struct ExtraKeys<'a> {
    file: Option<&'a str>,
    crd: Option<&'a str>,
    field: Option<&'a str>,
    reason: Option<&'a str>,
}

impl ExtraKeys<'_> {
    fn add_to(self, mut finding: Value) -> Value {
        let Self {
            file,
            crd,
            field,
            reason,
        } = self;
        for (key, value) in [
            ("file", file),
            ("crd", crd),
            ("field", field),
            ("reason", reason),
        ] {
            finding[key] = json!(value);
        }
        finding
    }
}

/// Returns the message of a finding, with the name of its CRD if the file has several.
fn message(file: &CheckedFile, crd: &CheckedCrd, finding: &Finding) -> String {
    let message = finding.message_with_part();
    if file.crds.len() > 1 {
        format!("`{}`: {message}", crd.name)
    } else {
        message
    }
}

/// Returns the field as the author of the CRD writes it.
fn field(crd: &CheckedCrd, finding: &Finding) -> Option<String> {
    let field = finding.field.as_ref()?;
    Some(check::as_written(field, crd.versions).to_string())
}

/// Returns every finding with its file and its excerpt.
fn all_placed(
    checked: &[CheckedFile],
) -> impl Iterator<Item = (&CheckedFile, &CheckedCrd, &Finding, Option<Excerpt<'_>>)> {
    checked.iter().flat_map(|file| {
        let placed = excerpts(file).into_iter();
        placed.map(move |(crd, finding, place)| (file, crd, finding, place))
    })
}

fn annotations(checked: &[CheckedFile], lints: &Lints) -> Vec<Annotation> {
    all_placed(checked)
        .map(|(file, crd, finding, place)| annotation(file, crd, finding, place, lints))
        .collect()
}

fn annotation(
    file: &CheckedFile,
    crd: &CheckedCrd,
    finding: &Finding,
    place: Option<Excerpt<'_>>,
    lints: &Lints,
) -> Annotation {
    Annotation {
        record: finding.rule.record_at(lints.level(finding.rule)),
        message: message(file, crd, finding),
        help: Some(as_typed(finding.help()).into_owned()),
        file: Some(file.file.clone()),
        region: place.map(|place| place.region),
        field: field(crd, finding),
    }
}

/// Formats findings in the style of rustc.
pub(super) fn human(checked: &[CheckedFile], lints: &Lints) -> String {
    let renderer = if is_colored(&std::io::stdout()) {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut written = String::new();
    for (file, crd, finding, place) in all_placed(checked) {
        let title = match lints.level(finding.rule) {
            Level::Deny => Title::ERROR,
            Level::Warn | Level::Allow if is_quiet() => continue,
            Level::Warn | Level::Allow => Title::WARNING,
        };
        let message = message(file, crd, finding);
        let title = title.primary_title(message.as_str());
        let group = Group::with_title(title.id(finding.rule.record().id));
        let field = field(crd, finding);
        let path = clean(&file.file);
        let group = match (place, field.as_deref()) {
            (Some(place), field) => with_snippet(group, &path, place, field),
            (None, None) => group.element(Origin::path(path)),
            (None, Some(field)) => group.element(Origin::path(format!("{path}: {}", clean(field)))),
        };
        let help = as_typed(finding.help());
        let group = group.element(Title::HELP.message(clean(&help)));
        written.push_str(&renderer.render(&[group]));
        written.push_str("\n\n");
    }
    written
}

/// Adds the line with the field below it. Of a long line, such as a whole CRD in JSON, only the place is shown.
fn with_snippet<'a>(
    group: Group<'a>,
    path: &'a str,
    place: Excerpt<'a>,
    field: Option<&'a str>,
) -> Group<'a> {
    let Region { line, column, .. } = place.region;
    if place.is_long {
        let place = format!("{path}:{line}:{column}");
        let place = match field {
            Some(field) => format!("{place}: {}", clean(field)),
            None => place,
        };
        return group.element(Origin::path(place));
    }
    let here = AnnotationKind::Primary.span(place.bytes);
    let snippet = Snippet::source(place.line)
        .line_start(line)
        .annotation(here.label(field.map(clean)));
    group.element(snippet.path(path))
}

/// The maximum number of files without CRDs that are listed.
const MOST_LISTED: usize = 3;

/// Returns the notes about documents that are not CRDs: one for each file, or one with their number.
fn skipped(checked: &[CheckedFile]) -> Vec<String> {
    let why = |documents| match documents {
        1 => "is skipped, because it is not a CRD",
        _ => "are skipped, because they are not CRDs",
    };
    let files = || checked.iter().filter(|file| file.others > 0);
    if files().count() > MOST_LISTED && !is_verbose() {
        let documents = files().map(|file| file.others).sum();
        let skipped = counted(documents, "document");
        let files = counted(files().count(), "file");
        let why = why(documents);
        return vec![format!(
            "{skipped} of {files} {why}; `--verbose` lists the files"
        )];
    }
    let notes = files().map(|file| {
        let skipped = counted(file.others, "document");
        format!("{skipped} of {} {}", shown(&file.file), why(file.others))
    });
    notes.collect()
}

/// Returns notes about the whole run.
pub(super) fn notes(checked: &[CheckedFile]) -> Vec<String> {
    let mut notes = skipped(checked);
    let crds: usize = checked.iter().map(|file| file.crds.len()).sum();
    let refused = checked
        .iter()
        .flat_map(|file| &file.crds)
        .filter(|crd| crd.findings.iter().any(Finding::refuses))
        .count();
    let checked = counted(crds, "CRD");
    notes.push(match refused {
        0 => format!("{checked} checked, none rejected"),
        refused => format!("{checked} checked, {refused} rejected"),
    });
    notes
}
