//! The scope of code in a module besides names: the traits whose methods it may call.

use crate::graph::Graph;
use crate::ids::{Def, ModuleId, Resolved};
use crate::modules::TypeEntry;
use crd_channels_diagnostics::Text;
use crd_channels_syntax::cfg::Hidden;
use crd_channels_syntax::tree::{TraitDef, UseDef, Visibility};
use std::sync::Arc;

/// How many globs are followed in a chain.
const MAX_GLOBS: usize = 8;

impl Graph<'_> {
    /// The traits in source whose functions may be called by name alone in a module; those that globs of private names import
    /// count as well.
    #[must_use]
    pub fn traits_in_scope(&self, id: ModuleId) -> Vec<(ModuleId, Arc<TraitDef>)> {
        let mut found = Vec::new();
        let mut next = self.module(id).map(|module| (id, module));
        while let Some((id, module)) = next {
            let named = module.traits.get_or_init(|| {
                let mut named = Vec::new();
                self.traits_named_in(id, &mut named, 0);
                named
            });
            for (home, of) in named {
                add(&mut found, *home, of);
            }
            let outer = module.parent.filter(|_| module.is_body());
            next = outer.and_then(|id| Some((id, self.module(id)?)));
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
        let mut globs: Vec<Arc<UseDef>> = Vec::new();
        for content in self.contents(id, &module) {
            for entry in content.types.values() {
                if let TypeEntry::Trait(of) = entry {
                    add(found, id, of);
                }
            }
            for used in content.uses.values().flatten() {
                if let Ok(Resolved::Def(Def::Trait(home, of))) = self.resolve_type(id, &used.path) {
                    add(found, home, &of);
                }
            }
            globs.extend(content.globs.iter().cloned());
            // Traits that macros or an unknown cfg may add.
            let made = content.unread.iter().find(|call| call.has_name("trait"));
            let made = made.map(|call| call.call.name.clone());
            let is_item = |hidden: &&Hidden| hidden.name.starts_with(char::is_uppercase);
            let hidden = content.hidden.iter().find(is_item);
            let unseen = made.or_else(|| Some(hidden?.name.clone()));
            if let Some(name) = unseen {
                add(found, id, &Arc::new(unseen_trait(name)));
            }
        }
        if depth >= MAX_GLOBS {
            return;
        }
        for glob in globs {
            if let Some(inner) = self.module_at(id, &glob.path) {
                self.traits_named_in(inner, found, depth + 1);
            }
        }
    }
}

/// A trait of which nothing is known.
const fn unseen_trait(name: Text) -> TraitDef {
    TraitDef {
        name,
        visibility: Visibility::Public,
        functions: Vec::new(),
        has_unseen: true,
        macros: Vec::new(),
    }
}

fn add(found: &mut Vec<(ModuleId, Arc<TraitDef>)>, home: ModuleId, of: &Arc<TraitDef>) {
    if !found.iter().any(|(_, known)| Arc::ptr_eq(known, of)) {
        found.push((home, Arc::clone(of)));
    }
}
