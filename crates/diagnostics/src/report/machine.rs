//! Findings for programs: JSON, GitHub's workflow commands, SARIF.

use super::location::{Finding, Location};
use crate::Sources;
use crate::program::{VERSION, as_typed};
use crate::uri;
use crate::{Record, Severity};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;

pub(super) fn json(findings: &[Finding<'_>], sources: &Sources) -> Value {
    let findings = findings.iter().map(|finding| {
        let labels = finding.diagnostic.labels.iter();
        let labels = labels
            .filter_map(|label| Some((Location::of_span(label.span, sources)?, &label.text)))
            .map(|(place, text)| json!({"place": json_place(&place), "text": text}));
        let mut object = json_finding(&annotation(finding));
        object["labels"] = labels.collect();
        object
    });
    findings.collect()
}

/// The keys that a finding has in every JSON document, before labels or further keys are added.
#[must_use]
pub fn json_finding(annotation: &Annotation) -> Value {
    let Annotation {
        record,
        message,
        help,
        file,
        region,
        field: _,
    } = annotation;
    let place = file.as_ref().zip(*region);
    json!({
        "code": record.id,
        "severity": severity(record.severity),
        "message": message,
        "place": place.map(|(file, region)| json_region(file, region)),
        "labels": [],
        "help": help,
    })
}

pub(super) fn json_place(place: &Location) -> Value {
    json_region(place.path(), region(place))
}

fn json_region(file: &str, region: Region) -> Value {
    let Region {
        line,
        column,
        end_line,
        end_column,
    } = region;
    json!({
        "file": file,
        "line": line,
        "column": column,
        "endLine": end_line,
        "endColumn": end_column,
    })
}

/// A finding for services that show findings next to code.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The code or lint.
    pub record: Record,
    /// The message.
    pub message: String,
    /// The help.
    pub help: Option<String>,
    /// The file.
    pub file: Option<String>,
    /// The part of the file.
    pub region: Option<Region>,
    /// The field path, if the finding is about a field.
    pub field: Option<String>,
}

/// A part of a file; lines and columns from 1, columns in characters.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The first line.
    pub line: usize,
    /// The first column.
    pub column: usize,
    /// The last line.
    pub end_line: usize,
    /// One past the last column.
    pub end_column: usize,
}

pub(super) fn region(place: &Location) -> Region {
    let (line, column) = place.line_column(place.bytes.start);
    let (end_line, end_column) = place.line_column(place.bytes.end);
    Region {
        line,
        column,
        end_line,
        end_column,
    }
}

pub(super) fn annotation(finding: &Finding<'_>) -> Annotation {
    let diagnostic = finding.diagnostic;
    Annotation {
        record: diagnostic.record(),
        message: as_typed(&diagnostic.message).into_owned(),
        help: diagnostic
            .help
            .as_deref()
            .map(as_typed)
            .map(Cow::into_owned),
        file: finding.place.as_ref().map(|place| place.path().to_owned()),
        region: finding.place.as_ref().map(region),
        field: None,
    }
}

impl Annotation {
    fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }
}

/// Writes GitHub's workflow commands, which become annotations of a pull request.
#[must_use]
pub fn github(annotations: &[Annotation]) -> String {
    let mut written = String::new();
    for annotation in annotations {
        let mut place = String::new();
        if let Some(file) = &annotation.file {
            place.push_str(&format!("file={},", property(file)));
        }
        if let Some(Region { line, column, .. }) = annotation.region {
            place.push_str(&format!("line={line},col={column},"));
        }
        let mut text = annotation.text();
        if let Some(field) = &annotation.field {
            text = format!("{field}: {text}");
        }
        written.push_str(&format!(
            "::{} {place}title={}::{}\n",
            severity(annotation.record.severity),
            property(annotation.record.id),
            data(&text),
        ));
    }
    written
}

/// The escapes of a workflow command's message.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The escapes of a workflow command's properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Writes one run in SARIF 2.1.0.
#[must_use]
pub fn sarif(annotations: &[Annotation]) -> String {
    let records: BTreeMap<&str, Record> = annotations
        .iter()
        .map(|annotation| (annotation.record.id, annotation.record))
        .collect();
    let rules: Vec<Value> = records
        .values()
        .map(|record| {
            json!({
                "id": record.id,
                "shortDescription": {"text": record.summary},
                "fullDescription": {"text": as_typed(record.explanation)},
            })
        })
        .collect();
    let results: Vec<Value> = annotations
        .iter()
        .map(|annotation| {
            json!({
                "ruleId": annotation.record.id,
                "level": severity(annotation.record.severity),
                "message": {"text": annotation.text()},
                "locations": sarif_location(annotation).into_iter().collect::<Vec<_>>(),
            })
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "crd-channels",
                "version": VERSION,
                "rules": rules,
            }},
            "results": results,
        }],
    });
    format!("{log}\n")
}

fn sarif_location(annotation: &Annotation) -> Option<Value> {
    let file = annotation.file.as_ref()?;
    let mut physical = json!({"artifactLocation": {"uri": uri::escaped(file, "/")}});
    if let Some(region) = annotation.region {
        physical["region"] = json!({
            "startLine": region.line,
            "startColumn": region.column,
            "endLine": region.end_line,
            "endColumn": region.end_column,
        });
    }
    let mut location = json!({ "physicalLocation": physical });
    if let Some(field) = &annotation.field {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": field }]);
    }
    Some(location)
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
