//! Regular expressions in Go's syntax: rejects what Go rejects, and translates the rest for the `regex` crate.

mod class;
mod escape;
mod large;
mod reader;
mod unicode;

use large::Automaton;
use reader::Reader;
use regex::{Regex, RegexBuilder};
use std::ops::Range;

/// The most repetitions that Go accepts; nested ones are multiplied.
const MOST_REPEATS: u32 = 1000;
/// Go rejects groups that are nested deeper.
const DEEPEST: usize = 1000;
/// The nesting that an [`Automaton`] compiles, recursively.
const MOST_NESTED: u32 = 1000;
/// Expressions grow large by repetitions of classes of Unicode. Larger ones are matched by an [`Automaton`].
const MOST_BYTES: usize = 256 << 10;

/// Whether Go compiles the pattern.
///
/// # Errors
/// The error in the pattern.
pub fn check(pattern: &str) -> Result<(), String> {
    translate(pattern).map(drop)
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern(Compiled);

#[derive(Clone, Debug)]
enum Compiled {
    Small(Regex),
    Large(Automaton),
}

impl Pattern {
    /// Whether a part of the text matches.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        match &self.0 {
            Compiled::Small(regex) => regex.is_match(text),
            Compiled::Large(automaton) => automaton.is_match(text),
        }
    }
}

/// The compiled pattern. `None` if Go would reject it, or if it is too large.
#[must_use]
pub fn compile(pattern: &str) -> Option<Pattern> {
    let small = compile_within(pattern, MOST_BYTES).map(Compiled::Small);
    let large = || Automaton::new(&translate(pattern).ok()?).map(Compiled::Large);
    small.or_else(large).map(Pattern)
}

/// The pattern for the `regex` crate, with a size limit in bytes.
pub(crate) fn compile_within(pattern: &str, bytes: usize) -> Option<Regex> {
    let written = translate(pattern).ok()?;
    let mut builder = RegexBuilder::new(&written);
    builder.size_limit(bytes).build().ok()
}

/// The operand of a repetition.
#[derive(Clone, Copy)]
enum Last {
    /// Nothing: the beginning of a branch.
    Nothing,
    /// An operand, with the product of its nested repetitions.
    Atom(u32),
    /// A repetition, which cannot be repeated again.
    Repeated(u32),
}

/// An open group, or the whole pattern.
struct Group {
    /// The largest product of nested repetitions in the closed part.
    weight: u32,
    last: Last,
    /// Where the translation of the group begins.
    start: usize,
    /// The place of the last operand in the translation.
    operand: Range<usize>,
}

impl Group {
    fn new(start: usize) -> Self {
        Self {
            weight: 1,
            last: Last::Nothing,
            start,
            operand: start..start,
        }
    }

    /// Replaces the last operand, and adds its repetitions to those of the closed part.
    fn next(&mut self, last: Last) {
        if let Last::Atom(weight) | Last::Repeated(weight) = self.last {
            self.weight = self.weight.max(weight);
        }
        self.last = last;
    }
}

