//! Resolves paths by rustc's rules: items, named `use`s, globs, other crates, the prelude, primitives.

use super::unresolved::Unresolved;
use super::{Askers, Meaning, Namespace, variant};
use crate::crates;
use crate::crates::Extern;
use crate::graph::Graph;
use crate::ids::{Def, ModuleId, Resolved};
use crate::modules::TypeEntry;
use crd_channels_diagnostics::{Diagnostic, Span, Text};
use crd_channels_syntax::known;
use crd_channels_syntax::tree::{AliasDef, Path, TyKind, UseDef, Visibility};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many re-exports and aliases are followed in a chain.
pub(super) const MAX_STEPS: usize = 128;

/// A question, with its state.
pub(crate) struct Query<'g> {
    pub(crate) graph: &'g Graph<'g>,
    /// The results of names; `None` while one is being resolved, so that cycles end.
    pub(super) seen: FxHashMap<(ModuleId, Text, Namespace, Askers), Option<Meaning>>,
    /// The `use` items that are being followed, none of which may resolve to itself.
    pub(super) following: Vec<(Arc<UseDef>, Namespace)>,
    /// Globs of crates whose source is not read: the only remaining sources of a name.
    pub(crate) unread_globs: BTreeSet<Text>,
    /// The error and the span of a `use` that could not be resolved on the way.
    pub(crate) inner: Option<(Unresolved, Span)>,
    /// Whether generated items are ignored, because they may be the ones being generated.
    pub(crate) written_only: bool,
    /// A macro call next to a glob that has the name: the call may generate an item of that name, which would shadow the
    /// glob's.
    pub(super) doubt: Option<Unresolved>,
    /// The modules that were searched.
    pub(crate) looked_into: BTreeSet<ModuleId>,
    pub(super) steps: usize,
}

impl Graph<'_> {
    /// Resolves a path in the type namespace. The caller handles the path's own type parameters and `Self` first. Variants are
    /// found as well, since struct literals name them.
    ///
    /// # Errors
    /// `unresolved-path` if it cannot be resolved; the diagnostic about an unreadable file if it leads there.
    pub fn resolve_type(&self, module: ModuleId, path: &Path) -> Result<Resolved, Box<Diagnostic>> {
        let ask = || Query::new(self).resolve(module, path, Namespace::Types);
        let (Some(asking), [only], false) = (self.module(module), &path.segments[..], path.leading)
        else {
            return ask();
        };
        if let Some(known) = asking.named_types.get(&only.name) {
            return Ok(known);
        }
        Ok(asking.named_types.keep(only.name.clone(), ask()?))
    }

    /// Resolves a path in the value namespace: to a constant, a function, a variant, an associated item, or the type itself if
    /// the path is the constructor of a tuple or unit struct.
    ///
    /// # Errors
    /// Like [`Graph::resolve_type`].
    pub fn resolve_value(
        &self,
        module: ModuleId,
        path: &Path,
    ) -> Result<Resolved, Box<Diagnostic>> {
        Query::new(self).resolve(module, path, Namespace::Values)
    }

    /// Whether code in a module sees an item of another one.
    #[must_use]
    pub fn sees(&self, from: ModuleId, home: ModuleId, visibility: &Visibility) -> bool {
        if *visibility == Visibility::Public {
            return true;
        }
        let outer = self.seen_within(home, visibility).unwrap_or(home);
        let mut next = Some(from);
        while let Some(id) = next {
            if id == outer {
                return true;
            }
            next = self.module(id).and_then(|module| module.parent);
        }
        false
    }

    /// The module in which an item is visible.
    fn seen_within(&self, home: ModuleId, visibility: &Visibility) -> Option<ModuleId> {
        let root = ModuleId(self.module(home)?.crate_id.0);
        match visibility {
            Visibility::Public | Visibility::Above(0) => Some(home),
            Visibility::Above(steps) => (0..*steps).try_fold(self.proper(home), |id, _| {
                Some(self.proper(self.module(id)?.parent?))
            }),
            // Written modules alone: what macros make may be what is asked for.
            Visibility::Under(names) => names.iter().try_fold(root, |id, name| {
                let module = self.module(id)?;
                match self.content(id, &module).types.get(name)? {
                    TypeEntry::Module { id, .. } => Some(*id),
                    _ => None,
                }
            }),
        }
    }

    /// The module that a path refers to.
    pub(crate) fn module_at(&self, module: ModuleId, path: &Path) -> Option<ModuleId> {
        Query::new(self).module_at(module, path)
    }
}

