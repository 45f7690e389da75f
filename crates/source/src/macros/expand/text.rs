//! Writes tokens as source text.

use crd_channels_diagnostics::Span;
use crd_channels_syntax::tree::{Lit, Token};
use std::cell::Cell;

/// Writes tokens, using the source where possible.
pub(super) struct Texts<'s> {
    /// The source text of a span.
    pub(super) source: &'s dyn Fn(Span) -> Option<String>,
    /// Whether it depends on the edition of a macro what its rules match.
    pub(super) is_unsure: Cell<bool>,
}

impl Texts<'_> {
    /// Whether two tokens are written alike, as far as their texts are known.
    pub(super) fn alike(&self, one: Span, other: Span) -> bool {
        let (one, other) = (self.written(one), self.written(other));
        one.is_none() || other.is_none() || one == other
    }

    /// Whether an identifier is written as `r#name`.
    pub(super) fn is_raw(&self, span: Span) -> bool {
        (self.source)(span).is_some_and(|text| text.starts_with("r#"))
    }

    /// Writes tokens separated by spaces, except inside operators of several characters.
    pub(super) fn join_tokens(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for token in tokens {
            self.push(token, &mut text);
        }
        text
    }

    /// Appends one token.
    fn push(&self, token: &Token, text: &mut String) {
        match token {
            Token::Group(bracket, inner, _) => {
                let (open, close) = brackets(*bracket);
                text.push_str(open);
                for token in inner {
                    self.push(token, text);
                }
                text.push_str(close);
            }
            Token::Ident(name, span) => {
                match self.written(*span) {
                    Some(written) if written.strip_prefix("r#").unwrap_or(&written) == &**name => {
                        text.push_str(&written);
                    }
                    _ => text.push_str(name),
                }
                text.push(' ');
            }
            // The quote of a lifetime is joint with its name.
            Token::Punct(character, joint, _) => {
                text.push(*character);
                if !joint {
                    text.push(if matches!(character, ';' | ',') {
                        '\n'
                    } else {
                        ' '
                    });
                }
            }
            Token::Lit(lit, span) => {
                match self.written(*span) {
                    Some(written) => text.push_str(&written),
                    None => text.push_str(&literal(lit)),
                }
                text.push(' ');
            }
        }
    }

    /// The source text, unless it is a comment: tokens of doc comments do not exist in the source.
    fn written(&self, span: Span) -> Option<String> {
        let text = (self.source)(span)?;
        (!text.starts_with('/') && !text.is_empty()).then_some(text)
    }
}

pub(super) fn brackets(bracket: char) -> (&'static str, &'static str) {
    match bracket {
        '(' => ("(", ") "),
        '[' => ("[", "] "),
        '{' => ("{\n", "}\n"),
        _ => ("", ""),
    }
}

fn literal(lit: &Lit) -> String {
    match lit {
        Lit::Str(text) => format!("{text:?}"),
        Lit::Char(character) => format!("{character:?}"),
        Lit::Int(digits, suffix) | Lit::Float(digits, suffix) => {
            format!("{digits}{}", suffix.as_deref().unwrap_or_default())
        }
        Lit::Bool(value) => value.to_string(),
        Lit::Bytes(bytes) => format!("b\"{}\"", bytes.escape_ascii()),
    }
}

/// The operators of several signs, each of which is one token for rustc.
const OPERATORS: [&str; 25] = [
    "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "^=", "&=",
    "|=", "<<", ">>", "<<=", ">>=", "..", "..=", "...", "<-",
];

/// How many tokens are the first one of rustc's: the signs of an operator, the quote and the name of a lifetime.
pub(super) fn length_of_token(tokens: &[Token]) -> usize {
    match tokens {
        [Token::Punct('\'', true, _), Token::Ident(..), ..] => 2,
        _ => signs_at(tokens).len().max(1),
    }
}

/// The sign or the operator that tokens begin with; empty for other tokens.
pub(super) fn signs_at(tokens: &[Token]) -> String {
    let mut signs = String::new();
    let mut length = 1;
    for token in tokens.iter().take(3) {
        let Token::Punct(sign, is_joint, _) = token else {
            break;
        };
        signs.push(*sign);
        if OPERATORS.contains(&&*signs) {
            length = signs.len();
        }
        if !is_joint {
            break;
        }
    }
    signs.truncate(length);
    signs
}
