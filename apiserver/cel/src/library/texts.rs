//! Functions of texts and bytes.

use super::{Answer, Stop, UNFIT, Val, text_arg, whole};
use crate::go_regexp;
use regex::Regex;
use std::cell::RefCell;
use std::collections::VecDeque;

/// The maximum number of regular expressions that one evaluation can compile.
pub(crate) const MOST_PATTERNS: usize = 100;

/// The maximum size of a regular expression.
const MOST_BYTES: usize = 8 << 20;

pub(crate) fn size(given: &[Val]) -> Answer {
    match given {
        [Val::String(text)] => whole(text.chars().count()),
        [Val::Bytes(bytes)] => whole(bytes.len()),
        [Val::List(items) | Val::Unordered(items) | Val::Shuffled(items)] => whole(items.len()),
        [Val::Map(entries)] => whole(entries.len()),
        _ => UNFIT,
    }
}

pub(crate) fn contains(given: &[Val]) -> Answer {
    let (text, part) = two(given)?;
    Ok(Val::Bool(text.contains(part)))
}

pub(crate) fn starts_with(given: &[Val]) -> Answer {
    let (text, part) = two(given)?;
    Ok(Val::Bool(text.starts_with(part)))
}

pub(crate) fn ends_with(given: &[Val]) -> Answer {
    let (text, part) = two(given)?;
    Ok(Val::Bool(text.ends_with(part)))
}

pub(crate) fn matches(given: &[Val]) -> Answer {
    let (text, pattern) = two(given)?;
    Ok(Val::Bool(compiled(pattern)?.is_match(text)))
}

pub(crate) fn find(given: &[Val]) -> Answer {
    let (text, pattern) = two(given)?;
    let found = compiled(pattern)?.find(text);
    Ok(Val::text(found.map_or("", |found| found.as_str())))
}

pub(crate) fn find_all(given: &[Val]) -> Answer {
    let (given, most) = at_most(given)?;
    let (text, pattern) = two(given)?;
    let pattern = compiled(pattern)?;
    let found = pattern.find_iter(text).take(most);
    Ok(Val::list(found.map(|found| Val::text(found.as_str()))))
}

pub(crate) fn char_at(given: &[Val]) -> Answer {
    let [Val::String(text), Val::Int(at)] = given else {
        return UNFIT;
    };
    let character = text.get(position(text, *at)?..).into_iter();
    let character = character.flat_map(str::chars).take(1);
    Ok(Val::text(character.collect::<String>()))
}

pub(crate) fn index_of(given: &[Val]) -> Answer {
    let (text, part, from) = match given {
        [Val::String(text), Val::String(part)] => (text, part, 0),
        [Val::String(text), Val::String(part), Val::Int(from)] => (text, part, *from),
        _ => return UNFIT,
    };
    let from = usize::try_from(from).map_err(|_| Stop::Error)?;
    if part.is_empty() {
        return whole(from.min(text.chars().count()));
    }
    let places = places(text, part).into_iter();
    found(places.filter(|at| *at >= from).min())
}

pub(crate) fn last_index_of(given: &[Val]) -> Answer {
    let (text, part, most) = match given {
        [Val::String(text), Val::String(part)] if part.is_empty() => {
            return whole(text.chars().count());
        }
        [Val::String(text), Val::String(part)] => (text, part, usize::MAX),
        [Val::String(text), Val::String(part), Val::Int(most)] => {
            let most = usize::try_from(*most).map_err(|_| Stop::Error)?;
            if part.is_empty() {
                return whole(most.min(text.chars().count()));
            }
            if most >= text.chars().count() {
                return Ok(Val::Int(-1));
            }
            (text, part, most)
        }
        _ => return UNFIT,
    };
    let places = places(text, part).into_iter();
    found(places.filter(|at| *at <= most).max())
}

/// The positions of a non-empty part in a text, in characters.
fn places(text: &str, part: &str) -> Vec<usize> {
    let text: Vec<char> = text.chars().collect();
    let part: Vec<char> = part.chars().collect();
    let windows = text.windows(part.len()).enumerate();
    let places = windows.filter(|(_, window)| *window == part);
    places.map(|(at, _)| at).collect()
}

fn found(at: Option<usize>) -> Answer {
    at.map_or(Ok(Val::Int(-1)), whole)
}

pub(crate) fn lower_ascii(given: &[Val]) -> Answer {
    Ok(Val::text(text_arg(given)?.to_ascii_lowercase()))
}

