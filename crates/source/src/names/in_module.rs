//! Resolves a name in one module: its items, its `use`s, the items that macros generate, finally its globs.

use super::resolve::{MAX_STEPS, Query};
use super::unresolved::Unresolved;
use super::{Askers, Making, Meaning, Namespace, own_name, variant};
use crate::ids::{Def, ModuleId};
use crate::modules::{Content, Module, Unread};
use crd_channels_diagnostics::Text;
use crd_channels_syntax::known::macros;
use crd_channels_syntax::tree::{Path, UseDef, Visibility};
use std::sync::Arc;

impl Query<'_> {
    /// Resolves a name in a module: its items, its `use`s, finally its globs.
    pub(crate) fn in_module(
        &mut self,
        id: ModuleId,
        name: &Text,
        namespace: Namespace,
        askers: Askers,
    ) -> Option<Meaning> {
        let key = (id, name.clone(), namespace, askers);
        if let Some(known) = self.seen.get(&key) {
            // `use c::n as c` in a body: its first `c` is one around the body.
            let module = self
                .graph
                .module(id)
                .filter(|module| known.is_none() && module.is_body());
            return match module.and_then(|module| module.parent) {
                Some(outer) => self.in_module(outer, name, namespace, askers),
                None => known.clone(),
            };
        }
        if self.steps >= MAX_STEPS {
            let words = format!(
                "`{name}` is behind more than {MAX_STEPS} modules that import it from each other"
            );
            self.doubt = Some(Unresolved::Because(words));
            return None;
        }
        if namespace.is_macros()
            && let Some(home) = self.graph.foreign_crate(id)
            && macros::is_of(&home, name)
        {
            // Its source is not read for this.
            return Some(Meaning::External(format!("{home}::{name}").into()));
        }
        self.seen.insert(key.clone(), None);
        self.steps += 1;
        let module = self.graph.module(id)?;
        self.looked_into.insert(id);
        let content = self.graph.content(id, &module);
        let found = match namespace.is_macros() {
            true => self.macro_in(id, content, name, namespace, askers),
            false => self.item_in(id, content, &module, name, namespace, askers),
        };
        if found.is_none() && self.doubt.is_some() {
            return None;
        }
        let around = module.parent.filter(|_| module.is_body());
        let found = found
            .or_else(|| around.and_then(|outer| self.in_module(outer, name, namespace, askers)));
        if found.is_none() && self.doubt.is_some() {
            return None;
        }
        let stated = || self.graph.stated_path(id, name).map(Meaning::External);
        let found = found.or_else(|| stated().filter(|_| namespace == Namespace::Types));
        self.steps = self.steps.saturating_sub(1);
        self.seen.insert(key, found.clone());
        found
    }

    /// Resolves a name that is not a macro: written and generated items take precedence over globs.
    fn item_in(
        &mut self,
        id: ModuleId,
        content: &Content,
        module: &Module,
        name: &Text,
        namespace: Namespace,
        askers: Askers,
    ) -> Option<Meaning> {
        let made = match self.written_only {
            true => None,
            false => self.graph.expansion(id, module),
        };
        // An item that the askers do not see hides what globs import, from them as well.
        for content in std::iter::once(content).chain(made) {
            if let Some((own, visibility)) = own_name(id, content, name, namespace) {
                return self.is_seen(askers, id, visibility).then_some(own);
            }
            if let Some(used) = self.used(id, content, name, namespace, askers) {
                return used;
            }
        }
        let contents = std::iter::once(content).chain(made);
        if contents
            .flat_map(|content| &content.hidden)
            .any(|hidden| hidden.name == *name)
        {
            self.doubt = Some(Unresolved::Name(name.clone(), id));
            return None;
        }
        let globbed = self.globbed(id, content, name, namespace, askers);
        if self.doubt.is_some() {
            return None;
        }
        let globbed = globbed
            .or_else(|| made.and_then(|made| self.globbed(id, made, name, namespace, askers)));
        let unread = made.map_or(&[][..], |made| &made.unread);
        let hides = |call: &&Unread| match globbed {
            Some(_) => call.may_make(name),
            // It would come before a name of the prelude.
            None => call.defines(name),
        };
        if let Some(call) = unread.iter().find(hides) {
            self.doubt = Some(Unresolved::Doubtful(name.clone(), Arc::clone(&call.call)));
            return None;
        }
        globbed
    }

    /// Resolves a name that a `use` imports; to nothing if the askers do not see it.
    pub(crate) fn used(
        &mut self,
        id: ModuleId,
        content: &Content,
        name: &Text,
        namespace: Namespace,
        askers: Askers,
    ) -> Option<Option<Meaning>> {
        content.uses.get(name)?.iter().find_map(|used| {
            let found = self.follow(id, used, namespace)?;
            Some(self.is_seen(askers, id, &used.visibility).then_some(found))
        })
    }

    /// Whether all askers see an item of a module.
    fn is_seen(&self, askers: Askers, home: ModuleId, visibility: &Visibility) -> bool {
        askers
            .into_iter()
            .all(|asker| self.graph.sees(asker, home, visibility))
    }

    /// Resolves a `use`.
    pub(crate) fn follow(
        &mut self,
        id: ModuleId,
        used: &Arc<UseDef>,
        namespace: Namespace,
    ) -> Option<Meaning> {
        let follows = |(other, same): &(Arc<UseDef>, Namespace)| {
            Arc::ptr_eq(other, used) && *same == namespace
        };
        let imports = namespace == Namespace::Types || !used.is_self;
        if !imports || self.following.iter().any(follows) {
            return None;
        }
        if let (Namespace::Calls, [only]) = (namespace, &used.path.segments[..])
            && !used.path.leading
        {
            // `use name;` of a `macro_rules!` defined above it.
            let (found, looked_into) =
                self.graph
                    .macro_above(id, &used.path, &only.name, &[], Making::Anything);
            self.looked_into.extend(looked_into);
            if let Some((home, def)) = found {
                return Some(Meaning::Macro(home, def));
            }
        }
        self.following.push((Arc::clone(used), namespace));
        let found = self.walk(id, &used.path, namespace, true);
        self.following.pop();
        match found {
            Ok(found) => Some(found),
            Err(_) if namespace.is_macros() && self.starts_outside(id, &used.path) => Some(
                Meaning::External(used.path.to_string().trim_start_matches("::").into()),
            ),
            Err(lost) if self.steps >= MAX_STEPS => {
                self.doubt = Some(lost);
                None
            }
            Err(lost) => {
                self.inner.get_or_insert((lost, used.span));
                None
            }
        }
    }

    /// Resolves a name that a glob imports. Where one that the askers do not see imports another item, rustc may take neither.
    pub(crate) fn globbed(
        &mut self,
        id: ModuleId,
        content: &Content,
        name: &Text,
        namespace: Namespace,
        askers: Askers,
    ) -> Option<Meaning> {
        let (seen, unseen): (Vec<_>, Vec<_>) = content
            .globs
            .iter()
            .partition(|glob| self.is_seen(askers, id, &glob.visibility));
        let mut seen = seen.into_iter();
        let found = seen.find_map(|glob| self.through(id, glob, name, namespace, askers))?;
        // What they lead to is no source of other names.
        let unread = self.unread_globs.clone();
        let is_doubtful = unseen.into_iter().any(|glob| {
            let other = self.through(id, glob, name, namespace, [id; 2]);
            other.is_some_and(|other| !other.is_same(&found))
        });
        self.unread_globs = unread;
        if is_doubtful {
            let words = format!("two globs beside each other have `{name}`, and one is private");
            self.doubt = Some(Unresolved::Because(words));
            return None;
        }
        Some(found)
    }

    /// Resolves a name through a glob.
    fn through(
        &mut self,
        id: ModuleId,
        glob: &Arc<UseDef>,
        name: &Text,
        namespace: Namespace,
        askers: Askers,
    ) -> Option<Meaning> {
        let mut target = self.follow(id, glob, Namespace::Types);
        if let Some(Meaning::Def(Def::Alias(module, alias))) = &target {
            target = self.alias(*module, alias).ok();
        }
        if target.is_none() && namespace.is_macros() {
            let first = glob.path.segments.first().map(|first| first.name.clone());
            let start = Path {
                segments: glob.path.segments.iter().take(1).cloned().collect(),
                ..glob.path.clone()
            };
            let unseen = self.walk(id, &start, Namespace::Types, true).is_err();
            target = first.filter(|_| unseen).map(Meaning::External);
        }
        match target {
            Some(Meaning::Module(module)) => {
                let [_, first] = askers;
                self.in_module(module, name, namespace, [id, first])
            }
            Some(Meaning::Def(Def::Type(ty))) => {
                let index = variant(&ty.def, name);
                index.map(|index| Meaning::Def(Def::Variant(ty, index)))
            }
            Some(Meaning::External(text)) if namespace.is_macros() => {
                let home = text.split("::").next().unwrap_or_default();
                let known = macros::is_of(home, name)
                    .then(|| Meaning::External(format!("{home}::{name}").into()));
                if known.is_none() && home != "std" {
                    self.unread_globs.insert(text);
                }
                known
            }
            // The standard prelude is known by name.
            Some(Meaning::External(text)) if !text.starts_with("std::prelude") => {
                self.unread_globs.insert(text);
                None
            }
            _ => None,
        }
    }

    /// If a name is found nowhere and there is exactly one glob of a crate whose source is not read, it comes from that glob.
    pub(super) fn unread(&self, name: &Text, namespace: Namespace) -> Option<Meaning> {
        if namespace.is_macros() || self.doubt.is_some() {
            return None;
        }
        let mut globs = self.unread_globs.iter();
        match (globs.next(), globs.next()) {
            (Some(glob), None) => Some(Meaning::External(Text::from(format!("{glob}::{name}")))),
            _ => None,
        }
    }
}
