//! Resolves paths written outside of source, such as in configuration, to full paths.

use crate::graph::Graph;
use crate::ids::{Def, ModuleId, Resolved};
use crd_channels_diagnostics::{Diagnostic, FileId, Span, Text};
use crd_channels_syntax::tree::{Path, Segment, TyKind};
use std::collections::BTreeSet;

/// How many aliases are followed in a chain.
const MAX_ALIASES: usize = 16;

/// How many names of a path may be left out to find a shorter one.
const MAX_NAMES: usize = 10;

impl Graph<'_> {
    /// The full paths of the items that a path may refer to, as code of the walked packages would write it: with the crate's
    /// name, through re-exports and aliases. An item that is known only by name has that name.
    ///
    /// # Errors
    /// The diagnostic if the path cannot be resolved.
    pub fn full_paths(&self, written: &str) -> Result<BTreeSet<Text>, Box<Diagnostic>> {
        let span = Span {
            file: FileId(u32::MAX),
            start: 0,
            end: 0,
        };
        let segments = written.split("::").map(|name| Segment {
            name: name.into(),
            args: Vec::new(),
        });
        let path = Path {
            leading: true,
            segments: segments.collect(),
            span,
        };
        let mut found = BTreeSet::new();
        let mut lost = None;
        let (stated, mut as_stated) = (self.stated.contains(written), false);
        // No crate depends on a binary, but a path may name it.
        let own = path
            .segments
            .first()
            .and_then(|first| self.crate_called(&first.name));
        let mut from_own = path.clone();
        from_own.leading = false;
        if let Some(first) = from_own.segments.first_mut() {
            first.name = "crate".into();
        }
        let from = self.walked_roots().into_iter().map(|root| (root, &path));
        for (root, path) in from.chain(own.map(|id| (ModuleId(id.0), &from_own))) {
            let answers = [
                self.resolve_type(root, path),
                self.resolve_value(root, path),
            ];
            for answer in answers {
                match answer {
                    Ok(Resolved::External(name)) if &*name == written && stated => {
                        as_stated = true;
                    }
                    Ok(resolved) => found.extend(self.true_path(resolved, 0)),
                    Err(why) => drop(lost.get_or_insert(why)),
                }
            }
        }
        // It may exist only because configuration defines it.
        if as_stated && lost.is_none() {
            found.insert(written.into());
        }
        match lost {
            Some(why) if found.is_empty() => Err(why),
            _ => Ok(found),
        }
    }

    fn true_path(&self, resolved: Resolved, aliases: usize) -> Option<Text> {
        let in_module = |module: ModuleId, name: &str| -> Text {
            format!("{}::{name}", self.module_path(module)).into()
        };
        Some(match resolved {
            Resolved::External(name) => name,
            Resolved::Def(Def::Type(ty)) => in_module(ty.module, &ty.def.name),
            Resolved::Def(Def::Alias(module, alias)) => {
                let TyKind::Path(path) = &alias.ty.kind else {
                    return None;
                };
                let meant = self.resolve_type(module, path).ok()?;
                return match aliases < MAX_ALIASES {
                    true => self.true_path(meant, aliases + 1),
                    false => None,
                };
            }
            Resolved::Def(Def::Const(module, of)) => in_module(module, &of.name),
            Resolved::Def(Def::Fn(module, of)) => in_module(module, &of.name),
            Resolved::Def(Def::Associated(ty, name)) => {
                in_module(ty.module, &format!("{}::{name}", ty.def.name))
            }
            Resolved::Def(Def::Trait(..) | Def::Variant(..)) => return None,
        })
    }

    /// The shortest path with the same meaning, found by leaving out names: k8s-openapi's
    /// `v1_33::api::core::v1::pod_spec::PodSpec` is also `api::core::v1::PodSpec`, independent of the version.
    #[must_use]
    pub fn short_path(&self, path: &str) -> Option<String> {
        let meant = self.full_paths(path).ok()?;
        let names: Vec<&str> = path.split("::").collect();
        let [first, inner @ .., last] = &names[..] else {
            return None;
        };
        if inner.len() > MAX_NAMES {
            return Some(path.to_owned());
        }
        let mut choices: Vec<u32> = (0..1 << inner.len()).collect();
        choices.sort_by_key(|choice| choice.count_ones());
        choices.into_iter().find_map(|choice| {
            let kept = inner.iter().enumerate();
            let kept = kept.filter(|(place, _)| choice >> place & 1 == 1);
            let kept = kept.map(|(_, name)| *name);
            let names: Vec<&str> = [*first].into_iter().chain(kept).chain([*last]).collect();
            let shorter = names.join("::");
            (self.full_paths(&shorter).ok()? == meant).then_some(shorter)
        })
    }
}
