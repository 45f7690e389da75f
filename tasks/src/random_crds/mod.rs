//! Random kinds on a real API server: it accepts what the generator makes and `check` accepts.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[allow(dead_code, reason = "the generator's tests need more of it")]
mod dice;

use crate::tried_server::started_or_skipped;
use crd_channels_check as check;
use crd_channels_diagnostics::Sink;
use crd_channels_projection::channel::builders::{channel, kind, with_config};
use crd_channels_projection::channel::config::Config;
use crd_channels_projection::channel::project_kind;
use crd_channels_projection::render::Convention;
use dice::Dice;
use serde_json::Value;
use std::collections::BTreeMap;

/// The number of CRDs to try.
const WANTED: usize = 600;

/// The maximum number of kinds to make.
const ATTEMPTS: u64 = 20_000;

const DRY_RUN: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Strict";

/// Every keyword that a schema can have.
const KEYWORDS: [&str; 42] = [
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "fieldPath",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "message",
    "messageExpression",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "optionalOldSelf",
    "pattern",
    "properties",
    "reason",
    "required",
    "rule",
    "title",
    "type",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
];

/// Returns the CRD of one seed; `None` if the generator or `check` refuses the kind.
pub(crate) fn crd(seed: u64) -> Option<Value> {
    let mut dice = Dice::new(seed);
    let draft = dice.draft();
    let mut config = Config::default();
    config.bundle.convention = if seed.is_multiple_of(2) {
        Convention::Kubernetes
    } else {
        Convention::Kube
    };
    let mut sink = Sink::default();
    let projected = with_config(&config, |run| {
        project_kind(&kind(vec![draft]), &channel("stable", &[]), run, &mut sink)
    });
    let document = serde_json::to_value(projected.filter(|_| !sink.has_errors())?).ok()?;
    let refused = check::validate(&document, check::NEWEST)
        .iter()
        .any(check::Finding::refuses);
    (!refused).then_some(document)
}

/// Counts the occurrences of each keyword in a schema.
fn count(schema: &Value, counts: &mut BTreeMap<String, usize>) {
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        *counts.entry(keyword.clone()).or_default() += 1;
        match keyword.as_str() {
            "properties" => {
                for property in value.as_object().unwrap().values() {
                    count(property, counts);
                }
            }
            "items" | "additionalProperties" | "not" => count(value, counts),
            "allOf" | "anyOf" | "oneOf" | "x-kubernetes-validations" => {
                for branch in value.as_array().unwrap() {
                    count(branch, counts);
                }
            }
            _ => {}
        }
    }
}

#[test]
fn what_the_generator_makes_a_server_takes() {
    let mut counts = BTreeMap::new();
    let mut made = Vec::new();
    let mut tried = 0;
    for seed in 1..ATTEMPTS {
        if made.len() == WANTED {
            break;
        }
        tried = seed;
        if let Some(document) = crd(seed) {
            count(
                &document["spec"]["versions"][0]["schema"]["openAPIV3Schema"],
                &mut counts,
            );
            made.push(document);
        }
    }
    println!("{} CRDs of {tried} random kinds", made.len());
    for keyword in KEYWORDS {
        println!("{keyword:<40} {:>6}", counts.get(keyword).unwrap_or(&0));
    }
    assert_eq!(made.len(), WANTED);
    let missing = KEYWORDS
        .iter()
        .filter(|keyword| !counts.contains_key(**keyword));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&&str>::new());

    let Some(server) = started_or_skipped() else {
        return;
    };
    let mut refused = Vec::new();
    for document in &made {
        let answer = server
            .api
            .post(DRY_RUN, document)
            .unwrap_or_else(|failure| panic!("{failure}"));
        if answer.status != 201 {
            refused.push(format!("{}\n{document}", answer.json()["message"]));
        }
    }
    println!(
        "{} tried on a server, {} refused",
        made.len(),
        refused.len()
    );
    refused.sort_by_key(String::len);
    assert!(refused.is_empty(), "{}", refused[0]);
}
