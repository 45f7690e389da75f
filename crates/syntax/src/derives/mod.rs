//! The derives of a type, and the attributes that they read, as syn's types.

pub(crate) mod fragment;
pub(crate) mod serde_with;

use proc_macro2::TokenTree;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Path, Token};

/// The paths of all derives. Attributes that rustc cannot parse either are ignored.
pub(super) fn derives(attrs: &[Attribute]) -> Vec<Path> {
    attrs
        .iter()
        .filter(|attr| is_derive(attr))
        .flat_map(paths)
        .collect()
}

fn is_derive(attr: &Attribute) -> bool {
    attr.path().is_ident("derive")
}

fn paths(attr: &Attribute) -> impl Iterator<Item = Path> + use<> {
    let paths = attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
    paths.into_iter().flatten()
}

/// The last segments of the paths of derives.
pub(super) fn names(paths: &[Path]) -> Vec<String> {
    let names = paths
        .iter()
        .filter_map(|path| Some(path.segments.last()?.ident.to_string()));
    names.collect()
}

/// The derive with this name in any module.
pub(super) fn derived_as(attrs: &[Attribute], name: &str) -> Option<Path> {
    // Most attributes do not contain the name, and parsing them again for each name would dominate the cost.
    let says = |attr: &&Attribute| match &attr.meta {
        Meta::List(list) => list.tokens.clone().into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident == name,
            _ => false,
        }),
        _ => false,
    };
    let derives = attrs.iter().filter(|attr| is_derive(attr));
    derives.filter(says).flat_map(paths).find(|path| {
        let last = path.segments.last();
        last.is_some_and(|last| last.ident == name)
    })
}

/// The metas inside `name(..)`.
pub(super) fn inside(meta: &Meta) -> Option<Vec<Meta>> {
    let list = meta.require_list().ok()?;
    let inside = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    Some(inside.ok()?.into_iter().collect())
}

/// The text of `key = "text"`.
pub(super) fn text_value(meta: &Meta) -> Option<&syn::LitStr> {
    match &meta.require_name_value().ok()?.value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text),
        _ => None,
    }
}

/// Items that a derive generates for a type.
pub(super) struct DerivedItems {
    /// The derive.
    pub(super) derive: Path,
    /// The full names of the derives that generate these items.
    pub(super) names: &'static [&'static str],
    /// The generated items.
    pub(super) items: Vec<syn::Item>,
}