pub(crate) fn upper_ascii(given: &[Val]) -> Answer {
    Ok(Val::text(text_arg(given)?.to_ascii_uppercase()))
}

pub(crate) fn trim(given: &[Val]) -> Answer {
    Ok(Val::text(text_arg(given)?.trim()))
}

pub(crate) fn replace(given: &[Val]) -> Answer {
    let (given, most) = at_most(given)?;
    let [Val::String(text), Val::String(old), Val::String(new)] = given else {
        return UNFIT;
    };
    Ok(Val::text(text.replacen(&**old, new, most)))
}

pub(crate) fn split(given: &[Val]) -> Answer {
    let (given, most) = at_most(given)?;
    let (text, separator) = two(given)?;
    if most == 0 {
        return Ok(Val::list([]));
    }
    if !separator.is_empty() {
        return Ok(Val::list(text.splitn(most, separator).map(Val::text)));
    }
    let starts = text.char_indices().map(|(start, _)| start);
    let starts: Vec<usize> = starts.take(most).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let parts = starts
        .iter()
        .zip(ends)
        .map(|(start, end)| text.get(*start..end));
    Ok(Val::list(parts.flatten().map(Val::text)))
}

pub(crate) fn substring(given: &[Val]) -> Answer {
    let (text, from, to) = match given {
        [Val::String(text), Val::Int(from)] => (text, *from, None),
        [Val::String(text), Val::Int(from), Val::Int(to)] => (text, *from, Some(*to)),
        _ => return UNFIT,
    };
    let from = position(text, from)?;
    let to = to.map_or(Ok(text.len()), |to| position(text, to))?;
    text.get(from..to).map(Val::text).ok_or(Stop::Error)
}

pub(crate) fn join(given: &[Val]) -> Answer {
    let (items, separator) = match given {
        [list] => (list.items()?, ""),
        [list, Val::String(separator)] => (list.items()?, &**separator),
        _ => return UNFIT,
    };
    let texts = items.iter().map(|item| match item {
        Val::String(text) => Ok(&**text),
        Val::Opaque | Val::Object(_) | Val::Shuffled(_) => Err(Stop::Unknown),
        _ => Err(Stop::Error),
    });
    Ok(Val::text(
        texts.collect::<Result<Vec<&str>, Stop>>()?.join(separator),
    ))
}

/// The text in quotes, with the escapes of expressions.
pub(crate) fn quote(given: &[Val]) -> Answer {
    let mut quoted = String::from("\"");
    for c in text_arg(given)?.chars() {
        match escaped(c) {
            Some(letter) => quoted.extend(['\\', letter]),
            None => quoted.push(c),
        }
    }
    quoted.push('"');
    Ok(Val::text(quoted))
}

/// The letter after the backslash in the escape of a character.
pub(super) fn escaped(c: char) -> Option<char> {
    Some(match c {
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '"' | '\\' => c,
        _ => return None,
    })
}

fn two(given: &[Val]) -> Result<(&str, &str), Stop> {
    match given {
        [Val::String(text), Val::String(other)] => Ok((text, other)),
        _ => Err(Stop::Unknown),
    }
}

/// Splits off the optional last argument, a limit. A missing or negative one means no limit.
fn at_most(given: &[Val]) -> Result<(&[Val], usize), Stop> {
    match given {
        [before @ .., Val::Int(most)] => Ok((before, usize::try_from(*most).unwrap_or(usize::MAX))),
        all => Ok((all, usize::MAX)),
    }
}

/// A regular expression. Servers may compile some that are not compiled here.
fn compiled(pattern: &str) -> Result<Regex, Stop> {
    // Loops and list items use the same patterns repeatedly, and compiling takes much longer than matching.
    thread_local! {
        static COMPILED: RefCell<VecDeque<(String, Option<Regex>)>> = RefCell::default();
    }
    let found = COMPILED.with_borrow_mut(|compiled| {
        if let Some((_, known)) = compiled.iter().find(|(known, _)| known == pattern) {
            return known.clone();
        }
        let new = go_regexp::compile_within(pattern, MOST_BYTES);
        compiled.truncate(MOST_PATTERNS - 1);
        compiled.push_front((pattern.to_owned(), new.clone()));
        new
    });
    found.ok_or(Stop::Unknown)
}

/// The byte offset of a character, or the end.
fn position(text: &str, at: i64) -> Result<usize, Stop> {
    let at = usize::try_from(at).map_err(|_| Stop::Error)?;
    let starts = text.char_indices().map(|(byte, _)| byte);
    starts.chain([text.len()]).nth(at).ok_or(Stop::Error)
}
