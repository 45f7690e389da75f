//! `#[derive(Convert)]`: describes the JSON of a type, and how that of a spoke becomes that of the hub.

mod attributes;
mod description;
mod pairs;

use attributes::Container;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use serde_derive_internals::ast;
use serde_derive_internals::{Ctxt, Derive};
use syn::{DeriveInput, Error, Ident, Result};

/// Derives the description, and the plan if there is a hub.
pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    if let Some(first) = input.generics.params.first() {
        return Err(Error::new_spanned(
            first,
            "generic types are not supported: implement `Convert` by hand",
        ));
    }
    let container = Container::read(input)?;
    let context = Ctxt::new();
    let private = Ident::new("__private", Span::call_site());
    let json = ast::Container::from_ast(&context, input, Derive::Deserialize, &private);
    context.check()?;
    // serde reports unions.
    let Some(json) = json else {
        return Ok(TokenStream::new());
    };
    if json.attrs.type_from().is_some() || json.attrs.type_try_from().is_some() {
        return Err(Error::new_spanned(
            &input.ident,
            "the JSON of this type is that of another type: implement `Convert` by hand, or write `#[convert(same)]` on the fields that have it",
        ));
    }
    let description = description::description_impl(&json, &container.runtime)?;
    let plan = match &container.hub {
        Some(hub) => pairs::convert_impl(&json, &container, hub)?,
        None => {
            attributes::without_hub(input, &container)?;
            TokenStream::new()
        }
    };
    Ok(quote! {
        #[allow(unused_qualifications, clippy::all, clippy::pedantic)]
        const _: () = { #description #plan };
    })
}
