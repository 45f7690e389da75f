//! Measures parsing, typing and pricing all rules of CRD files, on one thread, without reading the files.
//!
//! ```sh
//! cargo run --release --package crd-channels-internal-check --example rule_times -- gateway-api/v1.3.0/*/*.yaml
//! ```

use crd_channels_check::Document;
use serde_json::Value;
use std::error::Error;
use std::fs::read_to_string;
use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 101;

fn main() -> Result<(), Box<dyn Error>> {
    let mut crds: Vec<Value> = Vec::new();
    for file in std::env::args().skip(1) {
        let documents: Vec<Value> = serde_saphyr::from_multiple(&read_to_string(file)?)?;
        let kept = |document: &Value| document["kind"] == "CustomResourceDefinition";
        crds.extend(documents.into_iter().filter(kept));
    }
    let written: usize = crds.iter().map(rules).sum();
    let mut times: Vec<Duration> = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let versions: Vec<_> = crds
            .iter()
            .flat_map(|crd| Document::decode(crd).costs())
            .collect();
        times.push(start.elapsed());
        let expressions = versions.iter().flat_map(|version| &version.expressions);
        let priced = expressions.filter(|one| !one.is_message).count();
        if priced != written {
            return Err(format!("{priced} of {written} rules compile").into());
        }
        black_box(versions);
    }
    times.sort();
    let middle = times.get(ROUNDS / 2).copied().unwrap_or_default();
    let least = times.first().copied().unwrap_or_default();
    println!(
        "{written} rules in {} CRDs: median {middle:.1?}, least {least:.1?} of {ROUNDS} rounds",
        crds.len()
    );
    Ok(())
}

/// The number of rules in a document.
fn rules(value: &Value) -> usize {
    match value {
        Value::Object(fields) => {
            let own = fields.get("x-kubernetes-validations");
            let own = own.and_then(Value::as_array).map_or(0, Vec::len);
            own + fields.values().map(rules).sum::<usize>()
        }
        Value::Array(items) => items.iter().map(rules).sum(),
        _ => 0,
    }
}
