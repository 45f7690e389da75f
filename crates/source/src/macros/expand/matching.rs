//! Matches macro calls against the patterns of rules.

use super::fragments;
use super::limits::MAX_DEPTH;
use super::text::{Texts, length_of_token};
use crd_channels_diagnostics::Text;
use crd_channels_syntax::tree::Token;
use std::collections::BTreeMap;

/// The tokens bound to the names of a pattern.
pub(super) type Bindings = BTreeMap<Text, Binding>;

/// The tokens bound to a name.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// Tokens, and the kind of fragment that they are.
    One(Vec<Token>, Text),
    /// One binding for each round of the surrounding repetition.
    Many(Vec<Binding>),
}

/// A part of a pattern or of a body.
pub(super) enum Part<'t> {
    /// `$name`, in a pattern `$name:kind`
    Name(&'t Text, Option<&'t Text>),
    /// `$(..) sep op`
    Repeat(&'t [Token], &'t [Token], char),
    /// Tokens in brackets.
    Group(char, &'t [Token]),
    /// Any other token of rustc's, which may be several of these.
    Token(&'t [Token]),
}

/// The next part of a pattern or body, and its length in tokens.
pub(super) fn part<'t>(tokens: &'t [Token], in_pattern: bool) -> Option<(Part<'t>, usize)> {
    match tokens.first()? {
        Token::Group(bracket, inner, _) => return Some((Part::Group(*bracket, inner), 1)),
        Token::Punct('$', ..) => {}
        _ => {
            let length = length_of_token(tokens);
            return Some((Part::Token(tokens.get(..length)?), length));
        }
    }
    match tokens.get(1) {
        Some(Token::Ident(name, _)) => match (tokens.get(2), tokens.get(3)) {
            (Some(Token::Punct(':', false, _)), Some(Token::Ident(kind, _))) if in_pattern => {
                Some((Part::Name(name, Some(kind)), 4))
            }
            _ => Some((Part::Name(name, None), 2)),
        },
        Some(Token::Group('(', inner, _)) => {
            let after = tokens.get(2..)?;
            let operator = |tokens: &[Token]| match tokens.first() {
                Some(Token::Punct(operator @ ('*' | '+' | '?'), ..)) => Some(*operator),
                _ => None,
            };
            let length = match operator(after).filter(|_| length_of_token(after) == 1) {
                Some(_) => 0,
                None => length_of_token(after),
            };
            let (separator, rest) = after.split_at_checked(length)?;
            Some((Part::Repeat(inner, separator, operator(rest)?), length + 3))
        }
        _ => None,
    }
}

/// Matches a call against a pattern, and binds the pattern's names.
pub(super) fn matches(
    pattern: &[Token],
    call: &[Token],
    texts: &Texts<'_>,
    bindings: &mut Bindings,
) -> bool {
    matched(pattern, call, texts, bindings, 0) == Some(call.len())
}

/// How many tokens of the call the pattern matches from its start.
fn matched(
    mut pattern: &[Token],
    call: &[Token],
    texts: &Texts<'_>,
    bindings: &mut Bindings,
    depth: usize,
) -> Option<usize> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut at = 0;
    while !pattern.is_empty() {
        let (next, length) = part(pattern, true)?;
        pattern = pattern.get(length..)?;
        let rest = call.get(at..)?;
        match next {
            Part::Name(name, Some(kind)) => {
                let length = fragments::length(kind, rest, texts)?;
                let taken = rest.get(..length)?.to_vec();
                let binding = Binding::One(taken, kind.clone());
                bindings.insert(name.clone(), binding);
                at += length;
            }
            Part::Name(_, None) => return None,
            Part::Repeat(inner, separator, operator) => {
                // rustc follows both ways, and takes the one that goes on.
                if let (Some(first), Some(next)) = (inner.first(), pattern.first())
                    && !matches!(first, Token::Punct('$', ..))
                    && same(first, next, texts)
                {
                    texts.is_unsure.set(true);
                }
                at += repeated(inner, separator, operator, rest, texts, bindings, depth)?;
            }
            Part::Group(bracket, inner) => {
                let Some(Token::Group(found, tokens, _)) = rest.first() else {
                    return None;
                };
                let whole = matched(inner, tokens, texts, bindings, depth + 1)?;
                (bracket == *found && whole == tokens.len()).then_some(())?;
                at += 1;
            }
            Part::Token(token) => {
                begins_with(rest, token, texts).then_some(())?;
                at += token.len();
            }
        }
    }
    Some(at)
}

fn repeated(
    inner: &[Token],
    separator: &[Token],
    operator: char,
    call: &[Token],
    texts: &Texts<'_>,
    bindings: &mut Bindings,
    depth: usize,
) -> Option<usize> {
    let mut rounds: Vec<Bindings> = Vec::new();
    let mut at = 0;
    loop {
        let mut start = at;
        if !rounds.is_empty() {
            let rest = call.get(start..)?;
            if !begins_with(rest, separator, texts) {
                break;
            }
            start += separator.len();
        }
        let mut round = Bindings::new();
        match matched(inner, call.get(start..)?, texts, &mut round, depth + 1) {
            Some(length) if start + length > at => {
                at = start + length;
                rounds.push(round);
            }
            // Only visibilities may be nothing, and what ends the rounds then is rustc's.
            Some(_) => {
                texts.is_unsure.set(true);
                return None;
            }
            None => break,
        }
        if operator == '?' {
            break;
        }
    }
    if operator == '+' && rounds.is_empty() {
        return None;
    }
    for name in names(inner, depth) {
        let each = rounds.iter().filter_map(|round| round.get(&name).cloned());
        bindings.insert(name.clone(), Binding::Many(each.collect()));
    }
    Some(at)
}

/// Whether tokens begin with a token of rustc's, which may be several of these; with nothing, they do.
fn begins_with(tokens: &[Token], wanted: &[Token], texts: &Texts<'_>) -> bool {
    let Some(found) = tokens.get(..wanted.len()) else {
        return false;
    };
    wanted.is_empty()
        || length_of_token(tokens) == wanted.len()
            && std::iter::zip(wanted, found).all(|(wanted, token)| same(wanted, token, texts))
}

/// The names that a pattern binds.
fn names(mut pattern: &[Token], depth: usize) -> Vec<Text> {
    let mut found = Vec::new();
    while depth <= MAX_DEPTH
        && let Some((next, length)) = part(pattern, true)
    {
        match next {
            Part::Name(name, _) => found.push(name.clone()),
            Part::Repeat(inner, ..) | Part::Group(_, inner) => {
                found.extend(names(inner, depth + 1));
            }
            Part::Token(_) => {}
        }
        pattern = pattern.get(length..).unwrap_or_default();
    }
    found
}

/// Whether two tokens are equal, wherever they are. For rustc, those are not that are written in different ways, such as `16` and
/// `0x10`, or `a` and `r#a`.
fn same(left: &Token, right: &Token, texts: &Texts<'_>) -> bool {
    match (left, right) {
        (Token::Ident(left, one), Token::Ident(right, other)) => {
            left == right && texts.alike(*one, *other)
        }
        (Token::Punct(left, ..), Token::Punct(right, ..)) => left == right,
        (Token::Lit(left, one), Token::Lit(right, other)) => {
            left == right && texts.alike(*one, *other)
        }
        _ => false,
    }
}
