//! Random values of `Warning` headers, most of them nearly right.

use super::dice::Dice;
use serde_json::Value;
use std::collections::HashSet;

const CODES: &[&str] = &[
    "299", "299", "299", "299", "199", "000", "999", "1000", "29", "2a9", "", "٢٩٩",
];
const AGENTS: &[&str] = &[
    "-",
    "-",
    "-",
    "-",
    "example.com",
    "[::1]:8080",
    "",
    "ä",
    "a\u{7f}",
    "\"x\"",
    "a,b",
    "\t",
    "\u{85}",
];
const SPACES: &[&str] = &[
    " ", " ", " ", " ", " ", " ", "  ", "\t", "", "\u{a0}", "\u{3000}",
];
const PIECES: &[&str] = &[
    "a",
    "v1beta1 is deprecated",
    " ",
    "  ",
    "\\\"",
    "\\\\",
    "\\a",
    "\\",
    "\"",
    ",",
    "ä",
    "\u{1f980}",
    "\t",
    "\n",
    "\r\n",
    "\u{0}",
    "\u{85}",
    "\u{ad}",
    "?",
    "=?",
    "?=",
    "=",
    "_",
];
const CHARSETS: &[&str] = &[
    "utf-8",
    "UTF-8",
    "utf-8",
    "iso-8859-1",
    "Iso-8859-1",
    "i\u{17f}o-8859-1",
    "us-ascii",
    "u\u{17f}-A\u{17f}cii",
    "latin1",
    "",
    "utf-8*en",
];
const ENCODINGS: &[&str] = &["q", "Q", "b", "B", "q", "b", "x", "", "qq", "ä"];
const ENCODED: &[&str] = &[
    "caf=C3=A9",
    "caf=c3=a9",
    "a_b",
    "=4",
    "=zz",
    "=",
    "=FF",
    "=00",
    "aGk=",
    "aGk",
    "aGl=",
    "a Gk=",
    "aGk\r\n=",
    "aGk=aGk=",
    "a===",
    "AA==",
    "AB==",
    "w6k=",
    "/w==",
    "-_==",
    "",
    "a?b",
    "a b",
    "ä",
    "\u{b}",
    "~",
    "\t",
];
const DATES: &[&str] = &[
    "",
    "",
    "",
    "",
    " \"Wed, 21 Oct 2015 07:28:00 GMT\"",
    "\"Wed, 21 Oct 2015 07:28:00 GMT\"",
    " \"\"",
    " \"x",
    " x",
    "  \"a\\\"",
];
const ENDS: &[&str] = &[", ", ",", " , ", ",,", "x", " ", "\u{a0},\u{2003}", ";", ""];

/// The values of one response.
pub fn values(dice: &mut Dice) -> Value {
    let count = dice.roll(4);
    let values: Vec<String> = (0..count).map(|_| value(dice)).collect();
    Value::from(values)
}

/// The warnings of a webhook, often more than a response can have, many of them alike.
pub fn of_a_webhook(dice: &mut Dice) -> Value {
    const LENGTHS: &[usize] = &[0, 1, 20, 120, 255, 256, 257, 300, 1000, 4095, 4096, 4097];
    const LETTERS: &[&str] = &["a", "b", "ä", "\u{1f980}", "\"", "\\"];
    let count = dice.roll(30);
    let often = dice.pick(LENGTHS);
    let text = |_| {
        let length = if dice.one_in(3) {
            dice.pick(LENGTHS)
        } else {
            often
        };
        let end = if dice.one_in(2) {
            dice.roll(40).to_string()
        } else {
            String::new()
        };
        dice.pick(LETTERS).repeat(length) + &end
    };
    (0..count).map(text).collect::<Vec<_>>().into()
}

/// Removes repetitions from a list of texts.
pub fn once(texts: &mut Value) {
    if let Some(texts) = texts.as_array_mut() {
        let mut seen = HashSet::new();
        texts.retain(|text| seen.insert(text.to_string()));
    }
}

fn value(dice: &mut Dice) -> String {
    let mut value = String::new();
    for index in 0..=dice.roll(3) {
        if index > 0 {
            value += if dice.one_in(3) {
                dice.pick(ENDS)
            } else {
                ", "
            };
        }
        value += &warning(dice);
    }
    if dice.one_in(6) {
        value += dice.pick(ENDS);
    }
    for _ in 0..dice.roll(6).saturating_sub(3) {
        value = damaged(dice, &value);
    }
    value
}

fn warning(dice: &mut Dice) -> String {
    let rarely =
        |dice: &mut Dice, of: &[&'static str]| if dice.one_in(4) { dice.pick(of) } else { of[0] };
    let (code, agent) = (rarely(dice, CODES), rarely(dice, AGENTS));
    let (first, second, date) = (
        rarely(dice, SPACES),
        rarely(dice, SPACES),
        rarely(dice, DATES),
    );
    let text: String = (0..dice.roll(5)).map(|_| piece(dice)).collect();
    format!("{code}{first}{agent}{second}\"{text}\"{date}")
}

fn piece(dice: &mut Dice) -> String {
    if dice.one_in(3) {
        let (charset, encoding, text) = (
            dice.pick(CHARSETS),
            dice.pick(ENCODINGS),
            dice.pick(ENCODED),
        );
        return format!("=?{charset}?{encoding}?{text}?=");
    }
    if dice.one_in(2) {
        return dice.pick(&PIECES[..4]).to_owned();
    }
    dice.pick(PIECES).to_owned()
}

/// A text without one of its characters, or with one more.
fn damaged(dice: &mut Dice, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = dice.roll(letters.len() + 1);
    match (at < letters.len(), dice.one_in(2)) {
        (true, true) => {
            letters.remove(at);
        }
        _ => letters
            .splice(at..at, dice.pick(PIECES).chars())
            .for_each(drop),
    }
    letters.into_iter().collect()
}
