//! The tokens of a macro's input.

use super::Base;
use super::lits;
use super::{name, span};
use crate::tree::Token;
use crd_channels_diagnostics::Text;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Converts tokens. Their nesting is limited before a file is parsed.
pub(crate) fn tokens(base: impl Into<Base>, stream: TokenStream) -> Vec<Token> {
    let base = base.into();
    stream
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(group) => Token::Group(
                match group.delimiter() {
                    Delimiter::Parenthesis => '(',
                    Delimiter::Bracket => '[',
                    Delimiter::Brace => '{',
                    Delimiter::None => ' ',
                },
                tokens(base, group.stream()),
                span(base, group.span()),
            ),
            TokenTree::Ident(ident) => Token::Ident(name(&ident), span(base, ident.span())),
            TokenTree::Punct(punct) => Token::Punct(
                punct.as_char(),
                punct.spacing() == Spacing::Joint,
                span(base, punct.span()),
            ),
            TokenTree::Literal(literal) => {
                let place = span(base, literal.span());
                match lits::lit(&syn::Lit::new(literal.clone())) {
                    Some(lit) => Token::Lit(lit, place),
                    None => Token::Ident(Text::from(literal.to_string()), place),
                }
            }
        })
        .collect()
}
