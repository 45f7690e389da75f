//! The text of code without its documentation, and the words in it.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;

/// Returns the words of a text that is no file of items.
#[must_use]
pub fn words_of_text(text: &str) -> BTreeSet<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    parts
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The identifiers of some tokens, and those in their strings.
pub fn words_of(tokens: &(impl ToTokens + ?Sized)) -> BTreeSet<String> {
    words_of_text(&code_of(tokens).0)
}

/// The text of some tokens, and that of their documentation.
pub fn code_of(tokens: &(impl ToTokens + ?Sized)) -> (String, String) {
    let (mut code, mut docs) = (String::new(), String::new());
    add_code(tokens.to_token_stream(), &mut code, &mut docs);
    (code, docs)
}

fn add_code(tokens: TokenStream, code: &mut String, docs: &mut String) {
    for tree in tokens {
        if is_documentation(&tree) {
            docs.push_str(&tree.to_string());
            continue;
        }
        match tree {
            TokenTree::Group(group) => {
                let [open, close] = match group.delimiter() {
                    Delimiter::Parenthesis => ["(", ")"],
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::Bracket => ["[", "]"],
                    Delimiter::None => [" ", " "],
                };
                code.push_str(open);
                add_code(group.stream(), code, docs);
                code.push_str(close);
            }
            TokenTree::Ident(word) => code.push_str(&(plain(&word) + " ")),
            TokenTree::Literal(literal) => code.push_str(&(literal.to_string() + " ")),
            TokenTree::Punct(mark) => {
                code.push(mark.as_char());
                if mark.spacing() == Spacing::Alone {
                    code.push(' ');
                }
            }
        }
    }
}

/// Whether it is the inside of `#[doc = ".."]`.
fn is_documentation(tree: &TokenTree) -> bool {
    let TokenTree::Group(group) = tree else {
        return false;
    };
    let inside: Vec<TokenTree> = group.stream().into_iter().take(4).collect();
    matches!(&inside[..], [TokenTree::Ident(doc), TokenTree::Punct(_), TokenTree::Literal(_)] if doc == "doc")
}

/// The name without `r#`.
pub fn plain(name: &syn::Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}
