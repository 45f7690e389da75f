//! What code in a module sees besides names: the traits whose methods it may call, and what macros are called.

use super::crates::{self, Extern};
use super::graph::{Def, Graph, ModuleId, Resolved};
use super::modules::TypeEntry;
use super::tree::{Path, TraitDef, UseDef};
use crate::Text;
use std::sync::Arc;

/// How many globs are followed from one to the next.
const MAX_GLOBS: usize = 8;

/// Macros of std that need no `use`.
const STD_MACROS: [&str; 33] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
];

/// What the name of a macro means.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum MacroMeaning {
    /// A macro that is defined in source.
    Source,
    /// One of a crate that is known by name: `std::vec`, `serde_json::json`.
    Known(Text),
    /// Nothing that is known.
    Unknown,
}

impl Graph<'_> {
    /// The traits of the source whose functions code in a module may call by their names alone.
    #[must_use]
    pub fn traits_in_scope(&self, id: ModuleId) -> Vec<(ModuleId, Arc<TraitDef>)> {
        let mut found = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            self.traits_named_in(id, &mut found, 0);
            next = self
                .module(id)
                .filter(|module| module.is_body())
                .and_then(|module| module.parent);
        }
        found
    }

    fn traits_named_in(
        &self,
        id: ModuleId,
        found: &mut Vec<(ModuleId, Arc<TraitDef>)>,
        depth: usize,
    ) {
        let Some(module) = self.module(id) else {
            return;
        };
        let mut add = |home: ModuleId, of: Arc<TraitDef>| {
            if !found.iter().any(|(_, known)| Arc::ptr_eq(known, &of)) {
                found.push((home, of));
            }
        };
        let mut globs: Vec<Arc<UseDef>> = Vec::new();
        for content in self.contents(id, &module) {
            for entry in content.types.values() {
                if let TypeEntry::Trait(of) = entry {
                    add(id, Arc::clone(of));
                }
            }
            for used in content.uses.values().flatten() {
                if depth > 0 && used.private {
                    continue;
                }
                if let Ok(Resolved::Def(Def::Trait(home, of))) = self.resolve_type(id, &used.path) {
                    add(home, of);
                }
            }
            globs.extend(content.globs.iter().cloned());
        }
        if depth >= MAX_GLOBS {
            return;
        }
        for glob in globs {
            if depth > 0 && glob.private {
                continue;
            }
            if let Some(inner) = self.module_at(id, &glob.path) {
                self.traits_named_in(inner, found, depth + 1);
            }
        }
    }

    /// What the name of a macro means in a module.
    #[must_use]
    pub fn macro_meaning(&self, id: ModuleId, path: &Path) -> MacroMeaning {
        if self.is_source_macro(id, path) {
            return MacroMeaning::Source;
        }
        let Some(last) = path.segments.last() else {
            return MacroMeaning::Unknown;
        };
        let used = || {
            let module = self.module(id)?;
            let mut contents = self.contents(id, &module);
            contents.find_map(|content| {
                let used = content.uses.get(&last.name)?.first()?;
                Some(used.path.clone())
            })
        };
        let proper = self.proper(id);
        match &path.segments[..] {
            [_] if !path.leading => match used() {
                Some(path) => self.known_macro(id, &path),
                None if proper != id => self.macro_meaning(proper, path),
                None if STD_MACROS.contains(&&*last.name) || &*last.name == "writeln" => {
                    MacroMeaning::Known(Text::from(format!("std::{}", last.name)))
                }
                None => MacroMeaning::Unknown,
            },
            _ => self.known_macro(id, path),
        }
    }

    /// A macro of a crate that is known by name.
    fn known_macro(&self, id: ModuleId, path: &Path) -> MacroMeaning {
        let (Some(first), Some(last)) = (path.segments.first(), path.segments.last()) else {
            return MacroMeaning::Unknown;
        };
        let info = self
            .module(id)
            .and_then(|module| self.crates.get(module.crate_id.0 as usize));
        let Some(info) = info else {
            return MacroMeaning::Unknown;
        };
        match crates::named(self.workspace, &self.crates, info, &first.name) {
            Some(Extern::Known(name)) => {
                MacroMeaning::Known(Text::from(format!("{name}::{}", last.name)))
            }
            // Logging says what is done and does nothing.
            Some(Extern::Crate(id)) => {
                let name = self.crates.get(id.0 as usize).map(|info| &info.target.name);
                match name {
                    Some(name) if matches!(name.as_str(), "tracing" | "log") => {
                        MacroMeaning::Known(Text::from("tracing"))
                    }
                    _ => MacroMeaning::Unknown,
                }
            }
            None => MacroMeaning::Unknown,
        }
    }
}
