//! What derives of the crate `strum` write beside an enum: `Display`, `IntoEnumIterator`, and with `EnumDiscriminants` an enum
//! of the bare variants.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use serde_derive_internals::attr::RenameRule;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, ExprLit, Fields, Ident, Item, ItemEnum, Lit, Meta, Path, Token, Variant,
};

/// The items beside an enum, those of them whose attributes are read.
pub(super) fn beside(item: &ItemEnum) -> Vec<Item> {
    let derived = derives(&item.attrs);
    let has = |name: &str| {
        derived.iter().any(|path| {
            let last = path.segments.last();
            last.is_some_and(|last| last.ident == name)
        })
    };
    let mut made = Vec::new();
    if has("EnumDiscriminants") {
        made.extend(discriminants(item));
    }
    // std has a trait of that name, but no derive of it.
    if has("Display") && derived.iter().any(|path| is_strum(path, item)) {
        made.extend(display(item));
    }
    if has("EnumIter") {
        made.extend(iterator(item));
    }
    made
}

/// Other crates have a derive `Display` as well. Of an enum without documentation and words for them they write the same;
/// where strum's attribute stands, it is strum's.
fn is_strum(path: &Path, item: &ItemEnum) -> bool {
    let mut segments = path.segments.iter().rev();
    if segments.next().is_none_or(|last| last.ident != "Display") {
        return false;
    }
    if let Some(first) = segments.next() {
        return first.ident == "strum" || first.ident == "strum_macros";
    }
    let variants = item.variants.iter().flat_map(|of| &of.attrs);
    let has = |name: &str| {
        let mut all = item.attrs.iter().chain(variants.clone());
        all.any(|attr| attr.path().is_ident(name))
    };
    has("strum") || !(has("display") || has("snafu") || has("doc"))
}

fn derives(attrs: &[Attribute]) -> Vec<Path> {
    let mut found = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
        let paths = attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
        found.extend(paths.into_iter().flatten());
    }
    found
}

/// The metas inside attributes of a name.
fn metas(attrs: &[Attribute], name: &str) -> Vec<Meta> {
    let mut found = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        if let Meta::List(list) = &attr.meta {
            let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
            found.extend(parse.parse2(list.tokens.clone()).into_iter().flatten());
        }
    }
    found
}

fn text(metas: &[Meta], key: &str) -> Option<String> {
    metas.iter().find_map(|meta| match meta {
        Meta::NameValue(pair) if pair.path.is_ident(key) => match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}

/// A pattern that fits a variant whatever it holds.
fn pattern(variant: &Variant) -> TokenStream {
    let name = &variant.ident;
    match variant.fields {
        Fields::Named(_) => quote!(Self::#name { .. }),
        Fields::Unnamed(_) => quote!(Self::#name(..)),
        Fields::Unit => quote!(Self::#name),
    }
}

fn display(item: &ItemEnum) -> Option<Item> {
    let settings = metas(&item.attrs, "strum");
    let rule = text(&settings, "serialize_all");
    let prefix = text(&settings, "prefix").unwrap_or_default();
    let mut arms = Vec::new();
    for variant in &item.variants {
        let own = metas(&variant.attrs, "strum");
        let says = |key: &str| own.iter().any(|meta| meta.path().is_ident(key));
        if says("disabled") || says("transparent") || says("default") {
            return None;
        }
        let all = own.iter().filter(|meta| meta.path().is_ident("serialize"));
        // Of several the longest is written.
        let longest = all
            .filter_map(|meta| text(std::slice::from_ref(meta), "serialize"))
            .max_by_key(String::len);
        let name = variant.ident.to_string();
        let shown = match text(&own, "to_string").or(longest) {
            Some(shown) => shown,
            None => match &rule {
                Some(rule) => renamed(&name, rule)?,
                None => name,
            },
        };
        if shown.contains(['{', '}']) {
            return None;
        }
        let shown = format!("{prefix}{shown}");
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

/// A variant's name in one of strum's cases, those of them that serde has as well.
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
    // Where capitals or digits stand side by side, the two crates do not agree about the words.
    let plain = name.chars().zip(name.chars().skip(1)).all(|(one, next)| {
        !(next.is_ascii_digit() || one.is_ascii_uppercase() && next.is_ascii_uppercase())
    });
    let same = matches!(rule, RenameRule::LowerCase | RenameRule::UpperCase);
    (plain || same).then(|| rule.apply_to_variant(name))
}

fn iterator(item: &ItemEnum) -> Option<Item> {
    let mut all = Vec::new();
    for variant in &item.variants {
        let own = metas(&variant.attrs, "strum");
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
            fn iter() -> ::std::vec::Vec<Self> { [#(#all),*] }
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

/// The enum of bare variants, with what `#[strum_discriminants(..)]` hands on to it.
fn discriminants(item: &ItemEnum) -> Option<Item> {
    let settings = metas(&item.attrs, "strum_discriminants");
    let place = item.ident.span();
    let mut name = Ident::new(&format!("{}Discriminants", item.ident), place);
    let mut visibility = item.vis.clone();
    let mut handed_on = Vec::new();
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
    let documented = handed_on_docs(&item.attrs);
    let documentation = (!documented)
        .then(|| quote_spanned!(place=> #[doc = "Auto-generated discriminant enum variants"]));
    let marked = |variant: &Variant| variant.attrs.iter().any(|of| of.path().is_ident("default"));
    let default = item.variants.iter().any(marked);
    let default = default.then(|| quote_spanned!(place=> #[derive(Default)]));
    let variants = item.variants.iter().map(|variant| {
        let own = metas(&variant.attrs, "strum_discriminants").into_iter();
        let own = own.map(|meta| quote_spanned!(place=> #[#meta]));
        let copied = variant.attrs.iter().filter(|attr| {
            let copied = ["doc", "cfg", "default"];
            copied.iter().any(|name| attr.path().is_ident(name))
        });
        let name = &variant.ident;
        let number = variant.discriminant.as_ref();
        let number = number.map(|(_, value)| quote!(= #value)).to_token_stream();
        quote!(#(#copied)* #(#own)* #name #number,)
    });
    let written = quote_spanned!(place=>
        #documentation
        #default
        #(#handed_on)*
        #visibility enum #name { #(#variants)* }
    );
    syn::parse2(written).ok()
}

fn handed_on_docs(attrs: &[Attribute]) -> bool {
    let settings = metas(attrs, "strum_discriminants");
    settings.iter().any(|meta| meta.path().is_ident("doc"))
}
