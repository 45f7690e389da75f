//! The state of lowering the items of one file; the methods are in the modules of the items they lower.

use super::nested;
use crate::cfg::{Hidden, Scope};
use crate::includes::Includes;
use crate::lower_syn::span;
use crate::tree::{Item, MacroUse};
use crd_channels_diagnostics::{FileId, Sink, Span};
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

/// Whether an item is seen in its module alone.
pub(crate) fn is_private(visibility: &syn::Visibility) -> bool {
    match visibility {
        syn::Visibility::Public(_) => false,
        syn::Visibility::Restricted(restricted) => restricted.path.is_ident("self"),
        syn::Visibility::Inherited => true,
    }
}

/// Whether the attributes include a built-in one.
pub(super) fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident(name))
}
