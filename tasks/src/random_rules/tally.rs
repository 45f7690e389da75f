//! The number and the results of comparisons.

#[path = "../../../apiserver/check/tests/shared/factor.rs"]
mod factor;

use super::SHOWN;
use super::coverage::Coverage;
use super::crds::{RandomCrd, is_at_or_below};
use super::explained;
use super::places::places;
use crate::verdicts::{Verdict, causes, verdict};
use crd_channels_check::{self as check, Finding};
use crd_channels_envtest::http::Answer;
use std::collections::BTreeMap;

#[derive(Default)]
pub struct Tally {
    crds: usize,
    accepted_crds: usize,
    failures: usize,
    accepted: usize,
    refused: usize,
    /// Rules beside a fault that keeps the server from validating them.
    hidden: usize,
    factors: usize,
    reasons: BTreeMap<String, usize>,
    occurs: Coverage,
    explained: BTreeMap<&'static str, usize>,
    /// The parts of the language in accepted rules.
    pub occurs_accepted: Coverage,
    /// The differences.
    pub wrong: Vec<String>,
}

impl Tally {
    /// Returns the number of rules with a verdict of the server.
    pub fn compared(&self) -> usize {
        self.accepted + self.refused
    }

    /// Compares both verdicts on a CRD.
    pub fn compare(&mut self, crd: &RandomCrd, answer: &Answer) {
        let found = check::validate(&crd.document, check::NEWEST);
        let ours = Verdict::of_check(&crd.document, check::NEWEST);
        self.crds += 1;
        let theirs = verdict(answer);
        if theirs.crash {
            self.failures += 1;
            if ours.accepts() {
                let what = format!("{} {}", answer.status, answer.text);
                self.wrong
                    .push(format!("CRD {}: accepted, but: {what}", crd.seed));
            }
            return;
        }
        self.accepted_crds += usize::from(theirs.accepts());
        if ours.is_that_of(&theirs) {
            self.compare_factors(crd, &found, answer);
        } else if let Some(reason) = explained::reason(crd, &found, &ours, &theirs, answer) {
            *self.explained.entry(reason).or_default() += 1;
        } else {
            let told = explained::described(crd, &found, &ours, &theirs, answer);
            self.wrong.push(told);
        }
    }

    /// Counts the rules by the server's verdict on each.
    pub fn count(&mut self, crd: &RandomCrd, answer: &Answer) {
        let theirs = verdict(answer);
        if theirs.crash {
            return;
        }
        let fields: Vec<&str> = theirs
            .refused
            .iter()
            .map(|(_, field)| field.as_str())
            .collect();
        for (reason, field) in &theirs.refused {
            let last = field.rsplit('.').next().unwrap_or_default();
            let last = last.split('[').next().unwrap_or_default();
            *self.reasons.entry(format!("{reason} {last}")).or_default() += 1;
        }
        // Errors in a schema hide errors in its rules; only the total cost of the rules is reported beside them.
        let is_hidden = fields.iter().any(|field| {
            !field.contains("x-kubernetes-validations") && !field.ends_with("openAPIV3Schema")
        });
        for place in places(&crd.document) {
            let node = &crd.document.pointer(&place.pointer).unwrap()["x-kubernetes-validations"];
            let of_node = place.rules();
            let is_refused = fields.contains(&of_node.as_str());
            let is_about = |field: &&str| {
                let words = ["message", "reason", "fieldPath"];
                is_at_or_below(field, &of_node)
                    && words
                        .iter()
                        .any(|word| field.ends_with(&format!(".{word}")))
            };
            let is_masked = is_hidden
                || fields.iter().any(is_about)
                || theirs.refused.iter().any(|(reason, field)| {
                    reason == "FieldValueRequired" && is_at_or_below(field, &of_node)
                });
            for (index, rule) in node.as_array().into_iter().flatten().enumerate() {
                let at = format!("{of_node}[{index}]");
                let text = rule["rule"].as_str().unwrap();
                if is_refused || fields.iter().any(|field| is_at_or_below(field, &at)) {
                    self.refused += 1;
                    self.occurs.count(text);
                } else if is_masked {
                    self.hidden += 1;
                } else {
                    self.accepted += 1;
                    self.occurs.count(text);
                    self.occurs_accepted.count(text);
                }
            }
        }
    }

    /// Compares the factors by which budgets are exceeded, if the server reports them.
    fn compare_factors(&mut self, crd: &RandomCrd, found: &[Finding], answer: &Answer) {
        for cause in causes(answer) {
            let text = cause["message"].as_str().unwrap_or_default();
            let field = cause["field"].as_str().unwrap_or_default();
            let Some(their) = factor::of_server(text) else {
                continue;
            };
            self.factors += 1;
            let finding = found
                .iter()
                .find(|finding| finding.field.as_ref().is_some_and(|found| *found == *field));
            let our = finding.and_then(|finding| factor::of_check(&finding.message));
            let is_same = our.is_some_and(|our| factor::are_same(our, their));
            if !is_same {
                let seed = crd.seed;
                self.wrong
                    .push(format!("CRD {seed}: {field}: {our:?}, but: {text}"));
            }
        }
    }

    pub fn print(&self, first: u64, topics: impl Iterator<Item = String>) {
        println!(
            "from seed {first}: {} rules accepted, {} refused, {} beside a fault that hides them; {} CRDs, {} accepted; {} cost factors compared; the server fails {} times; {} differ",
            self.accepted,
            self.refused,
            self.hidden,
            self.crds,
            self.accepted_crds,
            self.factors,
            self.failures,
            self.wrong.len()
        );
        for (reason, times) in &self.explained {
            println!("{times} differ for a reason: {reason}");
        }
        let reasons = self
            .reasons
            .iter()
            .map(|(reason, times)| format!("{reason} {times}"));
        println!("refused: {}", reasons.collect::<Vec<_>>().join(", "));
        let topics: Vec<String> = topics.collect();
        let count =
            |coverage: &Coverage, name: &str| coverage.0.get(name).copied().unwrap_or_default();
        let told: Vec<String> = topics
            .iter()
            .map(|name| {
                format!(
                    "{name} {}/{}",
                    count(&self.occurs_accepted, name),
                    count(&self.occurs, name)
                )
            })
            .collect();
        println!(
            "operators, functions and macros, how often in accepted rules and in all: {}",
            told.join(", ")
        );
    }

    /// Returns the operators, functions and macros that no rule has had yet.
    pub fn missing(&self, topics: impl Iterator<Item = String>) -> Vec<String> {
        topics
            .filter(|name| !self.occurs.0.contains_key(name.as_str()))
            .collect()
    }

    pub fn assert(&self, missing: &[String]) {
        let shown = self.wrong.iter().take(SHOWN).map(String::as_str);
        assert!(
            self.wrong.is_empty(),
            "{}",
            shown.collect::<Vec<_>>().join("\n")
        );
        assert!(missing.is_empty(), "never in a rule: {missing:?}");
        let compared = self.compared();
        assert!(
            self.accepted * 3 >= compared && self.refused * 3 >= compared,
            "too few of a kind"
        );
    }
}
