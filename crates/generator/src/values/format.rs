//! `format!` of strings and integers without options: `"{}-{NAME}"`.

use super::reading::{Env, Reading, Run, stop};
use super::value::display;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, Lit, Path};

/// A part of a format string.
enum Piece {
    /// Literal text.
    Text(String),
    /// `{}`
    Next,
    /// `{NAME}`
    Name(Text),
}

impl Reading<'_> {
    /// Reads the arguments of `format!`.
    pub(super) fn format(&mut self, exprs: &[Expr], env: &Env, span: Span) -> Run<String> {
        let Some((template, args)) = exprs.split_first() else {
            return stop(span, "`format!` without a literal is not read");
        };
        let ExprKind::Lit(Lit::Str(template)) = &template.kind else {
            return stop(template.span, "`format!` without a literal is not read");
        };
        if let Some(named) = args
            .iter()
            .find(|arg| matches!(arg.kind, ExprKind::Assign(..)))
        {
            return stop(named.span, "named arguments of `format!` are not read");
        }
        let Some(pieces) = pieces(template) else {
            return stop(span, "the options of this format string are not read");
        };
        let mut made = String::new();
        let mut given = args.iter();
        for piece in pieces {
            let text = match piece {
                Piece::Text(text) => text,
                Piece::Next => self.argument(given.next(), env, span)?.to_string(),
                Piece::Name(name) => {
                    let named = Path::of_name(name, span).into();
                    self.argument(Some(&named), env, span)?.to_string()
                }
            };
            made += &text;
        }
        Ok(made)
    }

    fn argument(&mut self, arg: Option<&Expr>, env: &Env, span: Span) -> Run<Text> {
        let Some(arg) = arg else {
            return stop(span, "this argument of `format!` is not read");
        };
        let value = self.read(arg, env, None)?;
        match display(&value) {
            Some(text) => Ok(text),
            None => stop(
                arg.span,
                format!("how {} is shown is not read", value.kind()),
            ),
        }
    }
}

/// Splits a format string; `None` if a part has options or is malformed.
fn pieces(template: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(rest.get(..at)?);
        let brace = rest.get(at..=at)?;
        let after = rest.get(at + 1..)?;
        if let Some(doubled) = after.strip_prefix(brace) {
            text.push_str(brace);
            rest = doubled;
            continue;
        }
        if brace == "}" {
            return None;
        }
        let (name, after) = after.split_once('}')?;
        pieces.push(Piece::Text(std::mem::take(&mut text)));
        let is_name = |c: char| c == '_' || c.is_alphanumeric();
        pieces.push(match name {
            "" => Piece::Next,
            name if name.chars().all(is_name)
                && !name.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                Piece::Name(name.into())
            }
            _ => return None,
        });
        rest = after;
    }
    text.push_str(rest);
    pieces.push(Piece::Text(text));
    Some(pieces)
}
