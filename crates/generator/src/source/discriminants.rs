//! `#[derive(EnumDiscriminants)]` of strum: a second enum with the variants' names alone, written out as that derive makes it.

use quote::{format_ident, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{Attribute, Fields, Item, ItemEnum, Meta, Token, Variant};

type Metas = Punctuated<Meta, Token![,]>;

/// The enum that the derive makes beside an enum.
pub(super) fn made(item: &Item) -> Option<Item> {
    let Item::Enum(item) = item else {
        return None;
    };
    item.attrs.iter().any(derives).then_some(())?;
    let mut name = format_ident!("{}Discriminants", item.ident);
    let span = item.ident.span();
    let (mut derived, mut others) = (Metas::new(), Vec::new());
    for meta in item.attrs.iter().filter_map(inside).flatten() {
        let list = meta.require_list();
        match list {
            Ok(list) if list.path.is_ident("derive") => {
                derived.extend(list.parse_args_with(Metas::parse_terminated).ok()?);
            }
            Ok(list) if list.path.is_ident("name") => name = list.parse_args().ok()?,
            Ok(list) if list.path.is_ident("vis") => {}
            _ => others.push(meta),
        }
    }
    if !others.iter().any(|meta| meta.path().is_ident("doc")) {
        let doc = "Auto-generated discriminant enum variants";
        others.push(syn::parse2(quote_spanned!(span=> doc = #doc)).ok()?);
    }
    let (cfgs, vis) = (item.attrs.iter().filter(|attr| is(attr, "cfg")), &item.vis);
    let variants = item.variants.iter().map(bare);
    let made: ItemEnum = syn::parse2(quote_spanned!(span=>
        #(#cfgs)*
        #[derive(Clone, Copy, #derived)]
        #(#[#others])*
        #vis enum #name { #(#variants),* }
    ))
    .ok()?;
    Some(Item::Enum(made))
}

/// A variant without its fields, and with what is said of its twin.
fn bare(variant: &Variant) -> Variant {
    let attrs = variant.attrs.iter().flat_map(|attr| match inside(attr) {
        Some(metas) => metas
            .into_iter()
            .map(|meta| Attribute {
                meta,
                ..attr.clone()
            })
            .collect(),
        None if ["doc", "cfg", "default"].iter().any(|kept| is(attr, kept)) => vec![attr.clone()],
        None => Vec::new(),
    });
    Variant {
        attrs: attrs.collect(),
        fields: Fields::Unit,
        ..variant.clone()
    }
}

fn derives(attr: &Attribute) -> bool {
    if !is(attr, "derive") {
        return false;
    }
    let paths = attr.parse_args_with(Metas::parse_terminated);
    paths.is_ok_and(|paths| {
        paths.iter().any(|path| {
            let last = path.path().segments.last();
            last.is_some_and(|last| last.ident == "EnumDiscriminants")
        })
    })
}

/// What stands in a `#[strum_discriminants(..)]`.
fn inside(attr: &Attribute) -> Option<Metas> {
    is(attr, "strum_discriminants")
        .then(|| attr.parse_args_with(Metas::parse_terminated).ok())
        .flatten()
}

fn is(attr: &Attribute, name: &str) -> bool {
    attr.path().is_ident(name)
}
