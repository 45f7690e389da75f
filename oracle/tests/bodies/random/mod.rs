//! Random bodies, compiled in batches and read: what is read is what is computed, or is refused.

mod body;
mod expand;
mod grammar;
mod literals;
mod macros;
mod modules;
mod program;
mod scan;
mod types;

use super::crates::{Crate, Ours};
use super::report::{self, Computed, Report};
use body::Body;
use grammar::Grammar;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// How many bodies one crate has.
const BATCH: u64 = 400;
/// How often one crate is compiled, each time without what has errors.
const ROUNDS: usize = 24;
/// How many in a hundred may fail to compile.
const DROPPED: usize = 2;

/// How many in a hundred bodies of the language of values are answered at least.
const ANSWERED: usize = 70;

/// How many in a hundred trees of modules and calls of macros are answered at least.
const ANSWERED_NAMES: usize = 75;

#[test]
fn random_bodies() {
    let grammar = Grammar::read();
    compile_nearly_all(
        &draw("bodies", bodies(), &|seed| body::body(&grammar, seed)),
        &grammar,
    );
}

#[test]
fn random_values() {
    let grammar = Grammar::language();
    let drawn = draw("values", bodies(), &|seed| body::body(&grammar, seed));
    compile_nearly_all(&drawn, &grammar);
    answers(&drawn, ANSWERED);
}

/// rustc says many times which of a tree's names mean nothing, so there are fewer.
#[test]
fn random_modules() {
    let drawn = draw("modules", bodies().div_ceil(8), &modules::body);
    answers(&drawn, ANSWERED_NAMES);
}

/// Most macros do not compile: a call matches no rule, or could match several. They are small, so there are more.
#[test]
fn random_macros() {
    let drawn = draw("macros", bodies() * 4, &macros::body);
    answers(&drawn, ANSWERED_NAMES);
}

/// What became of bodies that were drawn.
struct Drawn {
    report: Report,
    /// How many were drawn.
    count: usize,
    /// Those that do not compile, with their errors.
    dropped: Vec<String>,
    /// How often each row of a grammar was in a body that was read right, and wrong.
    used: BTreeMap<String, [usize; 2]>,
}

/// Fails if fewer bodies in a hundred are answered.
fn answers(drawn: &Drawn, share: usize) {
    let count = |verdict| {
        drawn
            .report
            .verdicts
            .get(verdict)
            .copied()
            .unwrap_or_default()
    };
    let (equal, unknown) = (count(report::EQUAL), count(report::UNKNOWN));
    assert!(
        equal > 0 && equal * 100 >= (equal + unknown) * share,
        "only {equal} of {} bodies are answered",
        equal + unknown
    );
}

/// Fails if more bodies are dropped than a grammar may draw wrong, and prints how it was used.
fn compile_nearly_all(drawn: &Drawn, grammar: &Grammar) {
    suspects(&drawn.used);
    let rows = grammar.rows.iter().map(|row| &row.place);
    let ideas = grammar.ideas.iter();
    let all: BTreeSet<&String> = rows
        .chain(ideas.flat_map(|idea| idea.rows.iter().map(|row| &row.place).chain([&idea.name])))
        .collect();
    let there = all
        .iter()
        .filter(|place| drawn.used.contains_key(**place))
        .count();
    println!("{there} of {} rows were used", all.len());
    let Drawn { count, dropped, .. } = drawn;
    assert!(
        dropped.len() * 100 <= count * DROPPED,
        "{} of {count} bodies do not compile:\n{}",
        dropped.len(),
        dropped.join("\n")
    );
}

fn number(name: &str, default: u64) -> u64 {
    let said = std::env::var(name).ok();
    said.map_or(default, |said| said.parse().unwrap())
}

/// How many bodies are drawn. The share of those that are answered varies by four in a hundred with half of them.
fn bodies() -> u64 {
    number("ORACLE_BODIES", 200)
}

