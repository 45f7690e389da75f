//! What code in a module sees besides names: the traits whose methods it may call.

use super::graph::{Def, Graph, ModuleId, Resolved};
use super::modules::TypeEntry;
use super::tree::{TraitDef, UseDef};
use std::sync::Arc;

/// How many globs are followed from one to the next.
const MAX_GLOBS: usize = 8;

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
}
