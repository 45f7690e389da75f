//! What rustc refuses in the walked packages although it is read here: attributes that no derive declares, names that a
//! derive's code hides, crates that are no dependency. Nothing is reported where a macro that is not known may decide otherwise.

use super::graph::Graph;
use super::ids::{ModuleId, TypeRef};
use super::macros::meanings::{Derive, Derived};
use super::modules::Content;
use super::names::Namespace;
use super::names::resolve::Query;
use super::names::unresolved::Unresolved;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_syntax::attrs::{FacetAttrs, With};
use crd_channels_syntax::known::derives;
use crd_channels_syntax::known::macros::Effect;
use crd_channels_syntax::tree::{Body, FieldDef, Path, Ty, TyKind};
use crd_channels_workspace::{PackageId, Target};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Something that rustc refuses.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The package.
    pub package: PackageId,
    /// Where it is.
    pub span: Span,
    /// What it is.
    pub what: Refusal,
}

/// What rustc refuses.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// An attribute on a type, or inside, that none of its derives declares.
    Attribute(TypeRef, Text),
    /// The name of a field's type, which means another type in the code that a derive generates.
    Hidden(TypeRef, Text),
    /// A crate that the package does not depend on.
    Crate(Text),
    /// A derive that no `use` brings into its module.
    Derive(Text),
}

/// The names that the code of `KubeSchema` imports beside a copy of the struct.
pub const HIDING: &[&str] = &[
    "ListMerge",
    "MapMerge",
    "Message",
    "Reason",
    "Rule",
    "StructMerge",
];

/// Crates that need no dependency.
const SYSROOT: &[&str] = &["alloc", "core", "proc_macro", "std", "test"];

