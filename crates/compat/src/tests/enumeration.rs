//! Compares verdicts with the validator, which is itself compared with API servers: if old values stay valid none is rejected,
//! and if some do not one is shown.

use super::drawn::values::{accepts, decoded, pruned, served, values};
use super::drawn::{Dice, enums, plain, rich};
use super::draws;
use crate::findings::verdict::Verdict;
use crate::schemas::normalize::normalize_schema;
use crate::schemas::pair::SchemaPair;
use crate::schemas::walk::changes;
use crd_channels_schema::Schema;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Default)]
struct Tally {
    pairs: u64,
    values: u64,
    ok: u64,
    no: u64,
    unknown: u64,
    /// Verdicts of harm without a value that demonstrates it, by rule.
    unshown: BTreeMap<String, u64>,
}

/// Whether a server keeps everything in an object, apart from nulls.
fn keeps(now: &Value, before: &Value) -> bool {
    match (now, before) {
        (Value::Object(now), Value::Object(before)) => before.iter().all(|(name, value)| {
            value.is_null() || now.get(name).is_some_and(|now| keeps(now, value))
        }),
        (Value::Array(now), Value::Array(before)) => {
            now.len() == before.len()
                && now
                    .iter()
                    .zip(before)
                    .all(|(now, before)| keeps(now, before))
        }
        (now, before) => now == before,
    }
}

/// Compares that number of pairs and checks every verdict with the validator. `draw` generates a pair.
fn compare(
    seed: u64,
    pairs: u64,
    draw: impl Fn(&mut Dice) -> (Value, Value),
    is_exact: bool,
) -> Tally {
    let mut dice = Dice(seed);
    let mut tally = Tally::default();
    let mut passed = Vec::new();
    for _ in 0..pairs {
        let (old, new) = draw(&mut dice);
        let read = |schema: &Value| {
            let mut schema = Arc::new(Schema::from_json(schema).unwrap());
            normalize_schema(&mut schema);
            schema
        };
        let (old_schema, new_schema) = (read(&old), read(&new));
        let found = changes(&SchemaPair::alone(&old_schema, &new_schema));
        let worst = |of: fn(&crate::Change) -> Verdict| {
            found
                .iter()
                .map(|(_, change)| of(change))
                .max()
                .unwrap_or_default()
        };
        let (stored, writers) = (
            worst(|change| change.stored),
            worst(|change| change.writers),
        );
        let (before, after) = (served(&old), served(&new));
        let mut refused = None;
        let mut unwritten = None;
        for written in values(&old, 0, &mut dice) {
            let object = decoded(&before, &written);
            if !accepts(&before, &object) {
                continue;
            }
            tally.values += 1;
            let harms = |read: &Value| !accepts(&after, read) || !keeps(read, &object);
            if refused.is_none() && harms(&decoded(&after, &object)) {
                refused = Some(object.clone());
            }
            // Unknown fields may get any meaning later.
            let is_known = pruned(&before, &written) == written;
            if unwritten.is_none() && is_known && !accepts(&after, &decoded(&after, &written)) {
                unwritten = Some(written);
            }
        }
        tally.pairs += 1;
        let shown = || format!("{old}\n{new}\n{found:#?}");
        let ids = || {
            found
                .iter()
                .map(|(record, _)| record.id)
                .collect::<Vec<_>>()
        };
        for (verdict, whose, harmed) in [
            (stored, "stored", &refused),
            (writers, "written", &unwritten),
        ] {
            if let (Verdict::Ok, Some(value)) = (verdict, harmed) {
                passed.push(format!("{whose}: {value}\n{old}\n{new}\n{:?}", ids()));
            }
        }
        match stored {
            Verdict::Ok => tally.ok += 1,
            Verdict::No => {
                tally.no += 1;
                if refused.is_none() {
                    let harmful = found
                        .iter()
                        .filter(|(_, change)| change.stored == Verdict::No);
                    let rules: BTreeSet<&str> = harmful.map(|(record, _)| record.id).collect();
                    let rules: Vec<&str> = rules.into_iter().collect();
                    *tally.unshown.entry(rules.join("+")).or_default() += 1;
                }
                assert!(
                    !is_exact || refused.is_some(),
                    "no counterexample\n{}",
                    shown()
                );
            }
            Verdict::Unknown => tally.unknown += 1,
        }
    }
    let unshown = tally.unshown.values().sum();
    let share = |of: u64| of as f64 * 100.0 / tally.pairs as f64;
    println!(
        "{} pairs, {} values: compatible {}, refused {} ({} without a counterexample, {:.1} %), unknown {} ({:.1} %)",
        tally.pairs,
        tally.values,
        tally.ok,
        tally.no,
        unshown,
        share(unshown),
        tally.unknown,
        share(tally.unknown)
    );
    println!("{} refused objects pass", passed.len());
    let count = passed.len();
    passed.truncate(8);
    assert_eq!(count, 0, "{}", passed.join("\n"));
    if unshown > 0 {
        println!("without a counterexample: {:?}", tally.unshown);
    }
    tally
}

fn plain_pair(patterns: bool) -> impl Fn(&mut Dice) -> (Value, Value) {
    move |dice| {
        let old = plain::random(dice, 2, patterns);
        let new = plain::mutated(dice, &old, 2, patterns);
        (old, new)
    }
}

#[test]
fn verdicts_on_plain_keywords_are_exact() {
    let pairs = draws(900);
    let tally = compare(0x1e37_79b9_7f4a_7c15, pairs, plain_pair(false), true);
    assert!(tally.values * 2 > pairs * 25, "{} values", tally.values);
    assert!(
        tally.ok > pairs / 20 && tally.no > pairs / 20,
        "{} ok, {} no",
        tally.ok,
        tally.no
    );
    assert_eq!(tally.unknown, 0);
}

#[test]
fn verdicts_on_patterns_are_seldom_missing() {
    let tally = compare(0x3545_f491_4f6c_dd1d, draws(330), plain_pair(true), true);
    assert!(
        tally.unknown * 20 <= tally.pairs,
        "{} of {}",
        tally.unknown,
        tally.pairs
    );
}

#[test]
fn no_verdict_lets_a_refused_object_pass() {
    let draw = |dice: &mut Dice| {
        let old = rich::random(dice, 2);
        let new = rich::mutated(dice, &old, 2);
        (old, new)
    };
    let pairs = draws(170);
    let tally = compare(0x2545_f491_4f6c_dd1d, pairs, draw, false);
    assert!(
        tally.ok * 15 > pairs * 2 && tally.no * 15 > pairs * 2,
        "{} ok, {} no",
        tally.ok,
        tally.no
    );
}

#[test]
fn another_variant_refuses_nothing() {
    let pairs = draws(24);
    let draw = |dice: &mut Dice| {
        let old = enums::random(dice);
        let new = enums::grown(dice, &old);
        (enums::schema(&old), enums::schema(&new))
    };
    let tally = compare(0x6c07_8965_6c07_8965, pairs, draw, false);
    assert_eq!((tally.no, tally.unknown), (0, 0));
}

#[test]
fn verdicts_on_enums_are_seldom_missing() {
    let pairs = draws(60);
    let draw = |dice: &mut Dice| {
        let old = enums::random(dice);
        let new = enums::mutated(dice, &old);
        (enums::schema(&old), enums::schema(&new))
    };
    let tally = compare(0x1234_5678_9abc_def1, pairs, draw, false);
    assert!(tally.ok > pairs / 6 && tally.no > pairs / 6);
    assert!(
        tally.unknown * 50 <= tally.pairs,
        "{} of {}",
        tally.unknown,
        tally.pairs
    );
}
