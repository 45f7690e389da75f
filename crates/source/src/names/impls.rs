//! The `impl` blocks of types: where they may be, and which of them apply to a type.

use crate::graph::{Block, Graph, ImplIndex};
use crate::ids::{Def, ModuleId, Resolved, TypeRef};
use crate::modules::has_name;
use crd_channels_diagnostics::Text;
use crd_channels_syntax::tree::{ImplDef, Path, SHADOWING, Token, TyKind};
use std::sync::Arc;

/// How many aliases of the type in a block's header are followed.
const MAX_ALIASES: usize = 8;

/// Traits whose blocks may be anywhere in the crate of a dependency's type, since the type's schema or default depends on them.
const FAR: [&str; 3] = ["JsonSchema", "Serialize", "Default"];

impl Graph<'_> {
    /// The impl blocks of a trait for a type with their modules, by the trait's own name (`JsonSchema`). Searches
    /// all modules of the crates passed to [`Graph::load`], in other crates the type's own module and its ancestors.
    #[must_use]
    pub fn impls(&self, ty: &TypeRef, of: &str) -> Vec<Block> {
        self.impls_named(ty.module, &ty.def.name, Some(of))
    }

    /// All impl blocks of a type in its whole crate, inherent ones and those of traits.
    #[must_use]
    pub fn all_impls(&self, ty: &TypeRef) -> Vec<Block> {
        self.impls_named(ty.module, &ty.def.name, None)
    }

    /// The inherent blocks of a type's crate, for whatever type, that have, or may have, a function called as one of `Default` or
    /// `JsonSchema`. `None` for other names, which are not kept.
    #[must_use]
    pub fn shadowing_blocks(&self, ty: &TypeRef, function: &str) -> Option<Vec<Block>> {
        if !SHADOWING.contains(&function) {
            return None;
        }
        let found = self.impls_of_crate(ty.module, &key_of(function));
        // A `$` may stand for any name.
        let is_open = |token: &Token| matches!(token, Token::Punct('$', ..));
        let may_be_it = |(_, block): &Block| match &block.for_.kind {
            TyKind::Macro(_, tokens) => {
                has_name(tokens, &ty.def.name) || tokens.iter().any(is_open)
            }
            _ => true,
        };
        let found = found.into_iter().filter(may_be_it);
        Some(found.map(|block| self.read_block(block)).collect())
    }

    /// The blocks of a trait for the type `name` that a derive generates next to `ty`.
    #[must_use]
    pub fn impls_of_derived(&self, ty: &TypeRef, name: &Text, of: &str) -> Vec<Block> {
        self.impls_named(ty.module, name, Some(of))
    }

    /// The type of the source that a path names, behind aliases.
    fn meant(&self, module: ModuleId, path: &Path, depth: usize) -> Option<TypeRef> {
        match self.resolve_type(module, path) {
            Ok(Resolved::Def(Def::Type(found))) => Some(found),
            Ok(Resolved::Def(Def::Alias(home, alias))) if depth < MAX_ALIASES => {
                let TyKind::Path(path) = &alias.ty.kind else {
                    return None;
                };
                self.meant(home, path, depth + 1)
            }
            _ => None,
        }
    }

    /// Whether a path names a trait that is called so where it is defined.
    fn is_trait(&self, module: ModuleId, path: &Path, wanted: &str) -> bool {
        let written = path.segments.last();
        written.is_some_and(|last| *last.name == *wanted)
            || matches!(self.resolve_type(module, path), Ok(Resolved::External(name))
                if name.rsplit("::").next() == Some(wanted))
    }

    /// The blocks for the type `name` of a module, of one trait or all.
    fn impls_named(&self, home: ModuleId, name: &Text, wanted: Option<&str>) -> Vec<Block> {
        let fitting = |candidates: Vec<Block>| -> Vec<Block> {
            let fits = |(module, block): &Block| {
                let is_trait = |wanted| {
                    let of = block.of.as_ref();
                    of.is_some_and(|of| self.is_trait(*module, of, wanted))
                };
                let meant = self.type_of(*module, block);
                meant.is_some_and(|ty| ty.module == home && ty.def.name == *name)
                    && wanted.is_none_or(is_trait)
            };
            let fitting = candidates.into_iter().filter(fits);
            fitting.map(|block| self.read_block(block)).collect()
        };
        if self.walked_crate(home).is_none() {
            let near = fitting(self.impls_around(home, wanted));
            if wanted.is_some_and(|wanted| !near.is_empty() || !FAR.contains(&wanted)) {
                return near;
            }
        }
        // The whole crate is searched, because a missed block would go unnoticed.
        fitting(self.impls_of_crate(home, &self.key_of_type(home, name)))
    }

    /// The blocks with a key in the crate of a module. Of walked crates whose files an earlier run recorded, only those with such
    /// blocks are loaded.
    fn impls_of_crate(&self, asking: ModuleId, key: &Text) -> Vec<Block> {
        let Some(module) = self.module(asking) else {
            return Vec::new();
        };
        let crate_id = module.crate_id;
        let is_walked = self.walked_crate(asking).is_some();
        let recalled = is_walked.then(|| self.recalled_impls(crate_id, key));
        if let Some(modules) = recalled.flatten() {
            let blocks = modules.into_iter().flat_map(|id| self.blocks_in(id));
            let wanted = blocks.filter(|(own, _)| own == key);
            let found: Vec<Block> = wanted.map(|(_, block)| block).collect();
            module.note(found.iter().map(|(id, _)| *id));
            return found;
        }
        let Some(index) = self.impls.get(crate_id.0 as usize) else {
            return Vec::new();
        };
        let index = index.get_or_init(|| {
            let mut index = ImplIndex::default();
            for (id, _) in self.below_expanded(ModuleId(crate_id.0)) {
                for (key, block) in self.blocks_in(id) {
                    index.entry(key).or_default().push(block);
                }
            }
            index
        });
        let found = index.get(key).cloned().unwrap_or_default();
        if is_walked {
            module.note(found.iter().map(|(id, _)| *id));
        } else {
            module.note_crate();
        }
        found
    }

    /// The blocks directly in a module, by the keys with which they are looked up.
    pub(crate) fn blocks_in(&self, id: ModuleId) -> Vec<(Text, Block)> {
        let Some(module) = self.module(id) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for written in self.contents(id, &module) {
            for block in &written.impls {
                let keys = self.keys_of(id, block).into_iter();
                found.extend(keys.map(|key| (key, (id, Arc::clone(block)))));
            }
            for unread in &written.unread {
                let may = SHADOWING.into_iter().filter(|name| unread.has_name(name));
                found.extend(may.map(|name| {
                    let tokens = unread.tokens().flatten().cloned().collect();
                    let block = ImplDef::unread(unread.call.path.span, name, tokens);
                    (key_of(name), (id, Arc::new(block)))
                }));
            }
        }
        found
    }

    /// The path of the type that a block is for, and the keys of its [`SHADOWING`] functions.
    fn keys_of(&self, id: ModuleId, block: &ImplDef) -> Vec<Text> {
        let own = SHADOWING
            .into_iter()
            .filter(|name| block.of.is_none() && block.has_function(name));
        let mut keys: Vec<Text> = own.map(key_of).collect();
        let meant = self.type_of(id, block);
        keys.extend(meant.map(|ty| self.key_of_type(ty.module, &ty.def.name)));
        keys
    }

    /// The type of the source that a block is for.
    fn type_of(&self, id: ModuleId, block: &ImplDef) -> Option<TypeRef> {
        let path = header(block)?;
        let last = path.segments.last()?;
        let is_open = block.generics.contains(&last.name);
        (!is_open).then(|| self.meant(id, path, 0)).flatten()
    }

    fn key_of_type(&self, module: ModuleId, name: &Text) -> Text {
        format!("{}::{name}", self.module_path(module)).into()
    }

    /// The impls in a module and its ancestors, of one trait by the name that they give it or all.
    fn impls_around(&self, module: ModuleId, wanted: Option<&str>) -> Vec<Block> {
        let called = |block: &&Arc<ImplDef>| {
            let last = block.of.as_ref().and_then(|of| of.segments.last());
            wanted.is_none_or(|wanted| last.is_some_and(|last| *last.name == *wanted))
        };
        let mut found = Vec::new();
        let mut next = Some(module);
        while let Some(id) = next
            && let Some(module) = self.module(id)
        {
            let contents = self.contents(id, &module);
            let blocks = contents.flat_map(|content| &content.impls).filter(called);
            found.extend(blocks.map(|block| (id, Arc::clone(block))));
            next = module.parent;
        }
        found
    }
}

/// The key of the blocks with one of the [`SHADOWING`] functions, whatever their headers call the type. No type has such a name.
fn key_of(function: &str) -> Text {
    format!("fn {function}").into()
}

/// The path of the type that a block implements, behind references.
fn header(block: &ImplDef) -> Option<&Path> {
    let mut ty = &block.for_;
    while let TyKind::Reference(inner, _) = &ty.kind {
        ty = inner;
    }
    match &ty.kind {
        TyKind::Path(path) => Some(path),
        _ => None,
    }
}
