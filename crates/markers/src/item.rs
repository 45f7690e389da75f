//! The syntax inside an attribute's parentheses, independent of the keys' meaning.

use crate::error::{Error, ErrorKind, Extent};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Lit, MacroDelimiter, Meta, MetaList, Path, PathSegment, Token, token};

/// An item between two commas.
#[derive(Clone)]
pub enum Item {
    /// `key`
    Word(Path),
    /// `key(..)`
    List(MetaList),
    /// `key = value`
    Value(Path, Token![=], syn::Expr),
    /// `!key`
    Not(Token![!], Path),
    /// `"text"`
    Literal(Lit),
}

impl Item {
    /// The key; `None` for a literal.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Item::Word(path) | Item::Value(path, _, _) | Item::Not(_, path) => Some(path),
            Item::List(list) => Some(&list.path),
            Item::Literal(_) => None,
        }
    }

    /// The text of the key, with `::` between its segments.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        self.path().map(path_text)
    }
}

/// The text of a path, without arguments and `r#`.
pub(crate) fn path_text(path: &Path) -> String {
    let mut text = String::new();
    for segment in &path.segments {
        if !text.is_empty() {
            text.push_str("::");
        }
        let name = segment.ident.to_string();
        text.push_str(name.strip_prefix("r#").unwrap_or(&name));
    }
    text
}

impl From<Meta> for Item {
    fn from(meta: Meta) -> Self {
        match meta {
            Meta::Path(path) => Item::Word(path),
            Meta::List(list) => Item::List(list),
            Meta::NameValue(pair) => Item::Value(pair.path, pair.eq_token, pair.value),
        }
    }
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Item::Word(path) => path.to_tokens(tokens),
            Item::List(list) => list.to_tokens(tokens),
            Item::Value(path, equals, value) => {
                path.to_tokens(tokens);
                equals.to_tokens(tokens);
                value.to_tokens(tokens);
            }
            Item::Not(not, path) => {
                not.to_tokens(tokens);
                path.to_tokens(tokens);
            }
            Item::Literal(literal) => literal.to_tokens(tokens),
        }
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![!]) {
            return Ok(Item::Not(input.parse()?, key(input)?));
        }
        // Most items begin with a word, and trying to parse a literal there would create an error only to discard it.
        let is_literal = match input.cursor().ident() {
            Some((word, _)) => (word == "true" || word == "false") && !input.peek2(Token![=]),
            None => input.peek(Lit),
        };
        if is_literal {
            return input.parse().map(Item::Literal);
        }
        let path = key(input)?;
        if input.peek(token::Paren) || input.peek(token::Bracket) || input.peek(token::Brace) {
            return meta_list(path, input).map(Item::List);
        }
        if input.peek(Token![=]) {
            return Ok(Item::Value(path, input.parse()?, input.parse()?));
        }
        Ok(Item::Word(path))
    }
}

/// A key: a path whose segments may be keywords.
fn key(input: ParseStream<'_>) -> syn::Result<Path> {
    let mut path = Path {
        leading_colon: input.parse()?,
        segments: syn::punctuated::Punctuated::new(),
    };
    loop {
        if !input.peek(Ident::peek_any) {
            return Err(input.error("expected a key"));
        }
        let ident = input.call(Ident::parse_any)?;
        path.segments.push_value(PathSegment::from(ident));
        if !input.peek(Token![::]) {
            return Ok(path);
        }
        path.segments.push_punct(input.parse()?);
    }
}

fn meta_list(path: Path, input: ParseStream<'_>) -> syn::Result<MetaList> {
    let TokenTree::Group(group) = input.parse()? else {
        return Err(input.error("expected `(`"));
    };
    let span = group.delim_span();
    let delimiter = match group.delimiter() {
        Delimiter::Bracket => MacroDelimiter::Bracket(token::Bracket { span }),
        Delimiter::Brace => MacroDelimiter::Brace(token::Brace { span }),
        Delimiter::Parenthesis | Delimiter::None => MacroDelimiter::Paren(token::Paren { span }),
    };
    Ok(MetaList {
        path,
        delimiter,
        tokens: group.stream(),
    })
}

/// Parses the items inside the parentheses. The items before a syntax error are still returned.
pub fn items(list: &MetaList, errors: &mut Vec<Error>) -> Vec<Item> {
    let mut found = Vec::new();
    let result = list.parse_args_with(|input: ParseStream<'_>| {
        while !input.is_empty() {
            found.push(input.parse::<Item>()?);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    });
    if let Err(error) = result {
        errors.push(syntax(&error));
    }
    found
}

/// Rewords a syntax error.
pub(crate) fn syntax(error: &syn::Error) -> Error {
    Error::new(
        ErrorKind::Invalid,
        Extent::at(error.span()),
        format!("this does not parse: {error}"),
    )
}
