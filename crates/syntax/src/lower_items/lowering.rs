//! The state of lowering the items of one file; the methods are in the modules of the items they lower.

use super::nested;
use crate::cfg::{Hidden, Scope};
use crate::includes::Includes;
use crate::lower_syn::{name, span};
use crate::tree::{Item, MacroUse, Visibility};
use crd_channels_diagnostics::{FileId, Sink, Span, Text};
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use syn::Attribute;

/// Lowers the items of one file.
pub(crate) struct Lowering<'a> {
    pub(crate) file: FileId,
    pub(crate) scope: &'a Scope<'a>,
    pub(crate) includes: Option<&'a Includes<'a>>,
    pub(crate) sink: &'a mut Sink,
    pub(crate) hidden: Vec<Hidden>,
    /// The items inside the function bodies of the current item.
    pub(crate) bodies: Vec<Item>,
    /// The number of enclosing modules in the file.
    pub(crate) depth: u32,
    /// The macros on the enclosing modules, each with the number of modules around it.
    pub(crate) around: Vec<(MacroUse, u32)>,
    /// The macros that the documentation of the current item calls.
    pub(super) calls: Vec<MacroUse>,
    /// The names that `use`s of this file introduce, with the original ones.
    pub(crate) renamed: FxHashMap<String, String>,
    /// Whether blocks with a function `default` may be nested in bodies and values.
    pub(super) may_nest: bool,
    /// The folder of the file, if another file includes it.
    pub(crate) folder: Option<PathBuf>,
}

impl<'a> Lowering<'a> {
    /// Creates the state for a file with this text.
    pub(crate) fn new(
        text: &str,
        file: FileId,
        scope: &'a Scope<'a>,
        includes: Option<&'a Includes<'a>>,
        sink: &'a mut Sink,
    ) -> Self {
        Self {
            file,
            scope,
            includes,
            sink,
            hidden: Vec::new(),
            bodies: Vec::new(),
            depth: 0,
            around: Vec::new(),
            calls: Vec::new(),
            renamed: FxHashMap::default(),
            may_nest: nested::mentions(text),
            folder: includes.and_then(Includes::folder_of_included),
        }
    }

    /// Converts a span of the file.
    pub(crate) fn span(&self, place: proc_macro2::Span) -> Span {
        span(self.file, place)
    }
}

/// Which code sees an item.
pub(crate) fn visibility(written: &syn::Visibility) -> Visibility {
    let restricted = match written {
        syn::Visibility::Public(_) => return Visibility::Public,
        syn::Visibility::Inherited => return Visibility::Above(0),
        syn::Visibility::Restricted(restricted) => restricted,
    };
    let mut names: Vec<Text> = restricted
        .path
        .segments
        .iter()
        .map(|it| name(&it.ident))
        .collect();
    match names.first().map(|first| &**first) {
        Some("super" | "self") => {
            // The path leads to a module around the item, so names lead back down.
            let (up, down): (Vec<&Text>, Vec<&Text>) =
                names.iter().partition(|name| &***name == "super");
            let down = down.iter().filter(|name| &****name != "self").count();
            Visibility::Above(up.len().saturating_sub(down))
        }
        _ => {
            // Up to edition 2015, paths begin at the root without `crate`.
            names.retain(|name| &**name != "crate");
            Visibility::Under(names)
        }
    }
}

/// Which code sees the constructor of a tuple struct: what sees all fields.
pub(crate) fn constructor(input: &syn::DeriveInput) -> Visibility {
    let mut least = visibility(&input.vis);
    if let syn::Data::Struct(data) = &input.data
        && let syn::Fields::Unnamed(fields) = &data.fields
    {
        for field in &fields.unnamed {
            match (visibility(&field.vis), &least) {
                (Visibility::Public, _) | (_, Visibility::Above(0)) => {}
                (own, _) => least = own,
            }
        }
    }
    least
}

/// Whether the attributes include a built-in one.
pub(super) fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident(name))
}
