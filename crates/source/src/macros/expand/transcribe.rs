//! Transcribes the body of a rule with its names replaced.

use super::limits::{MAX_DEPTH, MAX_TEXT};
use super::matching::{Binding, Bindings, Part, part};
use super::text::{Texts, brackets};
use crate::modules::has_name;
use crd_channels_syntax::tree::Token;

/// Transcribes a body. `None` if a name cannot be replaced, or if a variable of the body has the name of one of the caller's: rustc
/// keeps them apart, and a text cannot.
pub(super) fn transcribe(
    body: &[Token],
    bindings: &Bindings,
    home: Option<&str>,
    texts: &Texts<'_>,
) -> Option<String> {
    if captures(body, bindings) {
        return None;
    }
    let mut writing = Writing {
        home,
        texts,
        text: String::new(),
        in_call: false,
    };
    writing.body(body, bindings, 0)?;
    Some(writing.text)
}

struct Writing<'t> {
    home: Option<&'t str>,
    texts: &'t Texts<'t>,
    text: String,
    /// Whether this is the input of a macro, which may tell a fragment from its tokens.
    in_call: bool,
}

impl Writing<'_> {
    fn body(&mut self, mut rest: &[Token], bindings: &Bindings, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH || self.text.len() > MAX_TEXT {
            return None;
        }
        let mut before: [Option<&Token>; 2] = [None; 2];
        while !rest.is_empty() {
            let first = rest.first();
            let (next, length) = part(rest, false)?;
            rest = rest.get(length..)?;
            match next {
                Part::Name(name, _) if &**name == "crate" => {
                    self.text.push_str(self.home?);
                    self.text.push(' ');
                }
                Part::Name(name, _) => match bindings.get(name)? {
                    Binding::One(_, kind) if self.in_call && !is_transparent(kind) => return None,
                    Binding::One(tokens, kind) => {
                        let is_expr = kind.starts_with("expr");
                        // `null` is an expression's and not that of `json!`.
                        let is_null =
                            matches!(&tokens[..], [Token::Ident(name, _)] if &**name == "null");
                        let closed = is_expr && (tokens.len() > 1 || is_null);
                        self.text.push_str(if closed { "(" } else { "" });
                        self.text.push_str(&self.texts.join_tokens(tokens));
                        self.text.push_str(if closed { ") " } else { "" });
                    }
                    Binding::Many(_) => return None,
                },
                Part::Repeat(inner, separator, _) => {
                    let rounds = rounds(inner, bindings, depth)?;
                    for round in 0..rounds {
                        if round > 0 {
                            self.text.push_str(&self.texts.join_tokens(separator));
                        }
                        self.body(inner, &of_round(bindings, round), depth + 1)?;
                    }
                }
                Part::Group(bracket, inner) => {
                    let (open, close) = brackets(bracket);
                    self.text.push_str(open);
                    let outside = self.in_call;
                    self.in_call |= is_input(before);
                    self.body(inner, bindings, depth + 1)?;
                    self.in_call = outside;
                    self.text.push_str(close);
                }
                Part::Token(token) => self.text.push_str(&self.texts.join_tokens(token)),
            }
            before = [before[1], first];
        }
        Some(())
    }
}

/// Whether another macro sees the tokens of a fragment of this kind.
fn is_transparent(kind: &str) -> bool {
    matches!(kind, "ident" | "lifetime" | "tt")
}

/// Whether the group after these tokens is the input of a macro that may be one of the source: `name!(..)`, `macro_rules! name (..)`.
fn is_input(before: [Option<&Token>; 2]) -> bool {
    const OF_STD: [&str; 11] = [
        "concat",
        "env",
        "format",
        "include",
        "include_bytes",
        "include_str",
        "json",
        "json_schema",
        "matches",
        "stringify",
        "vec",
    ];
    match before {
        [Some(Token::Ident(name, _)), Some(Token::Punct('!', ..))] => !OF_STD.contains(&&**name),
        // A macro of the caller's.
        [Some(Token::Punct('$', ..)), Some(Token::Punct('!', ..))] => true,
        [Some(Token::Punct('!', ..)), Some(Token::Ident(..))] => true,
        _ => false,
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
            Part::Repeat(inner, ..) | Part::Group(_, inner) => rounds(inner, bindings, depth + 1),
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

/// Whether a variable that a body declares has a name that the caller's tokens have.
fn captures(body: &[Token], bindings: &Bindings) -> bool {
    let mut declared = Vec::new();
    variables(body, &mut declared);
    declared
        .into_iter()
        .any(|name| bindings.values().any(|binding| mentions(binding, name)))
}

/// Collects the names in the patterns of `let` and of parameters, except those that a `$` replaces. What is between two `|` may be
/// parameters of a closure.
fn variables<'t>(tokens: &'t [Token], into: &mut Vec<&'t str>) {
    let (mut in_pattern, mut after_fn, mut in_closure) = (false, false, false);
    let mut after_dollar = false;
    for token in tokens {
        match token {
            Token::Ident(word, _) if &**word == "let" => in_pattern = true,
            Token::Ident(word, _) if &**word == "fn" => after_fn = true,
            Token::Ident(name, _) if (in_pattern || in_closure) && !after_dollar => into.push(name),
            Token::Punct('|', ..) => in_closure = !in_closure,
            Token::Punct('=' | ':' | ';', ..) => in_pattern = false,
            Token::Group('(', inner, _) if after_fn => {
                into.extend(parameters(inner));
                after_fn = false;
            }
            Token::Group(_, inner, _) if in_pattern || in_closure => into.extend(names(inner)),
            Token::Group(_, inner, _) => variables(inner, into),
            Token::Ident(..) | Token::Punct(..) | Token::Lit(..) => {}
        }
        after_dollar = matches!(token, Token::Punct('$', ..));
    }
}

/// The names before the types of parameters, except those that a `$` replaces.
fn parameters(tokens: &[Token]) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let is_replaced = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| matches!(before, Token::Punct('$', ..)));
        if let [Token::Ident(name, _), Token::Punct(':', false, _)] = pair
            && !is_replaced
        {
            found.push(&**name);
        }
    }
    found
}

fn names(tokens: &[Token]) -> Vec<&str> {
    let inside = tokens.iter().flat_map(|token| match token {
        Token::Ident(name, _) => vec![&**name],
        Token::Group(_, inner, _) => names(inner),
        Token::Punct(..) | Token::Lit(..) => Vec::new(),
    });
    inside.collect()
}

fn mentions(binding: &Binding, name: &str) -> bool {
    match binding {
        Binding::One(tokens, _) => has_name(tokens, name),
        Binding::Many(each) => each.iter().any(|inner| mentions(inner, name)),
    }
}
