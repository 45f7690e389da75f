//! Methods of `str` and `String`.

use super::Call;
use crate::eval::machine::{Machine, Run, panics, stop};
use crate::eval::traits::display::padded;
use crate::eval::traits::next_item::End;
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::value::Via;
use crate::eval::values::value::{FormatSpec, Value};
use crd_channels_diagnostics::Text;

/// A pattern to search a text for.
enum Pattern {
    Char(char),
    Text(Text),
    Chars(Vec<char>),
    Function(Value),
}

impl Machine<'_> {
    pub(super) fn text_method(&mut self, call: &Call<'_>, value: Value, args: Vec<Value>) -> Run {
        let Some(text) = value.text().cloned() else {
            return call.unsupported(&value);
        };
        if let Some(done) = self.changed_text(call, &value, &text, &args)? {
            return Ok(done);
        }
        let str = |text: &str| Ok(Value::str(text));
        let strings = |parts: Vec<&str>| {
            Ok(Value::Iter(Box::new(Iter::of(
                parts.into_iter().map(Value::str),
            ))))
        };
        let loaded: Vec<Value> = args.iter().map(|arg| self.load(arg)).collect();
        match (call.name, &loaded[..]) {
            ("len", []) => return self.size(text.len(), call.span),
            ("is_empty", []) => return Ok(Value::Bool(text.is_empty())),
            ("as_str", []) => return Ok(Value::Str(text)),
            ("as_bytes" | "into_bytes", []) => {
                let bytes = crate::eval::traits::convert::bytes_of(&text);
                return Ok(match (call.name, bytes) {
                    ("as_bytes", Value::Seq(seq)) => {
                        Value::reference(Value::Seq(crate::eval::values::value::Seq {
                            kind: SeqKind::Slice,
                            ..seq
                        }))
                    }
                    (_, bytes) => bytes,
                });
            }
            ("into_boxed_str", []) => {
                return Ok(Value::Wrapped(
                    crate::eval::values::kinds::Wrapper::Box,
                    Box::new(Value::Str(text)),
                ));
            }
            ("trim", []) => return str(text.trim()),
            ("trim_start" | "trim_left", []) => return str(text.trim_start()),
            ("trim_end" | "trim_right", []) => return str(text.trim_end()),
            ("trim_ascii", []) => return str(text.trim_ascii()),
            ("to_lowercase", []) => return Ok(Value::string(text.to_lowercase())),
            ("to_uppercase", []) => return Ok(Value::string(text.to_uppercase())),
            ("to_ascii_lowercase", []) => return Ok(Value::string(text.to_ascii_lowercase())),
            ("to_ascii_uppercase", []) => return Ok(Value::string(text.to_ascii_uppercase())),
            ("is_ascii", []) => return Ok(Value::Bool(text.is_ascii())),
            ("chars", []) => {
                return Ok(Value::Iter(Box::new(Iter::of(
                    text.chars().map(Value::Char),
                ))));
            }
            ("bytes", []) => {
                let bytes = text
                    .bytes()
                    .map(|byte| Value::int(i128::from(byte), crate::eval::values::number::U8));
                return Ok(Value::Iter(Box::new(Iter::of(bytes))));
            }
            ("char_indices", []) => {
                let mut items = Vec::new();
                for (at, c) in text.char_indices() {
                    items.push(Value::Tuple(vec![
                        self.size(at, call.span)?,
                        Value::Char(c),
                    ]));
                }
                return Ok(Value::Iter(Box::new(Iter::of(items))));
            }
            ("lines", []) => return strings(text.lines().collect()),
            ("split_whitespace", []) => return strings(text.split_whitespace().collect()),
            ("split_ascii_whitespace", []) => {
                return strings(text.split_ascii_whitespace().collect());
            }
            ("repeat", [count]) => {
                let count = self.count_of(count, call.span)?;
                self.check_size(text.len().saturating_mul(count), call.span)?;
                return Ok(Value::string(text.repeat(count)));
            }
            ("eq_ignore_ascii_case", [other]) => {
                return match other.text() {
                    Some(other) => Ok(Value::Bool(text.eq_ignore_ascii_case(other))),
                    None => call.unsupported(&value),
                };
            }
            ("is_char_boundary", [at]) => {
                let at = self.count_of(at, call.span)?;
                return Ok(Value::Bool(text.is_char_boundary(at)));
            }
            ("split_at", [at]) => {
                let at = self.count_of(at, call.span)?;
                return match text.split_at_checked(at) {
                    Some((before, behind)) => {
                        Ok(Value::Tuple(vec![Value::str(before), Value::str(behind)]))
                    }
                    None => panics(call.span, "not a character boundary"),
                };
            }
            ("get", [range]) => {
                let bounds = self.bounds(range, text.len(), call.span)?;
                let part = bounds.and_then(|(from, to)| text.get(from..to));
                return Ok(Value::option(part.map(Value::str)));
            }
            ("parse", []) => {
                let ty = match (call.types, call.want.ty) {
                    ([ty], _) if !ty.is_blank() => Some(ty.clone()),
                    (_, Some(want)) => want.item().cloned(),
                    _ => None,
                };
                return match ty.filter(|ty| !ty.is_blank()) {
                    Some(ty) => self.parsed(&text, &ty, call.want, call.span),
                    None => stop(call.span, "the type that this is parsed into is not known"),
                };
            }
            _ => {}
        }
        self.searched(call, &text, &value, &loaded)
    }

    /// Calls a method that searches for a pattern.
    fn searched(&mut self, call: &Call<'_>, text: &Text, value: &Value, args: &[Value]) -> Run {
        let str = |text: &str| Value::str(text);
        let strings = |parts: Vec<String>| {
            Ok(Value::Iter(Box::new(Iter::of(
                parts.into_iter().map(Value::str),
            ))))
        };
        let (pattern, rest) = match (call.name, args) {
            ("splitn" | "rsplitn", [count, pattern]) => (pattern, vec![count.clone()]),
            (_, [pattern, rest @ ..]) => (pattern, rest.to_vec()),
            _ => return call.unsupported(value),
        };
        let Some(pattern) = pattern_of(pattern) else {
            return call.unsupported(value);
        };
        let found = self.occurrences(text, &pattern, call)?;
        let reverse_text = matches!(pattern, Pattern::Text(_));
        let first = found.first().copied();
        let last = match (&pattern, call.name) {
            (Pattern::Text(wanted), _) => text.rfind(&**wanted).map(|at| (at, at + wanted.len())),
            _ => found.last().copied(),
        };
        let slice = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        match (call.name, &rest[..]) {
            ("contains", []) => Ok(Value::Bool(first.is_some())),
            ("find", []) | ("rfind", []) => {
                let found = if call.name == "find" { first } else { last };
                let at = match found {
                    Some((at, _)) => Some(self.size(at, call.span)?),
                    None => None,
                };
                Ok(Value::option(at))
            }
            ("starts_with", []) => Ok(Value::Bool(starts(text, &pattern, first))),
            ("ends_with", []) => Ok(Value::Bool(last.is_some_and(|(_, end)| end == text.len()))),
            ("strip_prefix", []) => Ok(Value::option(
                first
                    .filter(|(start, _)| *start == 0)
                    .map(|(_, end)| str(slice(end, text.len()))),
            )),
            ("strip_suffix", []) => Ok(Value::option(
                last.filter(|(_, end)| *end == text.len())
                    .map(|(start, _)| str(slice(0, start))),
            )),
            ("split_once", []) => Ok(Value::option(first.map(|(start, end)| {
                Value::Tuple(vec![str(slice(0, start)), str(slice(end, text.len()))])
            }))),
            ("rsplit_once", []) => Ok(Value::option(last.map(|(start, end)| {
                Value::Tuple(vec![str(slice(0, start)), str(slice(end, text.len()))])
            }))),
            ("split", []) => strings(parts(text, &found)),
            ("rsplit", []) if !reverse_text => {
                let mut parts = parts(text, &found);
                parts.reverse();
                strings(parts)
            }
            ("split_terminator", []) => {
                let mut parts = parts(text, &found);
                if parts.last().is_some_and(String::is_empty) {
                    parts.pop();
                }
                strings(parts)
            }
            ("split_inclusive", []) => {
                let mut start = 0;
                let mut parts = Vec::new();
                for (_, end) in &found {
                    parts.push(slice(start, *end).to_owned());
                    start = *end;
                }
                if start < text.len() {
                    parts.push(slice(start, text.len()).to_owned());
                }
                strings(parts)
            }
            ("splitn", [count]) => {
                let count = self.count_of(count, call.span)?;
                let cut: Vec<_> = found.into_iter().take(count.saturating_sub(1)).collect();
                strings(if count == 0 {
                    Vec::new()
                } else {
                    parts(text, &cut)
                })
            }
            ("rsplitn", [count]) if !reverse_text => {
                let count = self.count_of(count, call.span)?;
                let from = found.len().saturating_sub(count.saturating_sub(1));
                let mut parts = parts(text, found.get(from..).unwrap_or_default());
                parts.reverse();
                strings(if count == 0 { Vec::new() } else { parts })
            }
            ("matches", []) => strings(
                found
                    .iter()
                    .map(|(start, end)| slice(*start, *end).to_owned())
                    .collect(),
            ),
            ("match_indices", []) => {
                let mut items = Vec::with_capacity(found.len());
                for (start, end) in found {
                    let at = self.size(start, call.span)?;
                    items.push(Value::Tuple(vec![at, str(slice(start, end))]));
                }
                Ok(Value::Iter(Box::new(Iter::of(items))))
            }
            ("replace", [by]) | ("replacen", [by, _]) => {
                let Some(by) = by.text() else {
                    return call.unsupported(value);
                };
                let found = match rest.get(1) {
                    Some(count) => {
                        let count = self.count_of(count, call.span)?;
                        found.into_iter().take(count).collect()
                    }
                    None => found,
                };
                let made = parts(text, &found).join(&**by);
                self.check_size(made.len(), call.span)?;
                Ok(Value::string(made))
            }
            (
                "trim_matches" | "trim_start_matches" | "trim_end_matches" | "trim_left_matches"
                | "trim_right_matches",
                [],
            ) => {
                let mut left: &str = text;
                if !matches!(call.name, "trim_end_matches" | "trim_right_matches") {
                    while let Some(rest) = self.without(left, End::Front, &pattern, call)? {
                        left = rest;
                    }
                }
                if !matches!(call.name, "trim_start_matches" | "trim_left_matches") {
                    while let Some(rest) = self.without(left, End::Back, &pattern, call)? {
                        left = rest;
                    }
                }
                Ok(Value::str(left))
            }
            _ => call.unsupported(value),
        }
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

    /// Returns the starts and ends of a pattern's non-overlapping occurrences.
    fn occurrences(
        &mut self,
        text: &str,
        pattern: &Pattern,
        call: &Call<'_>,
    ) -> Run<Vec<(usize, usize)>> {
        if let Pattern::Text(wanted) = pattern {
            let found = text.match_indices(&**wanted);
            return Ok(found.map(|(at, part)| (at, at + part.len())).collect());
        }
        let mut found = Vec::new();
        for (at, c) in text.char_indices() {
            self.spend(call.span, 1)?;
            if self.is_match(c, pattern, call)? {
                found.push((at, at + c.len_utf8()));
            }
        }
        Ok(found)
    }

    /// Calls a method that changes a `String`; returns `None` for any other method.
    fn changed_text(
        &mut self,
        call: &Call<'_>,
        value: &Value,
        text: &str,
        args: &[Value],
    ) -> Run<Option<Value>> {
        if !matches!(value, Value::String(_)) {
            return Ok(None);
        }
        let loaded: Vec<Value> = args.iter().map(|arg| self.load(arg)).collect();
        let (new, given) = match (call.name, &loaded[..]) {
            ("push_str" | "write_str", [more]) => match more.text() {
                Some(more) => {
                    self.check_size(text.len() + more.len(), call.span)?;
                    (format!("{text}{more}"), Value::unit())
                }
                None => return Ok(None),
            },
            ("push" | "write_char", [Value::Char(c)]) => (format!("{text}{c}"), Value::unit()),
            ("insert", [at, Value::Char(c)]) => {
                let at = self.count_of(at, call.span)?;
                match text.split_at_checked(at) {
                    Some((before, behind)) => (format!("{before}{c}{behind}"), Value::unit()),
                    None => {
                        return panics(call.span, "not a character boundary");
                    }
                }
            }
            ("insert_str", [at, more]) => {
                let at = self.count_of(at, call.span)?;
                match (text.split_at_checked(at), more.text()) {
                    (Some((before, behind)), Some(more)) => {
                        (format!("{before}{more}{behind}"), Value::unit())
                    }
                    _ => return panics(call.span, "not a character boundary"),
                }
            }
            ("clear", []) => (String::new(), Value::unit()),
            ("pop", []) => {
                let mut text = text.to_owned();
                let last = text.pop();
                (text, Value::option(last.map(Value::Char)))
            }
            ("truncate", [at]) => {
                let at = self.count_of(at, call.span)?;
                match text.get(..at.min(text.len())) {
                    Some(text) => (text.to_owned(), Value::unit()),
                    None => return panics(call.span, "not a character boundary"),
                }
            }
            ("remove", [at]) => {
                let at = self.count_of(at, call.span)?;
                let removed = text.get(at..).and_then(|rest| rest.chars().next());
                match removed {
                    Some(c) => {
                        let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
                        let before = text.get(..at).unwrap_or_default();
                        (format!("{before}{behind}"), Value::Char(c))
                    }
                    None => {
                        return panics(call.span, "there is no character at that index");
                    }
                }
            }
            ("retain", [function]) => {
                let mut kept = String::new();
                for c in text.chars() {
                    if self.asks(&function.clone(), vec![Value::Char(c)], call.span)? {
                        kept.push(c);
                    }
                }
                (kept, Value::unit())
            }
            ("extend", [_]) => {
                let list = args.first().cloned().unwrap_or_else(Value::unit);
                let mut iter = self.iterate(list, call.span)?;
                let mut made = text.to_owned();
                while let Some(item) = self.next(&mut iter, call.span)? {
                    match (self.load(&item), item.text()) {
                        (_, Some(more)) => made.push_str(more),
                        (Value::Char(c), _) => made.push(c),
                        _ => return call.unsupported(value).map(Some),
                    }
                    self.check_size(made.len(), call.span)?;
                }
                (made, Value::unit())
            }
            ("split_off", [at]) => {
                let at = self.count_of(at, call.span)?;
                match text.split_at_checked(at) {
                    Some((before, behind)) => (before.to_owned(), Value::string(behind)),
                    None => {
                        return panics(call.span, "not a character boundary");
                    }
                }
            }
            ("drain", [range]) => match self.bounds(range, text.len(), call.span)? {
                Some((from, to)) if text.get(from..to).is_some() => {
                    let drained = text.get(from..to).unwrap_or_default().to_owned();
                    let rest = format!(
                        "{}{}",
                        text.get(..from).unwrap_or_default(),
                        text.get(to..).unwrap_or_default()
                    );
                    let chars: Vec<Value> = drained.chars().map(Value::Char).collect();
                    (rest, Value::Iter(Box::new(Iter::of(chars))))
                }
                _ => return panics(call.span, "this range is out of bounds"),
            },
            ("reserve" | "shrink_to_fit" | "reserve_exact" | "shrink_to", _) => {
                return Ok(Some(Value::unit()));
            }
            ("make_ascii_lowercase", []) => (text.to_ascii_lowercase(), Value::unit()),
            ("make_ascii_uppercase", []) => (text.to_ascii_uppercase(), Value::unit()),
            _ => return Ok(None),
        };
        if call.via == Via::Shared {
            return stop(call.span, "the value that this changes is not known");
        }
        self.write(call.place, Value::string(new), call.span)?;
        let given = match call.name {
            "write_str" | "write_char" => Value::ok(Value::unit()),
            _ => given,
        };
        Ok(Some(given))
    }

    /// Calls a method of the formatter in a type's `fmt`.
    pub(super) fn formatter_method(&mut self, call: &Call<'_>, args: Vec<Value>) -> Run {
        let Some(Value::Formatter(_, spec)) = self.at(call.place).cloned() else {
            return stop(call.span, "the target of this write is not known");
        };
        let target = Value::MutPlace(call.place.clone());
        match (call.name, &args[..]) {
            ("write_str" | "pad", [text]) => {
                let Some(text) = self.load(text).text().cloned() else {
                    return stop(call.span, "the value that is written here is not known");
                };
                let text = match call.name {
                    "pad" => padded(&text, &spec),
                    _ => text.to_string(),
                };
                self.append(&target, &text, call.span)
            }
            ("write_char", [c]) => match self.load(c) {
                Value::Char(c) => self.append(&target, &c.to_string(), call.span),
                _ => stop(call.span, "the value that is written here is not known"),
            },
            ("write_fmt", [text]) => match self.load(text).text().cloned() {
                Some(text) => self.append(&target, &text, call.span),
                None => stop(call.span, "the value that is written here is not known"),
            },
            ("alternate", []) => Ok(Value::Bool(spec.alternate)),
            ("width", []) => self.optional_size(spec.width, call),
            ("precision", []) => self.optional_size(spec.precision, call),
            _ => stop(
                call.span,
                format!("`.{}()` on a formatter is not evaluated", call.name),
            ),
        }
    }

    fn optional_size(&mut self, size: Option<usize>, call: &Call<'_>) -> Run {
        Ok(Value::option(match size {
            Some(size) => Some(self.size(size, call.span)?),
            None => None,
        }))
    }

    /// `x.fmt(f)`: formats a value into the formatter at a place.
    pub(super) fn formatted(
        &mut self,
        value: &Value,
        target: &Value,
        kind: &str,
        call: &Call<'_>,
    ) -> Run {
        let spec = match self.load(target) {
            Value::Formatter(_, spec) => spec,
            _ => return stop(call.span, "the target of this write is not known"),
        };
        let spec = FormatSpec {
            kind: kind.into(),
            ..spec
        };
        let text = self.format_value(value, &spec, call.span)?;
        self.append(target, &text, call.span)
    }
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

fn starts(text: &str, pattern: &Pattern, first: Option<(usize, usize)>) -> bool {
    match pattern {
        Pattern::Text(wanted) => text.starts_with(&**wanted),
        _ => first.is_some_and(|(start, _)| start == 0),
    }
}

/// Returns the parts of a text between cuts.
fn parts(text: &str, cuts: &[(usize, usize)]) -> Vec<String> {
    let mut start = 0;
    let mut parts = Vec::with_capacity(cuts.len() + 1);
    for (from, to) in cuts {
        parts.push(text.get(start..*from).unwrap_or_default().to_owned());
        start = *to;
    }
    parts.push(text.get(start..).unwrap_or_default().to_owned());
    parts
}
