//! Evaluates the rules at and below a default on it: once as an update without changes, once as a creation.

use super::super::findings::Findings;
use crate::document::model::Schema;
use crate::finding::{Lack, Reason};
use crate::registry::Rule;
use crd_channels_validation::path::{FieldPath, Path};
use crd_channels_validation::rules::{Finding, Outcome, Rules};
use serde_json::Value;

pub(super) fn validate(
    value: &Value,
    schema: &Schema<'_>,
    is_resource: bool,
    minor: u32,
    at: Path<'_>,
    found: &mut Findings,
) {
    let rules = Rules::compile_each(schema, is_resource);
    let mut own = Findings::default();
    for old in [Some(value), None] {
        for finding in rules.evaluate_at(value, schema, old, is_resource, Some(at)) {
            report(finding, minor, &mut own);
        }
        if !own.is_empty() {
            break;
        }
    }
    found.append(own);
}

fn report(finding: Finding, minor: u32, found: &mut Findings) {
    // Servers evaluate rules on defaults as if the rules were stored already.
    let need = finding.need.filter(|need| need.known > minor);
    if let Some(lack) = need.as_ref().map(Lack::from) {
        let before = format!(" before Kubernetes 1.{}", lack.since);
        uncompiled(&finding.rule, &before, finding.at, found);
        found.lacking(Some(lack));
        return;
    }
    match finding.outcome {
        Outcome::Uncompiled => uncompiled(&finding.rule, "", finding.at, found),
        Outcome::Broken(violation) | Outcome::Warned(violation) => {
            let message = format!("the default violates the rule `{}`", finding.rule);
            let reason = violation.reason;
            found.refuse_field(Rule::DefaultInvalid, reason, violation.field, message);
        }
        Outcome::Unknown => {
            let rule = finding.rule.trim();
            let message = format!("the rule `{rule}` cannot be evaluated on the default here");
            found.unresolved(Rule::UnevaluatedDefault, finding.at, message);
        }
        Outcome::Holds | Outcome::NoOld => {}
    }
}

fn uncompiled(rule: &str, before: &str, at: FieldPath, found: &mut Findings) {
    let message = format!("a rule on the default does not compile{before}: `{rule}`");
    found.refuse_field(Rule::DefaultInvalid, Reason::Invalid, at, message);
}