impl<'g> Query<'g> {
    /// Creates a question to a graph.
    pub(crate) fn new(graph: &'g Graph<'g>) -> Self {
        Self {
            graph,
            seen: FxHashMap::default(),
            following: Vec::new(),
            unread_globs: BTreeSet::new(),
            inner: None,
            written_only: false,
            doubt: None,
            looked_into: BTreeSet::new(),
            steps: 0,
        }
    }

    /// Resolves a path in a module.
    pub(crate) fn resolve(
        mut self,
        module: ModuleId,
        path: &Path,
        namespace: Namespace,
    ) -> Result<Resolved, Box<Diagnostic>> {
        let mut found = self.walk(module, path, namespace, false);
        if let Ok(Meaning::External(name)) = &found
            && let Some(meant) = self.re_exported(name)
        {
            found = Ok(Meaning::Def(meant));
        }
        if let Some(asking) = self.graph.module(module) {
            asking.note(std::mem::take(&mut self.looked_into));
        }
        let lost = match found {
            Ok(Meaning::Def(def)) => {
                return match self.graph.rewritten(&def) {
                    Some(found) => Err(found),
                    None => Ok(Resolved::Def(def)),
                };
            }
            Ok(Meaning::External(name)) => return Ok(Resolved::External(name)),
            Ok(Meaning::Module(_)) => Unresolved::Because("it is a module".to_owned()),
            Ok(Meaning::Macro(..)) => Unresolved::Because("it is a macro".to_owned()),
            Err(lost) => lost,
        };
        Err(lost.report(self.graph, path, self.inner))
    }

    /// The module that a path refers to.
    pub(crate) fn module_at(mut self, module: ModuleId, path: &Path) -> Option<ModuleId> {
        let found = self.walk(module, path, Namespace::Types, true).ok();
        if let Some(asking) = self.graph.module(module) {
            asking.note(std::mem::take(&mut self.looked_into));
        }
        match found {
            Some(Meaning::Module(found)) => Some(found),
            _ => None,
        }
    }

    /// The type that kube re-exports under its own name: k8s-openapi's metadata.
    fn re_exported(&mut self, name: &str) -> Option<Def> {
        let (first, last) = (name.split("::").next()?, name.rsplit("::").next()?);
        if !matches!(first, "kube" | "kube_core" | "kube_client")
            || !matches!(last, "ObjectMeta" | "ListMeta")
        {
            return None;
        }
        let root = crates::library(self.graph.workspace, &self.graph.crates, "k8s-openapi")?;
        let path = ["apimachinery", "pkg", "apis", "meta", "v1", last];
        let mut node = Meaning::Module(ModuleId(root.0));
        for (index, name) in path.iter().enumerate() {
            let is_last = index + 1 == path.len();
            let name = Text::from(*name);
            node = self
                .step(node, &name, Namespace::Types, is_last, None)
                .ok()?;
        }
        match node {
            Meaning::Def(def) => Some(def),
            Meaning::Module(_) | Meaning::External(_) | Meaning::Macro(..) => None,
        }
    }

