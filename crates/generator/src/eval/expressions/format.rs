//! Format strings: `"{}-{name:>8}"` with its arguments.

use crate::eval::machine::{Frame, Machine, Run, Want, stop};
use crate::eval::traits::impls::path_expr;
use crate::eval::values::ty::single;
use crate::eval::values::value::{FormatSpec, Value};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, Lit, Path, Segment};
use std::iter::Peekable;
use std::str::Chars;

/// A part of a format string.
enum Piece {
    /// Literal text.
    Text(String),
    /// `{argument:spec}`
    Argument(Argument, FormatSpec, Counts),
}

/// The argument to show, or to take a width from.
#[derive(Clone, Debug)]
enum Argument {
    /// The next one.
    Next,
    /// The one with an index.
    Index(usize),
    /// The one with a name, or a variable.
    Name(String),
}

/// A width and a precision that are arguments: `{:1$.*}`.
#[derive(Clone, Debug, Default)]
struct Counts {
    width: Option<Argument>,
    precision: Option<Argument>,
}

/// The arguments of a call: their values, and the names of those that have one.
struct Arguments {
    values: Vec<Value>,
    names: Vec<(Text, usize)>,
    next: usize,
}

impl Machine<'_> {
    /// Evaluates `format!`.
    ///
    /// # Errors
    ///
    /// `not-constant` if the format string is not a literal; the errors of the arguments.
    pub(in crate::eval) fn format(
        &mut self,
        whole: &Expr,
        exprs: &[Expr],
        frame: &mut Frame,
    ) -> Run<String> {
        let span = whole.span;
        let Some((template, args)) = exprs.split_first() else {
            return Ok(String::new());
        };
        let template = match &template.kind {
            ExprKind::Lit(Lit::Str(template)) => template.clone(),
            // `concat!(..)` and the like are evaluated first.
            ExprKind::Macro(..) => match self.expr(template, frame, Want::any())?.text() {
                Some(text) => text.clone(),
                None => return stop(span, "`format!` without a literal is not evaluated"),
            },
            _ => return stop(span, "`format!` without a literal is not evaluated"),
        };
        let Some(pieces) = pieces(&template) else {
            return stop(span, "this format string cannot be read");
        };
        let mut given = Arguments {
            values: Vec::with_capacity(args.len()),
            names: Vec::new(),
            next: 0,
        };
        for (index, arg) in args.iter().enumerate() {
            let value = match &arg.kind {
                ExprKind::Assign(name, value) => {
                    if let ExprKind::Path(path) = &name.kind
                        && let Some(name) = single(path)
                    {
                        given.names.push((name.clone(), index));
                    }
                    value
                }
                _ => arg,
            };
            let value = self.expr(value, frame, Want::any())?;
            given.values.push(value);
        }
        let mut made = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => made += &text,
                Piece::Argument(argument, mut spec, counts) => {
                    if let Some(precision) = &counts.precision {
                        spec.precision = Some(self.width_of(precision, &mut given, frame, span)?);
                    }
                    let value = self.argument(&argument, &mut given, frame, span)?;
                    if let Some(width) = &counts.width {
                        spec.width = Some(self.width_of(width, &mut given, frame, span)?);
                    }
                    made += &self.format_value(&value, &spec, span)?;
                }
            }
            self.check_size(made.len(), span)?;
        }
        Ok(made)
    }

    fn argument(
        &mut self,
        argument: &Argument,
        given: &mut Arguments,
        frame: &mut Frame,
        span: Span,
    ) -> Run {
        let index = match argument {
            Argument::Next => {
                given.next += 1;
                Some(given.next - 1)
            }
            Argument::Index(index) => Some(*index),
            Argument::Name(name) => {
                let named = given.names.iter().find(|(known, _)| **known == **name);
                named.map(|(_, index)| *index)
            }
        };
        match (
            index.map(|index| given.values.get(index).cloned()),
            argument,
        ) {
            (Some(Some(value)), _) => Ok(value),
            (None, Argument::Name(name)) => {
                let segment = Segment {
                    name: name.as_str().into(),
                    args: Vec::new(),
                };
                let path = Path {
                    leading: false,
                    segments: vec![segment],
                    span,
                };
                self.expr(&path_expr(&path), frame, Want::any())
            }
            _ => stop(span, "`format!` lacks an argument"),
        }
    }

    fn width_of(
        &mut self,
        argument: &Argument,
        given: &mut Arguments,
        frame: &mut Frame,
        span: Span,
    ) -> Run<usize> {
        let value = self.argument(argument, given, frame, span)?;
        match self.load(&value) {
            Value::Int(int) => match usize::try_from(int.value) {
                Ok(count) if count <= u16::MAX.into() => Ok(count),
                _ => stop(span, "this width is too large"),
            },
            other => stop(span, format!("a width is an integer, not {}", other.kind())),
        }
    }
}

