//! `eval-rule FILE`: what a server makes of objects, rule by rule.

use super::Outcome;
use super::check::files::{PathTarget, named};
use super::served::Named;
use crd_channels_released::documents;
use crd_channels_validation::rules::{Finding, Outcome as RuleOutcome};
use crd_channels_validation::{Validator, Verdict, Violation};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What was asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The file with the objects; `-` is standard input.
    pub objects: PathBuf,
    /// The file with what the one object was before an update.
    pub old: Option<PathBuf>,
    /// The CRDs: a file or a folder of files.
    pub crds: PathBuf,
}

/// Evaluates the rules and says on stdout what came of them.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    match evaluated(request) {
        Ok(outcome) => outcome,
        Err(message) => {
            eprintln!("error: {message}");
            Outcome::CouldNotRun
        }
    }
}

fn evaluated(request: &Request) -> Result<Outcome, String> {
    let crds = read(&request.crds)?;
    let objects = read(&request.objects)?;
    let old = match &request.old {
        Some(path) => Some(one_object(path, objects.len())?),
        None => None,
    };
    if objects.is_empty() {
        return Err(format!("{} has no objects", request.objects.display()));
    }
    let mut outcome = Outcome::Clean;
    for (_, object) in &objects {
        outcome = outcome.max(of_object(object, old.as_ref(), &crds, &request.crds)?);
    }
    Ok(outcome)
}

/// All documents of a path, with the files that they stand in.
pub(super) fn read(path: &Path) -> Result<Vec<(String, Value)>, String> {
    let mut found = Vec::new();
    for file in named(path) {
        let PathTarget::File(file) = file.map_err(|unread| unread.message)? else {
            continue;
        };
        let parsed = documents::parse(&file.text).map_err(|why| format!("{}: {why}", file.name))?;
        found.extend(
            parsed
                .into_iter()
                .map(|document| (file.name.clone(), document)),
        );
    }
    Ok(found)
}

fn one_object(path: &Path, new: usize) -> Result<Value, String> {
    let mut old = read(path)?.into_iter();
    match (old.next(), old.next(), new) {
        (Some((_, object)), None, 1) => Ok(object),
        _ => Err("`--old` compares one object with one: each file must contain exactly one".into()),
    }
}

/// Every CRD that serves the object's kind and version says what it makes of it.
fn of_object(
    object: &Value,
    old: Option<&Value>,
    crds: &[(String, Value)],
    from: &Path,
) -> Result<Outcome, String> {
    let named = Named::of(object);
    let mut outcome = None;
    for (file, crd) in crds.iter().filter(|(_, crd)| named.is_served_by(crd)) {
        let validator =
            Validator::new(crd, named.version()).map_err(|why| format!("{file}: {why}"))?;
        let verdict = match old {
            Some(old) => validator.update(object, old),
            None => validator.create(object),
        };
        let name = object.pointer("/metadata/name").and_then(Value::as_str);
        println!(
            "{} {} by {file}: {}",
            named.kind,
            name.unwrap_or("without a name"),
            summary(&verdict)
        );
        say(&verdict);
        outcome = outcome.max(Some(outcome_of(&verdict)));
    }
    outcome.ok_or_else(|| {
        let Named { api_version, kind } = named;
        format!(
            "no CRD in {} serves `{kind}` of `{api_version}`; name other CRDs with `--crds`",
            from.display()
        )
    })
}

fn outcome_of(verdict: &Verdict) -> Outcome {
    let unknown = verdict
        .rules
        .iter()
        .any(|rule| rule.outcome == RuleOutcome::Unknown);
    match verdict.violations.is_empty() && !unknown {
        true => Outcome::Clean,
        false => Outcome::Findings,
    }
}

fn summary(verdict: &Verdict) -> String {
    let count = |wanted: fn(&RuleOutcome) -> bool| {
        let rules = verdict.rules.iter();
        rules.filter(|finding| wanted(&finding.outcome)).count()
    };
    let holding = count(|said| *said == RuleOutcome::Holds);
    let unknown = count(|said| *said == RuleOutcome::Unknown);
    let word = match (verdict.violations.is_empty(), unknown) {
        (false, _) => "rejected",
        (true, 0) => "accepted",
        (true, _) => "not known",
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
