//! Source that is truncated or randomly changed results in CRDs or findings, never in a panic.
//!
//! The texts are those of this repository. `MUTATIONS` sets the number of changed texts, `MUTATIONS_SEED` the first seed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "support/one_file.rs"]
mod one_file;

use crd_channels_check as check;
use std::panic::catch_unwind;
use std::path::Path;

const CRATES: [&str; 6] = [
    "chrono",
    "k8s_openapi",
    "kube",
    "schemars",
    "serde",
    "serde_json",
];

/// Replacements for tokens.
const WORDS: [&str; 24] = [
    "Self",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "[",
    "]",
    ",",
    "::",
    "=",
    "#",
    "!",
    "\"",
    "'",
    "0",
    "1e999",
    "Option<",
    "Box<Self>",
    "#[serde(flatten)] ",
    "#[experimental] ",
    "\u{1F980}",
    "/*",
];

/// A deterministic source of small numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(sides.max(1)).unwrap()).unwrap()
    }
}

/// Returns the texts: the shipped API, and the fixtures of the oracle.
fn seeds() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seeds = Vec::new();
    for folder in ["api-types/src", "oracle/fixtures/src"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                seeds.push((path.file_name().unwrap().to_str().unwrap().to_owned(), text));
            }
        }
    }
    seeds.sort();
    seeds
}

/// Returns approximate positions between tokens, all at character boundaries.
fn joints(text: &str) -> Vec<usize> {
    let mut joints = vec![0];
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if !(c.is_alphanumeric() && before.is_alphanumeric()) {
            joints.push(at);
        }
        before = c;
    }
    joints.push(text.len());
    joints
}

fn changed(text: &str, other: &str, dice: &mut Dice) -> String {
    let mut text = text.to_owned();
    for _ in 0..=dice.roll(3) {
        let places = joints(&text);
        let at = dice.roll(places.len() - 1);
        let (start, end) = (places[at], places[at + 1]);
        match dice.roll(6) {
            0 => text.replace_range(start..end, ""),
            1 => text.insert_str(start, WORDS[dice.roll(WORDS.len())]),
            2 => text.replace_range(start..end, WORDS[dice.roll(WORDS.len())]),
            3 => {
                let far = places[(at + 1 + dice.roll(40)).min(places.len() - 1)];
                let piece = text[start..far].to_owned();
                let to = places[dice.roll(places.len())];
                text.insert_str(to, &piece);
            }
            4 => {
                let far = places[(at + 1 + dice.roll(40)).min(places.len() - 1)];
                text.replace_range(start..far, "");
            }
            _ => {
                let theirs = joints(other);
                let from = dice.roll(theirs.len());
                let to = (from + dice.roll(60)).min(theirs.len() - 1);
                text.insert_str(start, &other[theirs[from]..theirs[to]]);
            }
        }
    }
    text
}

/// Reads a text and returns the number of CRDs.
fn read(text: &str, conventions: &str) -> usize {
    let (projected, _) = one_file::project(text.as_bytes(), &CRATES, conventions, "");
    let crds: Vec<_> = projected.iter().flat_map(|one| &one.crds).collect();
    for crd in &crds {
        let _ = check::validate(&serde_json::to_value(crd).unwrap(), check::NEWEST);
    }
    crds.len()
}

/// Reads every text under both conventions.
#[track_caller]
fn no_panic(texts: &[(String, String)]) {
    let mut failures = Vec::new();
    let mut crds = 0;
    for (name, text) in texts {
        for conventions in ["kube", "kubernetes"] {
            match catch_unwind(|| read(text, conventions)) {
                Ok(count) => crds += count,
                Err(_) => failures.push(format!("{name}, {conventions}:\n{text}")),
            }
        }
    }
    failures.sort_by_key(String::len);
    println!("{} texts read, to {crds} CRDs", texts.len());
    assert!(
        failures.is_empty(),
        "{} panics, the shortest: {}",
        failures.len(),
        failures[0]
    );
    assert!(crds > 40, "only {crds} CRDs: the texts end too early");
}

#[test]
fn truncated_source_is_no_panic() {
    let mut texts = Vec::new();
    for (name, text) in seeds() {
        let places = joints(&text);
        for nth in 1..=10 {
            let cut = places[nth * (places.len() - 1) / 10];
            texts.push((format!("{name} to {cut}"), text[..cut].to_owned()));
            texts.push((format!("{name} from {cut}"), text[cut..].to_owned()));
        }
    }
    assert!(texts.len() > 400, "{}", texts.len());
    no_panic(&texts);
}

#[test]
fn changed_source_is_no_panic() {
    let number = |name: &str, default: u64| {
        let said = std::env::var(name).ok();
        said.map_or(default, |said| said.parse().unwrap())
    };
    let (first, count) = (number("MUTATIONS_SEED", 1), number("MUTATIONS", 400));
    let seeds = seeds();
    let texts: Vec<_> = (first..first + count)
        .map(|seed| {
            let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
            dice.roll(2);
            let (name, text) = &seeds[dice.roll(seeds.len())];
            let (_, other) = &seeds[dice.roll(seeds.len())];
            let text = changed(text, other, &mut dice);
            (format!("{name}, seed {seed}"), text)
        })
        .collect();
    no_panic(&texts);
}
