//! `#[derive(Fragment)]` of Stackable: for a struct it generates `<Name>Fragment`, in which every field has the fragment of its
//! type, and the impl that links the two. This generates both like that macro.

use super::{DerivedItems, derived_as, inside, text_value};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Field, Fields, Item, ItemStruct, Lit, Meta, Path, Token};

/// The items that the derive generates; `None` if the struct does not have it, or has another derive of that name.
pub(crate) fn derived_items(item: &ItemStruct) -> Option<DerivedItems> {
    let marked = item
        .attrs
        .iter()
        .any(|attr| attr.path().is_ident("fragment_attrs") || attr.path().is_ident("fragment"));
    let derive = derived_as(&item.attrs, "Fragment").filter(|_| marked)?;
    let settings = Settings::from_attributes(&item.attrs)?;
    let home = &settings.home;
    let place = item.ident.span();
    let ident = format_ident!("{}Fragment", item.ident, span = place);
    let mut made = ItemStruct {
        attrs: forwarded(&item.attrs)?,
        ident: ident.clone(),
        ..item.clone()
    };
    if !settings.bound.is_empty() {
        let clause = made.generics.make_where_clause();
        clause.predicates.extend(settings.bound);
    }
    let Fields::Named(fields) = &mut made.fields else {
        return None;
    };
    for field in &mut fields.named {
        fragment_of(field, home)?;
    }
    let (parameters, arguments, clause) = made.generics.split_for_impl();
    let whole = &item.ident;
    let implements = syn::parse2(quote_spanned!(place=>
        impl #parameters #home::FromFragment for #whole #arguments #clause {
            type Fragment = #ident #arguments;
            type RequiredFragment = #ident #arguments;
        }
    ));
    let implements = implements.ok()?;
    Some(DerivedItems {
        derive,
        names: &[
            "stackable_operator::Fragment",
            "stackable_operator_derive::Fragment",
        ],
        items: vec![Item::Struct(made), implements],
    })
}

fn fragment_of(field: &mut Field, home: &Path) -> Option<()> {
    field.attrs = forwarded(&field.attrs)?;
    let ty = &field.ty;
    let place = ty.span();
    let fragment = quote_spanned!(place=> <#ty as #home::FromFragment>::Fragment);
    field.ty = syn::parse2(fragment).ok()?;
    Some(())
}

/// The settings in `#[fragment(..)]`.
struct Settings {
    /// The module of the trait `FromFragment`.
    home: Path,
    bound: Vec<syn::WherePredicate>,
}

impl Settings {
    fn from_attributes(attrs: &[Attribute]) -> Option<Self> {
        let mut found = Self {
            home: syn::parse_quote!(::stackable_operator::config::fragment),
            bound: Vec::new(),
        };
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("fragment")) {
            for meta in inside(&attr.meta)? {
                if meta.path().is_ident("path_overrides") {
                    let overrides = inside(&meta)?;
                    for meta in overrides.iter().filter(|of| of.path().is_ident("fragment")) {
                        found.home = path(meta)?;
                    }
                } else if meta.path().is_ident("bound") {
                    found.bound = predicates(&meta)?;
                } else {
                    return None;
                }
            }
        }
        Some(found)
    }
}

/// The path of `key = "a::b"` or `key = a::b`.
fn path(meta: &Meta) -> Option<Path> {
    match &meta.require_name_value().ok()?.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => text.parse().ok(),
        Expr::Path(path) => Some(path.path.clone()),
        _ => None,
    }
}

/// The predicates of `bound = "A: B, C: D"`.
fn predicates(meta: &Meta) -> Option<Vec<syn::WherePredicate>> {
    let parser = Punctuated::<syn::WherePredicate, Token![,]>::parse_terminated;
    let parsed = text_value(meta)?.parse_with(parser).ok()?;
    Some(parsed.into_iter().collect())
}

/// The documentation, and an attribute for each part of `#[fragment_attrs(a, b)]`.
fn forwarded(attrs: &[Attribute]) -> Option<Vec<Attribute>> {
    let mut kept = Vec::new();
    for attr in attrs {
        if attr.path().is_ident("doc") {
            kept.push(attr.clone());
        } else if attr.path().is_ident("fragment_attrs") {
            let tokens = &attr.meta.require_list().ok()?.tokens;
            let parts = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens.clone());
            for part in parts.ok()? {
                let place = part.span();
                let written = quote_spanned!(place=> #[#part]);
                let parsed = Attribute::parse_outer.parse2(quote!(#written)).ok()?;
                kept.extend(parsed);
            }
        }
    }
    Some(kept)
}