impl Graph<'_> {
    /// Everything that rustc refuses in the walked packages, in the order of their modules.
    #[must_use]
    pub fn refused(&self) -> Vec<Refused> {
        let roots = self.walked_roots().into_iter();
        let modules = roots.flat_map(|root| self.below_expanded(root));
        modules.flat_map(|(id, _)| self.refused_in(id)).collect()
    }

    /// The same for the file of a module. `None` if the module does not exist.
    #[must_use]
    pub fn refused_in_file(&self, module: &str) -> Option<Vec<Refused>> {
        let modules = self.modules_in_file(module)?.into_iter();
        Some(modules.flat_map(|id| self.refused_in(id)).collect())
    }

    fn refused_in(&self, id: ModuleId) -> Vec<Refused> {
        let mut found = Vec::new();
        let Some(module) = self.module(id) else {
            return found;
        };
        let Some(info) = self.crates.get(module.crate_id.0 as usize) else {
            return found;
        };
        let mut add = |span, what| {
            found.push(Refused {
                package: info.package,
                span,
                what,
            });
        };
        // What a macro makes may name what its call brings.
        for (name, span) in self.derives_without_use(id, self.content(id, &module)) {
            add(span, Refusal::Derive(name));
        }
        for content in self.contents(id, &module) {
            if self.is_complete(info.package, &info.target) {
                for (name, span) in self.unknown_crates(id, content) {
                    add(span, Refusal::Crate(name));
                }
            }
            for def in &content.type_list {
                let ty = TypeRef {
                    module: id,
                    def: Arc::clone(def),
                };
                for (name, span) in self.unknown_attributes(&ty) {
                    add(span, Refusal::Attribute(ty.clone(), name));
                }
                for (name, span) in self.hidden_names(&ty) {
                    add(span, Refusal::Hidden(ty.clone(), name));
                }
            }
        }
        found
    }

    /// Whether cargo builds a target, so that its dependencies are there.
    fn is_complete(&self, package: PackageId, target: &Target) -> bool {
        let package = self.workspace.package(package).filter(|it| it.built);
        package.is_some_and(|package| {
            let mut required = target.required_features.iter();
            required.all(|feature| package.features.contains(feature))
        })
    }

    /// The attributes on a type that none of its derives declares.
    fn unknown_attributes(&self, ty: &TypeRef) -> Vec<(Text, Span)> {
        if ty.def.helpers.is_empty() {
            return Vec::new();
        }
        let is_known = self.keeps_attributes(ty);
        let mut declared: BTreeSet<&str> = BTreeSet::new();
        for path in &ty.def.derives {
            let name = self.macro_name(ty.module, path);
            match name.and_then(|name| derives::declares(&name)) {
                Some(names) => declared.extend(names),
                None => return Vec::new(),
            }
        }
        let helpers = ty.def.helpers.iter();
        let unknown = helpers.filter(|(name, _)| is_known && !declared.contains(&**name));
        // An attribute macro of that name may be imported.
        let imported = |name: &Text| {
            let module = self.module(ty.module);
            module.is_some_and(|module| self.content(ty.module, &module).uses.contains_key(name))
        };
        unknown
            .filter(|(name, _)| !imported(name))
            .cloned()
            .collect()
    }

    /// Whether no macro on a type can change its attributes.
    fn keeps_attributes(&self, ty: &TypeRef) -> bool {
        let leaves = |effect| matches!(effect, Some(Effect::Leaves | Effect::Derives));
        let mut on_it = ty.def.macros.iter().filter(|used| !used.called);
        on_it.all(|used| {
            let mut read_as = used.read_as.iter();
            let applied = read_as.all(|name| name.starts_with("serde_with"));
            (applied && !used.read_as.is_empty()) || leaves(self.effect_of(ty.module, used))
        })
    }

    /// The first use of each derive of a known crate that is in scope nowhere, if nothing that is not read may bring it.
    fn derives_without_use(&self, id: ModuleId, content: &Content) -> Vec<(Text, Span)> {
        let mut found: Vec<(Text, Span)> = Vec::new();
        for def in &content.type_list {
            let ty = TypeRef {
                module: id,
                def: Arc::clone(def),
            };
            for path in &def.derives {
                let [only] = &path.segments[..] else {
                    continue;
                };
                let name = &only.name;
                let is_told = || found.iter().any(|(told, _)| told == name);
                if !path.leading
                    && derives::only_home(name).is_some_and(|home| home != "std")
                    && !is_told()
                    && self.keeps_attributes(&ty)
                    && self.is_nowhere(id, path, name)
                {
                    found.push((name.clone(), path.span));
                }
            }
        }
        found
    }

    /// Whether the name of a derive is in scope nowhere: no `use` leads to it, and each glob, macro and `cfg` that may bring
    /// one is known.
    fn is_nowhere(&self, id: ModuleId, path: &Path, name: &Text) -> bool {
        let mut query = Query::new(self);
        let found = query.walk(id, path, Namespace::Attributes, false);
        let searched = std::mem::take(&mut query.looked_into);
        let is_lost = matches!(found, Err(Unresolved::Name(..)));
        let mut all = searched.iter();
        let nowhere = is_lost
            && query.inner.is_none()
            && query.unread_globs.is_empty()
            && !all.any(|id| self.may_be_made(*id, name) || self.may_be_imported(*id, name));
        if let Some(module) = self.module(id) {
            module.note(searched);
        }
        nowhere
    }

    /// Whether macros import a name, or every name, into a module.
    fn may_be_imported(&self, id: ModuleId, name: &Text) -> bool {
        let Some(module) = self.module(id) else {
            return true;
        };
        let made = self.expansion(id, &module);
        made.is_some_and(|made| !made.globs.is_empty() || made.uses.contains_key(name))
            || !self.content(id, &module).macro_use_crates.is_empty()
    }

    /// The names in the types of fields that mean other types in the code of `KubeSchema`.
    fn hidden_names(&self, ty: &TypeRef) -> Vec<(Text, Span)> {
        let Body::Struct(_, fields) = &ty.def.body else {
            return Vec::new();
        };
        let copy = format!("{}Validated", ty.def.name);
        let hides = |field: &FieldDef, name: &str| {
            let alone = || field.attrs.facets.all().any(is_merged);
            HIDING.contains(&name) || name == copy || (name == "Validated" && alone())
        };
        let mut found = Vec::new();
        for field in fields {
            let with = match &field.attrs.with {
                Some(With::Type(with)) => Some(with),
                _ => None,
            };
            for ty in std::iter::once(&field.ty).chain(with) {
                first_names(ty, &mut |path, name| {
                    if hides(field, name) {
                        found.push((name.clone(), path.span));
                    }
                });
            }
        }
        let is_derived = || matches!(self.derive_of(ty, Derive::KubeSchema), Derived::Yes);
        match found.is_empty() || !is_derived() {
            true => Vec::new(),
            false => found,
        }
    }

    /// The crates that `use` items and derives begin with, and that do not exist.
    fn unknown_crates(&self, id: ModuleId, content: &Content) -> Vec<(Text, Span)> {
        let uses = content.uses.values().flatten();
        let uses = uses.filter(|used| used.path.segments.len() > 1);
        let uses = uses.chain(&content.globs);
        let uses = uses.map(|used| (&used.path, used.span, true));
        let derives = content.type_list.iter().flat_map(|def| &def.derives);
        let derives = derives.filter(|path| path.segments.len() > 1);
        let derives = derives.map(|path| (path, path.span, false));
        let mut found: Vec<(Text, Span)> = Vec::new();
        for (path, span, in_use) in uses.chain(derives) {
            if let Some(name) = self.unknown_crate(id, path, in_use) {
                found.push((name, span));
            }
        }
        found.sort_by_key(|(name, span)| (span.file, span.start, name.clone()));
        found.dedup();
        found
    }

    fn unknown_crate(&self, id: ModuleId, path: &Path, in_use: bool) -> Option<Text> {
        let first = path.segments.first()?;
        let is_relative = matches!(&*first.name, "crate" | "self" | "super" | "Self");
        // An optional dependency that is off may be on in another build.
        let features = self
            .package(&*self.module(id)?)
            .map(|package| &package.declared_features);
        let is_optional = features.is_some_and(|features| {
            features.contains(&*first.name) || features.contains(&first.name.replace('_', "-"))
        });
        if is_relative || is_optional || SYSROOT.contains(&&*first.name) {
            return None;
        }
        let start = Path {
            segments: vec![first.clone()],
            ..path.clone()
        };
        let mut query = Query::new(self);
        let found = query.walk(id, &start, Namespace::Types, in_use);
        let searched = std::mem::take(&mut query.looked_into);
        let is_missing = match found {
            Err(Unresolved::Crate(_)) => true,
            Err(Unresolved::Name(..)) => {
                let mut searched = searched.iter();
                query.unread_globs.is_empty()
                    && !searched.any(|id| self.may_be_made(*id, &first.name))
            }
            _ => false,
        };
        self.module(id)?.note(searched);
        is_missing.then(|| first.name.clone())
    }

    /// Whether a macro or an unknown `cfg` may make this name in a module.
    fn may_be_made(&self, id: ModuleId, name: &Text) -> bool {
        let Some(module) = self.module(id) else {
            return true;
        };
        self.contents(id, &module).any(|content| {
            let hidden = content.hidden.iter();
            let mut hidden = hidden.map(|hidden| &*hidden.name);
            // A derive may make a module that is named after its type, as snafu does.
            let mut derived = content
                .type_list
                .iter()
                .filter(|def| !def.derives.is_empty());
            let module_of = |name: &str| name.replace('_', "");
            content.failed.is_some()
                || derived.any(|def| def.name.to_lowercase() == module_of(name))
                || hidden.any(|hidden| hidden == "*" || *hidden == **name)
                || content.unread.iter().any(|call| call.may_make(name))
        })
    }
}

/// Whether `KubeSchema` copies a field into a struct of its own.
fn is_merged(facets: &FacetAttrs) -> bool {
    !facets.rules.is_empty() || facets.merge.is_some()
}

/// Passes the first name of each path in a type.
fn first_names(ty: &Ty, show: &mut dyn FnMut(&Path, &Text)) {
    match &ty.kind {
        TyKind::Path(path) => {
            if !path.leading
                && let Some(first) = path.segments.first()
            {
                show(path, &first.name);
            }
            for argument in path.segments.iter().flat_map(|segment| &segment.args) {
                first_names(argument, show);
            }
        }
        TyKind::Qualified(inner, ..)
        | TyKind::Reference(inner, _)
        | TyKind::Array(inner, _)
        | TyKind::Slice(inner) => first_names(inner, show),
        TyKind::Tuple(all) => all.iter().for_each(|one| first_names(one, show)),
        TyKind::Const(_) | TyKind::Macro(..) | TyKind::Other(_) => {}
    }
}
