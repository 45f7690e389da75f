//! The JSON output of `eval-rule`.

use super::super::costs::display_field;
use super::{Answer, Evaluated, accept};
use crd_channels_diagnostics::report::json as json_findings;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_validation::Violation;
use crd_channels_validation::rules::{Finding, Outcome};
use serde_json::{Value, json};

/// The version of the JSON format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// Formats one document: the objects, or the reason why there are none.
pub(super) fn document(evaluated: &Result<Vec<Evaluated>, String>) -> Value {
    match evaluated {
        Ok(evaluated) => whole(evaluated.iter().map(object).collect(), &[]),
        Err(message) => {
            let finding = Diagnostic::new(Code::UnreadableFile, None, message.as_str());
            failed(&[finding])
        }
    }
}

/// The document of a run that could not begin.
pub(crate) fn failed(findings: &[Diagnostic]) -> Value {
    whole(json!([]), findings)
}

fn whole(objects: Value, findings: &[Diagnostic]) -> Value {
    json!({
        "format": FORMAT,
        "objects": objects,
        "findings": json_findings(findings, &Sources::default()),
    })
}

fn object(evaluated: &Evaluated) -> Value {
    json!({
        "file": evaluated.file,
        "kind": evaluated.kind,
        "version": evaluated.version,
        "name": evaluated.name,
        "verdicts": evaluated.answers.iter().map(verdict).collect::<Vec<_>>(),
    })
}

fn verdict(answer: &Answer) -> Value {
    let Answer {
        file,
        crd,
        verdict,
        kept,
    } = answer;
    json!({
        "crd": crd,
        "file": file,
        "accept": accept(verdict),
        "violations": verdict.violations.iter().map(violation).collect::<Vec<_>>(),
        "kept": kept.iter().map(violation).collect::<Vec<_>>(),
        "rules": verdict.rules.iter().map(rule).collect::<Vec<_>>(),
        "unknownFields": verdict.unknown.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn violation(violation: &Violation) -> Value {
    json!({
        "field": display_field(&violation.field.to_string()),
        "reason": violation.reason.name(),
        "message": violation.message,
    })
}

fn rule(finding: &Finding) -> Value {
    let (result, violation) = match &finding.outcome {
        Outcome::Holds => ("passes", None),
        Outcome::Broken(violation) => ("fails", Some(violation)),
        Outcome::Warned(violation) => ("warns", Some(violation)),
        Outcome::NoOld => ("no-old-value", None),
        Outcome::Unknown => ("not-evaluated", None),
        Outcome::Uncompiled => ("not-compiled", None),
    };
    json!({
        "field": display_field(&finding.at.to_string()),
        "text": finding.rule,
        "result": result,
        "message": violation.map(|violation| &violation.message),
        "part": finding.part,
    })
}
