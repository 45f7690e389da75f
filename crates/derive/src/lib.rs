//! `#[derive(ApiType)]` makes crd-channels' attributes legal Rust and checks them while typing. It adds no code and reads
//! no files: which features exist is known to `cargo xtask gen-crds` only.

use crd_channels_markers::{Error, check};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{DeriveInput, parse_macro_input};

/// Lets `#[experimental]`, `#[not_experimental]`, `#[tombstone(..)]` and `#[crd(..)]` stand on a type, its fields and its
/// variants, and reports the wrong ones. The attributes stand below the derive.
#[proc_macro_derive(ApiType, attributes(experimental, not_experimental, tombstone, crd))]
pub fn api_type(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    check(&input)
        .iter()
        .map(compile_error)
        .collect::<TokenStream>()
        .into()
}

/// The error as the compiler shows it. Its first and last token carry the spans, since stable Rust cannot join them.
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
