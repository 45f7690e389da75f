//! `Default` by the derives of the crates `educe` and `derivative`: the `impl` that they write beside a type, field by field.

use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Fields, Generics, Ident, Item, ItemEnum, ItemStruct, Lit};
use syn::{Meta, Path, Token};

/// The `impl Default` of a struct. None where neither derive gives one, or it says something that is not read here.
pub(super) fn default_of_struct(item: &ItemStruct) -> Option<Item> {
    let value = match asked(&item.attrs)? {
        Asked::Plain => fields(&quote!(Self), &item.fields)?,
        Asked::Value(value) => value.to_token_stream(),
    };
    written(&item.ident, &item.generics, &value)
}

/// The `impl Default` of an enum: its marked variant, or the only one.
pub(super) fn default_of_enum(item: &ItemEnum) -> Option<Item> {
    let value = match asked(&item.attrs)? {
        Asked::Value(value) => value.to_token_stream(),
        Asked::Plain => {
            let mut marked = item
                .variants
                .iter()
                .filter(|variant| says(&variant.attrs).is_some());
            let variant = match (marked.next(), marked.next(), item.variants.len()) {
                (Some(only), None, _) => only,
                (None, None, 1) => item.variants.first()?,
                _ => return None,
            };
            let name = &variant.ident;
            fields(&quote!(Self::#name), &variant.fields)?
        }
    };
    written(&item.ident, &item.generics, &value)
}

/// What the attribute asks for.
enum Asked {
    /// The default of every field.
    Plain,
    /// This value.
    Value(Box<Expr>),
}

fn asked(attrs: &[Attribute]) -> Option<Asked> {
    let derived = attrs.iter().any(|attr| {
        let paths = match &attr.meta {
            Meta::List(list) if list.path.is_ident("derive") => {
                list.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)
            }
            _ => return false,
        };
        paths.is_ok_and(|paths| {
            let mut last = paths.iter().filter_map(|path| path.segments.last());
            last.any(|last| last.ident == "Educe" || last.ident == "Derivative")
        })
    });
    derived.then(|| says(attrs)).flatten()?.ok()
}

/// What `Default` in an `#[educe(..)]` or `#[derivative(..)]` says; none where it is not there.
fn says(attrs: &[Attribute]) -> Option<Result<Asked, ()>> {
    let helpers = attrs
        .iter()
        .filter(|attr| attr.path().is_ident("educe") || attr.path().is_ident("derivative"));
    helpers
        .filter_map(|attr| {
            let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
            attr.parse_args_with(parse).ok()
        })
        .flatten()
        .find(|meta| meta.path().is_ident("Default"))
        .map(|meta| value_of(&meta).ok_or(()))
}

/// `Default`, `Default = value`, `Default(value = "..")`; bounds and `new` change nothing about the value.
fn value_of(meta: &Meta) -> Option<Asked> {
    match meta {
        Meta::Path(_) => Some(Asked::Plain),
        Meta::NameValue(pair) => Some(Asked::Value(Box::new(pair.value.clone()))),
        Meta::List(list) => {
            let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
            let mut asked = Asked::Plain;
            for meta in list.parse_args_with(parse).ok()? {
                let key = meta.path().get_ident()?.to_string();
                match &*key {
                    "bound" | "new" => {}
                    "expression" | "expr" => {
                        let value = &meta.require_name_value().ok()?.value;
                        asked = Asked::Value(Box::new(value.clone()));
                    }
                    "value" => {
                        let Expr::Lit(ExprLit {
                            lit: Lit::Str(text),
                            ..
                        }) = &meta.require_name_value().ok()?.value
                        else {
                            return None;
                        };
                        asked = Asked::Value(Box::new(text.parse().ok()?));
                    }
                    _ => return None,
                }
            }
            Some(asked)
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
        let value = match says(&field.attrs) {
            None | Some(Ok(Asked::Plain)) => {
                quote_spanned!(place=> ::core::default::Default::default())
            }
            Some(Ok(Asked::Value(value))) => value.to_token_stream(),
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
