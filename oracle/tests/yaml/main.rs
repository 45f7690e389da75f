//! YAML is read as kubectl reads it.
//!
//! `spellings.txt` has a scalar on each line, and what kubectl's own code reads for it as a value and as a key; null is a
//! refusal. The Go program beside it contains that code: it gives the same results for the table, and reads random texts made
//! from it. `YAML_SEED` is the first seed, `YAML_TEXTS` the number of texts. `YAML_RECORD=1` updates the table. Without Go, the
//! tests print on stderr that they only compare with the recorded results.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;
#[path = "../shared/go.rs"]
mod go;

use crd_channels_released::documents;
use dice::Dice;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Texts that kubectl accepts and this reader refuses: a part of the message, and the reason.
const STRICTER: [(&str, &str); 18] = [
    (
        "a BOM must not appear inside a document",
        "YAML 1.2 lets no scalar begin with a mark of byte order",
    ),
    ("is given twice", "kubectl silently drops the first value"),
    (
        "is not allowed unescaped in YAML",
        "line ends of YAML 1.1 behind an empty line, in keys or in block scalars; marks of byte order before a line",
    ),
    (
        "infinity and NaN",
        "kubectl silently drops the first value of a key before it looks at it",
    ),
    ("remove the tag `!!timestamp`", "only dates would be taken"),
    ("kubectl ignores this document", BEHIND),
    ("comment intercepting the multiline text", BEHIND),
    ("did not find expected <document start>", BEHIND),
    ("a key must be a scalar", BEHIND),
    ("invalid trailing content after", BEHIND),
    (
        "kubectl reads this differently",
        "YAML 1.1 and 1.2 disagree on `?`, `:` and tags in brackets and braces",
    ),
    ("did not find expected ','", FLOW),
    ("cannot start with '-'", FLOW),
    ("tabs are not allowed", "tabs that happen to do no harm"),
    ("the anchor `&", ANCHOR),
    ("simple key expected ':'", ANCHOR),
    ("did not find expected key", ANCHOR),
    (
        "unknown escape character",
        "`\\'` is an escape of YAML 1.1 alone",
    ),
];

const FLOW: &str = "`-` and `a:` in brackets and braces are text for kubectl, and no YAML 1.2";

const ANCHOR: &str = "names of anchors end at `:` and `.` for kubectl";

const BEHIND: &str = "kubectl silently drops what stands behind the first node";

/// The maximum number of differences to show.
const SHOWN: usize = 20;

struct Spelling {
    text: String,
    value: Value,
    key: Value,
}

#[test]
fn scalars_are_what_they_were_recorded_to_be() {
    let spellings = spellings();
    assert!(spellings.len() > 300);
    let texts: Vec<String> = spellings.iter().flat_map(as_texts).collect();
    let answers: Vec<Value> = spellings
        .iter()
        .flat_map(|spelling| [spelling.value.clone(), spelling.key.clone()])
        .collect();
    compare("recorded scalars", &texts, &answers);
}

#[test]
fn recorded_spellings_are_what_kubectl_reads() {
    let Some(program) = built_or_skipped() else {
        return;
    };
    let spellings = spellings();
    let texts: Vec<String> = spellings.iter().flat_map(as_texts).collect();
    let answers = answers(&program, &texts);
    let pairs: Vec<&[Value]> = answers.chunks(2).collect();
    let lines = spellings.iter().zip(pairs).map(|(spelling, pair)| {
        let text = Value::from(spelling.text.as_str());
        let line = [&text, &pair[0], &pair[1]].map(ToString::to_string);
        line.join("\t") + "\n"
    });
    let written: String = lines.collect();
    if std::env::var_os("YAML_RECORD").is_some() {
        std::fs::write(table(), written).unwrap();
    } else {
        assert_eq!(written, std::fs::read_to_string(table()).unwrap());
    }
}

/// The seeds of random texts: `YAML_TEXTS` many, from `YAML_SEED` on.
fn seeds() -> Range<u64> {
    let number = |name: &str, default: u64| {
        let given = std::env::var(name).ok();
        given.map_or(default, |given| given.parse().unwrap())
    };
    let (first, count) = (number("YAML_SEED", 1), number("YAML_TEXTS", 5000));
    first..first + count
}

