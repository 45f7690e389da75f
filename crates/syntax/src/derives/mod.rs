//! The derives of a type, and the attributes that they read, as syn's types.

pub(crate) mod serde_with;

use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token};

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
