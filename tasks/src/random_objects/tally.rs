//! Compares what a server and `validate` say, and counts.

use super::facts;
use super::said::{self, Said};
use super::trial::Trial;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of differences to show.
const SHOWN: usize = 40;

/// The parts of an answer, in the order of their weight.
const PARTS: [&str; 7] = [
    "accepted or refused",
    "unknown fields",
    "fields",
    "reasons",
    "messages",
    "warnings",
    "resulting object",
];

/// The metadata that servers set.
const OF_SERVER: [&str; 6] = [
    "creationTimestamp",
    "generation",
    "managedFields",
    "resourceVersion",
    "uid",
    "selfLink",
];

/// How often a part was the same.
#[derive(Default)]
struct Row {
    same: usize,
    differ: usize,
}

/// The results of comparisons.
#[derive(Default)]
pub struct Tally {
    kinds: usize,
    rows: BTreeMap<&'static str, Row>,
    /// The objects by how they were changed.
    what: BTreeMap<&'static str, usize>,
    accepted: usize,
    refused: usize,
    undecodable: usize,
    updates: usize,
    undecided: usize,
    wrong: Vec<String>,
}

impl Tally {
    pub fn new(kinds: usize) -> Self {
        Self {
            kinds,
            ..Self::default()
        }
    }

    /// Compares both answers to an object.
    pub fn compare(&mut self, trial: &Trial<'_>, strict: &Said, warned: &Said) {
        *self.what.entry(trial.what).or_default() += 1;
        self.updates += usize::from(trial.action.name() == "updated");
        let their_strict = said::by_server(&trial.strict);
        let theirs = said::by_server(&trial.warned);
        match theirs.accept {
            _ if theirs.undecodable.is_some() => self.undecodable += 1,
            Some(true) => self.accepted += 1,
            _ => self.refused += 1,
        }
        if warned.accept.is_none() {
            self.undecided += 1;
            return;
        }
        self.part(
            trial,
            PARTS[0],
            their_strict.accept,
            strict.accept,
            &their_strict,
        );
        self.part(trial, PARTS[0], theirs.accept, warned.accept, &theirs);
        if theirs.undecodable.is_some() {
            return;
        }
        self.part(trial, PARTS[1], &theirs.unknown, &warned.unknown, &theirs);
        if !their_strict.unknown.is_empty() {
            self.part(
                trial,
                PARTS[1],
                &their_strict.unknown,
                &strict.unknown,
                &theirs,
            );
        }
        let fields = |said: &Said| -> BTreeSet<String> {
            said.causes
                .iter()
                .map(|cause| cause.field.clone())
                .collect()
        };
        let (mut their_fields, our_fields) = (fields(&theirs), fields(warned));
        if warned.is_partial {
            // Other rules may be broken, too.
            their_fields.retain(|field| our_fields.contains(field));
        }
        self.part(trial, PARTS[2], &their_fields, &our_fields, &theirs);
        if their_fields == our_fields {
            self.compare_causes(trial, &theirs, warned);
        }
        let is_same = theirs.warnings.len() == warned.warnings.len()
            && theirs.warnings.iter().all(|their| {
                let mut ours = warned.warnings.iter();
                ours.any(|our| our == their || facts::missing(their, our).is_none())
            });
        match is_same {
            true => self.part(trial, PARTS[5], (), (), &theirs),
            false => self.part(trial, PARTS[5], &theirs.warnings, &warned.warnings, &theirs),
        }
        let is_accepted = theirs.accept == Some(true) && warned.accept == Some(true);
        if is_accepted && trial.version.is_storage {
            let stored = own_parts(trial.written.clone());
            let completed = own_parts(trial.completed());
            self.part(trial, PARTS[6], &stored, &completed, &theirs);
        }
    }

    fn compare_causes(&mut self, trial: &Trial<'_>, theirs: &Said, ours: &Said) {
        let reasons = |said: &Said| -> BTreeSet<(String, String)> {
            let causes = said.causes.iter();
            causes
                .map(|cause| (cause.field.clone(), cause.reason.clone()))
                .collect()
        };
        let (mut their_reasons, our_reasons) = (reasons(theirs), reasons(ours));
        if ours.is_partial {
            their_reasons.retain(|reason| our_reasons.contains(reason));
        }
        self.part(trial, PARTS[3], their_reasons, our_reasons, theirs);
        for cause in &theirs.causes {
            let same = ours.causes.iter();
            let same = same.filter(|our| our.field == cause.field && our.reason == cause.reason);
            let missing: Vec<_> = same
                .map(|our| (facts::missing(&cause.message, &our.message), &our.message))
                .collect();
            if missing.is_empty() {
                continue;
            }
            let is_said = missing.iter().any(|(missing, _)| missing.is_none());
            let ours = if is_said { "" } else { &format!("{missing:?}") };
            self.part(trial, PARTS[4], "", ours, theirs);
        }
    }

    fn part<T: PartialEq + std::fmt::Debug>(
        &mut self,
        trial: &Trial<'_>,
        part: &'static str,
        theirs: T,
        ours: T,
        answer: &Said,
    ) {
        let row = self.rows.entry(part).or_default();
        if theirs == ours {
            row.same += 1;
            return;
        }
        row.differ += 1;
        let mut shown = trial.object.to_string();
        if let super::trial::Action::Update { previous, .. } = &trial.action {
            shown = format!("{shown}\n  before: {previous}");
        }
        self.wrong.push(format!(
            "{part}: {} {} {}, {}\n  theirs: {theirs:?}\n  ours: {ours:?}\n  answer: {:?} {:?}\n  object: {shown}",
            trial.kind.name, trial.version.name, trial.action.name(), trial.what, answer.undecodable, answer.causes
        ));
    }

    pub fn print(&self, seed: &str) {
        println!(
            "seed {seed}: {} CRDs with {} objects accepted, {} refused, {} that do not decode; {} of them updates; {} undecided",
            self.kinds, self.accepted, self.refused, self.undecodable, self.updates, self.undecided
        );
        println!("{:<20} {:>6} {:>6}", "part", "same", "differ");
        for part in PARTS {
            let none = Row::default();
            let row = self.rows.get(part).unwrap_or(&none);
            println!("{part:<20} {:>6} {:>6}", row.same, row.differ);
        }
        println!("changes: {:?}", self.what);
    }

    pub fn assert(&self) {
        if let Some(file) = std::env::var_os("OBJECTS_REPORT") {
            std::fs::write(file, self.wrong.join("\n")).unwrap();
        }
        let shown = self.wrong.iter().take(SHOWN).map(String::as_str);
        let shown: Vec<&str> = shown.collect();
        assert!(self.wrong.is_empty(), "{}", shown.join("\n"));
        let compared = self.accepted + self.refused;
        assert!(
            self.accepted * 8 >= compared && self.refused * 8 >= compared && self.updates > 0,
            "too few of a kind"
        );
    }
}

/// The object without what only a server sets.
fn own_parts(mut object: Value) -> Value {
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.retain(|name, _| !OF_SERVER.contains(&name.as_str()));
    }
    object
}
