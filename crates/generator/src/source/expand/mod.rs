//! `macro_rules!` whose expansion is plain substitution: the items that a call makes, as text that is parsed like a file.

mod fragments;
mod matching;
mod text;
mod transcribe;

use super::tree::{MacroDef, Token};
use matching::Bindings;
use text::Texts;

/// How deep repetitions and groups may nest.
const MAX_DEPTH: usize = 64;
/// How long an expansion may be.
const MAX_TEXT: usize = 1 << 20;

/// What a call of a macro expands to, as source text. `home` is how `$crate` is written where the call stands. None where
/// no rule fits, or where one needs more than substitution.
pub(super) fn expand(
    definition: &MacroDef,
    call: &[Token],
    home: Option<&str>,
    source: &dyn Fn(crate::diag::Span) -> Option<String>,
) -> Option<String> {
    let texts = Texts { source };
    for (pattern, body) in rules(&definition.tokens) {
        let mut bindings = Bindings::default();
        if matching::matches(pattern, call, &texts, &mut bindings) {
            let made = transcribe::transcribe(body, &bindings, home, &texts)?;
            return (made.len() <= MAX_TEXT).then_some(made);
        }
    }
    None
}

/// What tokens look like in the source.
pub(super) fn written(
    tokens: &[Token],
    source: &dyn Fn(crate::diag::Span) -> Option<String>,
) -> String {
    Texts { source }.of(tokens)
}

/// The rules of a definition: what each is for, and what it makes.
fn rules(tokens: &[Token]) -> Vec<(&[Token], &[Token])> {
    // `macro_rules! name { .. }` and the like keep the rules with `;` between them.
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
