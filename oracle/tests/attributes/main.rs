//! Random types with every attribute that there is, alone and beside others, compiled by kube-derive and read by the
//! generator: what is read is equal, or it is refused.
//!
//! The attributes are rows of `grammar.txt`, which is drawn from what can be said, not from what is read. What rustc
//! refuses is dropped and counted. `ORACLE_ATTRIBUTES` says how many kinds there are, `ORACLE_SEED` the first seed. A
//! module of the crates under `target/bodies` is named after its seed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

#[path = "../random/batch.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod batch;
#[path = "../compare/mod.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod compare;
#[path = "../crates/mod.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod crates;
#[path = "../random/definitions.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod definitions;
#[path = "../random/dice.rs"]
mod dice;
mod draw;
#[path = "../random/enums.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod enums;
#[path = "../random/fields.rs"]
mod fields;
mod grammar;
mod items;
mod verdict;
mod kinds;
#[path = "../random/module.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod module;
#[path = "../random/types.rs"]
mod types;
#[path = "../random/words.rs"]
mod words;

use batch::{Batch, ByKube, Ours};
use dice::Dice;
use draw::Drawing;
use grammar::Grammar;
use module::Module;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};
use verdict::Verdict;

/// How many kinds one crate has.
const BATCH: u64 = 200;
/// How many in a hundred have to compile, and how many of those have to be compared.
const COMPILED: usize = 60;
const COMPARED: usize = 60;
/// How many reasons and failures are printed.
const SHOWN: usize = 40;

const DEPENDENCIES: &str = "serde_with = { version = \"3\", default-features = false, features = [\"macros\", \"schemars_1\", \"std\"] }\n";

/// A kind, and what was drawn for it.
struct Drawn {
    text: String,
    lines: BTreeSet<usize>,
    pairs: BTreeSet<(usize, usize)>,
}

#[test]
fn random_attributes() {
    let number = |name: &str, default: u64| {
        let said = std::env::var(name).ok();
        said.map_or(default, |said| said.parse().unwrap())
    };
    let (first, count) = (number("ORACLE_SEED", 1), number("ORACLE_ATTRIBUTES", 40));
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../bodies");
    let grammar = Grammar::read();
    let mut report = Report::default();
    let mut start = first;
    while start < first + count {
        let end = (start + BATCH).min(first + count);
        let mut drawn: BTreeMap<String, Drawn> = (start..end)
            .map(|seed| (format!("k{seed}"), draw(&grammar, seed)))
            .collect();
        report.drawn += drawn.len();
        let clock = Instant::now();
        let place = root.join(format!("attributes-from-{start}"));
        let (batch, by_kube) = compiled(&place, &mut drawn, &mut report);
        let compiled = clock.elapsed();
        let ours = read(&root, &batch, &drawn, &mut report);
        println!(
            "{start} to {}: compiled in {compiled:.1?}, read in {:.1?}",
            end - 1,
            clock.elapsed() - compiled
        );
        report.record_verdicts(&drawn, &by_kube, ours);
        println!("    so far {:?}", report.verdicts);
        report.write(&root);
        start = end;
    }
    report.print(&grammar);
    report.assert();
}

/// The module of one kind.
fn draw(grammar: &Grammar, seed: u64) -> Drawn {
    let mut dice = Dice::new(seed);
    let module = Module::new(&mut dice, include_str!("head.txt"));
    let mut drawing = Drawing::new(grammar, module);
    for _ in 0..drawing.module.dice.roll(3) {
        drawing.module.define();
    }
    for _ in 0..=drawing.module.dice.roll(2) {
        drawing.item();
    }
    drawing.kind(&format!("K{seed}"));
    Drawn {
        text: drawing.module.text,
        lines: drawing.lines,
        pairs: drawing.pairs,
    }
}

/// Compiles kinds, without those that rustc refuses, and says what kube makes of them.
fn compiled(
    place: &Path,
    drawn: &mut BTreeMap<String, Drawn>,
    report: &mut Report,
) -> (Batch, BTreeMap<String, ByKube>) {
    for _ in 0..8 {
        let modules: Vec<(String, String)> = drawn
            .iter()
            .map(|(name, drawn)| (name.clone(), drawn.text.clone()))
            .collect();
        let batch = Batch::write(place, &modules, DEPENDENCIES);
        let errors = batch.errors();
        if errors.is_empty() {
            let by_kube = batch.by_kube();
            return (batch, by_kube);
        }
        for (name, errors) in errors {
            let error = errors.first().map_or("", String::as_str);
            if let Some(drawn) = drawn.remove(&name) {
                for line in drawn.lines {
                    report.rows.entry(line).or_default().dropped += 1;
                }
                report.dropped.push(format!("{name}: {error}"));
            }
        }
    }
    panic!("a batch does not compile:\n{}", report.dropped.join("\n"));
}

/// Reads kinds. Where the reader panics or does not end, each is read alone, to find whose fault it is.
fn read(
    root: &Path,
    batch: &Batch,
    drawn: &BTreeMap<String, Drawn>,
    report: &mut Report,
) -> BTreeMap<String, Ours> {
    if let Some(ours) = batch.ours_within(Duration::from_secs(600)) {
        return ours;
    }
    let mut found = BTreeMap::new();
    for (name, drawn) in drawn {
        let modules = [(name.clone(), drawn.text.clone())];
        let alone = Batch::write(&root.join("alone"), &modules, DEPENDENCIES);
        match alone.ours_within(Duration::from_secs(60)) {
            Some(ours) => found.extend(ours),
            None => report
                .failures
                .push(format!("{name}: the reader panics or does not end")),
        }
    }
    found
}

