//! What the lowering of one file's items keeps; the methods are in the files of what they lower.

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
    /// The items inside the bodies of the functions of the current item.
    pub(super) bodies: Vec<Item>,
    /// How many modules of the file are open.
    pub(super) depth: u32,
    /// The macros above the open modules, and how many modules were open there.
    pub(super) around: Vec<(MacroUse, u32)>,
    /// The names that `use`s of this file give to others, with those that they had.
    pub(super) renamed: FxHashMap<String, String>,
    /// The folder of the file, where another file includes it.
    pub(super) folder: Option<PathBuf>,
}

impl<'a> Lowering<'a> {
    /// Starts on a file.
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

    /// A place in the file.
    pub(super) fn span(&self, place: proc_macro2::Span) -> Span {
        span(self.file, place)
    }
}