#[test]
fn random_texts_are_what_kubectl_reads() {
    let Some(program) = built_or_skipped() else {
        return;
    };
    let seeds = seeds();
    // A refused scalar makes a whole text invalid, so they are rare.
    let (refused, taken): (Vec<Spelling>, Vec<Spelling>) = spellings()
        .into_iter()
        // For Go the key `-0.0` equals `0.0` until it is written.
        .filter(|found| found.key.pointer("/0/-0").is_none())
        .partition(|found| found.value.is_null() || found.key.is_null());
    let texts: Vec<String> = seeds
        .clone()
        .map(|seed| random(&mut Dice::new(seed), &taken, &refused))
        .collect();
    let answers = answers(&program, &texts);
    compare(
        &format!("texts from seed {}", seeds.start),
        &texts,
        &answers,
    );
}

/// Quoted text over several lines at any depth and with any indentation, with the ends of lines of YAML 1.1 as well.
#[test]
fn random_quoted_texts_are_what_kubectl_reads() {
    let Some(program) = built_or_skipped() else {
        return;
    };
    let seeds = seeds();
    let texts: Vec<String> = seeds
        .clone()
        .map(|seed| lines_of_text(&mut Dice::new(seed)))
        .collect();
    let answers = answers(&program, &texts);
    compare(
        &format!("texts with quoted text from seed {}", seeds.start),
        &texts,
        &answers,
    );
    let taken = answers.iter().filter(|answer| !answer.is_null()).count();
    assert!(taken * 3 > texts.len(), "{taken}");
}

/// A text with nested nodes, many of which are scalars over several lines.
fn lines_of_text(dice: &mut Dice) -> String {
    let mut text = "first: 1\n".to_owned();
    for nth in 0..=dice.roll(3) {
        text += &format!("k{nth}:");
        nested(dice, 0, &mut text);
        if dice.one_in(8) {
            text += "---\nfirst: 1\n";
        }
    }
    text
}

fn nested(dice: &mut Dice, indent: usize, text: &mut String) {
    let column = indent + 1 + dice.roll(3);
    let space = " ".repeat(column);
    match dice.roll(if column > 8 { 6 } else { 9 }) {
        0..=3 => {
            let quote = dice.pick(&["\"", "'"]);
            *text += &format!(
                " {quote}{}{quote}{}\n",
                words(dice, column),
                dice.pick(&["", " # 'c", " "])
            );
        }
        4 => {
            *text += &format!(
                " it's{}\n",
                words(dice, column).replace(['#', ':', '\t'], "")
            )
        }
        5 => {
            *text += &format!(
                " |\n{space}- \"b{}\n",
                words(dice, column).replace('\n', &format!("\n{space}"))
            )
        }
        6 => {
            *text += "\n";
            for nth in 0..=dice.roll(2) {
                *text += &format!("{space}f{nth}:");
                nested(dice, column, text);
            }
        }
        7 => {
            *text += "\n";
            for _ in 0..=dice.roll(2) {
                *text += &format!("{space}-");
                nested(dice, column, text);
            }
        }
        _ => {
            let quote = dice.pick(&["\"", "'"]);
            *text += &format!(
                " [a, {quote}{}{quote}, {{b: {quote}c{quote}}}]\n",
                words(dice, column)
            );
        }
    }
}

/// Words on several lines, the quotes of which are not the ones around them.
fn words(dice: &mut Dice, column: usize) -> String {
    let mut words = String::new();
    for _ in 0..dice.roll(5) {
        let space = match dice.roll(4) {
            0 => 0,
            1 => column + dice.roll(3),
            _ => dice.roll(column + 1),
        };
        words += dice.pick(&["a", "b: c", "- d", "é", "# e", "f\u{feff}g", "", "x "]);
        words += dice.pick(&[
            "\n", "\n", "\n", "\n\n", "\n \n", " ", "\n\t", "\u{85}", "\u{2028}",
        ]);
        words += &" ".repeat(space);
    }
    words + dice.pick(&["z", "...", "-- z", "\u{2029}z"])
}

