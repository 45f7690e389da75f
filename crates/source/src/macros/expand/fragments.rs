//! The lengths of macro fragments such as `$name:ty`, in tokens.

use super::text::{Texts, length_of_token, signs_at};
use crd_channels_syntax::tree::Token;
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};

/// How many of the tokens a fragment of that kind matches; `None` if it does not match.
pub(super) fn length(kind: &str, tokens: &[Token], texts: &Texts<'_>) -> Option<usize> {
    if !can_begin(kind, tokens, texts) {
        return None;
    }
    let length = match (kind, tokens) {
        ("tt" | "lifetime", _) => Some(length_of_token(tokens)),
        ("literal", [Token::Punct('-', ..), ..]) => Some(2),
        ("ident" | "literal" | "block", _) => Some(1),
        // These begin an expression since the edition 2024.
        ("expr" | "expr_2021", [Token::Ident(name, _), ..]) if matches!(&**name, "_" | "const") => {
            None
        }
        ("expr" | "expr_2021", _) => parsed::<syn::Expr>(tokens, texts),
        ("ty", _) => parsed::<AnyType>(tokens, texts),
        ("path", _) => parsed::<syn::TraitBound>(tokens, texts),
        ("vis", _) => parsed::<syn::Visibility>(tokens, texts),
        ("item", _) => parsed::<syn::Item>(tokens, texts),
        ("meta", _) => parsed::<AnyMeta>(tokens, texts),
        ("pat_param", _) => parsed::<Pattern>(tokens, texts),
        // Alternatives are part of `pat` since the edition 2021.
        _ => None,
    };
    if length.is_none() {
        // rustc does not try the next rule: it reads more than syn, or this is an error.
        texts.is_unsure.set(true);
    }
    length
}

/// Whether rustc takes tokens for the beginning of a fragment, by the first of its own tokens.
fn can_begin(kind: &str, tokens: &[Token], texts: &Texts<'_>) -> bool {
    let Some(first) = tokens.first() else {
        return false;
    };
    let signs = signs_at(tokens);
    let is_word = matches!(first, Token::Ident(..));
    let is_literal = matches!(first, Token::Lit(..));
    let is_type = || match first {
        Token::Ident(name, span) => !NO_TYPES.contains(&&**name) || texts.is_raw(*span),
        Token::Group(bracket, ..) => matches!(bracket, '(' | '['),
        _ => matches!(
            &*signs,
            "!" | "*" | "&" | "&&" | "?" | "<" | "<<" | "::" | "'"
        ),
    };
    match kind {
        "ident" => matches!(first, Token::Ident(name, _) if &**name != "_"),
        "lifetime" => signs == "'",
        "literal" => match tokens {
            [Token::Punct('-', ..), rest @ ..] => {
                !matches!(rest.first(), Some(Token::Punct(..))) && can_begin(kind, rest, texts)
            }
            [Token::Ident(name, span), ..] => {
                matches!(&**name, "true" | "false") && !texts.is_raw(*span)
            }
            _ => is_literal,
        },
        "block" => matches!(first, Token::Group('{', ..)),
        "path" | "meta" => is_word || signs == "::",
        "ty" => is_type(),
        "vis" => is_word || signs == "," || is_type(),
        "expr" | "expr_2021" => match first {
            Token::Ident(name, span) => !NO_EXPRESSIONS.contains(&&**name) || texts.is_raw(*span),
            Token::Group(..) | Token::Lit(..) => true,
            Token::Punct(..) => matches!(
                &*signs,
                "!" | "-"
                    | "*"
                    | "|"
                    | "||"
                    | "&"
                    | "&&"
                    | ".."
                    | "..."
                    | "..="
                    | "<"
                    | "<<"
                    | "::"
                    | "#"
                    | "'"
            ),
        },
        "pat_param" => match first {
            Token::Group(bracket, ..) => matches!(bracket, '(' | '['),
            Token::Ident(..) | Token::Lit(..) => true,
            Token::Punct(..) => {
                matches!(&*signs, "&" | "&&" | "-" | ".." | "..." | "::" | "<" | "<<")
            }
        },
        _ => true,
    }
}

/// Keywords of all editions that begin no type.
const NO_TYPES: [&str; 27] = [
    "as", "break", "const", "continue", "else", "enum", "false", "if", "in", "let", "loop",
    "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "trait", "true",
    "type", "use", "where", "while", "yield",
];

/// Keywords of all editions that begin no expression.
const NO_EXPRESSIONS: [&str; 17] = [
    "as", "else", "enum", "extern", "fn", "impl", "in", "let", "mod", "mut", "pub", "ref",
    "struct", "trait", "type", "use", "where",
];

/// How many tokens syn takes to parse a `T`.
fn parsed<T: Parse>(tokens: &[Token], texts: &Texts<'_>) -> Option<usize> {
    let stream: TokenStream = texts.join_tokens(tokens).parse().ok()?;
    let all = stream.clone().into_iter().count();
    let parser = |input: ParseStream<'_>| {
        input.parse::<T>()?;
        input.parse::<TokenStream>()
    };
    let rest = parser.parse2(stream).ok()?;
    all.checked_sub(rest.into_iter().count())
}

/// The content of an attribute: a path with anything after it.
struct AnyMeta;

impl Parse for AnyMeta {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::Ident::peek_any) || input.peek(syn::Token![::]) {
            input.parse::<syn::Meta>()?;
            return Ok(AnyMeta);
        }
        Err(input.error("expected an attribute"))
    }
}

/// A type, without what only traits have in most editions: `Fn(A) -> B`.
struct AnyType;

impl Parse for AnyType {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<syn::Type>()?;
        match input.peek(syn::token::Paren) {
            true => Err(input.error("expected the end of a type")),
            false => Ok(AnyType),
        }
    }
}

struct Pattern;

impl Parse for Pattern {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        syn::Pat::parse_single(input).map(|_| Pattern)
    }
}
