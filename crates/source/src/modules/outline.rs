//! The properties of a file that other files of its crate depend on, kept for the next run, which then loads only files that
//! changed and those that they lead to.

use super::{Module, Origin, TypeEntry};
use crate::graph::{FileRead, Graph, Placement, RecalledImpls};
use crate::ids::{CrateId, ModuleId, TypeRef};
use crd_channels_diagnostics::Text;
use crd_channels_files::digest;
use crd_channels_syntax::includes::Includes;
use crd_channels_workspace::PackageId;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

/// A file of a walked crate, with the properties that others depend on without resolving a name in it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Outline {
    /// The module in the file: `crate_name::a`.
    pub module: String,
    /// The canonical path of the file.
    pub file: PathBuf,
    /// The modules that it declares in other files, each with its `#[path]`.
    pub declares: Vec<(String, Option<String>)>,
    /// Its kinds.
    pub kinds: Vec<TypeName>,
    /// Its `impl` blocks, by the keys with which they are looked up, such as the paths of their types.
    pub impls: Vec<TypeName>,
    /// The macros that it defines.
    pub macros: BTreeSet<String>,
}

/// A type, by its module's path and its name there.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct TypeName {
    /// `crate_name::a`
    pub module: String,
    /// The name.
    pub name: String,
}