/// How often a row was drawn, by what became of it.
#[derive(Clone, Copy, Default)]
struct Counts {
    dropped: usize,
    refused: usize,
    right: usize,
    wrong: usize,
}

#[derive(Default)]
struct Report {
    drawn: usize,
    dropped: Vec<String>,
    verdicts: BTreeMap<Verdict, usize>,
    reasons: BTreeMap<String, usize>,
    rows: BTreeMap<usize, Counts>,
    pairs: BTreeSet<(usize, usize)>,
    refused: Vec<String>,
    failures: Vec<String>,
}

impl Report {
    fn record_verdicts(
        &mut self,
        drawn: &BTreeMap<String, Drawn>,
        by_kube: &BTreeMap<String, ByKube>,
        mut ours: BTreeMap<String, Ours>,
    ) {
        for (name, drawn) in drawn {
            let ours = ours.remove(name).unwrap_or_default();
            let (verdict, why) = verdict::verdict(&by_kube[name], &ours);
            *self.verdicts.entry(verdict).or_default() += 1;
            for line in &drawn.lines {
                let counts = self.rows.entry(*line).or_default();
                match verdict {
                    Verdict::Equal
                    | Verdict::Documented
                    | Verdict::ReadAsMeant
                    | Verdict::DocumentedPanic => {
                        counts.right += 1;
                    }
                    Verdict::Different => counts.wrong += 1,
                    _ => counts.refused += 1,
                }
            }
            if verdict.is_compared() {
                self.pairs.extend(&drawn.pairs);
            }
            match verdict {
                Verdict::Different => self.failures.push(format!("{name}: {why}")),
                Verdict::Refused => {
                    *self.reasons.entry(reason(&why)).or_default() += 1;
                    self.refused.push(format!("{name}: {why}"));
                }
                _ => {}
            }
        }
        for (name, ours) in ours {
            self.failures
                .push(format!("{name}: {}", ours.errors.join("\n    ")));
        }
    }

    /// Writes what there is to look at.
    fn write(&self, root: &Path) {
        for (name, lines) in [
            ("dropped", &self.dropped),
            ("refused", &self.refused),
            ("different", &self.failures),
        ] {
            let path = root.join(format!("attributes-{name}.txt"));
            std::fs::write(path, lines.join("\n")).unwrap();
        }
    }

    /// Prints the shares.
    fn print(&self, grammar: &Grammar) {
        let mut reasons: Vec<(&String, &usize)> = self.reasons.iter().collect();
        reasons.sort_by_key(|(reason, times)| (usize::MAX - **times, *reason));
        for (reason, times) in reasons.into_iter().take(SHOWN) {
            println!("{times:7} refused: {reason}");
        }
        for row in grammar.all() {
            let Counts {
                dropped,
                refused,
                right,
                wrong,
            } = self.rows.get(&row.line).copied().unwrap_or_default();
            if wrong > 0 || right == 0 {
                println!(
                    "{wrong:5} different, {right} equal, {refused} refused, {dropped} not compiled: {}: {}",
                    row.line, row.text
                );
            }
        }
        println!("{} pairs of rows were compared", self.pairs.len());
        println!(
            "{:7} of {} kinds do not compile",
            self.dropped.len(),
            self.drawn
        );
        let compiled = self.drawn - self.dropped.len();
        for (verdict, times) in &self.verdicts {
            println!(
                "{times:7} ({} %) {}",
                times * 100 / compiled.max(1),
                verdict.words()
            );
        }
    }

    fn assert(mut self) {
        self.failures.sort_by_key(String::len);
        let shown: Vec<&str> = self
            .failures
            .iter()
            .take(SHOWN)
            .map(String::as_str)
            .collect();
        assert!(
            self.failures.is_empty(),
            "{} read wrong, the shortest:\n{}",
            self.failures.len(),
            shown.join("\n")
        );
        let compiled = self.drawn - self.dropped.len();
        assert!(
            compiled * 100 >= self.drawn * COMPILED,
            "{compiled} of {} kinds compile",
            self.drawn
        );
        let compared = self.verdicts.iter();
        let compared = compared.filter(|(verdict, _)| verdict.is_compared());
        let compared: usize = compared.map(|(_, times)| times).sum();
        assert!(
            compared * 100 >= compiled * COMPARED,
            "{compared} of {compiled} kinds were compared"
        );
    }
}

/// Not what it is about, but why.
fn reason(error: &str) -> String {
    let mut reason = String::new();
    for (at, part) in error.split('`').enumerate() {
        reason.push_str(if at % 2 == 0 { part } else { "`..`" });
    }
    reason.chars().take(110).collect()
}

#[test]
fn attributes_are_drawn_from_any_seed() {
    let grammar = Grammar::read();
    for seed in 0..500 {
        assert_eq!(draw(&grammar, seed).text, draw(&grammar, seed).text);
    }
}
