//! The lengths of macro fragments such as `$name:ty`, in tokens.

use super::text::{Texts, signs_of_operator};
use crd_channels_syntax::tree::{Lit, Token};
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};

/// How many of the tokens a fragment of that kind matches; `None` if it does not match or the kind is unknown.
pub(super) fn length(kind: &str, tokens: &[Token], texts: &Texts<'_>) -> Option<usize> {
    match (kind, tokens) {
        ("tt" | "lifetime", [Token::Punct('\'', true, _), Token::Ident(..), ..]) => Some(2),
        ("tt", [_, ..]) => Some(signs_of_operator(tokens)),
        ("ident", [Token::Ident(name, _), ..]) => (&**name != "_").then_some(1),
        ("literal", [Token::Lit(..), ..]) => Some(1),
        ("literal", [Token::Ident(name, _), ..]) => {
            matches!(&**name, "true" | "false").then_some(1)
        }
        (
            "literal",
            [
                Token::Punct('-', _, _),
                Token::Lit(Lit::Int(..) | Lit::Float(..), _),
                ..,
            ],
        ) => Some(2),
        ("block", [Token::Group('{', ..), ..]) => Some(1),
        ("ty", _) => parsed::<syn::Type>(tokens, texts),
        ("path", _) => parsed::<syn::Path>(tokens, texts),
        // An expression since the edition 2024.
        ("expr" | "expr_2021", [Token::Ident(name, _), ..]) if &**name == "_" => {
            texts.is_unsure.set(true);
            None
        }
        ("expr" | "expr_2021", [_, ..]) => parsed::<syn::Expr>(tokens, texts),
        ("vis", _) => parsed::<syn::Visibility>(tokens, texts),
        ("item", [_, ..]) => parsed::<syn::Item>(tokens, texts),
        ("meta", _) => parsed::<AnyMeta>(tokens, texts),
        // Alternatives are part of it since the edition 2021.
        ("pat", _) => {
            texts.is_unsure.set(true);
            None
        }
        ("pat_param", _) => parsed::<Pattern>(tokens, texts),
        _ => None,
    }
}

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

struct Pattern;

impl Parse for Pattern {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        syn::Pat::parse_single(input).map(|_| Pattern)
    }
}