/// Draws bodies, compiles and reads them.
fn draw(name: &str, count: u64, body: &dyn Fn(u64) -> Body) -> Drawn {
    let first = number("ORACLE_SEED", 1);
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..").join(name);
    let mut report = Report::default();
    let mut dropped = Vec::new();
    let mut used: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let mut start = first;
    while start < first + count {
        let end = (start + BATCH).min(first + count);
        let mut bodies: BTreeMap<String, Body> = (start..end)
            .map(|seed| (format!("b{seed}"), body(seed)))
            .collect();
        let clock = std::time::Instant::now();
        let (batch, computed) = compiled(&root, start, &mut bodies, &mut dropped);
        let compiled = clock.elapsed();
        for (name, body) in &bodies {
            batch.rewrite(name, &body.with_kind(name));
        }
        let mut ours = read(&root, &batch, &bodies, &mut report);
        println!(
            "{start} to {}: compiled in {compiled:.1?}, read in {:.1?}",
            end - 1,
            clock.elapsed() - compiled,
        );
        for (name, body) in &bodies {
            let read = ours.remove(name).unwrap_or_default();
            let right = report.record_verdict(name, &computed[name], &read, || body.shown());
            for place in &body.used {
                used.entry(place.clone()).or_default()[usize::from(!right)] += 1;
            }
        }
        for (name, read) in ours {
            report
                .failures
                .push(format!("{name}: {}", read.errors.join("\n    ")));
        }
        println!("    so far {:?}", report.verdicts);
        start = end;
    }
    println!("{} bodies did not compile: dropped.txt", dropped.len());
    std::fs::write(root.join("dropped.txt"), dropped.join("\n")).unwrap();
    std::fs::write(root.join("different.txt"), report.failures.join("\n\n")).unwrap();
    report.print();
    report.assert();
    Drawn {
        report,
        count: usize::try_from(count).unwrap(),
        dropped,
        used,
    }
}

/// Compiles bodies, without those that rustc refuses, and says what they compute.
fn compiled(
    root: &Path,
    start: u64,
    bodies: &mut BTreeMap<String, Body>,
    dropped: &mut Vec<String>,
) -> (Crate, BTreeMap<String, Computed>) {
    let place = root.join(format!("from-{start}"));
    for _ in 0..ROUNDS {
        let modules: Vec<(String, String)> = bodies
            .iter()
            .map(|(name, body)| (name.clone(), body.text.clone()))
            .collect();
        let names = bodies.keys().map(String::as_str);
        let batch = Crate::write(&place, &modules, &report::main(names), "");
        let errors = batch.errors();
        if errors.is_empty() {
            let computed = report::computed(&batch);
            return (batch, computed);
        }
        for (name, errors) in errors {
            let lines = errors.iter().map(|error| line_of(error, &name)).collect();
            let is_repaired = bodies.get_mut(&name).is_some_and(|body| body.repair(lines));
            if !is_repaired && bodies.remove(&name).is_some() {
                let error = errors.first().map_or("", String::as_str);
                dropped.push(format!("{name}: {error}"));
            }
        }
    }
    panic!("a batch does not compile:\n{}", dropped.join("\n"));
}

/// The line that an error of rustc is about; 0 if it names none.
fn line_of(error: &str, module: &str) -> usize {
    let place = error.split_once(&format!("--> src/{module}.rs:"));
    let line = place.and_then(|(_, place)| place.split(':').next()?.parse().ok());
    line.unwrap_or_default()
}

/// Reads bodies. Where the reader panics or does not end, each is read alone, to find whose fault it is.
fn read(
    root: &Path,
    batch: &Crate,
    bodies: &BTreeMap<String, Body>,
    report: &mut Report,
) -> BTreeMap<String, Ours> {
    if let Some(ours) = batch.ours_within(Duration::from_secs(600)) {
        return ours;
    }
    let mut found = BTreeMap::new();
    for (name, body) in bodies {
        let modules = [(name.clone(), body.with_kind(name))];
        let alone = Crate::write(&root.join("alone"), &modules, "fn main() {}\n", "");
        match alone.ours_within(Duration::from_secs(60)) {
            Some(ours) => found.extend(ours),
            None => report.failures.push(format!(
                "---- {name}\n    the reader panics or does not end\n{}",
                body.shown()
            )),
        }
    }
    found
}

/// Prints the rows that are more often in wrong bodies than in others.
fn suspects(used: &BTreeMap<String, [usize; 2]>) {
    let mut rows: Vec<(f64, &String, &[usize; 2])> = used
        .iter()
        .filter(|(_, [_, wrong])| *wrong > 0)
        .map(|(place, counts)| {
            let [right, wrong] = counts.map(|count| f64::from(u32::try_from(count).unwrap()));
            (wrong / (right + wrong + 3.0), place, counts)
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, place, [right, wrong]) in rows.iter().take(40) {
        println!("{wrong:5} of {:5} different: {place}", right + wrong);
    }
}

#[test]
fn bodies_are_drawn_from_any_seed() {
    let grammar = Grammar::read();
    for seed in 0..500 {
        assert_eq!(
            body::body(&grammar, seed).text,
            body::body(&grammar, seed).text
        );
    }
}
