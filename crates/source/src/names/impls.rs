//! The `impl` blocks of types: where they may be, and which of them apply to a type.

use crate::graph::{Block, Graph, ImplIndex};
use crate::ids::{CrateId, Def, ModuleId, Resolved, TypeRef};
use crate::modules::{Content, TypeEntry, has_name};
use crate::names::{Macro, Making};
use crd_channels_diagnostics::Text;
use crd_channels_syntax::tree::{ImplDef, MacroDef, Path, SHADOWING, Token, TyKind};
use std::sync::Arc;

/// How many aliases of the type in a block's header are followed.
const MAX_ALIASES: usize = 8;

/// Traits whose blocks may be anywhere in the crate of a dependency's type, since the type's schema or default depends on them.
const FAR: [&str; 3] = ["JsonSchema", "Serialize", "Default"];

impl Graph<'_> {
    /// The impl blocks of a trait for a type with their modules, by the last segment of the trait's path (`JsonSchema`). Searches
    /// all modules of the crates passed to [`Graph::load`], in other crates the type's own module and its ancestors.
    #[must_use]
    pub fn impls(&self, ty: &TypeRef, of: &str) -> Vec<Block> {
        let is_it = |module, path: &Path| self.leads_to(module, path, ty);
        self.impls_named(ty, &ty.def.name, Some(of), &is_it)
    }

    /// All impl blocks of a type in its whole crate, inherent ones and those of traits.
    #[must_use]
    pub fn all_impls(&self, ty: &TypeRef) -> Vec<Block> {
        let is_it = |module, path: &Path| self.leads_to(module, path, ty);
        self.impls_named(ty, &ty.def.name, None, &is_it)
    }

    /// The inherent blocks of a type's crate, for whatever type, that have, or may have, a function called as one of `Default` or
    /// `JsonSchema`. `None` for other names, which are not kept.
    #[must_use]
    pub fn shadowing_blocks(&self, ty: &TypeRef, function: &str) -> Option<Vec<Block>> {
        if !SHADOWING.contains(&function) {
            return None;
        }
        let key = key_of(function);
        let asking = self.module(ty.module);
        let (found, looked_into): (Vec<Block>, Vec<ModuleId>) = match self.walked_crate(ty.module) {
            Some(crate_id) => {
                let found = self.impls_of_crate(crate_id, &key);
                let modules = found.iter().map(|(module, _)| *module).collect();
                (found, modules)
            }
            None => {
                let root = asking.as_ref().map(|module| ModuleId(module.crate_id.0));
                let all = root.map(|root| self.module_tree(root)).unwrap_or_default();
                let blocks = all.iter().flat_map(|(id, _)| self.blocks_in(*id));
                let having = blocks.filter(|(name, _)| *name == key);
                let found = having.map(|(_, block)| block).collect();
                (found, all.iter().map(|(id, _)| *id).collect())
            }
        };
        if let Some(asking) = asking {
            asking.note(looked_into);
        }
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

    /// The blocks of a trait for a type that a derive generates next to `ty` under another name: its paths resolve like those
    /// of `ty`.
    #[must_use]
    pub fn impls_of_derived(&self, ty: &TypeRef, name: &Text, of: &str) -> Vec<Block> {
        let is_it = |module, path: &Path| {
            let mut beside = path.clone();
            if let Some(last) = beside.segments.last_mut() {
                last.name.clone_from(&ty.def.name);
            }
            self.leads_to(module, &beside, ty)
        };
        self.impls_named(ty, name, Some(of), &is_it)
    }

    fn leads_to(&self, module: ModuleId, path: &Path, ty: &TypeRef) -> bool {
        self.leads_to_at(module, path, ty, 0)
    }

    fn leads_to_at(&self, module: ModuleId, path: &Path, ty: &TypeRef, depth: usize) -> bool {
        match self.resolve_type(module, path) {
            Ok(Resolved::Def(Def::Type(found))) => Arc::ptr_eq(&found.def, &ty.def),
            Ok(Resolved::Def(Def::Alias(home, alias))) if depth < MAX_ALIASES => {
                let TyKind::Path(path) = &alias.ty.kind else {
                    return false;
                };
                self.leads_to_at(home, path, ty, depth + 1)
            }
            _ => false,
        }
    }

    /// The blocks that name the type so, of one trait or all, of which `is_it` tells that they are for it.
    fn impls_named(
        &self,
        ty: &TypeRef,
        name: &Text,
        wanted: Option<&str>,
        is_it: &dyn Fn(ModuleId, &Path) -> bool,
    ) -> Vec<Block> {
        let asking = self.module(ty.module);
        let fitting = |candidates: Vec<Block>| -> Vec<Block> {
            if let Some(asking) = &asking {
                asking.note(candidates.iter().map(|(module, _)| *module));
            }
            let fits = |(module, block): &Block| {
                let last = block.of.as_ref().and_then(|of| of.segments.last());
                let Some(path) = header(block) else {
                    return false;
                };
                let named = path.segments.last();
                wanted.is_none_or(|wanted| last.is_some_and(|last| *last.name == *wanted))
                    && named.is_some_and(|last| !block.generics.contains(&last.name))
                    && is_it(*module, path)
            };
            let fitting = candidates.into_iter().filter(fits);
            fitting.map(|block| self.read_block(block)).collect()
        };
        if let Some(crate_id) = self.walked_crate(ty.module) {
            return fitting(self.impls_of_crate(crate_id, name));
        }
        let near = fitting(self.impls_around(ty.module));
        if wanted.is_some_and(|wanted| !near.is_empty() || !FAR.contains(&wanted)) {
            return near;
        }
        // The whole crate is searched, because a missed block would go unnoticed.
        let Some(module) = &asking else {
            return near;
        };
        let all = self.module_tree(ModuleId(module.crate_id.0));
        module.note(all.iter().map(|(id, _)| *id));
        let blocks = all.iter().flat_map(|(id, module)| {
            let blocks = self.contents(*id, module).flat_map(|all| &all.impls);
            blocks.map(|block| (*id, Arc::clone(block)))
        });
        fitting(blocks.collect())
    }

    /// The blocks of a walked crate that use this name for their type. If an earlier run recorded the crate's files, only those
    /// with such blocks are loaded.
    fn impls_of_crate(&self, crate_id: CrateId, name: &Text) -> Vec<Block> {
        if let Some(modules) = self.recalled_impls(crate_id, name) {
            let blocks = modules.into_iter().flat_map(|id| self.blocks_in(id));
            return blocks
                .filter(|(called, _)| called == name)
                .map(|(_, block)| block)
                .collect();
        }
        let Some(index) = self.impls.get(crate_id.0 as usize) else {
            return Vec::new();
        };
        let index = index.get_or_init(|| {
            let mut index = ImplIndex::default();
            for (id, _) in self.below_expanded(ModuleId(crate_id.0)) {
                for (name, block) in self.blocks_in(id) {
                    index.entry(name).or_default().push(block);
                }
            }
            index
        });
        index.get(name).cloned().unwrap_or_default()
    }

    /// The blocks directly in a module, by every name of their type.
    pub(crate) fn blocks_in(&self, id: ModuleId) -> Vec<(Text, Block)> {
        let Some(module) = self.module(id) else {
            return Vec::new();
        };
        let content = self.content(id, &module);
        let mut found = Vec::new();
        for written in self.contents(id, &module) {
            for block in &written.impls {
                let names = names_of(content, block).into_iter();
                found.extend(names.map(|name| (name, (id, Arc::clone(block)))));
            }
            for unread in &written.unread {
                let call = &unread.call;
                let tokens = self.tokens_of(id, call);
                let may = SHADOWING.into_iter().filter(|name| has_name(&tokens, name));
                found.extend(may.map(|name| {
                    let block = ImplDef::unread(call.path.span, name, tokens.clone());
                    (key_of(name), (id, Arc::new(block)))
                }));
            }
        }
        found
    }

    /// The tokens of a call and of the `macro_rules!` that it refers to.
    fn tokens_of(&self, id: ModuleId, call: &MacroDef) -> Vec<Token> {
        let mut tokens = call.tokens.clone();
        if let Some(Macro::Rules(_, definition)) =
            self.macro_of_call(id, &call.path, &[], Making::Nothing)
        {
            tokens.extend(definition.tokens.iter().cloned());
        }
        tokens
    }

    /// The impls in a module and its ancestors.
    fn impls_around(&self, module: ModuleId) -> Vec<Block> {
        let mut found = Vec::new();
        let mut next = Some(module);
        while let Some(id) = next
            && let Some(module) = self.module(id)
        {
            let contents = self.contents(id, &module);
            let blocks = contents.flat_map(|content| &content.impls);
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

/// The name of the type in a block's header, its own name if a `use` renames it, and the keys of its [`SHADOWING`] functions.
fn names_of(content: &Content, block: &ImplDef) -> Vec<Text> {
    let own = SHADOWING
        .into_iter()
        .filter(|name| block.of.is_none() && block.has_function(name));
    let mut names: Vec<Text> = own.map(key_of).collect();
    let Some(last) = header(block).and_then(|path| path.segments.last()) else {
        return names;
    };
    names.push(last.name.clone());
    if let Some(TypeEntry::Alias(alias)) = content.types.get(&last.name)
        && let TyKind::Path(path) = &alias.ty.kind
    {
        names.extend(path.segments.last().map(|last| last.name.clone()));
    }
    for used in content.uses.get(&last.name).into_iter().flatten() {
        let renamed = used.path.segments.last();
        names.extend(
            renamed
                .map(|last| last.name.clone())
                .filter(|name| *name != last.name),
        );
    }
    names
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
