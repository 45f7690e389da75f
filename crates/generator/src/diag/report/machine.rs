//! Findings for programs: JSON, GitHub's workflow commands, SARIF.

use super::{Finding, Place};
use crate::diag::Severity;
use crate::files::Sources;
use serde_json::{Value, json};

pub(super) fn json(findings: &[Finding<'_>], sources: &Sources) -> String {
    let findings: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let diagnostic = finding.diagnostic;
            let labels: Vec<Value> = diagnostic
                .labels
                .iter()
                .filter_map(|label| Some((Place::of(label.span, sources)?, &label.text)))
                .map(|(place, text)| json!({"place": json_place(&place), "text": text}))
                .collect();
            json!({
                "code": diagnostic.code.record().id,
                "severity": severity(finding),
                "message": diagnostic.message,
                "place": finding.place.as_ref().map(json_place),
                "labels": labels,
                "help": diagnostic.help,
            })
        })
        .collect();
    format!("{}\n", json!({ "findings": findings }))
}

fn json_place(place: &Place) -> Value {
    let (line, column) = place.line_column(place.bytes.start);
    let (end_line, end_column) = place.line_column(place.bytes.end);
    json!({
        "file": place.path(),
        "line": line,
        "column": column,
        "endLine": end_line,
        "endColumn": end_column,
    })
}

pub(super) fn github(findings: &[Finding<'_>]) -> String {
    let mut written = String::new();
    for finding in findings {
        let diagnostic = finding.diagnostic;
        let place = finding.place.as_ref().map(|place| {
            let (line, column) = place.line_column(place.bytes.start);
            format!("file={},line={line},col={column},", property(place.path()))
        });
        let mut message = diagnostic.message.clone();
        if let Some(help) = &diagnostic.help {
            message.push_str("\nhelp: ");
            message.push_str(help);
        }
        written.push_str(&format!(
            "::{} {}title={}::{}\n",
            severity(finding),
            place.unwrap_or_default(),
            property(diagnostic.code.record().id),
            data(&message),
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

pub(super) fn sarif(findings: &[Finding<'_>]) -> String {
    let mut codes: Vec<_> = findings
        .iter()
        .map(|finding| finding.diagnostic.code)
        .collect();
    codes.sort();
    codes.dedup();
    let rules: Vec<Value> = codes
        .iter()
        .map(|code| {
            let record = code.record();
            json!({
                "id": record.id,
                "shortDescription": {"text": record.summary},
                "fullDescription": {"text": record.explanation},
            })
        })
        .collect();
    let results: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let diagnostic = finding.diagnostic;
            let text = match &diagnostic.help {
                Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
                None => diagnostic.message.clone(),
            };
            let locations: Vec<Value> = finding.place.iter().map(sarif_location).collect();
            json!({
                "ruleId": diagnostic.code.record().id,
                "level": severity(finding),
                "message": {"text": text},
                "locations": locations,
            })
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "crd-channels",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "results": results,
        }],
    });
    format!("{log}\n")
}

fn sarif_location(place: &Place) -> Value {
    let (line, column) = place.line_column(place.bytes.start);
    let (end_line, end_column) = place.line_column(place.bytes.end);
    json!({"physicalLocation": {
        "artifactLocation": {"uri": place.path()},
        "region": {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        },
    }})
}

fn severity(finding: &Finding<'_>) -> &'static str {
    match finding.diagnostic.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
