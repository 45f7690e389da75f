//! A file in pieces that are merged one by one: its items, and the fields and variants in them. Together they are the file.

use proc_macro2::LexError;
use std::collections::BTreeMap;
use std::ops::Range;
use syn::{Attribute, Fields, Ident, Item, ItemUse, Visibility};

/// A piece of a file or an item.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Piece {
    /// What it is, the same on each side.
    pub(super) key: String,
    /// Its text, with what stands before it.
    pub(super) text: String,
    /// What is in it, if that is merged piece by piece.
    pub(super) inside: Vec<Piece>,
}

/// The key of what stands before the first item.
pub(super) const HEAD: &str = "head";
/// The key of what stands after the last item.
pub(super) const TAIL: &str = "tail";
/// The beginning of the keys of private `use` without attributes.
pub(super) const USE: &str = "use ";

/// The pieces of a file, or the line that is not valid Rust, with the reason.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, (usize, String)> {
    let parsed =
        syn::parse_file(text).map_err(|error| (error.span().start().line, error.to_string()))?;
    let head = parsed
        .attrs
        .last()
        .map_or(0, |attribute| line_end(text, range(attribute).end));
    let items = parsed.items.iter();
    let found = items.map(|item| (key(item), range(item), inside(item)));
    Ok(cut(text, head, found.collect()))
}

/// Cuts a text at the ends of its parts.
fn cut(text: &str, head: usize, found: Vec<(String, Range<usize>, Vec<Found>)>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    let mut add = |key: String, range: Range<usize>, found: Vec<Found>| {
        let count = times.entry(key.clone()).or_default();
        *count += 1;
        let key = if *count > 1 {
            format!("{key} #{count}")
        } else {
            key
        };
        let whole = slice(text, range.clone()).to_owned();
        let inside = match found.first() {
            None => Vec::new(),
            Some(first) => {
                let (start, own) = (range.start, slice(text, range.clone()));
                let parts = found.iter().map(|part| {
                    (
                        part.key.clone(),
                        part.range.start - start..part.range.end - start,
                        Vec::new(),
                    )
                });
                let head = line_end(
                    own,
                    slice(text, start..first.range.start)
                        .rfind('{')
                        .map_or(0, |at| at + 1),
                );
                cut(own, head.min(first.range.start - start), parts.collect())
            }
        };
        pieces.push(Piece {
            key,
            text: whole,
            inside,
        });
    };
    add(HEAD.to_owned(), 0..head, Vec::new());
    let mut at = head;
    for (key, range, inside) in found {
        let end = line_end(text, range.end);
        add(key, at..end, inside);
        at = end;
    }
    add(TAIL.to_owned(), at..text.len(), Vec::new());
    pieces
}

/// A part of an item.
struct Found {
    key: String,
    range: Range<usize>,
}

/// The end of what belongs to a part on its last line: its comma, and the whole line if nothing else is on it.
fn line_end(text: &str, end: usize) -> usize {
    let rest = slice(text, end..text.len());
    let line = rest.find('\n').map_or(rest, |at| slice(rest, 0..at + 1));
    let after = line.trim_start_matches([' ', ',']);
    let comma = line
        .find(',')
        .filter(|at| slice(line, 0..*at).trim().is_empty());
    match after.trim().is_empty() || after.starts_with("//") {
        true => end + line.len(),
        false => end + comma.map_or(0, |at| at + 1),
    }
}

fn slice(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

fn range(of: &impl syn::spanned::Spanned) -> Range<usize> {
    of.span().byte_range()
}

fn inside(item: &Item) -> Vec<Found> {
    let found = |key: String, of: &dyn Fn() -> Range<usize>| Found { key, range: of() };
    match item {
        Item::Struct(of) => match &of.fields {
            Fields::Named(fields) => {
                let is_camel = is_camel(&of.attrs);
                let fields = fields.named.iter();
                let fields = fields.filter_map(|field| Some((field, field.ident.as_ref()?)));
                fields
                    .map(|(field, name)| {
                        found(serialized(name, &field.attrs, is_camel), &|| range(field))
                    })
                    .collect()
            }
            _ => Vec::new(),
        },
        Item::Enum(of) => {
            let variants = of.variants.iter();
            variants
                .map(|variant| {
                    found(serialized(&variant.ident, &variant.attrs, false), &|| {
                        range(variant)
                    })
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Whether fields are serialized in camel case.
pub(super) fn is_camel(attributes: &[Attribute]) -> bool {
    argument(attributes, "serde", "rename_all").is_some_and(|case| case == "camelCase")
}

/// The name that serde gives.
pub(super) fn serialized(name: &Ident, attributes: &[Attribute], is_camel: bool) -> String {
    let rust = name.to_string();
    let plain = rust.strip_prefix("r#").unwrap_or(&rust);
    match argument(attributes, "serde", "rename") {
        Some(renamed) => renamed,
        None if is_camel => crate::names::camel_case(plain),
        None => plain.to_owned(),
    }
}

/// The text of `key = ".."` in attributes of this name.
pub(super) fn argument(attributes: &[Attribute], name: &str, key: &str) -> Option<String> {
    let mut found = None;
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident(name))
    {
        // Other forms of arguments end the search in this attribute only.
        let _ = attribute.parse_nested_meta(|meta| {
            let is_it = meta.path.is_ident(key);
            if meta.input.peek(syn::Token![=]) {
                let value: syn::Expr = meta.value()?.parse()?;
                if let (
                    true,
                    syn::Expr::Lit(syn::ExprLit {
                        lit: syn::Lit::Str(text),
                        ..
                    }),
                ) = (is_it, value)
                {
                    found = Some(text.value());
                }
            } else if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                content.parse::<proc_macro2::TokenStream>()?;
            }
            Ok(())
        });
    }
    found
}

/// What an item is.
fn key(item: &Item) -> String {
    let named = |sort: &str, name: &Ident| format!("{sort} {name}");
    match item {
        Item::Struct(of) => named("type", &of.ident),
        Item::Enum(of) => named("type", &of.ident),
        Item::Type(of) => named("alias", &of.ident),
        Item::Fn(of) => named("fn", &of.sig.ident),
        Item::Mod(of) => named("mod", &of.ident),
        Item::Const(of) => named("const", &of.ident),
        Item::Static(of) => named("static", &of.ident),
        Item::Trait(of) => named("trait", &of.ident),
        Item::Use(of) if is_plain(of) => format!("{USE}{}", tokens(&of.tree)),
        Item::Impl(of) => {
            let of_trait = of.trait_.as_ref().map(|it| tokens(&it.1));
            format!(
                "impl {} for {}",
                of_trait.unwrap_or_default(),
                tokens(&of.self_ty)
            )
        }
        other => format!("item {}", tokens(other)),
    }
}

/// Whether a `use` is private and without attributes.
pub(super) fn is_plain(of: &ItemUse) -> bool {
    of.attrs.is_empty() && matches!(of.vis, Visibility::Inherited) && of.leading_colon.is_none()
}

/// The identifiers and other tokens of a syntax tree.
fn tokens(of: &impl syn::spanned::Spanned) -> String {
    let text = of.span().source_text().unwrap_or_default();
    let tokens: Result<proc_macro2::TokenStream, LexError> = text.parse();
    tokens.map_or(text, |tokens| tokens.to_string())
}
