//! Nothing published may name what a gate removes. Generates random types whose gated names are made-up words, with one or two
//! texts that name them, in every possible form. Either a channel is refused, with errors at spans, or no such word is in it.
//! Prose is not refused: words in backticks cause the warning `gated-name`.
//!
//! `LEAKS` sets the number of kinds, `LEAKS_SEED` the first seed. Forms that cannot be detected are not tried: names that a
//! rule computes (`'Zq' + 'value'`) or escapes, and prose without backticks.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod dice;
mod forms;
mod kind;
#[path = "../support/one_file.rs"]
mod one_file;
mod paths;
mod read;
mod rules;

use dice::Dice;
use kind::Case;
use read::Read;
use std::collections::BTreeMap;

/// The results of a form, counted when it was the only one.
#[derive(Default)]
struct Tally {
    refused: usize,
    /// Refused only by errors unrelated to gates, so the form tests nothing.
    otherwise: usize,
    told: usize,
    closed: usize,
}

/// Returns why a case fails, or `None` if it passes.
fn wrong(case: &Case, read: &Read) -> Option<String> {
    for finding in &read.errors {
        if !finding.placed {
            return Some(format!("an error without a line: {}", finding.text));
        }
    }
    if !read.errors.is_empty() {
        return None;
    }
    for (channel, word) in [("stable", "zq"), ("experimental", "yq")] {
        let published = read.channels.get(channel)?.to_lowercase();
        let Some(at) = published.find(word) else {
            continue;
        };
        if case.prose
            && read
                .warnings
                .iter()
                .any(|text| text.starts_with("gated-name"))
        {
            continue;
        }
        let around = &published[at.saturating_sub(160)..(at + 60).min(published.len())];
        return Some(format!("`{word}` is in {channel}: ..{around}.."));
    }
    None
}

#[test]
fn no_gated_word_is_published() {
    let number = |name: &str, default: u64| {
        let said = std::env::var(name).ok();
        said.map_or(default, |said| said.parse().unwrap())
    };
    let (first, count) = (number("LEAKS_SEED", 1), number("LEAKS", 100));
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut failures: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let (mut clean, mut shown) = (0, 0);
    for seed in first..first + count {
        let case = kind::random(&mut Dice::new(seed));
        for conventions in ["kubernetes", "kube"] {
            let read = read::read(&case.text, conventions);
            if let Some(why) = wrong(&case, &read) {
                let label = case.forms.join(" + ");
                let text = format!("seed {seed}, {conventions}: {why}\n{}", case.text);
                let known = failures.entry(label).or_insert((0, text));
                known.0 += 1;
                continue;
            }
            match &case.forms[..] {
                [] => {
                    // If nothing names it, it is removed without a finding, and the other channel has it.
                    assert!(
                        read.errors.is_empty(),
                        "seed {seed}: {:?}\n{}",
                        read.errors,
                        case.text
                    );
                    let other = &read.channels["experimental"].to_lowercase();
                    clean += 1;
                    shown += usize::from(other.contains("zq") || case.word == "yq");
                }
                [form] => {
                    let tally = tallies.entry(form.clone()).or_default();
                    let gated = |finding: &read::Finding| finding.text.starts_with("gated-");
                    if read.errors.iter().any(gated) {
                        tally.refused += 1;
                    } else if !read.errors.is_empty() {
                        tally.otherwise += 1;
                        if std::env::var("LEAKS_SHOW").is_ok() {
                            println!("{form}: {:?}", read.errors[0]);
                        }
                    } else if case.prose {
                        tally.told += 1;
                    } else {
                        tally.closed += 1;
                    }
                }
                _ => {}
            }
        }
    }
    println!("{count} kinds, {clean} readings without a mention");
    for (form, tally) in &tallies {
        let Tally {
            refused,
            otherwise,
            told,
            closed,
        } = tally;
        println!(
            "{form}: {refused} refused, {otherwise} otherwise, {told} told, {closed} closed over"
        );
    }
    let shortest = failures.values().min_by_key(|(_, text)| text.len());
    assert!(
        failures.is_empty(),
        "{} forms leak: {:#?}\nthe shortest: {}",
        failures.len(),
        failures
            .iter()
            .map(|(form, (times, text))| {
                format!(
                    "{form}: {times}, {}",
                    text.lines().next().unwrap_or_default()
                )
            })
            .collect::<Vec<_>>(),
        shortest.map_or("", |(_, text)| text),
    );
    assert_eq!(clean, shown, "the other channel lacks the words");
    assert!(
        clean * 20 > usize::try_from(count).unwrap(),
        "{clean} of {count}"
    );
}
