//! Resolves paths of macros: attributes, derives and calls.

use crate::ids::ModuleId;
use crate::modules::Content;
use crate::names::resolve::Query;
use crate::names::unresolved::Unresolved;
use crate::names::{Askers, Macro, Meaning, Namespace};
use crd_channels_diagnostics::Text;
use crd_channels_syntax::known::derives;
use crd_channels_syntax::known::macros;
use crd_channels_syntax::tree::Path;

impl Query<'_> {
    /// Resolves the path of a macro in a module: that of a call `name!(..)` with `calls`, else of an attribute or a derive.
    /// `None` if it cannot be resolved.
    pub(crate) fn resolve_macro(
        mut self,
        module: ModuleId,
        path: &Path,
        calls: bool,
    ) -> Option<Macro> {
        let namespace = match calls {
            true => Namespace::Calls,
            false => Namespace::Attributes,
        };
        self.written_only = calls;
        let found = self.walk(module, path, namespace, false);
        if let Some(asking) = self.graph.module(module) {
            asking.note(std::mem::take(&mut self.looked_into));
        }
        match found {
            Ok(Meaning::External(name)) => Some(Macro::Named(name)),
            Ok(Meaning::Macro(module, def)) => Some(Macro::Rules(module, def)),
            Ok(Meaning::Module(_) | Meaning::Def(_)) => None,
            // The program compiles, so a crate that is unknown here must exist.
            Err(Unresolved::Crate(_)) => Some(Macro::Named(
                path.to_string().trim_start_matches("::").into(),
            )),
            Err(Unresolved::Name(name, _)) if self.unread_globs.is_empty() => {
                let first = path.segments.first().filter(|first| first.name == name)?;
                let known = match path.segments.len() {
                    1 => format!("{}::{name}", derives::only_home(&first.name)?),
                    _ => path.to_string(),
                };
                Some(Macro::Named(known.into()))
            }
            Err(_) => None,
        }
    }

    /// A macro that is visible in a whole crate: of a `#[macro_use] extern crate`, else of the standard library.
    pub(crate) fn macro_prelude(
        &mut self,
        module: ModuleId,
        name: &Text,
        namespace: Namespace,
    ) -> Option<Meaning> {
        let graph = self.graph;
        let root = self.root(module);
        let content = graph.module(root)?;
        self.looked_into.insert(root);
        for used in &graph.content(root, &content).macro_use_crates {
            let written = used.path.segments.first().map(|of| of.name.clone());
            let home = self.follow(root, used, Namespace::Types);
            let found = match home.or_else(|| written.map(Meaning::External)) {
                Some(Meaning::Module(home)) => self.in_module(home, name, namespace, [module; 2]),
                Some(Meaning::External(home)) => macros::is_of(&home, name)
                    .then(|| Meaning::External(format!("{home}::{name}").into())),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        macros::prelude_macro(name).then(|| Meaning::External(format!("std::{name}").into()))
    }

    /// Resolves a macro in a module. Generated items are ignored, because they may be the ones being generated.
    pub(crate) fn macro_in(
        &mut self,
        id: ModuleId,
        content: &Content,
        name: &Text,
        namespace: Namespace,
        askers: Askers,
    ) -> Option<Meaning> {
        if namespace == Namespace::Calls && id == self.root(id) {
            let (found, looked_into) = self.graph.exported_macro(id, name);
            self.looked_into.extend(looked_into);
            if let Some((home, def)) = found {
                return Some(Meaning::Macro(home, def));
            }
        }
        match self.used(id, content, name, namespace, askers) {
            Some(used) => used,
            None => self.globbed(id, content, name, namespace, askers),
        }
    }

    /// Whether a path starts with an unknown crate, which must exist because the program compiles.
    pub(crate) fn starts_outside(&mut self, id: ModuleId, path: &Path) -> bool {
        let Some(first) = path.segments.first() else {
            return false;
        };
        let relative = matches!(&*first.name, "crate" | "self" | "super");
        let start = Path {
            segments: vec![first.clone()],
            ..path.clone()
        };
        path.segments.len() > 1
            && !relative
            && self.unread_globs.is_empty()
            && self.walk(id, &start, Namespace::Types, true).is_err()
    }
}
