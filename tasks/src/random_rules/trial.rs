//! Objects of an installed CRD: compares the server's verdicts with those of the validator.

use super::crds::{RandomCrd, is_at_or_below};
use super::dice::Dice;
use super::objects;
use super::places::places;
use crate::e2e::install::{CRDS, wait_until_served};
use crate::e2e::opinion::difference;
use crate::verdicts::causes;
use crd_channels_envtest::http::{Answer, Api};
use crd_channels_validation::rules::Outcome;
use crd_channels_validation::{Validator, Verdict};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The number of objects of each CRD, and of updates.
const OBJECTS: usize = 25;
/// The maximum number of times that refused rules are dropped.
const ROUNDS: usize = 3;
/// The maximum number of objects to make until one is accepted.
const DRAWS: usize = 40;

/// An installed CRD.
pub struct Trial {
    seed: u64,
    crd: Value,
    objects: String,
}

/// The results of comparisons.
#[derive(Default)]
pub struct Objects {
    crds: usize,
    accepted: usize,
    refused: usize,
    undecodable: usize,
    updates: usize,
    rules: BTreeMap<&'static str, usize>,
    pub wrong: Vec<String>,
}

impl Trial {
    /// Installs a CRD without the rules that the server refuses. `None` if it refuses other parts, too.
    pub fn start(api: Api, made: &RandomCrd) -> Option<Self> {
        let mut crd = made.document.clone();
        let group = format!("g{}.example.com", made.seed);
        crd["metadata"]["name"] = format!("things.{group}").into();
        crd["spec"]["group"] = group.clone().into();
        number_rules(&mut crd);
        // An error in a message hides errors in other rules of the node.
        let mut is_accepted = false;
        for _ in 0..ROUNDS {
            let answer = api.post(&format!("{CRDS}?dryRun=All"), &crd).unwrap();
            is_accepted = answer.status == 201;
            drop_refused(&mut crd, &answer);
        }
        if !is_accepted {
            return None;
        }
        let mut dice = Dice::new(made.seed);
        if !dice.one_in(3) {
            drop_broken(&mut crd, &mut dice);
        }
        let answer = api.post(CRDS, &crd).unwrap();
        if answer.status != 201 {
            return None;
        }
        let space = match crd["spec"]["scope"] == "Namespaced" {
            true => "namespaces/default/",
            false => "",
        };
        Some(Self {
            seed: made.seed,
            objects: format!("/apis/{group}/v1/{space}things"),
            crd,
        })
    }

    /// Tries objects on the server.
    pub fn run(&self, api: Api, tally: &mut Objects) {
        let served = wait_until_served(api, &self.objects, true).unwrap();
        assert_eq!(served, "200", "{}", self.crd);
        let validator = Validator::new(&self.crd, "v1").unwrap();
        let mut dice = Dice::new(self.seed);
        tally.crds += 1;
        for number in 0..OBJECTS {
            let mut case = objects::case(&mut dice, schema(&self.crd), false);
            // Most random objects are refused, but an update needs a valid one.
            for _ in 0..DRAWS * usize::from(dice.one_in(2)) {
                let first = self.addressed(first(&case), number);
                if validator.create(&first).violations.is_empty() {
                    break;
                }
                case = objects::case(&mut dice, schema(&self.crd), false);
            }
            let is_strict = dice.one_in(4);
            let strictness = if is_strict { "Strict" } else { "Ignore" };
            let object = self.addressed(first(&case), number);
            let verdict = validator.create(&object);
            let query = format!("fieldValidation={strictness}");
            if case["old"].is_null() {
                let path = format!("{}?dryRun=All&{query}", self.objects);
                let answer = api.post(&path, &object).unwrap();
                tally.compare(self, &object, verdict, is_strict, &answer);
                continue;
            }
            let answer = api
                .post(&format!("{}?{query}", self.objects), &object)
                .unwrap();
            tally.compare(self, &object, verdict, is_strict, &answer);
            if answer.status != 201 {
                continue;
            }
            let stored = answer.json();
            let mut object = self.addressed(&case["object"], number);
            object["metadata"]["resourceVersion"] = stored["metadata"]["resourceVersion"].clone();
            let verdict = validator.update(&object, &stored);
            let path = format!("{}/thing{number}?dryRun=All&{query}", self.objects);
            let answer = api.put(&path, &object).unwrap();
            tally.updates += 1;
            tally.compare(self, &json!([stored, object]), verdict, is_strict, &answer);
        }
    }

    /// Adds the API version, kind and metadata to an object.
    fn addressed(&self, object: &Value, number: usize) -> Value {
        let mut object = object.clone();
        let group = self.crd["spec"]["group"].as_str().unwrap();
        object["apiVersion"] = format!("{group}/v1").into();
        if !object["metadata"].is_object() {
            object["metadata"] = json!({});
        }
        let metadata = object["metadata"].as_object_mut().unwrap();
        metadata.remove("resourceVersion");
        metadata.insert("name".to_owned(), format!("thing{number}").into());
        match self.crd["spec"]["scope"] == "Namespaced" {
            true => metadata.insert("namespace".to_owned(), "default".into()),
            false => metadata.remove("namespace"),
        };
        object
    }
}

/// Returns the object to create.
fn first(case: &Value) -> &Value {
    match &case["old"] {
        Value::Null => &case["object"],
        old => old,
    }
}

fn schema(crd: &Value) -> &Value {
    &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
}

