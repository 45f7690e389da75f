//! Crates, their modules and what a path in one of them leads to.

use super::cfg::Scope;
use super::crates::{self, CrateInfo};
use super::expansions::Placement;
use super::files::not_utf8;
use super::impls::ImplIndex;
use super::includes::Includes;
use super::macro_values::CallsRead;
use super::modules::{self, Child, Content, Module, Origin, Place, TypeEntry};
use super::names::Namespace;
use super::outline::{FileRead, RecalledImpls};
use super::parse::{self, Parsed};
use super::resolve::Query;
use super::tree::{AliasDef, ConstDef, FnDef, ModDef, Path, TraitDef, TypeDef};
use crd_channels_diagnostics::{Diagnostic, FileId, Sink, Sources, Text};
use crd_channels_files::{Read, digest};
use crd_channels_workspace::{Package, PackageId, Workspace};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{self, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// What decides `cfg` predicates besides a package's features.
#[derive(Clone, Debug, Default)]
pub struct Cfgs {
    /// The target triple, never the host's by default.
    pub target: Text,
    /// Custom cfgs: `name` or `name="value"`. `!name` declares a name that is off.
    pub custom: BTreeSet<(Text, Option<Text>)>,
}

/// One library or binary target.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct CrateId(pub u32);

/// A crate.
#[derive(Debug)]
pub struct Crate {
    /// Its name in code.
    pub name: Text,
    /// Its package.
    pub package: PackageId,
}

/// One module of one crate.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ModuleId(pub u32);

/// A type definition and the module it stands in.
#[derive(Clone, Debug)]
pub struct TypeRef {
    /// Where its own paths are resolved.
    pub module: ModuleId,
    /// The definition.
    pub def: Arc<TypeDef>,
}

/// Something a path can lead to, and the module it stands in.
#[derive(Clone, Debug)]
pub enum Def {
    /// A struct or enum.
    Type(TypeRef),
    /// An alias; the caller substitutes its parameters.
    Alias(ModuleId, Arc<AliasDef>),
    /// A constant.
    Const(ModuleId, Arc<ConstDef>),
    /// A function.
    Fn(ModuleId, Arc<FnDef>),
    /// A trait.
    Trait(ModuleId, Arc<TraitDef>),
    /// A variant of an enum, by index.
    Variant(TypeRef, usize),
    /// An associated item of a type that the graph knows: the caller looks into its impls.
    Associated(TypeRef, Text),
}

/// What a path leads to.
#[derive(Clone, Debug)]
pub enum Resolved {
    /// Something in source.
    Def(Def),
    /// Something that is known by name and never read: `std` (`core` and `alloc` are reported as `std`), primitives
    /// (`u8`, `str`, as one segment), the prelude (by its full path), and crates whose types are built in. The full path,
    /// `::` between segments: `std::collections::HashMap`, `serde_json::Value`.
    External(Text),
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
    pub(super) fn stated(&self, id: ModuleId, name: &str) -> Option<Text> {
        if self.stated.is_empty() {
            return None;
        }
        let path = Text::from(format!("{}::{name}", self.module_path(id)));
        self.stated.contains(&path).then_some(path)
    }

    /// Reads all modules of the packages' library and binary targets, in parallel.
    pub fn load(&self, packages: &[PackageId], sink: &mut Sink) {
        let mut walked = self.walked.write().unwrap_or_else(PoisonError::into_inner);
        walked.extend(packages);
        drop(walked);
        rayon::scope(|scope| {
            for (info, index) in self.crates.iter().zip(0..) {
                if packages.contains(&info.package) {
                    scope.spawn(move |scope| self.load_below(scope, ModuleId(index)));
                }
            }
        });
        sink.append(self.take_findings());
    }

    fn load_below<'scope>(&'scope self, scope: &rayon::Scope<'scope>, id: ModuleId) {
        let Some(module) = self.module(id) else {
            return;
        };
        for child in &self.content(id, &module).children {
            let child = *child;
            scope.spawn(move |scope| self.load_below(scope, child));
        }
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

    /// What a path in the type namespace leads to. A path's own type parameters and `Self` are the caller's to know
    /// first. Variants are found as well, as struct literals name them.
    ///
    /// # Errors
    /// `unresolved-path` where it cannot be resolved; the finding about a file that cannot be read where it leads there.
    pub fn resolve_type(&self, module: ModuleId, path: &Path) -> Result<Resolved, Box<Diagnostic>> {
        let ask = || Query::new(self).resolve(module, path, Namespace::Types);
        let (Some(asking), [only], false) = (self.module(module), &path.segments[..], path.leading)
        else {
            return ask();
        };
        if let Some(known) = asking.named_types.known(&only.name) {
            return Ok(known);
        }
        Ok(asking.named_types.keep(only.name.clone(), ask()?))
    }

    /// What a path in the value namespace leads to: a constant, a function, a variant, an associated item, or the type
    /// itself where the path is the constructor of a tuple or unit struct.
    ///
    /// # Errors
    /// As for [`Graph::resolve_type`].
    pub fn resolve_value(
        &self,
        module: ModuleId,
        path: &Path,
    ) -> Result<Resolved, Box<Diagnostic>> {
        Query::new(self).resolve(module, path, Namespace::Values)
    }

    /// The module that a path leads to.
    pub(super) fn module_at(&self, module: ModuleId, path: &Path) -> Option<ModuleId> {
        Query::new(self).module_at(module, path)
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

    fn load_module(&self, id: ModuleId, module: &Module) -> Content {
        let mut sink = Sink::default();
        let content = match self.locate(module) {
            Ok((file, place)) => {
                let parsed = self.read_file(module, &file, &mut sink);
                modules::index(parsed, id, &place, &mut |parent, def, origin| {
                    self.register(parent, def, origin)
                })
            }
            Err(found) => Content {
                failed: Some(found),
                ..Content::default()
            },
        };
        if let Some(found) = &content.failed {
            sink.push(found.clone());
        }
        self.report(sink);
        content
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

    /// The file of a module and the place inside it.
    pub(super) fn locate(&self, module: &Module) -> Result<(PathBuf, Place), Diagnostic> {
        let (file, place) = match &module.origin {
            Origin::Root(file) => (file.clone(), Place::root(file)),
            Origin::File(def, place) => {
                place.find(def, self.files, |path| self.shown(module, path))?
            }
            Origin::Inline | Origin::Body => {
                return Ok((PathBuf::new(), Place::root(path::Path::new(""))));
            }
        };
        let Ok(canonical) = self.files.canonical(&file) else {
            return Ok((file, place));
        };
        let mut next = module.parent;
        while let Some(parent) = next.and_then(|id| self.module(id)) {
            if parent.canonical.get() == Some(&canonical) {
                let (name, span) = match &module.origin {
                    Origin::File(def, _) => (&*def.name, Some(def.span)),
                    _ => ("crate", None),
                };
                return Err(modules::cycle(name, span, &self.shown(module, &file)));
            }
            next = parent.parent;
        }
        let _ = module.canonical.set(canonical);
        let _ = module.file.set(file.clone());
        Ok((file, place))
    }

    fn read_file(&self, module: &Module, file: &path::Path, sink: &mut Sink) -> Parsed {
        let Some(package) = self.package(module) else {
            return Parsed::default();
        };
        let bytes = match self.files.read(file) {
            Ok(bytes) => bytes,
            Err(error) => return Parsed::failed(self.unreadable(module, package, file, &error)),
        };
        if let Some(file) = module.canonical.get() {
            let read = FileRead {
                module: module.path.clone(),
                digest: digest(&bytes),
                included: false,
            };
            let mut files = self
                .files_read
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            files.insert(file.clone(), read);
        }
        let shown = self.shown(module, file);
        let text = match String::from_utf8(bytes) {
            Ok(text) => Text::from(text),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                return Parsed::failed(not_utf8(self.sources.add(shown, text), at));
            }
        };
        let info = self.crates.get(module.crate_id.0 as usize);
        let member = info.is_some_and(|info| self.workspace.members.contains(&info.package));
        let id = self.sources.add_of(!member, shown, Arc::clone(&text));
        let strict = info.is_some_and(|info| self.is_walked(info.package));
        let scope = Scope::new(&self.cfgs, package, strict);
        let Some(includes) = Includes::of_file(self, module, Some(file), !member) else {
            return Parsed::default();
        };
        let parsed = parse::parse(&text, id, &scope, Some(&includes), sink);
        self.remember_included(module, includes);
        parsed
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
}
