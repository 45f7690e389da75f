//! Crates, their modules and what a path in one of them leads to.

use super::calls_read::CallsRead;
use super::cfg::Cfgs;
use super::crates::{self, CrateInfo};
use super::ids::{CrateId, ModuleId, TypeRef};
use super::modules::{Child, Content, Module, Origin, TypeEntry};
use super::tree::{FnDef, ImplDef, ModDef};
use crd_channels_diagnostics::{FileId, Sink, Sources, Span, Text};
use crd_channels_files::Read;
use crd_channels_workspace::{Package, PackageId, Workspace};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// A crate.
#[derive(Debug)]
pub struct Crate {
    /// Its name in code.
    pub name: Text,
    /// Its package.
    pub package: PackageId,
}

/// A file as it was read.
#[derive(Clone, Debug)]
pub struct FileRead {
    /// The module that it is.
    pub module: Text,
    /// The digest of its bytes.
    pub digest: u64,
    /// Whether it is a text that the module includes, and no source.
    pub included: bool,
}

/// The modules of each crate that have blocks for a type of that name, as an earlier run saw them.
pub(super) type RecalledImpls = FxHashMap<(CrateId, Text), Vec<String>>;

/// A block, and the module it stands in.
pub(super) type Block = (ModuleId, Arc<ImplDef>);

/// The blocks of a crate, by the last segment of the type that each is for.
pub(super) type ImplIndex = FxHashMap<Text, Vec<Block>>;

/// Where the text of a file stands that no module has for its own; nowhere else by default.
#[derive(Clone, Debug, Default)]
pub(super) struct Placement {
    /// The place among all that can define macros.
    pub(super) order: Vec<u32>,
    /// Whether `include!` brought it in, or a macro made it that is called in such a file.
    pub(super) included: bool,
}

impl Placement {
    /// The place of a file that a call at `order` includes.
    pub(super) const fn included(order: Vec<u32>) -> Self {
        Self {
            order,
            included: true,
        }
    }
}

/// All crates that can be reached, their modules loaded on demand.
pub struct Graph<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) crates: Vec<CrateInfo>,
    pub(super) files: &'a dyn Read,
    sources: &'a Sources,
    cfgs: Cfgs,
    public: Vec<Crate>,
    /// The root modules are the first ones, in the order of the crates.
    modules: RwLock<Vec<Arc<Module>>>,
    /// The packages whose types are wanted.
    pub(super) walked: RwLock<BTreeSet<PackageId>>,
    /// The impls of walked crates.
    pub(super) impls: Vec<OnceLock<ImplIndex>>,
    /// The same as an earlier run saw it.
    pub(super) recalled: OnceLock<RecalledImpls>,
    /// Every file that was read.
    pub(super) files_read: Mutex<BTreeMap<PathBuf, FileRead>>,
    findings: Mutex<Sink>,
    /// Where the texts stand that macros make, and the files that others include.
    pub(super) places: RwLock<FxHashMap<FileId, Placement>>,
    /// What was read of calls of macros.
    pub(super) calls_read: CallsRead,
    /// Full paths of what configuration states: types are there even where no source has them, and what macros make of
    /// these is of no interest.
    pub(super) stated: BTreeSet<Text>,
    /// Full paths of modules and types whose kinds nobody wants.
    pub(super) left_out: BTreeSet<Text>,
}

impl<'a> Graph<'a> {
    /// A graph over a workspace; nothing is read yet.
    #[must_use]
    pub fn new(
        workspace: &'a Workspace,
        files: &'a dyn Read,
        sources: &'a Sources,
        cfgs: Cfgs,
    ) -> Self {
        let crates = crates::crates(workspace);
        let roots = crates.iter().zip(0..).map(|(info, index)| {
            let origin = Origin::Root(info.target.root.clone());
            Arc::new(Module::new(
                CrateId(index),
                None,
                info.shown.clone(),
                origin,
            ))
        });
        let public = crates.iter().map(|info| Crate {
            name: Text::from(info.target.name.as_str()),
            package: info.package,
        });
        Self {
            modules: RwLock::new(roots.collect()),
            public: public.collect(),
            impls: crates.iter().map(|_| OnceLock::new()).collect(),
            workspace,
            crates,
            files,
            sources,
            cfgs,
            walked: RwLock::default(),
            recalled: OnceLock::new(),
            files_read: Mutex::default(),
            findings: Mutex::default(),
            places: RwLock::default(),
            calls_read: CallsRead::default(),
            stated: BTreeSet::new(),
            left_out: BTreeSet::new(),
        }
    }

