//! The attribute macros of serde_with, which rewrite fields before any derive reads them: `serde_as`,
//! `skip_serializing_none`.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote_spanned;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{Attribute, Field, Fields, LitStr, Meta, Type};

/// The full names of a macro in the crates that export it.
type Names = &'static [&'static str];

const SERDE_AS: Names = &["serde_with::serde_as", "serde_with_macros::serde_as"];
const SKIP_NONE: Names = &[
    "serde_with::skip_serializing_none",
    "serde_with_macros::skip_serializing_none",
];

/// The macro with this name; `None` if serde_with has no such macro.
pub(crate) fn names_of(name: &str) -> Option<Names> {
    match name {
        "serde_as" => Some(SERDE_AS),
        "skip_serializing_none" => Some(SKIP_NONE),
        _ => None,
    }
}

/// Rewrites the fields of an item like the macro on it.
///
/// # Errors
/// A message if the macro has unsupported arguments.
pub(crate) fn rewrite(
    name: &str,
    attr: &Attribute,
    fields: &mut dyn Iterator<Item = &mut Fields>,
) -> Result<(), &'static str> {
    let fields = fields.flat_map(Fields::iter_mut);
    match name {
        "serde_as" => {
            // Its arguments may turn schemas off.
            if !matches!(attr.meta, Meta::Path(_)) {
                return Err("its arguments are not read");
            }
            fields.for_each(serde_as);
        }
        _ => fields.for_each(skip_none),
    }
    Ok(())
}

/// Marks a field whose schema and value an adapter of serde_with decides: only the compiled type tells them.
fn serde_as(field: &mut Field) {
    let own = field
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("serde_as"));
    let Some(place) = own.map(Spanned::span).next() else {
        return;
    };
    let defaults = is_option(&field.ty)
        && reads_option(&field.attrs)
        && !has(&field.attrs, "serde_as", "no_default");
    if defaults && !has(&field.attrs, "serde", "default") {
        push(field, quote_spanned!(place=> #[serde(default)]));
    }
    let adapter = LitStr::new("::serde_with::As", place);
    push(field, quote_spanned!(place=> #[serde(with = #adapter)]));
    let stated = ["with", "serialize_with", "deserialize_with", "schema_with"];
    if !stated.iter().any(|key| has(&field.attrs, "schemars", key)) {
        let schema = LitStr::new("::serde_with::Schema", place);
        push(field, quote_spanned!(place=> #[schemars(with = #schema)]));
    }
}

/// Whether the adapter that a field is read with is written as an `Option`.
fn reads_option(attrs: &[Attribute]) -> bool {
    let own = attrs
        .iter()
        .filter(|attr| attr.path().is_ident("serde_as"))
        .filter_map(|attr| attr.meta.require_list().ok());
    own.flat_map(|list| {
        let tokens: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
        let texts = tokens.windows(3).filter_map(|three| match three {
            [
                TokenTree::Ident(key),
                TokenTree::Punct(_),
                TokenTree::Literal(text),
            ] if ["as", "r#as", "deserialize_as"].contains(&&*key.to_string()) => {
                syn::parse2::<LitStr>(TokenTree::from(text.clone()).into()).ok()
            }
            _ => None,
        });
        texts.collect::<Vec<_>>()
    })
    .any(|text| text.parse().is_ok_and(|adapter| is_option(&adapter)))
}

/// A field that is written as an option is left out if it is `None`.
fn skip_none(field: &mut Field) {
    let before = field.attrs.len();
    field
        .attrs
        .retain(|attr| !attr.path().is_ident("serialize_always"));
    let always = field.attrs.len() < before;
    if is_option(&field.ty) && !always && !has(&field.attrs, "serde", "skip_serializing_if") {
        let place = field.ty.span();
        let text = LitStr::new("Option::is_none", place);
        push(
            field,
            quote_spanned!(place=> #[serde(skip_serializing_if = #text)]),
        );
    }
}

fn push(field: &mut Field, attr: TokenStream) {
    // The tokens are always a valid attribute.
    field
        .attrs
        .extend(Attribute::parse_outer.parse2(attr).unwrap_or_default());
}

/// Whether an attribute of a name has a key. Its other keys may not be metas.
fn has(attrs: &[Attribute], name: &str, key: &str) -> bool {
    let attrs = attrs.iter().filter(|attr| attr.path().is_ident(name));
    attrs
        .filter_map(|attr| attr.meta.require_list().ok())
        .any(|list| {
            let mut starts = true;
            list.tokens.clone().into_iter().any(|token| match token {
                TokenTree::Ident(ident) => std::mem::replace(&mut starts, false) && ident == key,
                TokenTree::Punct(punct) => {
                    starts = punct.as_char() == ',';
                    false
                }
                TokenTree::Group(_) | TokenTree::Literal(_) => {
                    starts = false;
                    false
                }
            })
        })
}

/// Whether a type is written as an `Option`, which is all that the macros can see.
fn is_option(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_option(&group.elem),
        Type::Paren(paren) => is_option(&paren.elem),
        Type::Path(path) => match &path.qself {
            Some(qself) => is_option(&qself.ty),
            None => {
                let names: Vec<String> = path
                    .path
                    .segments
                    .iter()
                    .map(|of| of.ident.to_string())
                    .collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                match names[..] {
                    ["Option"] => path.path.leading_colon.is_none(),
                    ["std" | "core", "option", "Option"] => true,
                    _ => false,
                }
            }
        },
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_default_needs_an_option_in_the_field_and_in_the_adapter() {
        for (field, expected) in [
            ("#[serde_as(as = \"Option<_>\")] a: Option<u8>", true),
            (
                "#[serde_as(as = \"std::option::Option<_>\")] a: Option<u8>",
                true,
            ),
            (
                "#[serde_as(deserialize_as = \"Option<_>\")] a: Option<u8>",
                true,
            ),
            (
                "#[serde_as(serialize_as = \"Option<_>\")] a: Option<u8>",
                false,
            ),
            (
                "#[serde_as(as = \"NoneAsEmptyString\")] a: Option<String>",
                false,
            ),
            (
                "#[serde_as(as = \"Option<_>\", no_default)] a: Option<u8>",
                false,
            ),
            ("#[serde_as(as = \"Option<_>\")] a: Maybe<u8>", false),
        ] {
            let text = format!("struct A {{ {field} }}");
            let mut item = syn::parse_str::<syn::ItemStruct>(&text).unwrap();
            item.fields.iter_mut().for_each(serde_as);
            let field_of = item.fields.iter().next().unwrap();
            assert_eq!(
                has(&field_of.attrs, "serde", "default"),
                expected,
                "{field}"
            );
        }
    }
}
