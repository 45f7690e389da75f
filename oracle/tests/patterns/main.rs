//! Compares patterns with Go's `regexp`: which it refuses, and which texts the others match.
//!
//! `recorded.txt` has patterns with Go's answers: a JSON list of the pattern and of texts, then, behind a tab, which of them match,
//! or null. `PATTERN_SEED` is the first seed of random patterns, `PATTERNS` their number; `PATTERNS_RECORD=1` updates the file.
//! Without Go, the tests print on stderr that they only compare with the recorded answers.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;
#[path = "../shared/go.rs"]
mod go;

use crd_channels_cel::go_regexp::{check, compile};
use dice::Dice;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The maximum number of differences to show.
const SHOWN: usize = 20;

/// The characters of random texts.
const CHARACTERS: [&str; 26] = [
    "a",
    "b",
    "c",
    "A",
    "_",
    "1",
    "0",
    "-",
    ".",
    " ",
    "\n",
    "\r",
    "é",
    "ß",
    "α",
    "Ω",
    "я",
    "中",
    "\u{2028}",
    "\u{378}",
    "\u{17f}",
    "\u{212a}",
    "\u{10330}",
    "\u{e000}",
    "\u{fffd}",
    "😀",
];

/// Names of classes, as Unicode, Go or other engines spell them.
const NAMES: [&str; 48] = [
    "L",
    "Lu",
    "Ll",
    "N",
    "Nd",
    "P",
    "S",
    "Z",
    "C",
    "Cc",
    "Cs",
    "Cn",
    "Co",
    "LC",
    "lc",
    "L&",
    "Any",
    "ASCII",
    "ascii",
    "Assigned",
    "Letter",
    "letter",
    "Uppercase_Letter",
    "uppercase letter",
    "Decimal-Number",
    "digit",
    "punct",
    "cntrl",
    "alpha",
    "Greek",
    "greek",
    "IsGreek",
    "Latin",
    "Latn",
    "Zyyy",
    "Common",
    "Han",
    "Cyrillic",
    "Old_Italic",
    "OldItalic",
    "Nko",
    "NKo",
    "gc=L",
    "sc=Greek",
    "Script=Greek",
    "Alphabetic",
    "Surrogate",
    "",
];

#[test]
fn recorded_patterns_are_what_go_makes_of_them() {
    let recorded = std::fs::read_to_string(table()).unwrap();
    let inputs: Vec<Value> = recorded
        .lines()
        .map(|line| serde_json::from_str(line.split('\t').next().unwrap()).unwrap())
        .collect();
    assert!(inputs.len() > 100);
    let ours = inputs
        .iter()
        .map(|input| format!("{input}\t{}", ours(input)));
    let is_recording = std::env::var_os("PATTERNS_RECORD").is_some();
    if let Some(program) = built_or_skipped() {
        let lines: Vec<String> = inputs.iter().map(ToString::to_string).collect();
        let theirs = go::answers(&mut Command::new(program), &lines);
        let theirs = lines
            .iter()
            .zip(theirs)
            .map(|(line, answer)| format!("{line}\t{answer}\n"));
        let theirs: String = theirs.collect();
        if is_recording {
            std::fs::write(table(), &theirs).unwrap();
        }
        assert!(
            is_recording || theirs == recorded,
            "Go answers differently; set `PATTERNS_RECORD=1` and look at the difference"
        );
    }
    let differ: Vec<String> = ours
        .zip(recorded.lines())
        .filter(|(ours, recorded)| ours != recorded)
        .map(|(ours, recorded)| format!("ours:   {ours}\ntheirs: {recorded}"))
        .take(SHOWN)
        .collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

#[test]
fn random_patterns_are_what_go_makes_of_them() {
    let Some(program) = built_or_skipped() else {
        return;
    };
    let number = |name: &str, default: u64| {
        let given = std::env::var(name).ok();
        given.map_or(default, |given| given.parse().unwrap())
    };
    let (first, count) = (number("PATTERN_SEED", 1), number("PATTERNS", 1500));
    let inputs: Vec<Value> = (first..first + count)
        .map(|seed| input(&mut Dice::new(seed)))
        .collect();
    let lines: Vec<String> = inputs.iter().map(ToString::to_string).collect();
    let theirs = go::answers(&mut Command::new(program), &lines);
    let differ: Vec<String> = inputs
        .iter()
        .zip(&theirs)
        .filter(|(input, theirs)| ours(input) != **theirs)
        .map(|(input, theirs)| format!("{input}\n  ours:   {}\n  theirs: {theirs}", ours(input)))
        .collect();
    let refused = theirs.iter().filter(|answer| answer.is_null()).count();
    let matching = theirs
        .iter()
        .filter(|answer| answer.to_string().contains("true"))
        .count();
    println!(
        "{count} patterns from seed {first}: {refused} refused, {matching} match; {} differ",
        differ.len()
    );
    let shown: Vec<&str> = differ.iter().take(SHOWN).map(String::as_str).collect();
    assert!(differ.is_empty(), "{}", shown.join("\n"));
    // A test whose patterns are all alike proves nothing.
    assert!(refused * 10 > theirs.len() && matching * 10 > theirs.len());
}

/// Patterns that repeat large classes are matched in little memory.
#[test]
fn large_repetitions_are_compiled_quickly() {
    let start = Instant::now();
    let patterns = (1..=300).map(|nth| format!(r"^[\p{{L}}\p{{N}}]{{1,{}}}x\z", 700 + nth));
    let compiled: Vec<_> = patterns.map(|pattern| compile(&pattern).unwrap()).collect();
    let text = "é".repeat(900);
    let matching = compiled
        .iter()
        .filter(|pattern| pattern.is_match(&format!("{text}x")))
        .count();
    assert_eq!(matching, 101);
    assert!(!compiled.iter().any(|pattern| pattern.is_match(&text)));
    println!("{:?}", start.elapsed());
}

fn ours(input: &Value) -> Value {
    let texts: Vec<&str> = input
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect();
    let (pattern, texts) = texts.split_first().unwrap();
    match (check(pattern), compile(pattern)) {
        (Ok(()), Some(compiled)) => texts.iter().map(|text| compiled.is_match(text)).collect(),
        (Ok(()), None) => json!("not compiled"),
        (Err(_), None) => Value::Null,
        (Err(_), Some(_)) => json!("not refused"),
    }
}

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/patterns/recorded.txt")
}