    /// The same graph without the kinds of these full paths, or of modules of these paths.
    #[must_use]
    pub fn without(mut self, paths: impl IntoIterator<Item = Text>) -> Self {
        self.left_out.extend(paths);
        self
    }

    /// The same graph where types of these full paths are there even if no source has them, and what macros may make of
    /// items of these paths does not matter.
    #[must_use]
    pub fn with_stated(mut self, paths: impl IntoIterator<Item = Text>) -> Self {
        self.stated.extend(paths);
        self
    }

    /// The full path of a name in a module, if a type of that path is stated.
    pub(super) fn stated_path(&self, id: ModuleId, name: &str) -> Option<Text> {
        if self.stated.is_empty() {
            return None;
        }
        let path = Text::from(format!("{}::{name}", self.module_path(id)));
        self.stated.contains(&path).then_some(path)
    }

    /// Every type of the packages given to [`Graph::load`], in a stable order: by crate, module path, place.
    #[must_use]
    pub fn types(&self) -> Vec<TypeRef> {
        let mut found = Vec::new();
        for root in self.walked_roots() {
            for (id, module) in self.below_expanded(root) {
                let contents = self.contents(id, &module);
                for def in contents.flat_map(|content| &content.type_list) {
                    found.push(TypeRef {
                        module: id,
                        def: Arc::clone(def),
                    });
                }
            }
        }
        found
    }

    /// The module of the items inside a function's body, else the function's own.
    #[must_use]
    pub fn inside(&self, id: ModuleId, function: &FnDef) -> ModuleId {
        let inner = function.inside.as_ref().and_then(|name| {
            let module = self.module(id)?;
            let mut contents = self.contents(id, &module);
            contents.find_map(|content| match content.types.get(name) {
                Some(TypeEntry::Module(inner)) => Some(*inner),
                _ => None,
            })
        });
        inner.unwrap_or(id)
    }

    /// The module that `self` means: the body of a function is none.
    pub(super) fn proper(&self, mut id: ModuleId) -> ModuleId {
        while let Some(module) = self.module(id)
            && let (true, Some(outer)) = (module.is_body(), module.parent)
        {
            id = outer;
        }
        id
    }

    /// The crate of a module.
    #[must_use]
    pub fn crate_of(&self, module: ModuleId) -> Option<&Crate> {
        let module = self.module(module)?;
        self.public.get(module.crate_id.0 as usize)
    }

    /// Whether a module belongs to a package of the workspace.
    #[must_use]
    pub fn is_local(&self, module: ModuleId) -> bool {
        let package = self.crate_of(module).map(|of| of.package);
        let package = package.and_then(|package| self.workspace.package(package));
        package.is_some_and(|package| package.local)
    }

    /// `crate_name::a::b`, for messages and as a type's identity. Crates of one name are told apart by `(bin)` or by
    /// `@version`.
    #[must_use]
    pub fn module_path(&self, module: ModuleId) -> Text {
        self.module(module)
            .map_or_else(Text::default, |module| module.path.clone())
    }