/// The pattern in the syntax of the `regex` crate.
///
/// # Errors
/// The reason for which Go does not compile it.
pub fn translate(pattern: &str) -> Result<String, String> {
    let mut reader = Reader::new(pattern);
    let mut out = String::with_capacity(pattern.len());
    let mut groups: Vec<Group> = Vec::new();
    let mut group = Group::new(0);
    while let Some(c) = reader.peek() {
        let start = out.len();
        match c {
            '(' => {
                if let Some(opened) = open(&mut reader)? {
                    out.push_str(&opened);
                    if opened.ends_with(')') {
                        // What is before the flags may be repeated behind them, even again.
                        if let Last::Repeated(weight) = group.last {
                            group.last = Last::Atom(weight);
                        }
                        continue;
                    }
                } else {
                    out.push('(');
                }
                groups.push(std::mem::replace(&mut group, Group::new(start)));
                if groups.len() > DEEPEST {
                    return Err("groups are nested too deep".to_owned());
                }
            }
            ')' => {
                reader.next();
                out.push(')');
                group.next(Last::Nothing);
                let (weight, start) = (group.weight, group.start);
                group = groups.pop().ok_or("`)` has no `(`")?;
                group.next(Last::Atom(weight));
                group.operand = start..out.len();
                continue;
            }
            '|' => {
                reader.next();
                out.push('|');
                group.next(Last::Nothing);
            }
            '*' | '+' | '?' => {
                reader.next();
                repeat(&mut reader, &mut out, &mut group, c.into(), None)?;
                continue;
            }
            '{' => match reader.counts() {
                Some((counts, text)) => {
                    repeat(&mut reader, &mut out, &mut group, text, Some(counts))?;
                    continue;
                }
                None => {
                    reader.next();
                    out.push_str("\\{");
                    group.next(Last::Atom(1));
                }
            },
            '[' => {
                out.push_str(&class::read_class(&mut reader)?);
                group.next(Last::Atom(1));
            }
            '\\' => {
                if let Some(start) = escape::outside(&mut reader, &mut out)? {
                    group.next(Last::Atom(1));
                    group.operand = start..out.len();
                }
                continue;
            }
            '.' | '^' | '$' => {
                reader.next();
                out.push(c);
                group.next(Last::Atom(1));
            }
            literal => {
                reader.next();
                out.push_str(&regex::escape(literal.encode_utf8(&mut [0; 4])));
                group.next(Last::Atom(1));
            }
        }
        group.operand = start..out.len();
    }
    if groups.is_empty() {
        Ok(out)
    } else {
        Err("`(` has no `)`".to_owned())
    }
}

/// Writes a repetition: its operator, and its counts if it has some. Flags between the operand and the operator follow.
fn repeat(
    reader: &mut Reader<'_>,
    out: &mut String,
    group: &mut Group,
    operator: String,
    counts: Option<(u32, Option<u32>)>,
) -> Result<(), String> {
    let flags = out.split_off(group.operand.end);
    if !flags.is_empty() {
        out.insert_str(group.operand.start, "(?:");
        out.push(')');
    }
    out.push_str(&operator);
    if reader.take("?") {
        out.push('?');
    }
    group.operand.end = out.len();
    out.push_str(&flags);
    let weight = match group.last {
        Last::Nothing => return Err("a repetition has nothing to repeat".to_owned()),
        Last::Repeated(_) => return Err("a repetition is repeated".to_owned()),
        Last::Atom(weight) => weight,
    };
    let weight = match counts {
        None => weight,
        Some((least, most)) => {
            let times = most.unwrap_or(least);
            if least > MOST_REPEATS || times > MOST_REPEATS || least > times {
                return Err(format!(
                    "a repetition has an invalid count, or one above {MOST_REPEATS}"
                ));
            }
            // Without an upper bound the lower one counts, and at least one.
            let factor = if most.is_none() { times.max(1) } else { times };
            weight.saturating_mul(factor)
        }
    };
    if weight > MOST_REPEATS && counts.is_some() {
        return Err(format!(
            "nested repetitions multiply to more than {MOST_REPEATS}"
        ));
    }
    group.last = Last::Repeated(weight);
    Ok(())
}

/// Reads `(` and its flags or name. `None` for a plain group.
fn open(reader: &mut Reader<'_>) -> Result<Option<String>, String> {
    if !reader.take("(?") {
        reader.next();
        return Ok(None);
    }
    if reader.take("P<") || reader.take("<") {
        let name = reader.until('>').unwrap_or_default();
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(word) {
            return Err("look-around, or a group with an invalid name".to_owned());
        }
        // The name does not affect matching, and Go allows more names, even duplicates.
        return Ok(Some("(".to_owned()));
    }
    let mut opened = "(?".to_owned();
    let mut negated = false;
    let mut flagged = false;
    loop {
        let c = reader.next().ok_or("`(?` has no end")?;
        match c {
            'i' | 'm' | 's' | 'U' => flagged = true,
            '-' if !negated => {
                negated = true;
                flagged = false;
            }
            ':' | ')' if !negated || flagged => {
                let empty = opened == "(?";
                return Ok(Some(match c {
                    ')' if empty => "(?:)".to_owned(),
                    c => format!("{opened}{c}"),
                }));
            }
            _ => return Err(format!("`(?{c}` is not a group: there is no look-around")),
        }
        if !opened.contains(c) || c == '-' {
            opened.push(c);
        }
    }
}

#[cfg(test)]
mod tests;
