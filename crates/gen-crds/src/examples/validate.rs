//! Validates an object of an example in each channel, and compares the result with the expectation.

use super::place::Expectation;
use super::read::{Object, Reason};
use crd_channels_diagnostics::{Code, Span};
use crd_channels_validation::path::FieldPath;
use crd_channels_validation::rules::{Finding, Outcome};
use crd_channels_validation::{Validator, Verdict, Violation};

/// A fault of an example in some channels, as a sentence about them.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The code of the rule.
    pub code: Code,
    /// The place.
    pub span: Span,
    /// The sentence.
    pub sentence: Sentence,
    /// The remedy.
    pub help: String,
}

impl Fault {
    /// Whether it is the same fault, except for the help.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.code, self.span, &self.sentence) == (other.code, other.span, &other.sentence)
    }
}

/// A sentence about channels.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Sentence {
    /// `refuses this example: ..`
    Refuses(String),
    /// `refuses this example, but not because of ..`
    RefusesOtherwise(String),
    /// `accepts this example`
    Accepts,
    /// `has no field ..`
    HasNoField(String),
    /// A sentence without channels.
    Plain(String),
}

impl Sentence {
    /// Returns the whole sentence.
    pub fn format(&self, channels: &[&str]) -> String {
        let names = listed(channels);
        let (refuse, accept, have) = match channels {
            [_] => ("rejects", "accepts", "has"),
            _ => ("reject", "accept", "have"),
        };
        match self {
            Self::Refuses(why) => format!("{names} {refuse} this example: {why}"),
            Self::RefusesOtherwise(reason) => {
                format!("{names} {refuse} this example for another reason than: {reason}")
            }
            Self::Accepts => format!("{names} {accept} this example"),
            Self::HasNoField(field) => format!("{names} {have} no field `{field}`"),
            Self::Plain(message) => message.clone(),
        }
    }
}

/// Lists names: `a`, `b` and `c`.
pub fn listed(names: &[&str]) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => {
            format!("`{}` and `{last}`", before.join("`, `"))
        }
        names => format!("`{}`", names.concat()),
    }
}

/// Returns the faults of an object in a channel.
pub fn faults(
    object: &Object,
    old: Option<&Object>,
    fate: Expectation,
    validator: &Validator,
) -> Vec<Fault> {
    let verdict = match old {
        Some(old) => validator.update(&object.value, &validator.create(&old.value).object),
        None => validator.create(&object.value),
    };
    let before = old.map(|old| (old, validator.create(&old.value).unknown));
    let mut faults: Vec<Fault> = unknown(object, &verdict.unknown).collect();
    if let Some((old, fields)) = &before {
        faults.extend(unknown(old, fields));
    }
    if !faults.is_empty() {
        // Further faults are consequences.
        return faults;
    }
    match fate {
        Expectation::Accepted => rejections(object, &verdict),
        Expectation::Rejected => rejection(object, &verdict),
    }
}

fn unknown<'o>(object: &'o Object, fields: &'o [FieldPath]) -> impl Iterator<Item = Fault> + 'o {
    fields.iter().map(|field| Fault {
        code: Code::ExampleUnknownField,
        span: object.span(field),
        sentence: Sentence::HasNoField(field.to_string()),
        help: "correct its name, or remove it: a server drops the field".to_owned(),
    })
}

/// Returns why a server would not accept an object.
fn rejections(object: &Object, verdict: &Verdict) -> Vec<Fault> {
    if verdict.violations.is_empty() {
        return unevaluated(object, verdict).collect();
    }
    let fault = |violation: &Violation| Fault {
        code: Code::ExampleRefused,
        span: object.span(&violation.field),
        sentence: Sentence::Refuses(violation.to_string()),
        help: part(violation, verdict).unwrap_or_else(|| {
            let comment = comment(violation);
            format!(
                "correct the example, or move it into `reject` and write this above it: {comment}"
            )
        }),
    };
    verdict.violations.iter().map(fault).collect()
}

/// Returns the subexpression of a rule that was not true.
fn part(violation: &Violation, verdict: &Verdict) -> Option<String> {
    let broken = |finding: &&Finding| match &finding.outcome {
        Outcome::Broken(broken) => broken == violation,
        _ => false,
    };
    verdict.rules.iter().find(broken)?.part.clone()
}

/// Returns faults for the rules that could not be evaluated.
fn unevaluated<'o>(object: &'o Object, verdict: &'o Verdict) -> impl Iterator<Item = Fault> + 'o {
    let rules = verdict.rules.iter();
    let rules = rules.filter(|finding| finding.outcome == Outcome::Unknown);
    rules.map(|finding| Fault {
        code: Code::ExampleNotEvaluated,
        span: object.span(&finding.at),
        sentence: Sentence::Plain(format!(
            "the rule is not evaluated on this example: `{}`",
            finding.rule
        )),
        help: "try the example on an API server, for example with `crd-channels envtest`"
            .to_owned(),
    })
}

/// Returns how an expected rejection differs from the actual one.
fn rejection(object: &Object, verdict: &Verdict) -> Vec<Fault> {
    let violations: Vec<String> = verdict.violations.iter().map(ToString::to_string).collect();
    let is_met = |reason: &&Reason| violations.iter().any(|why| why.contains(&reason.text));
    let unmet: Vec<&Reason> = object
        .reasons
        .iter()
        .filter(|reason| !is_met(reason))
        .collect();
    let Some(first) = verdict.violations.first() else {
        let unknown: Vec<Fault> = unevaluated(object, verdict).collect();
        // A rule that was not evaluated may refuse it.
        return match unknown.is_empty() {
            true => vec![accepted(object)],
            false => unknown,
        };
    };
    if object.reasons.is_empty() {
        return vec![Fault {
            code: Code::ExampleUnexplained,
            span: object.span(&FieldPath::default()),
            sentence: Sentence::Plain("the example does not state why it is rejected".to_owned()),
            help: format!("write this above it: {}", comment(first)),
        }];
    }
    if !unmet.is_empty() {
        let unknown: Vec<Fault> = unevaluated(object, verdict).collect();
        if !unknown.is_empty() {
            return unknown;
        }
    }
    let otherwise = |reason: &&Reason| Fault {
        code: Code::ExampleReason,
        span: reason.span,
        sentence: Sentence::RefusesOtherwise(reason.text.clone()),
        help: format!("correct its other errors, or write: {}", comment(first)),
    };
    unmet.iter().map(otherwise).collect()
}

fn accepted(object: &Object) -> Fault {
    let reason = object.reasons.first();
    Fault {
        code: Code::ExampleAccepted,
        span: reason.map_or_else(|| object.span(&FieldPath::default()), |reason| reason.span),
        sentence: Sentence::Accepts,
        help: "correct the rule that should reject it, or move the example into `accept`"
            .to_owned(),
    }
}

/// Returns the comment that states why an object is rejected.
fn comment(violation: &Violation) -> String {
    format!("# rejected: {violation}")
}
