//! What rules make of objects, as people read it.

use super::{Answer, Evaluated, accept};
use crd_channels_validation::rules::{Finding, Outcome as RuleOutcome};
use crd_channels_validation::{Verdict, Violation};

/// One object.
pub(super) fn show(evaluated: &Evaluated) {
    let Evaluated { kind, name, .. } = evaluated;
    let name = name.as_deref().unwrap_or("without a name");
    for Answer { file, verdict, .. } in &evaluated.answers {
        println!("{kind} {name} by {file}: {}", summary(verdict));
        say(verdict);
    }
}

fn summary(verdict: &Verdict) -> String {
    let count = |wanted: fn(&RuleOutcome) -> bool| {
        let rules = verdict.rules.iter();
        rules.filter(|finding| wanted(&finding.outcome)).count()
    };
    let holding = count(|said| *said == RuleOutcome::Holds);
    let word = match accept(verdict) {
        Some(false) => "rejected",
        Some(true) => "accepted",
        None => "not known",
    };
    let rules = match (holding, verdict.rules.len()) {
        (_, 0) => "no rule was evaluated".to_owned(),
        (holding, 1) => format!("{holding} of 1 rule passes"),
        (holding, all) => format!("{holding} of {all} rules pass"),
    };
    format!("{word}; {rules}")
}

/// The violations, rules with the part that decided; then what was not evaluated, and unknown fields.
fn say(verdict: &Verdict) {
    let of_rules: Vec<&Violation> = verdict.rules.iter().filter_map(broken).collect();
    for violation in &verdict.violations {
        if !of_rules.contains(&violation) {
            println!("  {violation}");
        }
    }
    for finding in &verdict.rules {
        let (violation, note) = match &finding.outcome {
            RuleOutcome::Broken(violation) => (violation, ""),
            RuleOutcome::Warned(violation) => {
                (violation, " (a warning, because the value did not change)")
            }
            RuleOutcome::Unknown | RuleOutcome::Uncompiled => {
                println!("  {}: not evaluated: `{}`", place(finding), finding.rule);
                continue;
            }
            RuleOutcome::Holds | RuleOutcome::NoOld => continue,
        };
        println!("  {violation}{note}");
        println!("    rule at {}: `{}`", place(finding), finding.rule);
        if let Some(part) = &finding.part {
            println!("    {part}");
        }
    }
    for field in &verdict.unknown {
        println!("  {field}: unknown, so a server drops it");
    }
}

fn broken(finding: &Finding) -> Option<&Violation> {
    match &finding.outcome {
        RuleOutcome::Broken(violation) => Some(violation),
        _ => None,
    }
}

fn place(finding: &Finding) -> &str {
    match finding.at.as_str() {
        "" => "the root",
        at => at,
    }
}
