//! Transcribes the body of a rule with its names replaced.

use super::limits::{MAX_DEPTH, MAX_TEXT};
use super::matching::{Binding, Bindings, Part, part};
use super::text::{Texts, brackets};
use crd_channels_syntax::tree::Token;

/// Transcribes a body. `None` if a name cannot be replaced.
pub(super) fn transcribe(
    body: &[Token],
    bindings: &Bindings,
    home: Option<&str>,
    texts: &Texts<'_>,
) -> Option<String> {
    let mut writing = Writing {
        home,
        texts,
        text: String::new(),
    };
    writing.body(body, bindings, 0)?;
    Some(writing.text)
}

struct Writing<'t> {
    home: Option<&'t str>,
    texts: &'t Texts<'t>,
    text: String,
}

impl Writing<'_> {
    fn body(&mut self, mut rest: &[Token], bindings: &Bindings, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH || self.text.len() > MAX_TEXT {
            return None;
        }
        while !rest.is_empty() {
            let (next, length) = part(rest, false)?;
            rest = rest.get(length..)?;
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
                        self.body(inner, &of_round(bindings, round), depth + 1)?;
                    }
                }
                Part::Token(Token::Group(bracket, inner, _)) => {
                    let (open, close) = brackets(*bracket);
                    self.text.push_str(open);
                    self.body(inner, bindings, depth + 1)?;
                    self.text.push_str(close);
                }
                Part::Token(token) => self.texts.push(token, &mut self.text),
            }
        }
        Some(())
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
