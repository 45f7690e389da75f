//! Reads the verdicts of servers on CRDs from their responses.

#[path = "../../apiserver/check/tests/shared/verdict.rs"]
mod verdict;

use crd_channels_envtest::http::Answer;
use serde_json::Value;
use std::collections::BTreeSet;
pub use verdict::Verdict;

/// The beginnings of warnings about formats and sets.
const WARNINGS: [&str; 2] = ["unrecognized format", "x-kubernetes-list-type: set"];

/// Returns the verdict in the response to a CRD that was posted with `fieldValidation=Warn`.
pub fn verdict(answer: &Answer) -> Verdict {
    let message = answer.json()["message"].take();
    let too_large = answer.status == 413
        || message
            .as_str()
            .is_some_and(|text| text.contains("request is too large"));
    let text = |cause: &Value, name: &str| cause[name].as_str().unwrap_or_default().to_owned();
    let refusal = |cause: &Value| (text(cause, "reason"), text(cause, "field"));
    let warnings = warnings(answer);
    let unknown = warnings.iter().filter_map(|warning| {
        let field = warning.strip_prefix("unknown field ")?;
        serde_json::from_str(field).ok()
    });
    Verdict {
        crash: answer.status >= 500 && !too_large,
        undecodable: answer.status == 400 && !too_large,
        too_large,
        refused: causes(answer).iter().map(refusal).collect(),
        unknown: unknown.collect(),
        warned: warnings
            .iter()
            .any(|warning| WARNINGS.iter().any(|start| warning.starts_with(start))),
        ..Verdict::default()
    }
}

/// Returns the causes in a response.
pub fn causes(answer: &Answer) -> Vec<Value> {
    let mut answer = answer.json();
    let causes = answer.pointer_mut("/details/causes").map(Value::take);
    match causes {
        Some(Value::Array(causes)) => causes,
        _ => Vec::new(),
    }
}

/// Returns the texts of the warnings.
pub fn warnings(answer: &Answer) -> BTreeSet<String> {
    let warnings = answer.warnings().into_iter();
    let texts = warnings.filter_map(|warning| {
        // A code, an agent, and the text as a quoted string, which JSON can parse.
        let (_, text) = warning.split_once(" - ")?;
        serde_json::from_str(text).ok()
    });
    texts.collect()
}
