//! Strings: what matches a pattern, what a format takes.

use super::dice::Dice;
use crd_channels_schema::{Bounds, Schema};
use regex::Regex;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};
use std::cell::RefCell;
use std::collections::HashMap;

/// How often a string is made anew until it keeps all its bounds.
const ATTEMPTS: usize = 60;

/// A string that the schema's pattern, format and lengths allow; none where none was found.
pub fn string(schema: &Schema, dice: &mut Dice) -> Option<String> {
    let none = Bounds::default();
    let bounds = schema.bounds.as_deref().unwrap_or(&none);
    let pattern = bounds.pattern.as_deref().map(parse);
    let (least, most) = lengths(bounds);
    let sample = schema.format.as_deref().and_then(sample_of_format);
    for _ in 0..ATTEMPTS {
        let text = match (&pattern, sample) {
            (Some(pattern), _) => {
                let mut text = String::new();
                sample_of_pattern(pattern.as_ref()?, dice, &mut text)?;
                text
            }
            (None, Some(sample)) => sample.to_owned(),
            (None, None) => word(least, most, dice),
        };
        let length = text.chars().count();
        if (least..=most).contains(&length) && matches(bounds.pattern.as_deref(), &text) {
            return Some(text);
        }
    }
    None
}

/// Whether a text matches a pattern; a pattern that cannot be read matches everything.
pub fn matches(pattern: Option<&str>, text: &str) -> bool {
    thread_local! {
        // Reading a pattern takes much longer than matching it, and schemas have few.
        static READ: RefCell<HashMap<String, Option<Regex>>> = RefCell::default();
    }
    let Some(pattern) = pattern else { return true };
    READ.with_borrow_mut(|read| {
        if !read.contains_key(pattern) {
            read.insert(pattern.to_owned(), Regex::new(pattern).ok());
        }
        let pattern = read.get(pattern).and_then(Option::as_ref);
        pattern.is_none_or(|pattern| pattern.is_match(text))
    })
}

/// Values that a format takes. The formats are those that API servers know.
fn sample_of_format(format: &str) -> Option<&'static str> {
    Some(match format {
        "byte" => "Zm9v",
        "cidr" => "192.0.2.0/24",
        "date" => "2024-02-29",
        "date-time" => "2024-02-29T12:30:00Z",
        "duration" => "1h30m",
        "email" => "someone@example.com",
        "hostname" => "www.example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "mac" => "02:00:5e:10:00:00",
        "uri" => "https://example.com/a",
        "uuid" | "uuid4" => "7d444840-9dc0-41d1-b245-5ffdce74fad2",
        _ => return None,
    })
}

/// The shortest and the longest length; without a bound, something short.
fn lengths(bounds: &Bounds) -> (usize, usize) {
    let number = |bound: Option<u64>| bound.and_then(|bound| usize::try_from(bound).ok());
    let least = number(bounds.min_length).unwrap_or(0);
    (least, number(bounds.max_length).unwrap_or(usize::MAX))
}

/// Letters, not many more than needed.
fn word(least: usize, most: usize, dice: &mut Dice) -> String {
    let length = least.saturating_add(dice.roll(8)).min(most);
    let letter = |_| char::from(b'a' + u8::try_from(dice.roll(26)).unwrap_or(0));
    (0..length).map(letter).collect()
}

/// Go's patterns count in bytes of ASCII (`\d`, `\w`); what that cannot read, for example `é` in a class, is read as Unicode.
fn parse(pattern: &str) -> Option<Hir> {
    let mut ascii = ParserBuilder::new();
    let ascii = ascii.unicode(false).utf8(false).build().parse(pattern).ok();
    ascii.or_else(|| ParserBuilder::new().build().parse(pattern).ok())
}

/// Appends a text that the pattern matches; none where only other characters than printable ASCII would.
fn sample_of_pattern(pattern: &Hir, dice: &mut Dice, text: &mut String) -> Option<()> {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => text.push(*dice.pick(&members(class))?),
        HirKind::Capture(capture) => sample_of_pattern(&capture.sub, dice, text)?,
        HirKind::Concat(parts) => {
            for part in parts {
                sample_of_pattern(part, dice, text)?;
            }
        }
        HirKind::Alternation(parts) => sample_of_pattern(dice.pick(parts)?, dice, text)?,
        HirKind::Repetition(repeated) => {
            let most = repeated.max.unwrap_or(u32::MAX) - repeated.min;
            let more = dice.roll(usize::try_from(most.min(6)).unwrap_or(0) + 1);
            for _ in 0..usize::try_from(repeated.min).ok()? + more {
                sample_of_pattern(&repeated.sub, dice, text)?;
            }
        }
    }
    Some(())
}

/// The printable characters of a class.
fn members(class: &Class) -> Vec<char> {
    let within = |c: char| match class {
        Class::Bytes(class) => class
            .ranges()
            .iter()
            .any(|range| (char::from(range.start())..=char::from(range.end())).contains(&c)),
        Class::Unicode(class) => {
            let mut ranges = class.ranges().iter();
            ranges.any(|range| (range.start()..=range.end()).contains(&c))
        }
    };
    (' '..='~').filter(|c| within(*c)).collect()
}
