//! The derives of crd-channels: [`ApiType`] for the types of an API, [`Conditions`] and [`Reasons`] for the conditions of a
//! status, [`Convert`] for conversion between the versions of an API. All except the first generate code for the traits of
//! `crd-channels-runtime`, which re-exports them.
//!
#![doc = include_str!("../README.md")]

mod conditions;
mod convert;
mod gates;

use crd_channels_markers::{Error, NodeAttrs, read_type};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{DeriveInput, parse_macro_input};

/// Declares crd-channels' attributes and checks them while you type. It adds no code but the list of what is gated, for
/// rustdoc, and reads no files: only `cargo xtask gen-crds` knows which features exist.
///
/// Allows `#[experimental]`, `#[not_experimental]`, `#[tombstone(..)]` and `#[crd(..)]` on a type, its fields and its variants,
/// and reports invalid ones. The attributes come after the derive.
#[proc_macro_derive(ApiType, attributes(experimental, not_experimental, tombstone, crd))]
pub fn api_type(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let mut errors = Vec::new();
    let nodes = read_type(&input, &mut errors);
    let documented = gates::documented(&input, &nodes).filter(|_| errors.is_empty());
    let errors = errors.iter().map(compile_error);
    errors
        .chain(path_uses(&nodes))
        .chain(documented)
        .collect::<TokenStream>()
        .into()
}

/// Makes the compiler resolve the paths in attributes, so that imports count as used and typos are errors.
fn path_uses(nodes: &[(String, NodeAttrs)]) -> impl Iterator<Item = TokenStream> {
    let paths = nodes
        .iter()
        .filter_map(|(_, node)| node.crd.marks.conditions.as_ref());
    paths.map(|path| {
        quote! {
            const _: ::core::marker::PhantomData<#path> = ::core::marker::PhantomData;
        }
    })
}

/// Implements `crd_channels_runtime::conversion::Convert` between the types of a spoke and of the hub, in both directions.
/// Fields and variants map by name; the derived code names every field of both types, so a field that only one of them has does
/// not compile.
///
/// On the type:
/// - `hub = v1::Route`: the hub's type. Required.
/// - `hub_only(retries, mirror)`: fields that only the hub's type has. They are defaulted.
/// - `hub_only(Mirror => Forward)`: a variant that only the hub's type has, and the variant without fields that replaces it
///   here.
///
/// On a field:
/// - `rename = name`: its name in the hub's type.
/// - `same`: both versions have the same type; the value is moved.
/// - `with = module`: converted by `module::to_hub` and `module::from_hub`, which return
///   `Result<_, crd_channels_runtime::conversion::Unconvertible>`.
/// - `skip`: the hub's type lacks it. It is defaulted.
///
/// On a variant:
/// - `rename = Name`: its name in the hub's type.
/// - `to = Name`: the hub's type lacks it, and has this variant without fields in its place.
#[proc_macro_derive(Convert, attributes(convert))]
pub fn convert(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    convert::expand(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Declares the types of conditions that a controller sets: one variant each, which contains an enum of its reasons. Implements
/// `crd_channels_runtime::conditions::Conditions`, and adds a constant for each type.
#[proc_macro_derive(
    Conditions,
    attributes(conditions, condition, experimental, not_experimental, tombstone)
)]
pub fn conditions(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    written(conditions::conditions(&input))
}

/// Declares the reasons of a condition: one variant each, with the status that it implies. Implements
/// `crd_channels_runtime::conditions::Reasons`, and adds a constant for each reason.
#[proc_macro_derive(
    Reasons,
    attributes(reasons, reason, experimental, not_experimental, tombstone)
)]
pub fn reasons(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    written(conditions::reasons(&input))
}

fn written(made: Result<TokenStream, Vec<Error>>) -> proc_macro::TokenStream {
    made.unwrap_or_else(|errors| errors.iter().map(compile_error).collect())
        .into()
}

/// Returns the error as a compiler error. Its first and last token carry the spans, since stable Rust cannot join them.
fn compile_error(error: &Error) -> TokenStream {
    let Error {
        kind: _,
        extent,
        message,
        help,
    } = error;
    let text = match help {
        Some(help) => format!("{message}\nhelp: {help}"),
        None => message.clone(),
    };
    let mut braces = Group::new(proc_macro2::Delimiter::Brace, quote!(#text));
    braces.set_span(extent.end);
    let braces = TokenTree::Group(braces);
    quote_spanned! {extent.start=> ::core::compile_error! #braces }
}
