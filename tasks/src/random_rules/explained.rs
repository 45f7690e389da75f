//! Known reasons for disagreements, and a description of the others.

use super::crds::{RandomCrd, is_at_or_below};
use super::places::places;
use crate::verdicts::{Verdict, causes};
use crd_channels_check::{self as check, Finding, Rule};
use crd_channels_envtest::http::Answer;
use serde_json::Value;
use std::collections::BTreeSet;

/// `check` itself reports that it cannot decide; the error in a default hides errors in rules.
pub const DOUBT: &str =
    "a default meets a rule that only a server can evaluate, which `check` warns of";
/// The server names four of the rules that exceed the budget together, sorted only by cost.
pub const TIE: &str = "of several rules with the same cost the server names any";

/// Returns the refusals that only one of two verdicts has.
fn only<'v>(one: &'v Verdict, other: &Verdict) -> Vec<&'v (String, String)> {
    let of_other = |refusal: &&(String, String)| !other.refused.contains(*refusal);
    one.refused.iter().filter(of_other).collect()
}

/// Returns the known reason for a disagreement, if there is one.
pub fn reason(
    crd: &RandomCrd,
    found: &[Finding],
    ours: &Verdict,
    theirs: &Verdict,
    answer: &Answer,
) -> Option<&'static str> {
    let mut more = only(theirs, ours).into_iter();
    let doubted = found
        .iter()
        .filter(|finding| finding.rule == Rule::UnevaluatedDefault);
    let doubted: Vec<String> = doubted
        .filter_map(|finding| Some(finding.field.as_ref()?.to_string()))
        .collect();
    let is_doubted = |(_, field): &(String, String)| {
        doubted.iter().any(|default| is_at_or_below(field, default))
    };
    if more.any(is_doubted) {
        return Some(DOUBT);
    }
    is_tie(crd, ours, theirs, answer).then_some(TIE)
}

fn is_tie(crd: &RandomCrd, ours: &Verdict, theirs: &Verdict, answer: &Answer) -> bool {
    let (less, more) = (only(ours, theirs), only(theirs, ours));
    let causes = causes(answer);
    let contributes = |(_, field): &(String, String)| {
        causes.iter().any(|cause| {
            let message = cause["message"].as_str().unwrap_or_default();
            cause["field"] == **field && message.contains("contributed to")
        })
    };
    let costs = |refusals: &[&(String, String)]| -> BTreeSet<Option<u64>> {
        refusals.iter().map(|(_, field)| cost(crd, field)).collect()
    };
    let (our, their) = (costs(&less), costs(&more));
    less.len() == more.len()
        && more.iter().all(|refusal| contributes(refusal))
        && our == their
        && our.len() == 1
        && !our.contains(&None)
}

/// Returns the cost of the expression at a path.
fn cost(crd: &RandomCrd, field: &str) -> Option<u64> {
    let (rule, _) = rule_at(crd, field)?;
    let text = rule[field.rsplit('.').next()?].as_str()?;
    let costs = check::Document::decode(&crd.document).costs();
    let mut expressions = costs.iter().flat_map(|costs| &costs.expressions);
    let same = expressions.find(|expression| expression.text == text)?;
    Some(same.cost)
}

/// Returns the rule at a path, and its node.
fn rule_at<'c>(crd: &'c RandomCrd, field: &str) -> Option<(&'c Value, &'c Value)> {
    let places = places(&crd.document);
    let place = places
        .iter()
        .find(|place| is_at_or_below(field, &place.rules()))?;
    let schema = crd.document.pointer(&place.pointer)?;
    let index = field.strip_prefix(&place.rules())?.strip_prefix('[')?;
    let index: usize = index.split(']').next()?.parse().ok()?;
    Some((schema["x-kubernetes-validations"].get(index)?, schema))
}

/// Describes a disagreement.
pub fn described(
    crd: &RandomCrd,
    found: &[Finding],
    ours: &Verdict,
    theirs: &Verdict,
    answer: &Answer,
) -> String {
    let mut lines = vec![format!("CRD {}", crd.seed)];
    let accepts = |verdict: &Verdict| {
        if verdict.accepts() {
            "accepted"
        } else {
            "refused"
        }
    };
    for (whose, one, other) in [("check", ours, theirs), ("the server", theirs, ours)] {
        lines.push(format!("  {whose}: {}", accepts(one)));
        for (reason, field) in only(one, other) {
            lines.push(format!("    {reason} {field}"));
            let said = causes(answer);
            let said = said.iter().filter(|cause| cause["field"] == **field);
            lines.extend(said.map(|cause| format!("      {}", cause["message"])));
            let said = found.iter().filter(|finding| {
                finding
                    .field
                    .as_ref()
                    .is_some_and(|found| *found == **field)
            });
            lines.extend(said.map(|finding| format!("      {}", finding.message)));
            if let Some((rule, schema)) = rule_at(crd, field) {
                let mut schema = schema.clone();
                strip(&mut schema);
                lines.push(format!("      {rule} on {schema}"));
            }
        }
    }
    lines.join("\n")
}

/// Removes the rules of a schema.
fn strip(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.remove("x-kubernetes-validations");
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}
