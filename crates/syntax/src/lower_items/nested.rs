//! Functions `default` of a type's own in places where `impl` blocks are not looked for: deep in a body, or in the value of a
//! constant. Such a function comes before the one of the trait `Default`, so it must not be overlooked.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Returns true if a text may have a function `default`.
pub(super) fn mentions(text: &str) -> bool {
    text.match_indices("default").any(|(at, _)| {
        text.get(..at)
            .is_some_and(|before| before.trim_end().ends_with("fn"))
    })
}

/// Returns the headers of all inherent blocks with a function `default` anywhere in these tokens.
pub(super) fn headers_with_default(tokens: TokenStream) -> Vec<TokenStream> {
    let mut found = Vec::new();
    // The tokens since the last `impl`.
    let mut header: Option<Vec<TokenTree>> = None;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Ident(word) if word == "impl" => header = Some(Vec::new()),
            TokenTree::Ident(word) if word == "for" => {
                // A block of a trait; but `for<'a>` names no type.
                header = header.filter(|_| {
                    matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '<')
                });
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                if let Some(header) = header.take()
                    && defines_default(group.stream())
                {
                    found.push(header.into_iter().collect());
                }
                found.extend(headers_with_default(group.stream()));
            }
            TokenTree::Group(group) => found.extend(headers_with_default(group.stream())),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
        if let Some(header) = &mut header {
            header.push(token);
        }
    }
    found
}

fn defines_default(block: TokenStream) -> bool {
    let words: Vec<TokenTree> = block.into_iter().collect();
    words.windows(2).any(|pair| {
        matches!(pair, [TokenTree::Ident(one), TokenTree::Ident(other)] if one == "fn" && other == "default")
    })
}
