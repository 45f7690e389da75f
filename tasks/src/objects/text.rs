//! Strings that match a pattern or a format.

use super::dice::Dice;
use crd_channels_cel::go_regexp;
use crd_channels_validation::schema::Schema;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// The maximum number of attempts to make a string within all bounds.
const ATTEMPTS: usize = 60;

/// Returns a string that the schema's pattern, format and lengths allow; `None` if none was found.
pub fn string(schema: &Schema<'_>, dice: &mut Dice) -> Option<String> {
    let written = Some(schema.pattern.as_str()).filter(|pattern| !pattern.is_empty());
    let pattern = written.map(parse);
    let (least, most) = lengths(schema);
    let sample = sample_of_format(schema.format);
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
        if (least..=most).contains(&length) && schema.pattern.matches(&text) {
            return Some(text);
        }
    }
    None
}

/// Returns a valid value of a format that API servers know.
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

/// Returns the minimum and maximum length; short by default.
fn lengths(schema: &Schema<'_>) -> (usize, usize) {
    let number = |bound: Option<i64>| bound.and_then(|bound| usize::try_from(bound).ok());
    let least = number(schema.min_length).unwrap_or(0);
    (least, number(schema.max_length).unwrap_or(usize::MAX))
}

/// Returns letters, not many more than needed.
fn word(least: usize, most: usize, dice: &mut Dice) -> String {
    let length = least.saturating_add(dice.roll(8)).min(most);
    let letter = |_| char::from(b'a' + u8::try_from(dice.roll(26)).unwrap_or(0));
    (0..length).map(letter).collect()
}

/// Parses a pattern; `None` if Go cannot compile it.
fn parse(pattern: &str) -> Option<Hir> {
    let pattern = go_regexp::translate(pattern).ok()?;
    ParserBuilder::new().build().parse(&pattern).ok()
}

/// Appends a text that matches the pattern; `None` if that needs characters other than printable ASCII.
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

/// Returns the printable characters of a class.
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