    /// Follows a path from segment to segment. In a `use` of the edition 2015, it starts at the root of the crate.
    pub(crate) fn walk(
        &mut self,
        module: ModuleId,
        path: &Path,
        namespace: Namespace,
        in_use: bool,
    ) -> Result<Meaning, Unresolved> {
        let mut rest = path.segments.iter().enumerate();
        let last = path.segments.len().saturating_sub(1);
        let at = |index| match index == last {
            true => namespace,
            false => Namespace::Types,
        };
        let root = self.root(module);
        // Up to edition 2015, `use` and `::` start at the crate's root.
        let from_root = (path.leading || in_use) && self.is_2015(module);
        let mut node = match rest.next() {
            None => Meaning::Module(root),
            Some((index, first)) => match &*first.name {
                "crate" if !path.leading => Meaning::Module(root),
                "self" if !path.leading => Meaning::Module(self.graph.proper(module)),
                "super" if !path.leading => self.parent(self.graph.proper(module))?,
                "Self" if !path.leading => {
                    return Err(Unresolved::Because("`Self` is not known here".to_owned()));
                }
                name if from_root => self.at_root(root, name, at(index))?,
                name if path.leading => self
                    .other_crate(module, name)
                    .ok_or_else(|| Unresolved::Crate(first.name.clone()))?,
                name => self.lexical(module, name, at(index))?,
            },
        };
        for (index, segment) in rest {
            // For a `use`, what is private in one namespace is not there; elsewhere it is an error of the compiler.
            let asker = in_use.then_some(module);
            node = self.step(node, &segment.name, at(index), index == last, asker)?;
        }
        Ok(node)
    }

    /// Resolves the next segment of a path.
    fn step(
        &mut self,
        node: Meaning,
        name: &Text,
        namespace: Namespace,
        last: bool,
        asker: Option<ModuleId>,
    ) -> Result<Meaning, Unresolved> {
        match node {
            Meaning::Module(module) if &**name == "super" => self.parent(module),
            Meaning::Module(module) if &**name == "self" => Ok(Meaning::Module(module)),
            Meaning::Module(module) => {
                let askers = [asker.unwrap_or(module); 2];
                self.in_module(module, name, namespace, askers)
                    .or_else(|| self.unread(name, namespace))
                    .ok_or_else(|| self.unresolved(module, name))
            }
            Meaning::External(text) => Ok(Meaning::External(match &*text {
                "std::primitive" => name.clone(),
                _ => format!("{text}::{name}").into(),
            })),
            Meaning::Def(Def::Type(ty)) => match variant(&ty.def, name) {
                Some(index) => Ok(Meaning::Def(Def::Variant(ty, index))),
                None if last && namespace == Namespace::Values => {
                    Ok(Meaning::Def(Def::Associated(ty, name.clone())))
                }
                None => Err(Unresolved::Because(format!(
                    "the type `{}` has no variant `{name}`",
                    ty.def.name
                ))),
            },
            Meaning::Def(Def::Alias(module, alias)) => {
                let target = self.alias(module, &alias)?;
                self.step(target, name, namespace, last, asker)
            }
            Meaning::Def(_) | Meaning::Macro(..) => Err(Unresolved::Because(format!(
                "nothing can precede `::{name}`"
            ))),
        }
    }

