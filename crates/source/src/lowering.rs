//! The state of lowering the items of one file; the methods are in the modules of the items they lower.

use super::cfg::{Hidden, Scope};
use super::includes::Includes;
use super::lower_syn::span;
use super::tree::{Item, MacroUse};
use crd_channels_diagnostics::{FileId, Sink, Span};
use rustc_hash::FxHashMap;
use std::path::PathBuf;

/// Lowers the items of one file.
pub(super) struct Lowering<'a> {
    pub(super) file: FileId,
    pub(super) scope: &'a Scope<'a>,
    pub(super) includes: Option<&'a Includes<'a>>,
    pub(super) sink: &'a mut Sink,
    pub(super) hidden: Vec<Hidden>,
    /// The items inside the function bodies of the current item.
    pub(super) bodies: Vec<Item>,
    /// The number of enclosing modules in the file.
    pub(super) depth: u32,
    /// The macros on the enclosing modules, each with the number of modules around it.
    pub(super) around: Vec<(MacroUse, u32)>,
    /// The names that `use`s of this file introduce, with the original ones.
    pub(super) renamed: FxHashMap<String, String>,
    /// The folder of the file, if another file includes it.
    pub(super) folder: Option<PathBuf>,
}

impl<'a> Lowering<'a> {
    /// Creates the state for a file.
    pub(super) fn new(
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
            folder: includes.and_then(Includes::folder_of_included),
        }
    }

    /// Converts a span of the file.
    pub(super) fn span(&self, place: proc_macro2::Span) -> Span {
        span(self.file, place)
    }
}
