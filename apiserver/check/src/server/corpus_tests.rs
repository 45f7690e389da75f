//! Compares the rules with the verdicts of a real API server on CRDs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use super::{cel_corpus_tests, validate};
use crate::finding::Reason;
use crate::registry::Rule;
use crate::skipped::skipped;
use crate::{Document, NEWEST};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The rejected fields, and the reasons.
type Refusals = BTreeSet<(String, String)>;

/// The folder of the corpus, `CORPUS` if it is set.
pub(super) fn corpus() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    std::env::var_os("CORPUS").map_or(beside, PathBuf::from)
}

/// The number of cases of a group that agree.
#[derive(Default)]
struct Row {
    same: usize,
    differ: usize,
}

#[test]
fn verdicts_are_the_servers() {
    let Ok(text) = std::fs::read_to_string(corpus().join("apiserver/crds.jsonl")) else {
        skipped("the corpus is absent");
        return;
    };
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap();
        let row = rows
            .entry(id.split('-').next().unwrap().to_owned())
            .or_default();
        let difference = difference(&case);
        match difference {
            None => row.same += 1,
            Some(difference) => {
                row.differ += 1;
                println!("{id}: {difference}");
            }
        }
    }
    println!("{:<20} {:>5} {:>7}", "group", "same", "differ");
    let mut total = Row::default();
    for (group, row) in &rows {
        println!("{group:<20} {:>5} {:>7}", row.same, row.differ);
        total.same += row.same;
        total.differ += row.differ;
    }
    println!("{:<20} {:>5} {:>7}", "total", total.same, total.differ);
    assert_eq!(total.differ, 0, "verdicts differ from the server's");
}

/// The difference between our verdict and the server's.
fn difference(case: &Value) -> Option<String> {
    let found = validate(&case["crd"], NEWEST);
    let accept = !found.iter().any(|finding| finding.refuses());
    let ours: Refusals = found
        .iter()
        .filter_map(|finding| {
            let reason = finding.reason.map(Reason::name)?;
            Some((reason.to_owned(), finding.field.as_ref()?.to_string()))
        })
        .collect();
    let theirs: Refusals = case["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| {
            let text = |name: &str| error[name].as_str().unwrap().to_owned();
            (text("type"), text("field"))
        })
        .collect();
    let unknown: BTreeSet<String> = found
        .iter()
        .filter(|finding| {
            finding.rule == Rule::UnknownField && !finding.message.contains("silently")
        })
        .map(|finding| {
            format!(
                "unknown field {:?}",
                finding.field.as_ref().unwrap().to_string()
            )
        })
        .collect();
    let dropped: BTreeSet<String> = case["strict"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap().to_owned())
        .collect();
    let undecodable = found
        .iter()
        .any(|finding| finding.rule == Rule::Undecodable);
    let same = accept == case["accept"].as_bool().unwrap()
        && ours == theirs
        && unknown == dropped
        && undecodable == case["decode"].is_string();
    (!same).then(|| format!("ours {ours:?} {unknown:?}, the server's {theirs:?} {dropped:?}"))
}

#[test]
fn every_crd_of_the_gateway_api_is_accepted() {
    let folder = corpus().join("gateway-api");
    if !folder.is_dir() {
        skipped("the corpus is absent");
        return;
    }
    let mut files = Vec::new();
    collect(&folder, &mut files);
    let (mut validated, mut rules) = (0, 0);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for document in crate::sample::documents(&text) {
            if document["kind"] != "CustomResourceDefinition" {
                continue;
            }
            validated += 1;
            rules += cel_corpus_tests::rules(&document).len();
            let refused: Vec<_> = validate(&document, NEWEST)
                .into_iter()
                .filter(|finding| finding.refuses())
                .collect();
            assert!(refused.is_empty(), "{}: {refused:#?}", file.display());
        }
    }
    let releases = std::fs::read_dir(&folder).unwrap().count();
    println!("{validated} CRDs of {releases} releases with {rules} rules accepted");
    assert!(validated > 100, "only {validated} CRDs were found");
}

/// Checking must not be slower than parsing, or people would skip it.
#[test]
fn checking_takes_no_longer_than_parsing() {
    let folder = corpus().join("gateway-api/v1.3.0");
    if !folder.is_dir() {
        skipped("the corpus is absent");
        return;
    }
    let mut files = Vec::new();
    collect(&folder, &mut files);
    let texts: Vec<String> = files
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap())
        .collect();
    let (mut parsing, mut checking) = (Duration::ZERO, Duration::ZERO);
    let mut crds = 0;
    for text in &texts {
        // The fastest of several rounds is the least disturbed one. A round is one file, parsed and checked at once, so that it
        // needs only a short undisturbed moment.
        let (mut parsed, mut checked) = (Duration::MAX, Duration::MAX);
        let mut number = 0;
        for _ in 0..9 {
            let start = Instant::now();
            let documents = crate::sample::documents(text);
            parsed = parsed.min(start.elapsed());
            let is_crd = |document: &&Value| document["kind"] == "CustomResourceDefinition";
            let documents: Vec<&Value> = documents.iter().filter(is_crd).collect();
            let start = Instant::now();
            for document in &documents {
                std::hint::black_box((
                    validate(document, NEWEST),
                    Document::decode(document).lint(NEWEST),
                ));
            }
            checked = checked.min(start.elapsed());
            number = documents.len();
        }
        (parsing, checking, crds) = (parsing + parsed, checking + checked, crds + number);
    }
    let ratio = checking.as_secs_f64() / parsing.as_secs_f64();
    println!("{crds} CRDs: parsed in {parsing:?}, checked in {checking:?}, {ratio:.2} of that");
    assert_eq!(crds, 16);
    assert!(checking <= parsing);
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "yaml" || extension == "yml")
        {
            found.push(path);
        }
    }
}