fn built_or_skipped() -> Option<PathBuf> {
    static PROGRAM: std::sync::OnceLock<Option<PathBuf>> = std::sync::OnceLock::new();
    let build = || {
        go::built_or_skipped(
            "tests/patterns/go",
            None,
            "patterns are compared with recorded answers alone",
        )
    };
    PROGRAM.get_or_init(build).clone()
}

/// A pattern with texts.
fn input(dice: &mut Dice) -> Value {
    let mut all = vec![expression(dice, 3)];
    for _ in 0..6 {
        let length = dice.roll(6);
        all.push((0..length).map(|_| dice.pick(&CHARACTERS)).collect());
    }
    json!(all)
}

fn expression(dice: &mut Dice, depth: usize) -> String {
    let length = 1 + dice.roll(3);
    let parts = (0..length).map(|_| part(dice, depth));
    let mut text: String = parts.collect();
    if dice.one_in(6) {
        text = format!("{text}|{}", part(dice, depth));
    }
    if dice.one_in(4) {
        text = format!("^{text}$");
    }
    text
}

fn part(dice: &mut Dice, depth: usize) -> String {
    let atom = match dice.roll(if depth == 0 { 5 } else { 7 }) {
        0 => dice.pick(&CHARACTERS).replace('.', "\\."),
        1 => escape(dice),
        2 => named_class(dice),
        3 => class(dice),
        4 => dice
            .pick(&[".", "\\b", "\\B", "\\A", "\\z", "^", "$", "\\Qa.\\E", "\\Q"])
            .to_owned(),
        5 => format!("({})", expression(dice, depth - 1)),
        _ => {
            let open = dice.pick(&[
                "(?:", "(?i:", "(?s:", "(?m:", "(?U:", "(?-i:", "(?i-s:", "(?P<n>", "(?<n>", "(?=",
                "(?i)(",
            ]);
            format!("{open}{})", expression(dice, depth - 1))
        }
    };
    let repeat = match dice.roll(12) {
        0 => dice
            .pick(&[
                "*", "+", "?", "*?", "+?", "??", "**", "+*", "(?i)+", "(?s)*?", "(?i)(?)?",
                "+(?i)?", "*(?i){2}",
            ])
            .to_owned(),
        1 => dice
            .pick(&[
                "{2}", "{0,2}", "{1,}", "{,2}", "{2,1}", "{1,3}?", "{0}", "{01}", "{a}", "{1,40}",
                "{1001}", "{1000}",
            ])
            .to_owned(),
        _ => String::new(),
    };
    atom + &repeat
}

/// An escape, whole or cut off.
fn escape(dice: &mut Dice) -> String {
    match dice.roll(5) {
        0 => {
            let digits = [
                "", "4", "41", "4g", "g4", "7f", "{41}", "{}", "{4g}", "{10ffff}", "{110000}",
                "{d800}", "{000041", "{3b1}",
            ];
            format!("\\x{}", dice.pick(&digits))
        }
        1 => format!(
            "\\{}",
            dice.pick(&["0", "01", "012", "101", "1", "8", "377", "07"])
        ),
        2 => format!(
            "\\{}",
            dice.pick(&[
                "a", "f", "n", "r", "t", "v", "e", "u0041", "c", "h", "R", "K", "Z", "G", "C", "é"
            ])
        ),
        3 => format!("\\{}", dice.pick(&["d", "D", "s", "S", "w", "W"])),
        _ => format!(
            "\\{}",
            dice.pick(&[".", "-", "_", "/", "\\", "[", "]", "{", " ", "\"", "<", "&"])
        ),
    }
}

fn named_class(dice: &mut Dice) -> String {
    let letter = dice.pick(&["p", "P"]);
    match dice.roll(8) {
        0 => format!(
            "\\{letter}{}",
            dice.pick(&["L", "N", "l", "X", "^", "", "{L", "é"])
        ),
        1 => format!("\\{letter}{{^{}}}", dice.pick(&NAMES)),
        _ => format!("\\{letter}{{{}}}", dice.pick(&NAMES)),
    }
}

fn class(dice: &mut Dice) -> String {
    let length = 1 + dice.roll(3);
    let items = (0..length).map(|_| match dice.roll(8) {
        0 => dice
            .pick(&[
                "a-c",
                "0-9",
                "c-a",
                "α-я",
                "-",
                "--a",
                "a-",
                "^",
                "&&",
                "~~",
                "[",
                "\\x{d700}-\\x{e000}",
                "\\x{d800}-\\x{d801}",
            ])
            .to_owned(),
        1 => dice
            .pick(&[
                "[:alpha:]",
                "[:^digit:]",
                "[:word:]",
                "[:nope:]",
                "[:ascii:]",
                "[:a",
            ])
            .to_owned(),
        2 => named_class(dice),
        3 | 4 => escape(dice),
        _ => dice.pick(&CHARACTERS).to_owned(),
    });
    let items: String = items.collect();
    let negated = if dice.one_in(3) { "^" } else { "" };
    format!("[{negated}{items}]")
}
