//! Expands `macro_rules!` that only substitute: generates the text of the items, which is parsed like a file.

mod fragments;
mod limits;
mod matching;
mod text;
mod transcribe;

use crd_channels_syntax::tree::{MacroDef, Token};
use limits::MAX_TEXT;
use matching::Bindings;
use std::cell::Cell;
use text::Texts;

/// A call of a macro.
pub(crate) struct Call<'c> {
    /// Its input.
    pub(crate) tokens: &'c [Token],
    /// How `$crate` is written at the call.
    pub(crate) home: Option<&'c str>,
}

/// Expands a call to source text; `None` if no rule matches, the edition decides which, or the rule needs more than substitution.
pub(crate) fn expand(
    definition: &MacroDef,
    call: &Call<'_>,
    source: &dyn Fn(crd_channels_diagnostics::Span) -> Option<String>,
) -> Option<String> {
    let is_unsure = Cell::default();
    let texts = Texts { source, is_unsure };
    for (pattern, body) in rules(&definition.tokens) {
        let mut bindings = Bindings::default();
        let is_match = matching::matches(pattern, call.tokens, &texts, &mut bindings);
        if texts.is_unsure.get() {
            return None;
        }
        if is_match {
            let made = transcribe::transcribe(body, &bindings, call.home, &texts)?;
            return (made.len() <= MAX_TEXT).then_some(made);
        }
    }
    None
}

/// Writes tokens as source text.
pub(crate) fn source_text(
    tokens: &[Token],
    source: &dyn Fn(crd_channels_diagnostics::Span) -> Option<String>,
) -> String {
    let is_unsure = Cell::default();
    Texts { source, is_unsure }.join_tokens(tokens)
}

/// The rules of a definition: their patterns and bodies.
fn rules(tokens: &[Token]) -> Vec<(&[Token], &[Token])> {
    // `macro_rules! name { .. }` has rules separated by `;`.
    let mut rules = Vec::new();
    let mut groups = tokens.iter().filter_map(|token| match token {
        Token::Group(_, inner, _) => Some(&inner[..]),
        _ => None,
    });
    while let (Some(pattern), Some(body)) = (groups.next(), groups.next()) {
        rules.push((pattern, body));
    }
    rules
}

#[cfg(test)]
mod tests;
