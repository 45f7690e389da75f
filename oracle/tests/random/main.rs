//! Random kinds, compiled by kube-derive and read by the generator: the CRDs are equal, wherever kube does not panic and
//! an API server accepts what kube writes. What the generator refuses is nothing that kube can do.
//!
//! `ORACLE_KINDS` says how many kinds there are, `ORACLE_SEED` the first seed. A module of the crates under
//! `target/random` is named after its seed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod batch;
#[path = "../compare/mod.rs"]
mod compare;
#[path = "../crates/mod.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod crates;
mod definitions;
mod dice;
mod enums;
mod fields;
mod kind;
mod module;
mod types;
mod words;

use batch::{Batch, ByKube, Ours};
use crd_channels_proof::facts;
use dice::Seen;
use std::collections::BTreeMap;
use std::path::Path;

/// How many kinds one crate has.
const BATCH: u64 = 250;

#[test]
fn random_kinds() {
    let number = |name: &str, default: u64| {
        let said = std::env::var(name).ok();
        said.map_or(default, |said| said.parse().unwrap())
    };
    let (first, count) = (number("ORACLE_SEED", 1), number("ORACLE_KINDS", 40));
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../random");
    let mut verdicts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    let mut seen = Seen::new();
    let mut failures = Vec::new();
    let mut start = first;
    while start < first + count {
        let end = (start + BATCH).min(first + count);
        let mut modules = Vec::new();
        for seed in start..end {
            let (text, constructs) = kind::module(seed);
            modules.push((format!("k{seed}"), text));
            for (construct, times) in constructs {
                *seen.entry(construct).or_default() += times;
            }
        }
        let batch = Batch::write(&root.join(format!("from-{start}")), &modules, "");
        let clock = std::time::Instant::now();
        let by_kube = batch.by_kube();
        let compiled = clock.elapsed();
        let mut ours = batch.ours();
        println!(
            "{start} to {}: compiled in {compiled:.1?}, read in {:.1?}",
            end - 1,
            clock.elapsed() - compiled
        );
        for (name, kube) in &by_kube {
            let ours = ours.remove(name).unwrap_or_default();
            match verdict(kube, &ours) {
                Ok(verdict) => {
                    *verdicts.entry(verdict).or_default() += 1;
                    let mut told = ours.errors.clone();
                    if verdict == TOLD {
                        told.extend(ours.crd.iter().flat_map(batch::refusals));
                    }
                    for error in told {
                        // Not where it is, but what.
                        let (_, words) = error.split_once(": ").unwrap_or(("", &error));
                        let words: String = words.chars().take(70).collect();
                        *refusals.entry(words).or_default() += 1;
                    }
                }
                Err(why) => failures.push(format!("{name}: {why}")),
            }
        }
        for (name, ours) in ours {
            failures.push(format!("{name}: {}", ours.errors.join("\n    ")));
        }
        start = end;
    }
    for (construct, times) in &seen {
        println!("{times:7} {construct}");
    }
    for (refusal, times) in &refusals {
        println!("{times:7} refused: {refusal}");
    }
    for (verdict, times) in &verdicts {
        println!("{times:7} {verdict}");
    }
    failures.sort_by_key(String::len);
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(
        verdicts
            .get(EQUAL)
            .is_some_and(|equal| *equal as u64 * 3 > count * 2),
        "most kinds can be compared"
    );
}

const TOLD: &str = "kinds that `refused-crd` tells of";
const EQUAL: &str = "kinds equal";

/// The result for one kind, or its fault.
fn verdict(kube: &ByKube, ours: &Ours) -> Result<&'static str, String> {
    let refused = kube
        .as_ref()
        .map_or_else(|panic| vec![panic.clone()], batch::refusals);
    match &ours.crd {
        _ if !ours.errors.is_empty() => match &kube {
            Err(_) => Ok("kinds refused, kube panics"),
            Ok(_) if !refused.is_empty() => Ok("kinds refused, as a server refuses kube's"),
            Ok(_) => Err(format!(
                "refused, and kube is right\n    {}",
                ours.errors.join("\n    ")
            )),
        },
        None => Err("neither a CRD nor an error".to_owned()),
        Some(crd) => {
            let own = batch::refusals(crd);
            let mut differences = Vec::new();
            if let Ok(kube) = kube {
                let (ours, kube) = (batch::alone(crd), batch::alone(kube));
                differences = facts::compare(Some(&ours), Some(&kube)).differences;
            }
            let shown = || -> String {
                let differences = differences.iter().take(4).map(compare::shown);
                differences
                    .map(|(path, text)| format!("\n  {path}\n{text}"))
                    .collect()
            };
            match (refused.is_empty(), own.is_empty()) {
                (true, _) if !differences.is_empty() => {
                    Err(format!("{} differences{}", differences.len(), shown()))
                }
                (true, true) => Ok(EQUAL),
                (true, false) => Err(format!(
                    "equal, and a server would accept kube's: {}",
                    own.join("; ")
                )),
                (false, true) if kube.is_err() => Ok("kinds repaired, kube panics"),
                (false, true) => Ok("kinds repaired, as a server refuses kube's"),
                // What is refused of ours is refused of kube's as well, or a default that the source gives. The
                // command says so, at the line, and writes nothing.
                (false, false) => {
                    // Nor has an enum whose variants are names as well as objects, which makes kube panic, a type that
                    // a rule on it could read.
                    let untyped = "the node has no type, so rules cannot read it";
                    let new = |refusal: &&String| {
                        let known = refused.contains(refusal) || refusal.contains(".default");
                        !(known || kube.is_err() && refusal.ends_with(untyped))
                    };
                    match own.iter().find(new) {
                        Some(refusal) => Err(format!("a server would refuse only ours: {refusal}")),
                        None => Ok(TOLD),
                    }
                }
            }
        }
    }
}
