//! Runs the servers' own code.

use crate::cases::{self, Cases};
use crate::verdict::Verdict;
use crate::{CASES, MINORS, go, rules};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Records the answers of the servers.
pub fn record() {
    if let Some((rules, cases)) = asked() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/minors");
        std::fs::write(folder.join("rules.txt"), rules).unwrap();
        std::fs::write(folder.join("cases.jsonl"), cases).unwrap();
    }
}

/// Compares the recorded answers with those of the servers.
pub fn compare() {
    if let Some((rules, cases)) = asked() {
        assert!(rules == crate::RULES, "other answers to rules");
        assert!(cases == CASES, "other answers to CRDs");
    }
}

/// The texts of both files.
fn asked() -> Option<(String, String)> {
    let mut cases: Vec<Value> = CASES
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for case in &mut cases {
        case.as_object_mut().unwrap().remove("answers");
    }
    let rules: Vec<&str> = rules().map(|(_, rule)| rule).collect();
    let with_rules = rules.iter().map(|rule| cases::with_rule(rule));
    let crds = with_rules.chain(cases.iter().map(changed));
    let inputs: Vec<String> = crds.map(|crd| crd.to_string()).collect();
    let mut signs = vec![String::new(); rules.len()];
    let mut answers = vec![BTreeMap::<u32, Verdict>::new(); cases.len()];
    for minor in MINORS {
        let modules = format!("1.{minor}.mod");
        let left_out = "what servers of several minors answer is not asked";
        let program = go::built_or_skipped("tests/minors/go", Some(&modules), left_out)?;
        let theirs = go::answers(&mut Command::new(program), &inputs);
        let mut theirs = theirs.iter().map(answer);
        for (signs, answer) in signs.iter_mut().zip(&mut theirs) {
            signs.push(sign(&answer));
        }
        for (known, answer) in answers.iter_mut().zip(theirs) {
            let before = known.values().next_back();
            if before != Some(&answer) {
                known.insert(minor, answer);
            }
        }
    }
    let lines = signs.iter().zip(rules);
    let rules = lines
        .map(|(signs, rule)| format!("{signs}\t{rule}\n"))
        .collect();
    let cases = cases.into_iter().zip(answers).map(|(mut case, answers)| {
        case["answers"] = json!(answers);
        format!("{case}\n")
    });
    Some((rules, cases.collect()))
}

fn changed(case: &Value) -> Value {
    Cases::default().crd(case).unwrap()
}

fn sign(answer: &Verdict) -> char {
    match (answer.crash, answer.accepts()) {
        (true, _) => '!',
        (false, true) => '+',
        (false, false) => '-',
    }
}

/// The verdict in an answer.
fn answer(theirs: &Value) -> Verdict {
    let texts = |name: &str| {
        let list = theirs[name].as_array().into_iter().flatten();
        list.map(|text| text.as_str().unwrap().to_owned())
    };
    let unknown = texts("unknown").map(|text| {
        let field = text.strip_prefix("unknown field ").unwrap();
        serde_json::from_str(field).unwrap()
    });
    let unknown: BTreeSet<String> = unknown.collect();
    let faults = theirs["faults"].as_array().into_iter().flatten();
    let refused = faults.map(|fault| {
        let text = |name: &str| fault[name].as_str().unwrap().to_owned();
        (text("reason"), text("field"))
    });
    Verdict {
        crash: theirs.get("crash").is_some(),
        undecodable: theirs.get("undecodable").is_some(),
        refused: refused.collect(),
        dropped: texts("dropped")
            .filter(|field| !unknown.contains(field))
            .collect(),
        unknown,
        warned: theirs.get("warnings").is_some(),
        too_large: false,
        is_refused_later: false,
    }
}