/// Reads texts, and compares the results with the expected ones.
fn compare(of: &str, texts: &[String], expected: &[Value]) {
    assert_eq!(texts.len(), expected.len());
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (text, expected) in texts.iter().zip(expected) {
        let read = documents::parse(text);
        let found = read
            .as_ref()
            .map_or(Value::Null, |all| Value::from(all.clone()));
        if found == taken_apart(without_negative_zero(expected)) {
            continue;
        }
        let refusal = read.err().unwrap_or_default();
        match STRICTER.iter().find(|(words, _)| refusal.contains(words)) {
            Some((_, why)) => *known.entry(why).or_default() += 1,
            None => wrong.push(format!(
                "{text:?}\n  ours:   {found} {refusal}\n  theirs: {expected}"
            )),
        }
    }
    let refused = expected.iter().filter(|answer| answer.is_null()).count();
    println!(
        "{} {of}: {refused} refused by kubectl, {} differ; known differences: {known:?}",
        texts.len(),
        wrong.len()
    );
    let shown: Vec<String> = wrong.iter().take(SHOWN).cloned().collect();
    assert!(wrong.is_empty(), "{}", shown.join("\n"));
}

/// Replaces lists by their items.
fn taken_apart(objects: Value) -> Value {
    let Value::Array(objects) = objects else {
        return objects;
    };
    let items = objects.into_iter().flat_map(|object| match object {
        Value::Array(items) => items,
        other => vec![other],
    });
    items.collect()
}

/// Go writes `-0` for a float, and a server reads it as the integer 0.
fn without_negative_zero(answer: &Value) -> Value {
    match answer {
        Value::Number(number) if number.as_f64() == Some(0.0) => Value::from(0),
        Value::Array(items) => items.iter().map(without_negative_zero).collect(),
        Value::Object(fields) => {
            let fields = fields.iter();
            fields
                .map(|(name, value)| (name.clone(), without_negative_zero(value)))
                .collect()
        }
        other => other.clone(),
    }
}

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/yaml/spellings.txt")
}

fn spellings() -> Vec<Spelling> {
    let table = std::fs::read_to_string(table()).unwrap();
    let lines = table.lines().map(|line| {
        let mut columns = line
            .split('\t')
            .map(|column| serde_json::from_str(column).unwrap());
        let text: Value = columns.next().unwrap();
        Spelling {
            text: text.as_str().unwrap().to_owned(),
            value: columns.next().unwrap(),
            key: columns.next().unwrap(),
        }
    });
    lines.collect()
}

fn as_texts(spelling: &Spelling) -> [String; 2] {
    let text = &spelling.text;
    [format!("a: {text}\n"), format!("{text}: a\n")]
}

/// Returns a text of some fields whose keys and values are in the table, in block and flow style.
fn random(dice: &mut Dice, taken: &[Spelling], refused: &[Spelling]) -> String {
    // If a text begins with a bracket, kubectl reads nothing else.
    let mut text = "first: 1\n".to_owned();
    for nth in 0..=dice.roll(4) {
        let mut scalar = || {
            let prefix = if dice.one_in(12) {
                dice.pick(&["!!str ", "!!int ", "!!float ", "! "])
            } else {
                ""
            };
            let of = if dice.one_in(30) { refused } else { taken };
            format!("{prefix}{}", of[dice.roll(of.len())].text)
        };
        let (one, two) = (scalar(), scalar());
        text += &match dice.roll(9) {
            0 | 1 => format!("k{nth}: {one}\n"),
            2 => format!("{one}: k{nth}\n"),
            3 => format!("{one}: {two}\n"),
            4 => format!("k{nth}:\n- {one}\n- {two}: x\n"),
            5 => format!("k{nth}: [{one}, {two}]\n"),
            6 => format!("k{nth}: {{{one}: {two}}}\n"),
            7 => format!("k{nth}: &a{nth} {one}\nl{nth}: *a{nth}\n"),
            _ => {
                format!("k{nth}: &m{nth}\n  {one}: x\nl{nth}:\n  b: 1\n  <<: *m{nth}\n  c: {two}\n")
            }
        };
    }
    text
}

/// Builds the program that runs kubectl's code, once. `None`, with a message, if Go is not installed.
fn built_or_skipped() -> Option<PathBuf> {
    static PROGRAM: std::sync::OnceLock<Option<PathBuf>> = std::sync::OnceLock::new();
    let build = || {
        go::built_or_skipped(
            "tests/yaml/go",
            None,
            "YAML is compared with recorded answers alone",
        )
    };
    PROGRAM.get_or_init(build).clone()
}

/// Returns what kubectl reads, a line for each text.
fn answers(program: &Path, texts: &[String]) -> Vec<Value> {
    let texts = texts.iter();
    let lines: Vec<String> = texts
        .map(|text| Value::from(text.as_str()).to_string())
        .collect();
    go::answers(&mut Command::new(program), &lines)
}
