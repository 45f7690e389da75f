//! `Default` as derived by the crates `educe` and `derivative`: generates their `impl` of a type, field by field.

use super::{DerivedItems, derived_as, inside, text};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Fields, Generics, Ident, Item, ItemEnum, ItemStruct, Meta};

/// The `impl Default` of a struct; `None` if neither derive generates one, or it has unsupported settings.
pub(crate) fn default_of_struct(item: &ItemStruct) -> Option<DerivedItems> {
    let (derive, default) = derived_default(&item.attrs)?;
    let value = match default {
        DefaultValue::Plain => fields(&quote!(Self), &item.fields)?,
        DefaultValue::Value(value) => value.to_token_stream(),
    };
    beside(derive, written(&item.ident, &item.generics, &value)?)
}

fn beside(derive: syn::Path, written: Item) -> Option<DerivedItems> {
    Some(DerivedItems {
        derive,
        names: &["educe::Educe", "derivative::Derivative"],
        items: vec![written],
    })
}

/// The `impl Default` of an enum, for its marked or its only variant.
pub(crate) fn default_of_enum(item: &ItemEnum) -> Option<DerivedItems> {
    let (derive, default) = derived_default(&item.attrs)?;
    let value = match default {
        DefaultValue::Value(value) => value.to_token_stream(),
        DefaultValue::Plain => {
            let mut marked = item
                .variants
                .iter()
                .filter(|variant| default_value(&variant.attrs).is_some());
            let variant = match (marked.next(), marked.next(), item.variants.len()) {
                (Some(only), None, _) => only,
                (None, None, 1) => item.variants.first()?,
                _ => return None,
            };
            let name = &variant.ident;
            fields(&quote!(Self::#name), &variant.fields)?
        }
    };
    beside(derive, written(&item.ident, &item.generics, &value)?)
}

/// The default that an attribute sets.
enum DefaultValue {
    /// The default of every field.
    Plain,
    /// This value.
    Value(Box<Expr>),
}

fn derived_default(attrs: &[Attribute]) -> Option<(syn::Path, DefaultValue)> {
    let derive = derived_as(attrs, "Educe").or_else(|| derived_as(attrs, "Derivative"))?;
    Some((derive, default_value(attrs)?.ok()?))
}

/// The value of `Default` in an `#[educe(..)]` or `#[derivative(..)]`; `None` if it is absent.
fn default_value(attrs: &[Attribute]) -> Option<Result<DefaultValue, ()>> {
    let helpers = attrs
        .iter()
        .filter(|attr| attr.path().is_ident("educe") || attr.path().is_ident("derivative"));
    helpers
        .filter_map(|attr| match inside(&attr.meta) {
            Some(metas) => {
                let said = metas.iter().find(|meta| meta.path().is_ident("Default"))?;
                Some(value_of(said).ok_or(()))
            }
            None => Some(Err(())),
        })
        .next()
}

/// `Default`, `Default = value`, `Default(value = "..")`; bounds and `new` do not affect the value.
fn value_of(meta: &Meta) -> Option<DefaultValue> {
    match meta {
        Meta::Path(_) => Some(DefaultValue::Plain),
        Meta::NameValue(pair) => Some(DefaultValue::Value(Box::new(pair.value.clone()))),
        Meta::List(_) => {
            let mut default = DefaultValue::Plain;
            for meta in inside(meta)? {
                let key = meta.path().get_ident()?.to_string();
                match &*key {
                    "bound" | "new" => {}
                    "expression" | "expr" => {
                        // Earlier versions quote the expression; in later ones, quotes are a string literal.
                        if text(&meta).is_some() {
                            return None;
                        }
                        let value = &meta.require_name_value().ok()?.value;
                        default = DefaultValue::Value(Box::new(value.clone()));
                    }
                    "value" => {
                        default = DefaultValue::Value(Box::new(text(&meta)?.parse().ok()?));
                    }
                    _ => return None,
                }
            }
            Some(default)
        }
    }
}

/// `Self { a: .., b: .. }`
fn fields(
    constructor: &proc_macro2::TokenStream,
    fields: &Fields,
) -> Option<proc_macro2::TokenStream> {
    let mut values = Vec::new();
    for field in fields {
        let place = field.ty.span();
        let value = match default_value(&field.attrs) {
            None | Some(Ok(DefaultValue::Plain)) => {
                quote_spanned!(place=> ::core::default::Default::default())
            }
            Some(Ok(DefaultValue::Value(value))) => value.to_token_stream(),
            Some(Err(())) => return None,
        };
        values.push(match &field.ident {
            Some(name) => quote!(#name: #value),
            None => value,
        });
    }
    Some(match fields {
        Fields::Named(_) => quote!(#constructor { #(#values),* }),
        Fields::Unnamed(_) => quote!(#constructor(#(#values),*)),
        Fields::Unit => constructor.clone(),
    })
}

fn written(name: &Ident, generics: &Generics, value: &proc_macro2::TokenStream) -> Option<Item> {
    let (parameters, arguments, clause) = generics.split_for_impl();
    let place = name.span();
    let item = quote_spanned!(place=>
        impl #parameters ::core::default::Default for #name #arguments #clause {
            fn default() -> Self { #value }
        }
    );
    syn::parse2(item).ok()
}
