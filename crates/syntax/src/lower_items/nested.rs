//! Functions of a type's own that come before those of a trait, in places where `impl` blocks are not looked for: deep in a body, in
//! a constant, in the input of a macro.

use crate::tree::SHADOWING;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// An inherent block with such a function.
pub(super) struct Found {
    /// Its `impl`.
    pub(super) start: Span,
    /// The tokens from there to its braces.
    pub(super) header: TokenStream,
    /// The function.
    pub(super) function: &'static str,
}

/// Returns true if a text may define one of these functions.
pub(super) fn mentions(text: &str) -> bool {
    SHADOWING.into_iter().any(|name| {
        text.match_indices(name).any(|(at, _)| {
            text.get(..at)
                .is_some_and(|before| before.trim_end().ends_with("fn"))
        })
    })
}

/// Finds all inherent blocks with one of these functions, wherever they are in the tokens.
pub(super) fn find(tokens: TokenStream, found: &mut Vec<Found>) {
    // The `impl` before, and what follows it.
    let mut header: Option<(Span, Vec<TokenTree>)> = None;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Ident(word) if word == "impl" => header = Some((word.span(), Vec::new())),
            TokenTree::Ident(word) if word == "for" => {
                // A block of a trait; but `for<'a>` names no type.
                header = header.filter(|_| {
                    matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '<')
                });
            }
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Brace
                    && let Some((start, header)) = header.take()
                {
                    let defined = SHADOWING.into_iter();
                    let defined = defined.filter(|name| defines(group.stream(), name));
                    found.extend(defined.map(|function| Found {
                        start,
                        header: header.iter().cloned().collect(),
                        function,
                    }));
                }
                find(group.stream(), found);
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        if let Some((_, header)) = &mut header {
            header.push(token);
        }
    }
}

fn defines(block: TokenStream, name: &str) -> bool {
    let words: Vec<TokenTree> = block.into_iter().collect();
    words.windows(2).any(|pair| {
        matches!(pair, [TokenTree::Ident(one), TokenTree::Ident(other)] if one == "fn" && other == name)
    })
}