/// Drops the rules that some object breaks: among a dozen, there is always one that nothing satisfies.
fn drop_broken(crd: &mut Value, dice: &mut Dice) {
    let group = crd["spec"]["group"].as_str().unwrap().to_owned();
    for _ in 0..DRAWS {
        let mut object = objects::case(dice, schema(crd), false)["object"].take();
        object["apiVersion"] = format!("{group}/v1").into();
        let verdict = Validator::new(crd, "v1").unwrap().create(&object);
        let broken = verdict
            .rules
            .iter()
            .filter(|finding| matches!(finding.outcome, Outcome::Broken(_)));
        let broken: Vec<&str> = broken.map(|finding| finding.rule.as_str()).collect();
        if verdict.rules.is_empty() {
            continue;
        }
        for place in places(crd) {
            if let Some(rules) = rules_at(crd, &place.pointer) {
                rules.retain(|rule| {
                    !broken.contains(&rule["rule"].as_str().unwrap_or_default().trim())
                });
            }
        }
        return;
    }
}

fn rules_at<'c>(crd: &'c mut Value, pointer: &str) -> Option<&'c mut Vec<Value>> {
    let schema = crd.pointer_mut(pointer)?;
    schema.get_mut("x-kubernetes-validations")?.as_array_mut()
}

/// Gives each rule a unique message, so that it can be identified in responses.
fn number_rules(crd: &mut Value) {
    let mut number = 0;
    for place in places(crd) {
        for rule in rules_at(crd, &place.pointer).into_iter().flatten() {
            number += 1;
            let text = rule["rule"].as_str().unwrap_or_default();
            rule["rule"] = format!("{} // {number}", text.trim_end()).into();
            rule["message"] = words(number).into();
        }
    }
}

/// Drops the rules that a response refuses.
fn drop_refused(crd: &mut Value, answer: &Answer) {
    let causes = causes(answer);
    let refused: Vec<&str> = causes
        .iter()
        .filter_map(|cause| cause["field"].as_str())
        .collect();
    for place in places(crd) {
        let of_node = place.rules();
        let mut number = 0;
        if let Some(rules) = rules_at(crd, &place.pointer) {
            rules.retain(|_| {
                let at = format!("{of_node}[{number}]");
                number += 1;
                let is_refused = |field: &&str| is_at_or_below(field, &at) || *field == of_node;
                !refused.iter().any(is_refused)
            });
        }
    }
}

/// Returns the message of a rule.
fn words(number: usize) -> String {
    format!("rule number {number}")
}

impl Objects {
    fn compare(
        &mut self,
        trial: &Trial,
        given: &Value,
        mut verdict: Verdict,
        is_strict: bool,
        answer: &Answer,
    ) {
        if !is_strict {
            verdict.unknown.clear();
        }
        for finding in &verdict.rules {
            let outcome = match &finding.outcome {
                Outcome::Holds => "hold",
                Outcome::Broken(_) => "broken",
                Outcome::Warned(_) => "warned of",
                Outcome::NoOld => "no old value",
                Outcome::Unknown => "not evaluated",
                Outcome::Uncompiled => "not compiled",
            };
            *self.rules.entry(outcome).or_default() += 1;
        }
        let is_strict_answer = answer.text.contains("strict decoding error");
        if answer.status == 400 && !is_strict_answer {
            self.undecodable += 1;
            if verdict.violations.is_empty() {
                self.differ(trial, given, "accepted", &answer.text);
            }
            return;
        }
        match answer.status < 300 {
            true => self.accepted += 1,
            false => self.refused += 1,
        }
        if let Some(difference) = difference(&verdict, answer) {
            self.differ(
                trial,
                given,
                &difference,
                &answer.json()["message"].to_string(),
            );
        } else if !is_strict_answer {
            self.compare_rules(trial, given, &verdict, answer);
        }
    }

    /// Compares rule by rule, identified by their messages.
    fn compare_rules(&mut self, trial: &Trial, given: &Value, verdict: &Verdict, answer: &Answer) {
        let number = |text: &str| -> Option<usize> {
            let (_, number) = text.rsplit_once("rule number ")?;
            number.parse().ok()
        };
        let theirs: BTreeSet<(String, usize)> = causes(answer)
            .iter()
            .filter_map(|cause| {
                let field = cause["field"].as_str()?.trim_start_matches("<nil>");
                Some((field.to_owned(), number(cause["message"].as_str()?)?))
            })
            .collect();
        let mut ours = BTreeSet::new();
        let mut is_whole = true;
        for finding in &verdict.rules {
            match &finding.outcome {
                Outcome::Broken(violation) if violation.message.ends_with("ends in an error") => {
                    let (_, number) = finding.rule.rsplit_once("// ").unwrap();
                    ours.insert((violation.field.to_string(), number.parse().unwrap()));
                }
                // A duplicate is reported without a message.
                Outcome::Broken(violation) if violation.reason.name() != "FieldValueDuplicate" => {
                    ours.extend(
                        number(&violation.message)
                            .map(|number| (violation.field.to_string(), number)),
                    );
                }
                Outcome::Unknown => is_whole = false,
                _ => {}
            }
        }
        let is_same = match is_whole {
            true => ours == theirs,
            false => ours.is_subset(&theirs),
        };
        if !is_same {
            self.differ(
                trial,
                given,
                &format!("{ours:?}"),
                &format!("{theirs:?} {}", answer.json()["message"]),
            );
        }
    }

    fn differ(&mut self, trial: &Trial, given: &Value, ours: &str, theirs: &str) {
        let schema = &trial.crd["spec"]["versions"][0];
        self.wrong.push(format!(
            "CRD {} {schema}\n  {given}\n  ours: {ours}\n  theirs: {theirs}",
            trial.seed
        ));
    }

    pub fn print(&self) {
        println!(
            "{} CRDs with {} objects accepted, {} refused, {} that do not decode; {} of them updates; rules: {:?}; {} differ",
            self.crds,
            self.accepted,
            self.refused,
            self.undecodable,
            self.updates,
            self.rules,
            self.wrong.len()
        );
    }
}
