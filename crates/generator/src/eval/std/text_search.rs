//! The methods of `str` that search for a pattern.

use super::Call;
use crate::eval::machine::{Machine, Run};
use crate::eval::traits::next_item::End;
use crate::eval::values::iterator::Iter;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Text;

/// A pattern to search a text for.
enum Pattern {
    Char(char),
    Text(Text),
    Chars(Vec<char>),
    Function(Value),
}

fn pattern_of(value: &Value) -> Option<Pattern> {
    Some(match value {
        Value::Char(c) => Pattern::Char(*c),
        Value::Fn(_) => Pattern::Function(value.clone()),
        Value::Seq(seq) if seq.kind.is_slice() => {
            let chars = seq.items.iter().map(|item| match item.through() {
                Value::Char(c) => Some(*c),
                _ => None,
            });
            Pattern::Chars(chars.collect::<Option<_>>()?)
        }
        value => Pattern::Text(value.text()?.clone()),
    })
}

/// The non-overlapping occurrences of a pattern in a text.
struct Occurrences<'t> {
    text: &'t str,
    /// Their starts and ends.
    all: Vec<(usize, usize)>,
    /// The last one when searching from the back, which may overlap with others.
    last: Option<(usize, usize)>,
}

impl<'t> Occurrences<'t> {
    fn first(&self) -> Option<(usize, usize)> {
        self.all.first().copied()
    }

    /// Returns the first one, if it is at the start.
    fn prefix(&self) -> Option<(usize, usize)> {
        self.first().filter(|(start, _)| *start == 0)
    }

    /// Returns the last one, if it is at the end.
    fn suffix(&self) -> Option<(usize, usize)> {
        self.last.filter(|(_, end)| *end == self.text.len())
    }

    fn slice(&self, (from, to): (usize, usize)) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Returns the texts before and behind an occurrence.
    fn around(&self, (start, end): (usize, usize)) -> (Value, Value) {
        (
            Value::str(self.slice((0, start))),
            Value::str(self.slice((end, self.text.len()))),
        )
    }

    /// Returns the parts of the text between these occurrences.
    fn parts(&self, cuts: &[(usize, usize)]) -> Vec<&'t str> {
        let mut start = 0;
        let mut parts = Vec::with_capacity(cuts.len() + 1);
        for (from, to) in cuts {
            parts.push(self.slice((start, *from)));
            start = *to;
        }
        parts.push(self.slice((start, self.text.len())));
        parts
    }

    /// Returns the parts of the text, each with the occurrence behind it.
    fn parts_with_ends(&self) -> Vec<&'t str> {
        let mut start = 0;
        let mut parts = Vec::new();
        for (_, end) in &self.all {
            parts.push(self.slice((start, *end)));
            start = *end;
        }
        if start < self.text.len() {
            parts.push(self.slice((start, self.text.len())));
        }
        parts
    }
}

