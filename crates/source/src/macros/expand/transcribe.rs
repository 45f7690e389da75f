//! Transcribes the body of a rule with its names replaced.

use super::hygiene;
use super::hygiene::{TokenContext, Within};
use super::limits::{MAX_DEPTH, MAX_TEXT};
use super::matching::{Binding, Bindings, Part, part};
use super::text::Texts;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_syntax::tree::{Lit, Token};
use std::collections::BTreeSet;

/// Separates the name of a macro's own local from the suffix that makes it unique.
const MARK: char = '\u{2b0}';

/// Transcribes a body; `locals` are its own local variables, with the suffix of their names. `None` if a name cannot be
/// replaced.
pub(super) fn transcribe(
    body: &[Token],
    bindings: &Bindings,
    home: Option<&str>,
    locals: Option<&(BTreeSet<Text>, &str)>,
    texts: &Texts<'_>,
) -> Option<String> {
    let mut writing = Writing {
        home,
        locals,
        texts,
        text: String::new(),
    };
    writing.body(body, Within::Other, bindings, 0)?;
    Some(writing.text)
}

struct Writing<'t> {
    home: Option<&'t str>,
    locals: Option<&'t (BTreeSet<Text>, &'t str)>,
    texts: &'t Texts<'t>,
    text: String,
}

impl Writing<'_> {
    fn body(
        &mut self,
        whole: &[Token],
        within: Within,
        bindings: &Bindings,
        depth: usize,
    ) -> Option<()> {
        if depth > MAX_DEPTH || self.text.len() > MAX_TEXT {
            return None;
        }
        let mut at = 0;
        while at < whole.len() {
            let (next, length) = part(whole.get(at..)?, false)?;
            let around = TokenContext::at_index(whole, at, within);
            let inside = Within::group(whole, at);
            at += length;
            match next {
                Part::Name(name, _) if &**name == "crate" => {
                    self.text.push_str(self.home?);
                    self.text.push(' ');
                }
                Part::Name(name, _) => match bindings.get(name)? {
                    Binding::One(tokens, is_expr) => {
                        let closed = *is_expr && tokens.len() > 1;
                        self.text.push_str(if closed { "(" } else { "" });
                        self.text.push_str(&self.texts.join_tokens(tokens));
                        self.text.push_str(if closed { ") " } else { "" });
                    }
                    Binding::Many(_) => return None,
                },
                Part::Repeat(inner, separator, _) => {
                    let rounds = rounds(inner, bindings, depth)?;
                    for round in 0..rounds {
                        if let (Some(separator), true) = (separator, round > 0) {
                            self.texts.push(separator, &mut self.text);
                        }
                        self.body(inner, within, &of_round(bindings, round), depth + 1)?;
                    }
                }
                Part::Token(Token::Group(bracket, inner, _)) => {
                    let (open, close) = match bracket {
                        '(' => ("(", ") "),
                        '[' => ("[", "] "),
                        '{' => ("{\n", "}\n"),
                        _ => ("", ""),
                    };
                    self.text.push_str(open);
                    self.body(inner, inside, bindings, depth + 1)?;
                    self.text.push_str(close);
                }
                Part::Token(Token::Ident(name, _)) => match self.renamed(name, &around) {
                    Some(renamed) => self.text.push_str(&renamed),
                    None => self.texts.push(around.token, &mut self.text),
                },
                Part::Token(Token::Lit(Lit::Str(text), span)) => {
                    let renamed = match self.locals {
                        Some((locals, mark)) => hygiene::template(text, within, &|name| {
                            let local = locals.contains(name);
                            local.then(|| format!("{name}{MARK}{mark}"))
                        })?,
                        None => None,
                    };
                    match renamed {
                        Some(text) => {
                            let text = Token::Lit(Lit::Str(text.into()), nowhere(*span));
                            self.texts.push(&text, &mut self.text);
                        }
                        None => self.texts.push(around.token, &mut self.text),
                    }
                }
                Part::Token(token) => self.texts.push(token, &mut self.text),
            }
        }
        Some(())
    }

    /// The new name of one of the macro's own locals.
    fn renamed(&self, name: &Text, around: &TokenContext<'_>) -> Option<String> {
        let (locals, mark) = self.locals?;
        if !locals.contains(name) || !around.is_local() {
            return None;
        }
        let key = match around.is_shorthand() {
            true => format!("{name}: "),
            false => String::new(),
        };
        Some(format!("{key}{name}{MARK}{mark} "))
    }
}

/// An empty span.
fn nowhere(span: Span) -> Span {
    Span {
        end: span.start,
        ..span
    }
}

/// How many rounds of a repetition to write: as many as the names inside matched.
fn rounds(mut body: &[Token], bindings: &Bindings, depth: usize) -> Option<usize> {
    let mut found = None;
    while depth <= MAX_DEPTH
        && let Some((next, length)) = part(body, false)
    {
        let times = match next {
            Part::Name(name, _) => match bindings.get(name) {
                Some(Binding::Many(each)) => Some(each.len()),
                _ => None,
            },
            Part::Repeat(inner, ..) => rounds(inner, bindings, depth + 1),
            Part::Token(Token::Group(_, inner, _)) => rounds(inner, bindings, depth + 1),
            Part::Token(_) => None,
        };
        found = found.or(times);
        body = body.get(length..)?;
    }
    found
}

/// The bindings in one round of a repetition.
fn of_round(bindings: &Bindings, round: usize) -> Bindings {
    let each = bindings.iter().map(|(name, binding)| {
        let binding = match binding {
            Binding::Many(each) => each.get(round).unwrap_or(binding),
            Binding::One(..) => binding,
        };
        (name.clone(), binding.clone())
    });
    each.collect()
}
