//! The output of `eval-rule` for people.

use super::super::check::files::shown;
use super::{Answer, Evaluated, accept};
use crd_channels_validation::rules::{Finding, Outcome as RuleOutcome};
use crd_channels_validation::{Verdict, Violation};

/// Prints the results for one object.
pub(super) fn show(evaluated: &Evaluated) {
    let Evaluated { kind, name, .. } = evaluated;
    let name = match name {
        Some(name) => format!("`{name}`"),
        None => "without a name".to_owned(),
    };
    for answer in &evaluated.answers {
        let Answer {
            file,
            verdict,
            kept,
            ..
        } = answer;
        let answer = match accept(verdict) {
            Some(false) => "is rejected",
            Some(true) => "is accepted",
            None => "may be rejected",
        };
        let (file, rules) = (shown(file), summary(verdict));
        println!("{kind} {name} {answer} by the CRD in {file}; {rules}");
        say(verdict);
        let warned = |one: &&Violation| {
            let mut rules = verdict.rules.iter();
            rules.any(|rule| matches!(&rule.outcome, RuleOutcome::Warned(it) if it == *one))
        };
        for violation in kept.iter().filter(|one| !warned(one)) {
            println!("  {violation} (accepted, because the value did not change)");
        }
    }
}

fn summary(verdict: &Verdict) -> String {
    let count = |wanted: fn(&RuleOutcome) -> bool| {
        let rules = verdict.rules.iter();
        rules.filter(|finding| wanted(&finding.outcome)).count()
    };
    let holding = count(|outcome| *outcome == RuleOutcome::Holds);
    match (holding, verdict.rules.len()) {
        (_, 0) => "no rule was evaluated".to_owned(),
        (holding, 1) => format!("{holding} of 1 rule passes"),
        (holding, all) => format!("{holding} of {all} rules pass"),
    }
}

/// Prints the violations; rules with the subexpression that decided; then rules that were not evaluated, and unknown fields.
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
                let (rule, place) = (&finding.rule, place(finding));
                println!("  rule of {place} is not evaluated: `{rule}`");
                continue;
            }
            RuleOutcome::Holds | RuleOutcome::NoOld => continue,
        };
        println!("  {violation}{note}");
        println!("    rule of {}: `{}`", place(finding), finding.rule);
        if let Some(part) = &finding.part {
            println!("    {part}");
        }
    }
    for field in &verdict.unknown {
        println!("  `{field}` is an unknown field, so a server drops it");
    }
}

fn broken(finding: &Finding) -> Option<&Violation> {
    match &finding.outcome {
        RuleOutcome::Broken(violation) => Some(violation),
        _ => None,
    }
}

fn place(finding: &Finding) -> String {
    match &finding.at {
        root if root.is_empty() => "the root".to_owned(),
        at => format!("`{at}`"),
    }
}