impl Machine<'_> {
    /// Calls a method that searches for a pattern.
    pub(super) fn searched(
        &mut self,
        call: &Call<'_>,
        text: &Text,
        value: &Value,
        args: &[Value],
    ) -> Run {
        let (pattern, rest) = match (call.name, args) {
            ("splitn" | "rsplitn", [count, pattern]) => (pattern, vec![count.clone()]),
            (_, [pattern, rest @ ..]) => (pattern, rest.to_vec()),
            _ => return call.unsupported(value),
        };
        let Some(pattern) = pattern_of(pattern) else {
            return call.unsupported(value);
        };
        let found = self.occurrences(text, &pattern, call)?;
        let pair = |around: Option<(Value, Value)>| {
            Ok(Value::option(around.map(|(before, behind)| {
                Value::Tuple(vec![before, behind])
            })))
        };
        match (call.name, &rest[..]) {
            ("contains", []) => Ok(Value::Bool(found.first().is_some())),
            ("find", []) => self.start_of(found.first(), call),
            ("rfind", []) => self.start_of(found.last, call),
            ("starts_with", []) => Ok(Value::Bool(match &pattern {
                Pattern::Text(wanted) => text.starts_with(&**wanted),
                _ => found.prefix().is_some(),
            })),
            ("ends_with", []) => Ok(Value::Bool(found.suffix().is_some())),
            ("strip_prefix", []) => Ok(Value::option(
                found.prefix().map(|prefix| found.around(prefix).1),
            )),
            ("strip_suffix", []) => Ok(Value::option(
                found.suffix().map(|suffix| found.around(suffix).0),
            )),
            ("split_once", []) => pair(found.first().map(|first| found.around(first))),
            ("rsplit_once", []) => pair(found.last.map(|last| found.around(last))),
            ("match_indices", []) => {
                let mut items = Vec::with_capacity(found.all.len());
                for part in &found.all {
                    let at = self.size(part.0, call.span)?;
                    items.push(Value::Tuple(vec![at, Value::str(found.slice(*part))]));
                }
                Ok(Value::Iter(Box::new(Iter::of(items))))
            }
            ("replace", [by]) => self.replaced(call, value, (&found, &found.all), by),
            ("replacen", [by, count]) if by.text().is_some() => {
                let count = self.count_of(count, call.span)?.min(found.all.len());
                let replaced = found.all.get(..count).unwrap_or_default();
                self.replaced(call, value, (&found, replaced), by)
            }
            (
                "trim_matches" | "trim_start_matches" | "trim_end_matches" | "trim_left_matches"
                | "trim_right_matches",
                [],
            ) => self.trimmed(call, text, &pattern),
            (_, rest) => self.split(call, value, &found, &pattern, rest),
        }
    }

    /// Returns the index of an occurrence as an option.
    fn start_of(&self, found: Option<(usize, usize)>, call: &Call<'_>) -> Run {
        Ok(Value::option(match found {
            Some((start, _)) => Some(self.size(start, call.span)?),
            None => None,
        }))
    }

    /// Calls a method that returns an iterator over parts of the text.
    fn split(
        &mut self,
        call: &Call<'_>,
        value: &Value,
        found: &Occurrences<'_>,
        pattern: &Pattern,
        rest: &[Value],
    ) -> Run {
        // Searching for a text from the back may find other occurrences.
        let both_ways = !matches!(pattern, Pattern::Text(_));
        let all = &found.all[..];
        let mut parts = match (call.name, rest) {
            ("split" | "split_terminator", []) => found.parts(all),
            ("rsplit", []) if both_ways => found.parts(all),
            ("split_inclusive", []) => found.parts_with_ends(),
            ("matches", []) => all.iter().map(|part| found.slice(*part)).collect(),
            ("splitn", [count]) => match self.count_of(count, call.span)? {
                0 => Vec::new(),
                count => found.parts(all.get(..count - 1).unwrap_or(all)),
            },
            ("rsplitn", [count]) if both_ways => match self.count_of(count, call.span)? {
                0 => Vec::new(),
                count => {
                    let from = all.len().saturating_sub(count - 1);
                    found.parts(all.get(from..).unwrap_or_default())
                }
            },
            _ => return call.unsupported(value),
        };
        match call.name {
            "rsplit" | "rsplitn" => parts.reverse(),
            "split_terminator" if parts.last().is_some_and(|last| last.is_empty()) => {
                parts.pop();
            }
            _ => {}
        }
        let parts = parts.into_iter().map(Value::str);
        Ok(Value::Iter(Box::new(Iter::of(parts))))
    }

    /// Replaces occurrences with a text.
    fn replaced(
        &self,
        call: &Call<'_>,
        value: &Value,
        (found, replaced): (&Occurrences<'_>, &[(usize, usize)]),
        by: &Value,
    ) -> Run {
        let Some(by) = by.text() else {
            return call.unsupported(value);
        };
        let made = found.parts(replaced).join(by);
        self.check_size(made.len(), call.span)?;
        Ok(Value::string(made))
    }

    /// Removes occurrences at one or both ends.
    fn trimmed(&mut self, call: &Call<'_>, text: &str, pattern: &Pattern) -> Run {
        let mut left = text;
        if !matches!(call.name, "trim_end_matches" | "trim_right_matches") {
            while let Some(rest) = self.without(left, End::Front, pattern, call)? {
                left = rest;
            }
        }
        if !matches!(call.name, "trim_start_matches" | "trim_left_matches") {
            while let Some(rest) = self.without(left, End::Back, pattern, call)? {
                left = rest;
            }
        }
        Ok(Value::str(left))
    }

    /// Returns a text without a match of the pattern at one of its ends; `None` if there is no match.
    fn without<'t>(
        &mut self,
        text: &'t str,
        end: End,
        pattern: &Pattern,
        call: &Call<'_>,
    ) -> Run<Option<&'t str>> {
        if let Pattern::Text(wanted) = pattern {
            let rest = match end {
                End::Front => text.strip_prefix(&**wanted),
                End::Back => text.strip_suffix(&**wanted),
            };
            return Ok(rest.filter(|_| !wanted.is_empty()));
        }
        let mut rest = text.chars();
        let next = match end {
            End::Front => rest.next(),
            End::Back => rest.next_back(),
        };
        match next {
            Some(c) if self.is_match(c, pattern, call)? => Ok(Some(rest.as_str())),
            _ => Ok(None),
        }
    }

    fn is_match(&mut self, c: char, pattern: &Pattern, call: &Call<'_>) -> Run<bool> {
        match pattern {
            Pattern::Char(wanted) => Ok(c == *wanted),
            Pattern::Chars(wanted) => Ok(wanted.contains(&c)),
            Pattern::Function(function) => {
                self.asks(&function.clone(), vec![Value::Char(c)], call.span)
            }
            Pattern::Text(_) => Ok(false),
        }
    }

    /// Finds a pattern in a text.
    fn occurrences<'t>(
        &mut self,
        text: &'t str,
        pattern: &Pattern,
        call: &Call<'_>,
    ) -> Run<Occurrences<'t>> {
        if let Pattern::Text(wanted) = pattern {
            let all = text.match_indices(&**wanted);
            let last = text.rfind(&**wanted);
            return Ok(Occurrences {
                text,
                all: all.map(|(at, part)| (at, at + part.len())).collect(),
                last: last.map(|at| (at, at + wanted.len())),
            });
        }
        let mut all = Vec::new();
        for (at, c) in text.char_indices() {
            self.spend(call.span, 1)?;
            if self.is_match(c, pattern, call)? {
                all.push((at, at + c.len_utf8()));
            }
        }
        let last = all.last().copied();
        Ok(Occurrences { text, all, last })
    }
}
