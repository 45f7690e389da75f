//! Tests the parser and the reads with expressions whose verdicts a real API server gave.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use super::{parse, removed_reads};
use crate::RemovedKind;
use crate::sample::from_value;
use crate::skipped::skipped;
use crd_channels_cel::ast::{Expression, Kind};
use crd_channels_cel::unescape;
use serde_json::Value;
use std::path::Path;

/// A CRD of the corpus: its expressions, each with its node.
struct Case {
    id: String,
    accepted: bool,
    /// The server's first syntax error: line, column and message.
    syntax_error: Option<(usize, usize, String)>,
    expressions: Vec<(String, Value)>,
}

fn cases() -> Option<Vec<Case>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/apiserver");
    let Ok(text) = std::fs::read_to_string(folder.join("cel.jsonl")) else {
        skipped("the corpus is absent");
        return None;
    };
    Some(text.lines().map(case).collect())
}

fn case(line: &str) -> Case {
    let line: Value = serde_json::from_str(line).unwrap();
    let mut expressions = Vec::new();
    collect(&line["crd"]["spec"]["versions"], &mut expressions);
    let errors = line["errors"].as_array().unwrap();
    Case {
        id: line["id"].as_str().unwrap().to_owned(),
        accepted: line["accept"].as_bool().unwrap(),
        syntax_error: errors
            .iter()
            .find_map(|error| syntax_error(error["detail"].as_str()?)),
        expressions,
    }
}

fn syntax_error(detail: &str) -> Option<(usize, usize, String)> {
    let (_, messages) = detail.split_once("compilation failed: ")?;
    messages.split("ERROR: <input>:").find_map(|message| {
        let mut parts = message.splitn(3, ':');
        let line = parts.next()?.parse().ok()?;
        let column = parts.next()?.parse().ok()?;
        let text = parts.next()?.lines().next()?.trim().to_owned();
        ["Syntax error", "reserved identifier", "unsupported syntax"]
            .iter()
            .any(|kind| text.starts_with(kind))
            .then_some((line, column, text))
    })
}

/// Every rule and message expression, with the schema of its node.
fn collect(value: &Value, found: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(members) => {
            let rules = members
                .get("x-kubernetes-validations")
                .and_then(Value::as_array);
            for rule in rules.into_iter().flatten() {
                for key in ["rule", "messageExpression"] {
                    if let Some(text) = rule.get(key).and_then(Value::as_str) {
                        found.push((text.to_owned(), value.clone()));
                    }
                }
            }
            members.values().for_each(|member| collect(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

#[test]
fn what_the_server_takes_parses_and_reads_nothing_removed() {
    for case in cases().into_iter().flatten().filter(|case| case.accepted) {
        for (text, node) in &case.expressions {
            // An empty message expression counts as absent.
            if text.is_empty() {
                continue;
            }
            let expression =
                parse(text).unwrap_or_else(|error| panic!("{}: {text}: {error:?}", case.id));
            let schema = from_value(node);
            assert_eq!(removed_reads(&expression, &schema, &schema), [], "{text}");
        }
    }
}

#[test]
fn what_the_server_cannot_parse_is_refused_at_the_same_place() {
    for case in cases().into_iter().flatten() {
        let Some((line, column, message)) = &case.syntax_error else {
            continue;
        };
        // Newer servers parse what was not supported.
        if message.starts_with("unsupported syntax") {
            continue;
        }
        let refused: Vec<_> = case
            .expressions
            .iter()
            .filter_map(|(text, _)| Some((text, parse(text).err()?)))
            .collect();
        assert!(!refused.is_empty(), "{}: {message}", case.id);
        let places: Vec<_> = refused
            .iter()
            .map(|(text, error)| place(text, error.offset))
            .collect();
        // Where the server quotes a whole string, ours points into it.
        let string = ["at: ''", "at: '\""]
            .iter()
            .any(|start| message.contains(start));
        assert!(
            string || places.contains(&(*line, *column)),
            "{line}:{column} {message}, here {places:?} {refused:?}"
        );
    }
}

fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
    (line, column)
}

#[test]
fn every_property_that_an_expression_selects_is_found_when_it_is_removed() {
    let mut found = 0;
    for case in cases().into_iter().flatten().filter(|case| case.accepted) {
        for (text, node) in &case.expressions {
            let Ok(expression) = parse(text) else {
                continue;
            };
            let full = from_value(node);
            let mut selected = Vec::new();
            selections(&expression, &mut selected);
            let properties = properties(node);
            for (pointer, name) in &properties {
                let mut projected = node.clone();
                projected
                    .pointer_mut(pointer)
                    .unwrap()
                    .as_object_mut()
                    .unwrap()
                    .remove(name);
                let removed = removed_reads(&expression, &full, &from_value(&projected));
                assert!(removed.iter().all(|removed| removed.kind == RemovedKind::Field && *removed.name == *name));
                found += removed.len();
                let namesakes = properties.iter().filter(|(_, other)| other == name).count();
                assert!(
                    !removed.is_empty() || namesakes > 1 || !selected.contains(name),
                    "`{text}` reads `{name}` at {pointer}"
                );
            }
        }
    }
    println!("{found} reads of removed fields found");
}

/// The objects that have `properties`, as JSON pointers, with each property name.
fn properties(node: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut left = vec![(String::new(), node)];
    while let Some((pointer, node)) = left.pop() {
        for (name, child) in node["properties"].as_object().into_iter().flatten() {
            let holder = format!("{pointer}/properties");
            found.push((holder.clone(), name.clone()));
            left.push((
                format!("{holder}/{}", name.replace('~', "~0").replace('/', "~1")),
                child,
            ));
        }
        for key in ["items", "additionalProperties"] {
            if node[key].is_object() {
                left.push((format!("{pointer}/{key}"), &node[key]));
            }
        }
    }
    found
}

fn selections(expression: &Expression, found: &mut Vec<String>) {
    if let Kind::Select { field, .. } = &expression.kind {
        found.extend(unescape(&field.text).map(|name| name.into_owned()));
    }
    for child in expression.kind.children() {
        selections(child, found);
    }
}