    /// What went wrong while modules were loaded on demand.
    #[must_use]
    pub fn take_findings(&self) -> Sink {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *findings)
    }

    /// A module by its id.
    pub(super) fn module(&self, id: ModuleId) -> Option<Arc<Module>> {
        let modules = self.modules.read().unwrap_or_else(PoisonError::into_inner);
        modules.get(id.0 as usize).cloned()
    }

    /// What stands in a module, which is loaded if it was not.
    pub(super) fn content<'m>(&self, id: ModuleId, module: &'m Module) -> &'m Content {
        module.content.get_or_init(|| self.load_module(id, module))
    }

    /// A module and all that stand in it, in the order of the files.
    pub(super) fn below(&self, root: ModuleId) -> Vec<(ModuleId, Arc<Module>)> {
        let mut found = Vec::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if let Some(module) = self.module(id) {
                open.extend(self.content(id, &module).children.iter().rev());
                found.push((id, module));
            }
        }
        found
    }

    /// The same with the modules that macros make.
    pub(super) fn below_expanded(&self, root: ModuleId) -> Vec<(ModuleId, Arc<Module>)> {
        let mut found = Vec::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if let Some(module) = self.module(id) {
                let contents = self.contents(id, &module);
                let children: Vec<_> = contents.flat_map(|content| &content.children).collect();
                open.extend(children.into_iter().rev());
                found.push((id, module));
            }
        }
        found
    }

    pub(super) fn is_walked(&self, package: PackageId) -> bool {
        let walked = self.walked.read().unwrap_or_else(PoisonError::into_inner);
        walked.contains(&package)
    }

    /// The crate of a module, if it is walked.
    pub(super) fn walked_crate(&self, module: ModuleId) -> Option<CrateId> {
        let crate_id = self.module(module)?.crate_id;
        let info = self.crates.get(crate_id.0 as usize)?;
        self.is_walked(info.package).then_some(crate_id)
    }

    /// The roots of the walked crates, by the crates' names.
    pub(super) fn walked_roots(&self) -> Vec<ModuleId> {
        let crates = self.crates.iter().zip(0..);
        let mut roots: Vec<_> = crates
            .filter(|(info, _)| self.is_walked(info.package))
            .map(|(info, index)| (&info.shown, ModuleId(index)))
            .collect();
        roots.sort();
        roots.into_iter().map(|(_, id)| id).collect()
    }

    /// Keeps findings for [`Graph::take_findings`].
    pub fn report(&self, sink: Sink) {
        if !sink.diagnostics().is_empty() {
            let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
            findings.append(sink);
        }
    }

    /// The texts that spans point into.
    pub(super) fn sources(&self) -> &'a Sources {
        self.sources
    }

    /// What decides `cfg`s.
    pub(super) fn cfgs(&self) -> &Cfgs {
        &self.cfgs
    }

    pub(super) fn package(&self, module: &Module) -> Option<&'a Package> {
        let info = self.crates.get(module.crate_id.0 as usize)?;
        self.workspace.packages.get(info.package.0)
    }

    /// The library that a module belongs to and its feature that turns schemars on, if that is off.
    #[must_use]
    pub fn schemas_off(&self, id: ModuleId) -> Option<(&'a str, &'a str)> {
        let package = self.package(&*self.module(id)?)?;
        let feature = package.schemas.as_ref()?;
        let is_off = !package.features.contains(feature);
        is_off.then_some((&package.name, feature))
    }

    /// Makes a module known that a `mod` item names.
    pub(super) fn register(&self, parent: ModuleId, def: &Arc<ModDef>, origin: Origin) -> Child {
        let (crate_id, path) = self.module(parent).map_or_else(
            || (CrateId(u32::MAX), def.name.clone()),
            |parent| {
                let path = format!("{}::{}", parent.path, def.name);
                (parent.crate_id, Text::from(path))
            },
        );
        let module = Arc::new(Module::new(crate_id, Some(parent), path, origin));
        let mut modules = self.modules.write().unwrap_or_else(PoisonError::into_inner);
        let id = ModuleId(u32::try_from(modules.len()).unwrap_or(u32::MAX));
        modules.push(Arc::clone(&module));
        Child { id, module }
    }

    /// Where something stands among all that can define macros: what a call makes or a file includes stands at the call.
    pub(super) fn order(&self, span: Span) -> Vec<u32> {
        let mut place = self.place(span.file);
        place.order.push(span.start);
        place.order
    }

    /// Whether something stands in a file that another one includes.
    pub(super) fn is_included(&self, span: Span) -> bool {
        self.place(span.file).included
    }

    fn place(&self, file: FileId) -> Placement {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        places.get(&file).cloned().unwrap_or_default()
    }

    /// Takes down where the text of a file stands.
    pub(super) fn place_file(&self, file: FileId, place: Placement) {
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        places.insert(file, place);
    }
}