/// Parses a format string; returns `None` if it is invalid.
fn pieces(template: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = template.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '{' if rest.next_if_eq(&'{').is_some() => text.push('{'),
            '}' if rest.next_if_eq(&'}').is_some() => text.push('}'),
            '{' => {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                let mut placeholder = String::new();
                loop {
                    match rest.next()? {
                        '}' => break,
                        c => placeholder.push(c),
                    }
                }
                pieces.push(place(&placeholder)?);
            }
            '}' => return None,
            c => text.push(c),
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Some(pieces)
}

fn place(placeholder: &str) -> Option<Piece> {
    let (name, spec) = match placeholder.split_once(':') {
        Some((name, spec)) => (name.trim(), spec.trim_end()),
        None => (placeholder.trim(), ""),
    };
    let argument = argument(name)?;
    let mut rest = spec.chars().peekable();
    let mut found = FormatSpec::default();
    let mut counts = Counts::default();
    let mut ahead = rest.clone();
    if let (Some(fill), Some(align @ ('<' | '^' | '>'))) = (ahead.next(), ahead.next()) {
        found.fill = Some(fill);
        found.align = Some(align);
        rest = ahead;
    } else if let Some(align) = rest.next_if(|c| matches!(c, '<' | '^' | '>')) {
        found.align = Some(align);
    }
    found.plus = rest.next_if_eq(&'+').is_some();
    if rest.next_if_eq(&'-').is_some() {
        return None;
    }
    found.alternate = rest.next_if_eq(&'#').is_some();
    let mut zero = rest.clone();
    if zero.next() == Some('0') && zero.next() != Some('$') {
        rest.next();
        found.zero = true;
    }
    match count(&mut rest)? {
        Some(Count::Number(width)) => found.width = Some(width),
        Some(Count::Argument(width)) => counts.width = Some(width),
        None => {}
    }
    if rest.next_if_eq(&'.').is_some() {
        if rest.next_if_eq(&'*').is_some() {
            counts.precision = Some(Argument::Next);
        } else {
            match count(&mut rest)? {
                Some(Count::Number(precision)) => found.precision = Some(precision),
                Some(Count::Argument(precision)) => counts.precision = Some(precision),
                None => return None,
            }
        }
    }
    let kind: String = rest.collect();
    if !matches!(&*kind, "" | "?" | "x" | "X" | "b" | "o" | "e") {
        return None;
    }
    found.kind = kind.into();
    Some(Piece::Argument(argument, found, counts))
}

enum Count {
    Number(usize),
    Argument(Argument),
}

/// Parses `8`, `1$` or `name$`; returns `Some(None)` if there is none.
fn count(rest: &mut Peekable<Chars<'_>>) -> Option<Option<Count>> {
    let mut ahead = rest.clone();
    let mut word = String::new();
    while let Some(c) = ahead.next_if(|c| c.is_alphanumeric() || *c == '_') {
        word.push(c);
    }
    if ahead.next_if_eq(&'$').is_some() {
        *rest = ahead;
        return Some(Some(Count::Argument(argument(&word)?)));
    }
    let mut digits = String::new();
    while let Some(c) = rest.next_if(char::is_ascii_digit) {
        digits.push(c);
    }
    if digits.is_empty() {
        return Some(None);
    }
    let number: u16 = digits.parse().ok()?;
    Some(Some(Count::Number(number.into())))
}

fn argument(name: &str) -> Option<Argument> {
    if name.is_empty() {
        return Some(Argument::Next);
    }
    if let Ok(index) = name.parse() {
        return Some(Argument::Index(index));
    }
    let name = name.strip_prefix("r#").unwrap_or(name);
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    name.chars()
        .all(plain)
        .then(|| Argument::Name(name.to_owned()))
}
