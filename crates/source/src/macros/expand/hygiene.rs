//! The local variables of macro bodies: callers cannot see them, and they never shadow those of the caller.

use super::limits::MAX_DEPTH;
use crd_channels_diagnostics::Text;
use crd_channels_syntax::tree::Token;
use std::collections::BTreeSet;

const KEYWORDS: &[&str] = &[
    "_", "as", "async", "await", "box", "break", "const", "continue", "crate", "dyn", "else",
    "enum", "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod",
    "move", "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "super", "trait",
    "true", "type", "unsafe", "use", "where", "while", "yield",
];

/// Macros whose template strings capture variables: `"{name}"`.
const TEMPLATES: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "write",
    "writeln",
];

/// The names that the tokens of a macro's body bind. `None` if a name may be a local variable of the function that defines the
/// macro, which cannot be resolved at the call.
pub(super) fn locals(body: &[Token], in_function: bool) -> Option<BTreeSet<Text>> {
    let mut found = BTreeSet::new();
    bound(body, &mut found, 0);
    (!in_function || !uses_others(body, Within::Other, &found, 0)).then_some(found)
}

/// A token with its neighbours.
pub(super) struct TokenContext<'t> {
    /// The token.
    pub(super) token: &'t Token,
    before: Option<&'t Token>,
    before_that: Option<&'t Token>,
    behind: Option<&'t Token>,
    behind_that: Option<&'t Token>,
    within: Within,
}

impl<'t> TokenContext<'t> {
    /// The token at an index of a group.
    pub(super) fn at_index(tokens: &'t [Token], at: usize, within: Within) -> Self {
        const NOTHING: Token = Token::Punct(
            ' ',
            false,
            crd_channels_diagnostics::Span {
                file: crd_channels_diagnostics::FileId(u32::MAX),
                start: 0,
                end: 0,
            },
        );
        let back = |steps: usize| at.checked_sub(steps).and_then(|at| tokens.get(at));
        Self {
            token: tokens.get(at).unwrap_or(&NOTHING),
            before: back(1),
            before_that: back(2),
            behind: tokens.get(at + 1),
            behind_that: tokens.get(at + 2),
            within,
        }
    }

    /// Whether a name here may be a local variable: not a field, method, path segment, macro or label.
    pub(super) fn is_local(&self) -> bool {
        let member = is(self.before, '.') && !is(self.before_that, '.');
        let joint = |first, second| is(first, ':') && is(second, ':');
        let path = joint(self.before_that, self.before) || joint(self.behind, self.behind_that);
        let called = is(self.behind, '!') && !is(self.behind_that, '=');
        let label = is(self.before, '\'');
        let named = is(self.before, '$');
        !(member || path || called || label || named || self.is_key())
    }

    /// Whether this is the key of `Name { key: value }`.
    fn is_key(&self) -> bool {
        self.within == Within::Fields
            && self.starts()
            && is(self.behind, ':')
            && !is(self.behind_that, ':')
    }

    /// Whether this is a shorthand field: `Name { key, .. }`.
    pub(super) fn is_shorthand(&self) -> bool {
        self.within == Within::Fields
            && self.starts()
            && (self.behind.is_none() || is(self.behind, ','))
    }

    fn starts(&self) -> bool {
        self.before.is_none() || is(self.before, ',')
    }

    fn is_bound(&self) -> bool {
        let joint = |first, second| is(first, ':') && is(second, ':');
        !(is(self.before, '$')
            || joint(self.before_that, self.before)
            || joint(self.behind, self.behind_that)
            || is(self.before, '\'')
            || self.is_key())
    }
}

/// The group around some tokens.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Within {
    /// `Name { .. }`
    Fields,
    /// `format!(..)`
    Template,
    /// Anything else.
    Other,
}

impl Within {
    /// The kind of the group at an index: braces after a type's name contain fields.
    pub(super) fn group(tokens: &[Token], at: usize) -> Self {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let named = ident(before).is_some_and(|name| name.starts_with(char::is_uppercase))
            || is(before, '>') && !is(at.checked_sub(2).and_then(|at| tokens.get(at)), '=');
        let macro_name = at.checked_sub(2).and_then(|at| tokens.get(at));
        let formats =
            is(before, '!') && ident(macro_name).is_some_and(|name| TEMPLATES.contains(&&**name));
        match tokens.get(at) {
            Some(Token::Group(..)) if formats => Self::Template,
            Some(Token::Group('{', ..)) if named => Self::Fields,
            _ => Self::Other,
        }
    }
}

fn is(token: Option<&Token>, character: char) -> bool {
    matches!(token, Some(Token::Punct(found, ..)) if *found == character)
}

fn ident(token: Option<&Token>) -> Option<&Text> {
    match token {
        Some(Token::Ident(name, _)) => Some(name),
        _ => None,
    }
}

fn is_word(token: Option<&Token>, word: &str) -> bool {
    ident(token).is_some_and(|name| **name == *word)
}