    /// Resolves an alias.
    pub(super) fn alias(
        &mut self,
        module: ModuleId,
        alias: &AliasDef,
    ) -> Result<Meaning, Unresolved> {
        let too_far =
            || Unresolved::Because(format!("the alias `{}` refers to itself", alias.name));
        let TyKind::Path(path) = &alias.ty.kind else {
            return Err(Unresolved::Because(format!(
                "the alias `{}` does not refer to a named type",
                alias.name
            )));
        };
        // Counted but never released: chains of aliases are followed from inside `step`.
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(too_far());
        }
        self.walk(module, path, Namespace::Types, false)
    }

    /// Resolves a path's first name: the module's own names, other crates, the prelude, primitives.
    fn lexical(
        &mut self,
        module: ModuleId,
        name: &str,
        namespace: Namespace,
    ) -> Result<Meaning, Unresolved> {
        let key = Text::from(name);
        if let Some(found) = self.in_module(module, &key, namespace, [module; 2]) {
            return Ok(found);
        }
        if let Some(doubt) = self.doubt.take() {
            return Err(doubt);
        }
        let outside = match namespace {
            Namespace::Attributes | Namespace::Calls => self.macro_prelude(module, &key, namespace),
            Namespace::Types => self.other_crate(module, name).or_else(|| {
                let primitive = || known::is_primitive(name).then(|| name.to_owned());
                let known = known::prelude_type(name).or_else(primitive)?;
                Some(Meaning::External(Text::from(known)))
            }),
            Namespace::Values => {
                known::prelude_value(name).map(|known| Meaning::External(Text::from(known)))
            }
        };
        match outside.or_else(|| self.unread(&key, namespace)) {
            Some(found) => Ok(found),
            None => Err(self.unresolved(module, &key)),
        }
    }

    /// Resolves a name at the crate's root, else another crate.
    fn at_root(
        &mut self,
        root: ModuleId,
        name: &str,
        namespace: Namespace,
    ) -> Result<Meaning, Unresolved> {
        let key = Text::from(name);
        let found = self.in_module(root, &key, namespace, [root; 2]);
        if let Some(doubt) = self.doubt.take() {
            return Err(doubt);
        }
        let found = found.or_else(|| self.other_crate(root, name));
        match found.or_else(|| self.unread(&key, namespace)) {
            Some(found) => Ok(found),
            None => Err(self.unresolved(root, &key)),
        }
    }

    /// The crate by its name in this module.
    fn other_crate(&mut self, module: ModuleId, name: &str) -> Option<Meaning> {
        let graph = self.graph;
        let of = graph.module(module)?.crate_id;
        let info = graph.crates.get(of.0 as usize)?;
        match crates::crate_named(graph.workspace, &graph.crates, info, name) {
            Some(Extern::Crate(id)) => return Some(Meaning::Module(ModuleId(id.0))),
            Some(Extern::Known(name)) => return Some(Meaning::External(name)),
            None => {}
        }
        // `extern crate a as b;` in the root makes the name visible in every module.
        let root = ModuleId(of.0);
        let module = graph.module(root)?;
        self.looked_into.insert(root);
        let uses = graph.content(root, &module).uses.get(name)?;
        let renamed = uses.iter().find(|used| {
            let first = used.path.segments.first();
            used.path.segments.len() == 1
                && (used.path.leading || first.is_some_and(|first| &*first.name == "crate"))
        })?;
        self.follow(root, renamed, Namespace::Types)
    }

    fn unresolved(&mut self, id: ModuleId, name: &Text) -> Unresolved {
        if let Some(doubt) = self.doubt.take() {
            return doubt;
        }
        let failed = self.graph.module(id).and_then(|module| {
            let content = self.graph.content(id, &module);
            content.failed.clone()
        });
        match failed {
            Some(failed) => Unresolved::Unread(Box::new(failed)),
            None => Unresolved::Name(name.clone(), id),
        }
    }

    pub(crate) fn root(&self, id: ModuleId) -> ModuleId {
        let module = self.graph.module(id);
        module.map_or(id, |module| ModuleId(module.crate_id.0))
    }

    fn parent(&self, id: ModuleId) -> Result<Meaning, Unresolved> {
        let parent = self.graph.module(id).and_then(|module| module.parent);
        parent
            .map(|parent| Meaning::Module(self.graph.proper(parent)))
            .ok_or_else(|| Unresolved::Because("the root of a crate has no `super`".to_owned()))
    }

    fn is_2015(&self, id: ModuleId) -> bool {
        let module = self.graph.module(id);
        let info = module.and_then(|module| self.graph.crates.get(module.crate_id.0 as usize));
        info.is_some_and(|info| info.target.edition == "2015")
    }
}
