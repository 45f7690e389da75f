//! Crates, their modules and what a path in one of them leads to.

use super::cfg::Scope;
use super::crates::{self, CrateInfo};
use super::files::not_utf8;
use super::modules::{self, Child, Content, Module, Origin, Place};
use super::parse::{self, Parsed};
use super::resolve::{Namespace, Query};
use super::tree::{AliasDef, ConstDef, FnDef, ImplDef, ModDef, Path, TyKind, TypeDef};
use crate::Text;
use crate::diag::{Diagnostic, Sink};
use crate::files::{Read, Sources};
use crate::workspace::{Package, PackageId, Workspace};
use std::collections::{BTreeSet, HashMap};
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

/// Traits whose blocks may stand anywhere in the crate of a dependency's type: without them it has no schema, no default.
const FAR: [&str; 3] = ["JsonSchema", "Serialize", "Default"];

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
    walked: RwLock<BTreeSet<PackageId>>,
    /// The impls of walked crates, by the last segment of the type.
    impls: Vec<OnceLock<ImplIndex>>,
    findings: Mutex<Sink>,
    /// Full paths of types whose schemas configuration states: they are there even where no source has them.
    stated: BTreeSet<Text>,
}

type ImplIndex = HashMap<Text, Vec<(ModuleId, Arc<ImplDef>)>>;

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
            Arc::new(Module {
                crate_id: CrateId(index),
                parent: None,
                path: info.shown.clone(),
                origin: Origin::Root(info.target.root.clone()),
                content: OnceLock::new(),
                expansion: OnceLock::new(),
                canonical: OnceLock::new(),
            })
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
            findings: Mutex::default(),
            stated: BTreeSet::new(),
        }
    }

    /// The same graph where types of these full paths are there even if no source has them: what macros make.
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

    /// The crate of a module.
    #[must_use]
    pub fn crate_of(&self, module: ModuleId) -> Option<&Crate> {
        let module = self.module(module)?;
        self.public.get(module.crate_id.0 as usize)
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
    /// `unresolved-path` where it leads nowhere; the finding about a file that cannot be read where it leads there.
    pub fn resolve_type(&self, module: ModuleId, path: &Path) -> Result<Resolved, Box<Diagnostic>> {
        Query::new(self).resolve(module, path, Namespace::Types)
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

    /// The impl blocks for a type, inherent ones (`None`) or those of a trait by the last segment of its path
    /// (`Some("JsonSchema")`), with the module each stands in. Looks everywhere in the crates given to [`Graph::load`],
    /// elsewhere in the type's own module and its ancestors.
    #[must_use]
    pub fn impls(&self, ty: &TypeRef, of: Option<&str>) -> Vec<(ModuleId, Arc<ImplDef>)> {
        let is_it = |module, path: &Path| self.leads_to(module, path, ty);
        self.impls_named(ty, &ty.def.name, &|found| found == of, &is_it)
    }

    /// The blocks of any trait for a type, looked for in the same places.
    #[must_use]
    pub fn trait_impls(&self, ty: &TypeRef) -> Vec<(ModuleId, Arc<ImplDef>)> {
        let is_it = |module, path: &Path| self.leads_to(module, path, ty);
        self.impls_named(ty, &ty.def.name, &|found| found.is_some(), &is_it)
    }

    /// The blocks of a trait for a type that a derive makes beside `ty`, under another name: its paths lead where those of
    /// `ty` do.
    #[must_use]
    pub fn impls_of_made(
        &self,
        ty: &TypeRef,
        name: &Text,
        of: &str,
    ) -> Vec<(ModuleId, Arc<ImplDef>)> {
        let is_it = |module, path: &Path| {
            let mut beside = path.clone();
            if let Some(last) = beside.segments.last_mut() {
                last.name.clone_from(&ty.def.name);
            }
            self.leads_to(module, &beside, ty)
        };
        self.impls_named(ty, name, &|found| found == Some(of), &is_it)
    }

    fn leads_to(&self, module: ModuleId, path: &Path, ty: &TypeRef) -> bool {
        matches!(
            self.resolve_type(module, path),
            Ok(Resolved::Def(Def::Type(found))) if Arc::ptr_eq(&found.def, &ty.def)
        )
    }

    fn impls_named(
        &self,
        ty: &TypeRef,
        name: &Text,
        is_of: &dyn Fn(Option<&str>) -> bool,
        is_it: &dyn Fn(ModuleId, &Path) -> bool,
    ) -> Vec<(ModuleId, Arc<ImplDef>)> {
        let fits = |(module, block): &(ModuleId, Arc<ImplDef>)| {
            let last = block.of.as_ref().and_then(|of| of.segments.last());
            let TyKind::Path(path) = &block.for_.kind else {
                return false;
            };
            is_of(last.map(|last| &*last.name))
                && path
                    .segments
                    .last()
                    .is_some_and(|last| !block.generics.contains(&last.name))
                && is_it(*module, path)
        };
        if let Some(index) = self.impls_of_crate(ty.module) {
            let found = index.get(name).cloned().unwrap_or_default();
            return found.into_iter().filter(fits).collect();
        }
        let near: Vec<_> = self
            .impls_around(ty.module)
            .into_iter()
            .filter(fits)
            .collect();
        if !near.is_empty() || !FAR.iter().any(|name| is_of(Some(name))) || is_of(Some("")) {
            return near;
        }
        // One of these is worth a look at the whole crate: to overlook it would be silent.
        let Some(module) = self.module(ty.module) else {
            return near;
        };
        let mut far = Vec::new();
        for (id, module) in self.below(ModuleId(module.crate_id.0)) {
            let blocks = &self.content(id, &module).impls;
            far.extend(blocks.iter().map(|block| (id, Arc::clone(block))));
        }
        far.retain(fits);
        far
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
    fn below_expanded(&self, root: ModuleId) -> Vec<(ModuleId, Arc<Module>)> {
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

    /// The roots of the walked crates, by the crates' names.
    fn walked_roots(&self) -> Vec<ModuleId> {
        let crates = self.crates.iter().zip(0..);
        let mut roots: Vec<_> = crates
            .filter(|(info, _)| self.is_walked(info.package))
            .map(|(info, index)| (&info.shown, ModuleId(index)))
            .collect();
        roots.sort();
        roots.into_iter().map(|(_, id)| id).collect()
    }

    /// The impls of a walked crate.
    fn impls_of_crate(&self, module: ModuleId) -> Option<&ImplIndex> {
        let crate_id = self.module(module)?.crate_id;
        let info = self.crates.get(crate_id.0 as usize)?;
        if !self.is_walked(info.package) {
            return None;
        }
        let index = self.impls.get(crate_id.0 as usize)?.get_or_init(|| {
            let mut index = ImplIndex::new();
            for (id, module) in self.below_expanded(ModuleId(crate_id.0)) {
                let content = self.content(id, &module);
                let blocks = self
                    .contents(id, &module)
                    .flat_map(|content| &content.impls);
                for block in blocks {
                    for name in self.names_of(content, block) {
                        let blocks = index.entry(name).or_default();
                        blocks.push((id, Arc::clone(block)));
                    }
                }
            }
            index
        });
        Some(index)
    }

    /// The name that a block gives its type, and the one it has where a `use` renames it.
    fn names_of(&self, content: &Content, block: &ImplDef) -> Vec<Text> {
        let TyKind::Path(path) = &block.for_.kind else {
            return Vec::new();
        };
        let Some(last) = path.segments.last() else {
            return Vec::new();
        };
        let mut names = vec![last.name.clone()];
        for used in content.uses.get(&last.name).into_iter().flatten() {
            let renamed = used.path.segments.last();
            names.extend(
                renamed
                    .map(|last| last.name.clone())
                    .filter(|name| *name != names[0]),
            );
        }
        names
    }

    /// The impls in a module and its ancestors.
    fn impls_around(&self, module: ModuleId) -> Vec<(ModuleId, Arc<ImplDef>)> {
        let mut found = Vec::new();
        let mut next = Some(module);
        while let Some(id) = next
            && let Some(module) = self.module(id)
        {
            let blocks = self
                .contents(id, &module)
                .flat_map(|content| &content.impls);
            found.extend(blocks.map(|block| (id, Arc::clone(block))));
            next = module.parent;
        }
        found
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
    pub(super) fn report(&self, sink: Sink) {
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
            Origin::Inline => return Ok((PathBuf::new(), Place::root(path::Path::new("")))),
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
        let shown = self.shown(module, file);
        let text = match String::from_utf8(bytes) {
            Ok(text) => Text::from(text),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                return Parsed::failed(not_utf8(self.sources.add(shown, text), at));
            }
        };
        let id = self.sources.add(shown, Arc::clone(&text));
        let strict = self.crates.get(module.crate_id.0 as usize);
        let strict = strict.is_some_and(|info| self.is_walked(info.package));
        parse::parse(&text, id, &Scope::new(&self.cfgs, package, strict), sink)
    }

    pub(super) fn package(&self, module: &Module) -> Option<&'a Package> {
        let info = self.crates.get(module.crate_id.0 as usize)?;
        self.workspace.packages.get(info.package.0)
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
        let module = Arc::new(Module {
            crate_id,
            parent: Some(parent),
            path,
            origin,
            content: OnceLock::new(),
            expansion: OnceLock::new(),
            canonical: OnceLock::new(),
        });
        let mut modules = self.modules.write().unwrap_or_else(PoisonError::into_inner);
        let id = ModuleId(u32::try_from(modules.len()).unwrap_or(u32::MAX));
        modules.push(Arc::clone(&module));
        Child { id, module }
    }
}
