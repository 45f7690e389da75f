//! The items that derives of the crate `strum` generate for an enum: `Display`, `IntoEnumIterator`, and with
//! `EnumDiscriminants` an enum of the bare variants.

use super::{DerivedItems, derived_as, derives, metas, text};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use serde_derive_internals::attr::RenameRule;
use syn::{Attribute, Fields, Ident, Item, ItemEnum, Meta, Path, Variant};

/// The full names of strum's derives.
const DISPLAY: &[&str] = &["strum::Display", "strum_macros::Display"];
const ITERATOR: &[&str] = &["strum::EnumIter", "strum_macros::EnumIter"];
const DISCRIMINANTS: &[&str] = &[
    "strum::EnumDiscriminants",
    "strum_macros::EnumDiscriminants",
];
/// The derives that generate the same for an enum of bare variants.
const PLAIN_DISPLAY: &[&str] = &[
    "strum::Display",
    "strum_macros::Display",
    "derive_more::Display",
    "derive_more_impl::Display",
    "parse_display::Display",
    "parse_display_derive::Display",
];

/// The generated items for an enum, if its attributes are supported.
pub(crate) fn derived_items(item: &ItemEnum) -> Vec<DerivedItems> {
    let mut made = Vec::new();
    let mut add = |derive: Option<Path>, names, write: &dyn Fn(&ItemEnum) -> Option<Item>| {
        if let Some(derive) = derive
            && let Some(written) = write(item)
        {
            made.push(DerivedItems {
                derive,
                names,
                items: vec![written],
            });
        }
    };
    let called = |name| derived_as(&item.attrs, name);
    add(called("EnumDiscriminants"), DISCRIMINANTS, &discriminants);
    // std has a trait of that name, but no derive for it.
    let shown = derives(&item.attrs);
    let shown = shown
        .into_iter()
        .find_map(|path| Some((names(&path, item)?, path)));
    if let Some((names, path)) = shown {
        add(Some(path), names, &display);
    }
    add(called("EnumIter"), ITERATOR, &iterator);
    made
}

/// The derives that a `Display` may refer to. For an enum of bare variants without docs or display attributes, several generate
/// the same; with a strum attribute, it is strum's.
fn names(path: &Path, item: &ItemEnum) -> Option<&'static [&'static str]> {
    let last = path.segments.last();
    last.filter(|last| last.ident == "Display")?;
    let variants = item.variants.iter().flat_map(|of| &of.attrs);
    let has = |name: &str| {
        let mut all = item.attrs.iter().chain(variants.clone());
        all.any(|attr| attr.path().is_ident(name))
    };
    let bare = |variant: &Variant| matches!(variant.fields, Fields::Unit);
    let others = has("display") || has("snafu") || has("doc");
    let plain = !has("strum") && !others && item.variants.iter().all(bare);
    Some(if plain { PLAIN_DISPLAY } else { DISPLAY })
}

/// The settings that do not affect the generated items.
const ELSEWHERE: &[&str] = &[
    "ascii_case_insensitive",
    "const_into_str",
    "crate",
    "detailed_message",
    "message",
    "parse_err_fn",
    "parse_err_ty",
    "props",
    "use_phf",
];

/// The texts of settings by their keys; `None` if a setting is not supported.
fn settings(attrs: &[Attribute], known: &[&str]) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    for meta in metas(attrs, "strum")? {
        let key = meta.path().get_ident()?.to_string();
        if known.contains(&&*key) {
            found.push((key, text(&meta)?.value()));
        } else if !ELSEWHERE.contains(&&*key) {
            return None;
        }
    }
    Some(found)
}

fn values<'s>(
    settings: &'s [(String, String)],
    key: &'s str,
) -> impl Iterator<Item = &'s String> + 's {
    let found = settings.iter().filter(move |(known, _)| known == key);
    found.map(|(_, text)| text)
}

