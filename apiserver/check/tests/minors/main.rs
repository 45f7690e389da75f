//! Compares the answers of servers of several minors to created CRDs with the verdicts of `check` for each minor.
//!
//! `rules.txt` has a rule per line, preceded by a sign for each minor: `+` if a server compiles it, `-` if not, `!` if the
//! request fails. All rules are on the schema of the CEL tests. `cases.jsonl` has a change of a small CRD per line, with the
//! answers: a minor without its own has those of the previous one. Both were recorded with the servers' own code in `go`;
//! `KUBERNETES_MINORS=record` records them again.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "../shared/cases.rs"]
#[allow(dead_code, reason = "the record uses it")]
mod cases;
#[path = "../../../../oracle/tests/shared/go.rs"]
mod go;
mod recording;
#[path = "../shared/verdict.rs"]
#[allow(dead_code, reason = "the record uses it")]
mod verdict;

use cases::Cases;
use crd_channels_cel::functions;
use crd_channels_cel::macros::MACROS;
use crd_channels_cel::version::NEWEST;
use go::skipped::skipped;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use verdict::Verdict;

/// The minors whose code was run.
const MINORS: [u32; 5] = [30, 32, 34, 36, 37];

const RULES: &str = include_str!("rules.txt");
const CASES: &str = include_str!("cases.jsonl");

/// Rules that compile, and exceeded the budget before 1.33: servers assumed that values of any type, and optionals of scalars,
/// are as large as a request. No realistic rule has such comparisons.
const DEARER: [&str; 11] = [
    "optional.none() == optional.of(1)",
    "optional.none()==optional.of(1)",
    "dyn(1) + dyn('a') == 1",
    "dyn(1)==ip(self.s)",
    "dyn(self.s)==format.dns1123Label()",
    "dyn(self.s).ip() == dyn(self.s)",
    "dyn(self.i) < dyn(self.n)",
    "string(dyn(self.s)) == self.s",
    "self.lo[0].m[self.s] in dyn(self.lo[0].oo.y)",
    "sets.contains(dyn(self.ls),(self.ls + ['a']))",
    "sets.contains((self.lo[0].ls+self.s.findAll('a')),dyn(self.li))",
];

/// Rules that only 1.30 does not compile, and `check` accepts: it had no name for the type of optionals, and no mixed lists
/// even if their type may be any.
const UNTYPED: [&str; 2] = [
    "type(optional.of(1)) == optional_type",
    "'%d %s'.format(dyn([1,'a'])) == 'x'",
];

/// Rules that servers refuse since 1.34, and `check` refuses for all minors.
const REFUSED_FOR_ALL: [&str; 2] = [
    "[1,2].all(x, __result__)",
    "self.?s.optMap(x, x + 'a').orValue('') == ''",
];

/// The minor that is the last to begin with a warning.
const WARNS: u32 = 37;

/// Whether a verdict of `check` agrees with those of servers of a minor and of the newest: errors of either count.
fn is_for(ours: &Verdict, server: &Verdict, newest: &Verdict, minor: u32) -> bool {
    if server.accepts() && ours.is_refused_later {
        return ours.accepts() && !newest.accepts();
    }
    if !server.accepts() || !newest.accepts() {
        let either: BTreeSet<_> = server.refused.union(&newest.refused).cloned().collect();
        let same = server != newest || ours.refused == newest.refused;
        return !ours.accepts() && same && ours.refused.is_subset(&either);
    }
    // Unknown formats and odd sets are also reported for servers that do not warn yet.
    let warned = server.warned || newest.warned || (ours.warned && minor < WARNS);
    ours.accepts() && gone(ours) == gone(server) && ours.warned == warned
}

fn gone(verdict: &Verdict) -> BTreeSet<&String> {
    verdict.unknown.union(&verdict.dropped).collect()
}

/// Every rule with its sign for each minor.
fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    RULES.lines().map(|line| line.split_once('\t').unwrap())
}

#[test]
fn rules_are_compiled_as_servers_of_their_minor_do() {
    let mut wrong = Vec::new();
    for (signs, rule) in rules() {
        let crd = cases::with_rule(rule);
        for (nth, theirs) in signs.char_indices() {
            let minor = MINORS[nth];
            let ours = Verdict::of_check(&crd, minor);
            // What a newer server refuses is a warning.
            let is_later = theirs == '+' && signs[nth..].contains(['-', '!']);
            let same = match ours.accepts() {
                true => theirs == '+' && ours.is_refused_later == is_later,
                false => theirs != '+',
            };
            let is_known = DEARER.contains(&rule)
                || UNTYPED.contains(&rule)
                || (REFUSED_FOR_ALL.contains(&rule) && !ours.accepts());
            if !same && !is_known {
                wrong.push(format!("1.{minor} {signs}: {rule}\n  {ours:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), wrong.len());
}

#[test]
fn crds_are_judged_as_servers_of_their_minor_do() {
    let mut wrong = Vec::new();
    for line in CASES.lines() {
        let mut case: Value = serde_json::from_str(line).unwrap();
        let answers = case.as_object_mut().unwrap().remove("answers").unwrap();
        let answers: BTreeMap<u32, Verdict> = serde_json::from_value(answers).unwrap();
        let crd = Cases::default().crd(&case).unwrap();
        let newest = answers.values().next_back().unwrap();
        for minor in MINORS {
            let (_, theirs) = answers.range(..=minor).next_back().unwrap();
            let ours = Verdict::of_check(&crd, minor);
            if !is_for(&ours, theirs, newest, minor) {
                wrong.push(format!(
                    "1.{minor}: {case}\n  ours {ours:?}\n  theirs {theirs:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), wrong.len());
}

#[test]
fn every_function_and_macro_that_came_later_is_among_the_rules() {
    // Rules can use what the newest adds only from the next one on.
    let functions = functions::all().filter(|row| row.since > 25 && row.since < NEWEST);
    let names = functions.map(|row| row.name);
    let macros = MACROS.iter().filter(|row| row.since > 25);
    for name in names.chain(macros.map(|row| row.name)) {
        // The names of operators are symbols.
        let is_named = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains('@');
        let call = format!("{name}(");
        let is_there = rules().any(|(signs, rule)| signs.ends_with('+') && rule.contains(&call));
        assert!(is_there || !is_named, "{name}");
    }
}

#[test]
fn the_newest_minor_is_recorded() {
    assert_eq!(MINORS.last(), Some(&NEWEST));
}

/// The rows of a page: a file, and a text in it that has the newest minor.
#[test]
fn the_page_about_new_minors_lists_places_that_have_the_newest() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let read = |file: &str| std::fs::read_to_string(format!("{root}/{file}")).unwrap();
    let page = read("docs/new-kubernetes.md");
    let (_, table) = page.split_once("## Places with the newest minor").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split('`').collect()).collect();
    assert!(rows.len() > 10);
    for row in rows {
        let [_, file, _, text, _] = row.as_slice() else {
            panic!("{row:?}");
        };
        assert!(text.contains(&NEWEST.to_string()), "{text}");
        assert!(read(file).contains(text), "`{file}` has no `{text}`");
    }
}

/// Building the code of five servers takes a quarter of an hour, so this runs only on request.
#[test]
fn what_is_recorded_is_what_servers_answer() {
    match std::env::var("KUBERNETES_MINORS").as_deref() {
        Ok("record") => recording::record(),
        Ok(_) => recording::compare(),
        Err(_) => skipped(
            "servers of older minors are not asked; `KUBERNETES_MINORS=compare` asks their code",
        ),
    }
}
