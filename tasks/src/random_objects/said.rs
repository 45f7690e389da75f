//! The verdicts on an object: of a server in its answer, of `validate` in its JSON document.

use crate::verdicts;
use crd_channels_envtest::http::Answer;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The server's note that it did not evaluate the rules of an object that is invalid anyway.
const NOTE: &str = "some validation rules were not checked";

/// A verdict on an object.
#[derive(Debug, Default)]
pub struct Said {
    /// Whether it is accepted; `None` if that is not known.
    pub accept: Option<bool>,
    /// The unknown fields.
    pub unknown: BTreeSet<String>,
    /// Why it is refused.
    pub causes: Vec<Cause>,
    /// The other warnings.
    pub warnings: BTreeSet<String>,
    /// Whether not all rules were evaluated.
    pub is_partial: bool,
    /// Whether the server could not decode the object, or fails itself; the text says why.
    pub undecodable: Option<String>,
}

/// Why an object is refused.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Cause {
    /// The field; empty if there is none.
    pub field: String,
    pub reason: String,
    pub message: String,
}

/// Reads a server's answer.
pub fn by_server(answer: &Answer) -> Said {
    let mut said = Said {
        accept: Some(answer.status < 300),
        ..Said::default()
    };
    for warning in verdicts::warnings(answer) {
        match unknown_fields(&warning).pop() {
            Some(field) => said.unknown.insert(field),
            None => said.warnings.insert(warning),
        };
    }
    let document = answer.json();
    let message = document["message"].as_str().unwrap_or_default();
    if message.contains("strict decoding error") {
        said.unknown.extend(unknown_fields(message));
    } else if !matches!(answer.status, 200 | 201 | 422) {
        said.undecodable = Some(format!("{} {message}", answer.status));
    }
    let text = |cause: &Value, name: &str| cause[name].as_str().unwrap_or_default().to_owned();
    let causes = verdicts::causes(answer);
    let causes = causes.iter().map(|cause| Cause {
        field: text(cause, "field").trim_start_matches("<nil>").to_owned(),
        reason: text(cause, "reason"),
        message: text(cause, "message"),
    });
    said.causes = causes
        .filter(|cause| !cause.message.contains(NOTE))
        .collect();
    said
}

/// The fields in `unknown field "spec.a", unknown field "spec.b"`.
fn unknown_fields(message: &str) -> Vec<String> {
    let parts = message.split("unknown field ").skip(1);
    let fields = parts.filter_map(|part| {
        let mut read = serde_json::Deserializer::from_str(part).into_iter::<String>();
        read.next()?.ok()
    });
    fields.collect()
}

/// Reads the document of `validate`. Returns what it says by the names of the objects' files.
pub fn by_validate(document: &Value) -> BTreeMap<String, Said> {
    let mut all: BTreeMap<String, Said> = BTreeMap::new();
    for object in document["objects"].as_array().unwrap() {
        let said = all.entry(file_of(object)).or_default();
        said.accept = object["accept"].as_bool();
    }
    for finding in document["findings"].as_array().unwrap() {
        let said = all.entry(file_of(finding)).or_default();
        let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        let message = text("message");
        let title = title(finding);
        let message = message.strip_prefix(&title).unwrap_or(&message).to_owned();
        match &*text("code") {
            "object-unknown-field" | "object-dropped-field" => {
                said.unknown.extend(unknown_fields(&message));
            }
            "object-not-evaluated" => said.is_partial = true,
            "object-invalid" => {
                let field = match text("field") {
                    root if root == "." => String::new(),
                    field => field,
                };
                said.causes.push(Cause {
                    field,
                    reason: text("reason"),
                    message,
                });
            }
            _ if finding["severity"] == "warning" => {
                said.warnings.insert(message);
            }
            code => said.undecodable = Some(format!("{code}: {message}")),
        }
    }
    all
}

fn file_of(part: &Value) -> String {
    let file = Path::new(part["file"].as_str().unwrap());
    file.file_stem().unwrap().to_string_lossy().into_owned()
}

/// What the message of a finding begins with.
fn title(finding: &Value) -> String {
    let kind = finding["kind"].as_str().unwrap_or_default();
    let text = |name: &str| finding[name].as_str();
    match (text("namespace"), text("name")) {
        (Some(namespace), Some(name)) => format!("{kind} \"{namespace}/{name}\": "),
        (None, Some(name)) => format!("{kind} \"{name}\": "),
        (_, None) => format!("{kind}: "),
    }
}
