//! The texts of `include_str!`, and the folder that their paths are relative to.

use super::expand::source_text;
use crate::graph::Graph;
use crate::ids::ModuleId;
use crate::modules::Module;
use crd_channels_diagnostics::{FileId, Span, Text};
use crd_channels_syntax::includes::{Includes, UNTOLD};
use crd_channels_syntax::parse;
use crd_channels_syntax::tree;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use syn::Expr;

impl Graph<'_> {
    /// The context of the includes in a module's file.
    pub(crate) fn includes_of(
        &self,
        module: &Module,
        file: Option<&Path>,
        foreign: bool,
    ) -> Option<Includes<'_>> {
        let info = self.crates.get(module.crate_id.0 as usize)?;
        Some(Includes {
            files: self.files,
            sources: self.sources(),
            naming: self.naming(module),
            foreign,
            strict: self.is_walked(info.package),
            folder: file.and_then(Path::parent).map(Path::to_path_buf),
            package: &self.package(module)?.root,
            open: module.canonical.get().into_iter().cloned().collect(),
            included: false,
            seen: Mutex::default(),
            places: Mutex::default(),
        })
    }

    /// The text of the file that an `include_str!` in a module names, with the span of the whole text. The file becomes an
    /// input of the module.
    ///
    /// # Errors
    /// A message if the file cannot be read.
    pub fn included_text(
        &self,
        id: ModuleId,
        place: Span,
        tokens: &[tree::Token],
    ) -> Result<(Text, Span), String> {
        let untold = || UNTOLD.to_owned();
        let owner = self.owner_of(id).ok_or_else(untold)?;
        let argument = source_text(tokens, &|span| self.source_text(span));
        let file = self.file_of_call(&owner, place);
        let includes = self.includes_of(&owner, file.as_deref(), false);
        let includes = includes.ok_or_else(untold)?;
        let text = parse::parsed(&argument, |argument: &Expr| {
            includes.text_and_name(argument)
        });
        let (text, shown) = text.ok_or_else(untold)??;
        let text = Text::from(text);
        let included = self.included_source(&text, shown, place);
        let mut places = includes
            .places
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        places.push((included.file, place));
        drop(places);
        self.remember_included(&owner, includes);
        Ok((text, included))
    }

    /// The span of an included text, for diagnostics about it. If several calls include a file, they share it.
    fn included_source(&self, text: &Text, shown: Text, call: Span) -> Span {
        let sources = self.sources();
        let is_it = |id: &FileId| sources.get(*id).is_some_and(|file| file.text == *text);
        let known = sources.file_named(&shown).filter(is_it);
        let foreign = sources.get(call.file).is_some_and(|file| file.foreign);
        Span {
            file: known.unwrap_or_else(|| sources.add_of(foreign, shown, Arc::clone(text))),
            start: 0,
            end: u32::try_from(text.len()).unwrap_or(u32::MAX),
        }
    }

    /// The file that the paths of a call are relative to; a generated text is at the call of its macro. `None` in an included
    /// file.
    pub(crate) fn file_of_call(&self, module: &Module, call: Span) -> Option<PathBuf> {
        if self.is_included(call) {
            return None;
        }
        let mut of = module.file.get().cloned();
        let mut next = module.parent;
        while of.is_none() {
            let parent = self.module(next?)?;
            of = parent.file.get().cloned();
            next = parent.parent;
        }
        of
    }
}