/// Collects the names bound by `let`, `for`, closures and arms.
fn bound(tokens: &[Token], into: &mut BTreeSet<Text>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    let mut at = 0;
    // The start of the arm before the next `=>`.
    let mut arm = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            Token::Ident(word, _) if matches!(&**word, "let" | "for") => {
                let end = match &**word {
                    "let" => until(tokens, at + 1, &|token| {
                        matches!(token, Token::Punct('=' | ';', ..))
                    }),
                    _ => until(tokens, at + 1, &|token| is_word(Some(token), "in")),
                };
                names(
                    tokens.get(at + 1..end).unwrap_or_default(),
                    Within::Other,
                    into,
                    depth + 1,
                );
            }
            Token::Punct('|', ..) if starts_closure(tokens, at) => {
                let end = until(tokens, at + 1, &|token| {
                    matches!(token, Token::Punct('|', ..))
                });
                names(
                    tokens.get(at + 1..end).unwrap_or_default(),
                    Within::Other,
                    into,
                    depth + 1,
                );
                at = end;
            }
            Token::Punct('=', ..) if is(tokens.get(at + 1), '>') => {
                let pattern = tokens.get(arm..at).unwrap_or_default();
                let end = until(pattern, 0, &|token| is_word(Some(token), "if"));
                names(
                    pattern.get(..end).unwrap_or_default(),
                    Within::Other,
                    into,
                    depth + 1,
                );
                arm = at + 2;
            }
            Token::Punct(',', ..) => arm = at + 1,
            Token::Group(bracket, inner, _) => {
                bound(inner, into, depth + 1);
                // A block ends its arm.
                if *bracket == '{' && is(at.checked_sub(1).and_then(|at| tokens.get(at)), '>') {
                    arm = at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// A `|` opens a closure unless an operand precedes it.
fn starts_closure(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    match before {
        None => true,
        Some(Token::Ident(word, _)) => {
            matches!(&**word, "move" | "return" | "in" | "else" | "async")
        }
        Some(Token::Punct(character, ..)) => {
            matches!(character, '=' | ',' | ';' | '(' | '>' | '&' | ':')
        }
        Some(Token::Group(bracket, ..)) => *bracket == '{',
        Some(Token::Lit(..)) => false,
    }
}

/// The first index from `start` on with a matching token.
fn until(tokens: &[Token], start: usize, ends: &dyn Fn(&Token) -> bool) -> usize {
    let rest = tokens.get(start..).unwrap_or_default();
    let found = rest.iter().position(ends);
    found.map_or(tokens.len(), |found| start + found)
}

/// The names that a pattern may bind. Names of constants and variants start with a capital letter.
fn names(pattern: &[Token], within: Within, into: &mut BTreeSet<Text>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    // A type follows a colon, but after a field's colon it is a pattern.
    let (mut is_type, mut angles) = (false, 0_usize);
    for (at, token) in pattern.iter().enumerate() {
        match token {
            Token::Group(..) if is_type => {}
            Token::Group(_, inner, _) => {
                names(inner, Within::group(pattern, at), into, depth + 1);
            }
            Token::Ident(name, _) => {
                let around = TokenContext::at_index(pattern, at, within);
                let small = !name.starts_with(char::is_uppercase);
                let called = matches!(pattern.get(at + 1), Some(Token::Group(..)));
                if small && !called && !is_type && !KEYWORDS.contains(&&**name) && around.is_bound()
                {
                    into.insert(name.clone());
                }
            }
            Token::Punct(':', ..) => is_type = within != Within::Fields,
            Token::Punct('<', ..) => angles += 1,
            Token::Punct('>', ..) => angles = angles.saturating_sub(1),
            Token::Punct(',', ..) => is_type &= angles > 0,
            Token::Punct(..) | Token::Lit(..) => {}
        }
    }
}

/// Whether the tokens use a name as a value without binding it.
fn uses_others(tokens: &[Token], within: Within, bound: &BTreeSet<Text>, depth: usize) -> bool {
    depth > MAX_DEPTH
        || tokens.iter().enumerate().any(|(at, token)| match token {
            Token::Group(_, inner, _) => {
                uses_others(inner, Within::group(tokens, at), bound, depth + 1)
            }
            Token::Ident(name, _) => {
                let around = TokenContext::at_index(tokens, at, within);
                let called = matches!(around.behind, Some(Token::Group('(', ..)));
                !name.starts_with(char::is_uppercase)
                    && !KEYWORDS.contains(&&**name)
                    && !bound.contains(name)
                    && !called
                    && around.is_local()
            }
            Token::Punct(..) | Token::Lit(..) => false,
        })
}

/// Renames the variables that a template string captures, `"{name}"`. The inner `None` means that none of them is renamed, the
/// outer one that this is uncertain.
pub(super) fn template(
    text: &str,
    within: Within,
    rename: &dyn Fn(&str) -> Option<String>,
) -> Option<Option<String>> {
    let (mut made, mut rest, mut changed) = (String::new(), text, false);
    while let Some(at) = rest.find('{') {
        let (before, behind) = rest.split_at(at + 1);
        made.push_str(before);
        rest = behind;
        if let Some(behind) = rest.strip_prefix('{') {
            made.push('{');
            rest = behind;
            continue;
        }
        let end = rest.find(|of: char| !(of.is_alphanumeric() || of == '_'));
        let (name, behind) = rest.split_at(end.unwrap_or(rest.len()));
        if let Some(renamed) = rename(name) {
            made.push_str(&renamed);
            (rest, changed) = (behind, true);
        }
        // A width can also be a name.
        let place = rest.split('}').next().unwrap_or_default();
        if place.contains('$') {
            return None;
        }
    }
    made.push_str(rest);
    match (changed, within) {
        (false, _) => Some(None),
        (true, Within::Template) => Some(Some(made)),
        // Only the macro knows whether the text is a template.
        (true, _) => None,
    }
}
