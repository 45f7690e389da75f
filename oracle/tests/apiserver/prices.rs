//! Compares the rules that are recorded for the tests of CEL with the verdicts and prices of the server's code.
//!
//! `CEL_RULES=record` records them again.

use super::{go, skipped_without_go};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

#[test]
fn recorded_prices_are_those_of_the_server() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apiserver/cel/tests/server");
    let file = folder.join("rules.txt");
    let schema = std::fs::read_to_string(folder.join("schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let recorded = std::fs::read_to_string(&file).unwrap();
    let lines = recorded.lines().map(|line| line.split_once('\t').unwrap());
    let rules: Vec<&str> = lines.map(|(_, rule)| rule).collect();
    let Some(server) = skipped_without_go("recorded prices are not compared") else {
        return;
    };
    let asked = json!({"schema": schema, "rules": rules}).to_string();
    let answers = go::answers(&mut Command::new(server), &[asked]);
    let verdicts = answers.first().unwrap().as_array().unwrap().iter();
    let verdicts = verdicts.map(|verdict| verdict.as_str().unwrap());
    let lines = verdicts.zip(rules);
    let now: String = lines
        .map(|(verdict, rule)| format!("{verdict}\t{rule}\n"))
        .collect();
    if std::env::var("CEL_RULES").is_ok_and(|what| what == "record") {
        std::fs::write(file, now).unwrap();
    } else {
        let changed = recorded.lines().zip(now.lines());
        let changed = changed.filter(|(before, now)| before != now);
        assert_eq!(changed.collect::<Vec<_>>(), []);
    }
}