impl Graph<'_> {
    /// The outlines of the files of the walked crates. `None` if a file is not on disk. Generated and included items depend on
    /// other files as well, see [`Graph::files_asked`].
    #[must_use]
    pub fn outlines(&self) -> Option<Vec<Outline>> {
        let roots = self.walked_roots();
        let modules = roots.into_iter().flat_map(|root| self.below_expanded(root));
        modules
            .filter(|(_, module)| !matches!(module.origin, Origin::Inline | Origin::Body))
            .map(|(id, _)| self.outline(id))
            .collect()
    }

    /// Treats the packages as walked without loading them, given the outlines of their files.
    pub fn recall(&self, packages: &[PackageId], outlines: &[Outline]) {
        let mut walked = self.walked.write().unwrap_or_else(PoisonError::into_inner);
        walked.extend(packages);
        let mut known = RecalledImpls::default();
        for found in outlines.iter().flat_map(|outline| &outline.impls) {
            if let Some(crate_id) = self.crate_called(&found.module) {
                let key = (crate_id, Text::from(&*found.name));
                let modules = known.entry(key).or_default();
                if !modules.contains(&found.module) {
                    modules.push(found.module.clone());
                }
            }
        }
        // A graph is recalled once, before any question.
        let _ = self.recalled.set(known);
    }

    /// The current outline of the file of this module; `None` if the module does not exist.
    #[must_use]
    pub fn outline_of(&self, module: &str) -> Option<Outline> {
        self.outline(self.find(module)?)
    }

    /// The type with this module path and name.
    #[must_use]
    pub fn type_called(&self, name: &TypeName) -> Option<TypeRef> {
        let id = self.find(&name.module)?;
        let module = self.module(id)?;
        let mut types = self
            .contents(id, &module)
            .flat_map(|content| &content.type_list);
        let def = types.find(|def| *def.name == *name.name)?;
        Some(TypeRef {
            module: id,
            def: Arc::clone(def),
        })
    }

    /// The name with which [`Graph::type_called`] finds a type.
    #[must_use]
    pub fn name_of(&self, ty: &TypeRef) -> TypeName {
        TypeName {
            module: self.module_path(ty.module).to_string(),
            name: ty.def.name.to_string(),
        }
    }

    /// All files that were read for a type and the types it depends on. `None` if one of them is not on disk.
    #[must_use]
    pub fn files_behind(&self, ty: &TypeRef) -> Option<BTreeSet<PathBuf>> {
        let mut files = BTreeSet::new();
        let mut crates = BTreeSet::new();
        let mut seen = BTreeSet::from([ty.module]);
        let mut open = vec![ty.module];
        while let Some(id) = open.pop() {
            self.add_files(id, &mut files)?;
            let asked = self.asked_from(id, &mut crates)?;
            open.extend(asked.into_iter().filter(|id| seen.insert(*id)));
        }
        Some(files)
    }

    /// The modules that were searched to answer questions from a module, without those of whole crates that are `known`.
    fn asked_from(&self, id: ModuleId, known: &mut BTreeSet<CrateId>) -> Option<Vec<ModuleId>> {
        let module = self.module(id)?;
        let mut found = Vec::new();
        if module.asked_crate.load(Ordering::Relaxed) && known.insert(module.crate_id) {
            let all = self.module_tree(ModuleId(module.crate_id.0));
            found.extend(all.into_iter().map(|(id, _)| id));
        }
        let asked = module.asked.lock().unwrap_or_else(PoisonError::into_inner);
        found.extend(asked.iter());
        Some(found)
    }

    /// Adds the file of a module, and those that it includes.
    fn add_files(&self, id: ModuleId, files: &mut BTreeSet<PathBuf>) -> Option<()> {
        let owner = self.owner_of(id)?;
        files.insert(owner.canonical.get()?.clone());
        let included = owner
            .included
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        files.extend(included.iter().cloned());
        Some(())
    }

    /// Every file that was read, by canonical path.
    #[must_use]
    pub fn files_read(&self) -> BTreeMap<PathBuf, FileRead> {
        let files = self
            .files_read
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        files.clone()
    }

    /// Loads modules that will be needed, in parallel and in this order.
    pub fn load_ahead(&self, modules: &[&str]) {
        modules.par_iter().with_max_len(1).for_each(|path| {
            if let Some(id) = self.find(path)
                && let Some(module) = self.module(id)
            {
                self.content(id, &module);
            }
        });
    }

    /// The modules of a crate with blocks for types of this name; `None` if no earlier run recorded them.
    pub(crate) fn recalled_impls(&self, crate_id: CrateId, name: &Text) -> Option<Vec<ModuleId>> {
        let known = self.recalled.get()?;
        let modules = known.get(&(crate_id, name.clone())).into_iter().flatten();
        Some(modules.filter_map(|path| self.find(path)).collect())
    }

    fn outline(&self, id: ModuleId) -> Option<Outline> {
        let mut found = Outline {
            module: self.module_path(id).to_string(),
            file: self.file_of(id)?,
            declares: Vec::new(),
            kinds: Vec::new(),
            impls: Vec::new(),
            macros: BTreeSet::new(),
        };
        for id in self.in_file(id) {
            let module = self.module(id)?;
            let path = module.path.to_string();
            let named = |name: &Text| TypeName {
                module: path.clone(),
                name: name.to_string(),
            };
            let blocks = self.blocks_in(id);
            found
                .impls
                .extend(blocks.iter().map(|(name, _)| named(name)));
            for content in self.contents(id, &module) {
                found
                    .macros
                    .extend(content.macros.keys().map(Text::to_string));
                let kinds = content.type_list.iter().filter(|def| def.is_kind());
                found.kinds.extend(kinds.map(|def| named(&def.name)));
                for child in &content.children {
                    let below = self.module(*child)?;
                    if let Origin::File(def, _) = &below.origin {
                        let path = def.path.as_ref().map(Text::to_string);
                        found.declares.push((below.path.to_string(), path));
                    }
                }
            }
        }
        Some(found)
    }

    /// A module and those inside it that are in the same file, in source order.
    fn in_file(&self, id: ModuleId) -> Vec<ModuleId> {
        let mut found = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let Some(module) = self.module(id) else {
                continue;
            };
            let contents = self.contents(id, &module);
            let children: Vec<_> = contents.flat_map(|content| &content.children).collect();
            open.extend(children.into_iter().rev().filter(|child| {
                let child = self.module(**child);
                child.is_some_and(|child| matches!(child.origin, Origin::Inline | Origin::Body))
            }));
            found.push(id);
        }
        found
    }

    /// The modules in the file of a module.
    pub(crate) fn modules_in_file(&self, module: &str) -> Option<Vec<ModuleId>> {
        Some(self.in_file(self.find(module)?))
    }

    /// The files that answered questions from the file of a module, that file, and those that they include. `None` if one of
    /// them is not on disk.
    #[must_use]
    pub fn files_asked(&self, module: &str) -> Option<BTreeSet<PathBuf>> {
        let mut crates = BTreeSet::new();
        let mut modules = BTreeSet::new();
        for id in self.modules_in_file(module)? {
            modules.extend(self.asked_from(id, &mut crates)?);
            modules.insert(id);
        }
        let mut files = BTreeSet::new();
        for id in modules {
            self.add_files(id, &mut files)?;
        }
        Some(files)
    }

    /// Records the files that a module's file includes.
    pub(crate) fn remember_included(&self, module: &Module, includes: Includes<'_>) {
        let places = includes
            .places
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        for (file, call) in places {
            self.place_file(file, Placement::included(self.order(call)));
        }
        let seen = includes
            .seen
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        self.remember_read(module, seen);
    }

    /// Records the files that were read for a module besides its own, with their content.
    pub(crate) fn remember_read(&self, module: &Module, seen: Vec<(PathBuf, Vec<u8>)>) {
        if seen.is_empty() {
            return;
        }
        let mut included = module
            .included
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut files = self
            .files_read
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for (path, bytes) in seen {
            included.insert(path.clone());
            files.entry(path).or_insert_with(|| FileRead {
                module: module.path.clone(),
                digest: digest(&bytes),
                included: true,
            });
        }
    }

    /// The canonical path of the file that contains a module.
    fn file_of(&self, id: ModuleId) -> Option<PathBuf> {
        self.owner_of(id)?.canonical.get().cloned()
    }

    /// The module whose file contains a module.
    pub(crate) fn owner_of(&self, id: ModuleId) -> Option<Arc<Module>> {
        let mut next = Some(id);
        while let Some(id) = next {
            let module = self.module(id)?;
            self.content(id, &module);
            if module.canonical.get().is_some() {
                return Some(module);
            }
            next = module.parent;
        }
        None
    }

    pub(crate) fn crate_called(&self, path: &str) -> Option<CrateId> {
        let name = path.split("::").next()?;
        let mut crates = self.crates.iter().zip(0..);
        let (_, index) = crates.find(|(info, _)| &*info.shown == name)?;
        Some(CrateId(index))
    }

    /// The module with this path.
    fn find(&self, path: &str) -> Option<ModuleId> {
        let mut id = ModuleId(self.crate_called(path)?.0);
        for name in path.split("::").skip(1) {
            let module = self.module(id)?;
            let mut contents = self.contents(id, &module);
            match contents.find_map(|content| content.types.get(name))? {
                TypeEntry::Module { id: child, .. } => id = *child,
                TypeEntry::Type(_) | TypeEntry::Alias(_) | TypeEntry::Trait(_) => return None,
            }
        }
        Some(id)
    }
}