/// A pattern that matches a variant with any content.
fn pattern(variant: &Variant) -> TokenStream {
    let name = &variant.ident;
    match variant.fields {
        Fields::Named(_) => quote!(Self::#name { .. }),
        Fields::Unnamed(_) => quote!(Self::#name(..)),
        Fields::Unit => quote!(Self::#name),
    }
}

fn display(item: &ItemEnum) -> Option<Item> {
    let whole = settings(&item.attrs, &["serialize_all", "prefix", "suffix"])?;
    let first = |key: &str| values(&whole, key).next().cloned();
    let rule = first("serialize_all");
    let prefix = first("prefix").unwrap_or_default();
    let suffix = first("suffix").unwrap_or_default();
    let mut arms = Vec::new();
    for variant in &item.variants {
        let own = settings(&variant.attrs, &["to_string", "serialize"])?;
        // strum writes the longest of several.
        let longest = values(&own, "serialize").max_by_key(|text| text.len());
        let name = variant.ident.to_string();
        let shown = match values(&own, "to_string").next().or(longest) {
            Some(shown) => shown.clone(),
            None if name.starts_with("r#") => return None,
            None => match &rule {
                Some(rule) => renamed(&name, rule)?,
                None => name,
            },
        };
        if shown.contains(['{', '}']) {
            return None;
        }
        let shown = format!("{prefix}{shown}{suffix}");
        let pattern = pattern(variant);
        arms.push(quote!(#pattern => formatter.pad(#shown),));
    }
    written(item, |name| {
        quote!(::core::fmt::Display for #name {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self { #(#arms)* }
            }
        })
    })
}

/// A variant's name in one of strum's cases that serde also has.
fn renamed(name: &str, rule: &str) -> Option<String> {
    let rule = match rule {
        "lowercase" => RenameRule::LowerCase,
        "UPPERCASE" => RenameRule::UpperCase,
        "PascalCase" => RenameRule::PascalCase,
        "camelCase" => RenameRule::CamelCase,
        "snake_case" => RenameRule::SnakeCase,
        "SCREAMING_SNAKE_CASE" => RenameRule::ScreamingSnakeCase,
        "kebab-case" => RenameRule::KebabCase,
        "SCREAMING-KEBAB-CASE" => RenameRule::ScreamingKebabCase,
        _ => return None,
    };
    // The two crates split words differently at adjacent capitals, digits or `_`.
    let plain = name.chars().zip(name.chars().skip(1)).all(|(one, next)| {
        !(next.is_ascii_digit() || one.is_ascii_uppercase() && next.is_ascii_uppercase())
    });
    let same = matches!(rule, RenameRule::LowerCase | RenameRule::UpperCase);
    (plain && !name.contains('_') || same).then(|| rule.apply_to_variant(name))
}

fn iterator(item: &ItemEnum) -> Option<Item> {
    let mut all = Vec::new();
    for variant in &item.variants {
        let own = metas(&variant.attrs, "strum")?;
        if own.iter().any(|meta| meta.path().is_ident("disabled")) {
            continue;
        }
        let Fields::Unit = variant.fields else {
            return None;
        };
        let name = &variant.ident;
        all.push(quote!(Self::#name));
    }
    written(item, |name| {
        quote!(::strum::IntoEnumIterator for #name {
            fn iter() -> impl ::std::iter::Iterator<Item = Self> { [#(#all),*].into_iter() }
        })
    })
}

fn written(item: &ItemEnum, block: impl FnOnce(&Ident) -> TokenStream) -> Option<Item> {
    let name = &item.ident;
    if !item.generics.params.is_empty() {
        return None;
    }
    let place = name.span();
    let block = block(name);
    syn::parse2(quote_spanned!(place=> impl #block)).ok()
}

/// The enum of bare variants, with the attributes that `#[strum_discriminants(..)]` passes to it.
fn discriminants(item: &ItemEnum) -> Option<Item> {
    let settings = metas(&item.attrs, "strum_discriminants")?;
    let place = item.ident.span();
    let mut name = Ident::new(&format!("{}Discriminants", item.ident), place);
    let mut visibility = item.vis.clone();
    let mut handed_on = Vec::new();
    let documented = settings.iter().any(|meta| meta.path().is_ident("doc"));
    for meta in settings {
        let key = meta.path().get_ident().map(Ident::to_string);
        match (key.as_deref(), &meta) {
            (Some("name"), Meta::List(list)) => name = syn::parse2(list.tokens.clone()).ok()?,
            (Some("vis"), Meta::List(list)) => {
                visibility = syn::parse2(list.tokens.clone()).ok()?
            }
            _ => handed_on.push(quote_spanned!(place=> #[#meta])),
        }
    }
    let documentation = (!documented)
        .then(|| quote_spanned!(place=> #[doc = "Auto-generated discriminant enum variants"]));
    let marked = |variant: &Variant| variant.attrs.iter().any(|of| of.path().is_ident("default"));
    let default = item.variants.iter().any(marked);
    let default = default.then(|| quote_spanned!(place=> #[derive(Default)]));
    let mut variants = Vec::new();
    for variant in &item.variants {
        let own = metas(&variant.attrs, "strum_discriminants")?.into_iter();
        let own = own.map(|meta| quote_spanned!(place=> #[#meta]));
        let copied = variant.attrs.iter().filter(|attr| {
            let copied = ["doc", "cfg", "default"];
            copied.iter().any(|name| attr.path().is_ident(name))
        });
        let name = &variant.ident;
        let number = variant.discriminant.as_ref();
        let number = number.map(|(_, value)| quote!(= #value)).to_token_stream();
        variants.push(quote!(#(#copied)* #(#own)* #name #number,));
    }
    let written = quote_spanned!(place=>
        #documentation
        #default
        #(#handed_on)*
        #visibility enum #name { #(#variants)* }
    );
    syn::parse2(written).ok()
}
