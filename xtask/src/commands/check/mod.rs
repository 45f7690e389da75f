//! `check`: what an API server would refuse in CRDs, and what their users would regret.

mod files;
mod report;

use super::Outcome;
use crate::bundle::documents;
use crate::check::{self, Finding};
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;

/// How findings are written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Format {
    /// For people, as rustc shows its own.
    #[default]
    Human,
    /// One JSON object for each file, each on a line of its own.
    Json,
}

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files and folders; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// How findings are written.
    pub format: Format,
}

/// A file with what was found in it.
struct Checked {
    file: String,
    crds: Vec<Judged>,
    /// How many documents are no CRDs.
    others: usize,
}

/// A CRD with what was found in it.
struct Judged {
    name: String,
    versions: usize,
    findings: Vec<Finding>,
}

impl Checked {
    /// Whether a server takes every CRD of the file.
    fn is_accepted(&self) -> bool {
        let mut findings = self.crds.iter().flat_map(|crd| &crd.findings);
        !findings.any(Finding::refuses)
    }
}

/// Checks files and says what was found on stdout.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let mut outcome = Outcome::Clean;
    let mut checked = Vec::new();
    for file in files::named(&request.paths) {
        match file.and_then(|file| check_text(file.name, &file.text)) {
            Ok(file) => checked.push(file),
            Err(message) => {
                eprintln!("error: {message}");
                outcome = Outcome::CouldNotRun;
            }
        }
    }
    let written = match request.format {
        Format::Human => report::human(&checked),
        Format::Json => report::json(&checked),
    };
    // A reader that went away has read enough.
    let _ = std::io::stdout().lock().write_all(written.as_bytes());
    for note in report::notes(&checked) {
        eprintln!("note: {note}");
    }
    let refused = !checked.iter().all(Checked::is_accepted);
    match outcome {
        Outcome::Clean if refused => Outcome::Findings,
        other => other,
    }
}

fn check_text(file: String, text: &str) -> Result<Checked, String> {
    let documents = documents::parse(text).map_err(|error| format!("{file}: {error}"))?;
    let (crds, others): (Vec<Value>, Vec<Value>) = documents.into_iter().partition(is_crd);
    Ok(Checked {
        file,
        crds: crds.iter().map(judge).collect(),
        others: others.len(),
    })
}

fn is_crd(document: &Value) -> bool {
    let kind = document.get("kind").and_then(Value::as_str);
    kind == Some("CustomResourceDefinition")
}

fn judge(document: &Value) -> Judged {
    let name = document.pointer("/metadata/name").and_then(Value::as_str);
    let versions = document.pointer("/spec/versions").and_then(Value::as_array);
    Judged {
        name: name.unwrap_or_default().to_owned(),
        versions: versions.map_or(0, Vec::len),
        findings: findings(document),
    }
}

/// What a server would refuse; of a CRD that it takes, what users would regret.
fn findings(document: &Value) -> Vec<Finding> {
    let mut findings = check::judge(document);
    if !findings.iter().any(Finding::refuses) {
        findings.extend(check::lint(document));
    }
    findings
}

#[cfg(test)]
mod tests;
