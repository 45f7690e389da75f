//! The `impl` blocks of a type, by their headers, and the bindings of their parameters.

use super::path_segments::{first_segment, last_segment};
use super::{Concrete, Instance, Scope};
use crate::reader::Reader;
use crd_channels_diagnostics::Text;
use crd_channels_source::tree::{Expr, ExprKind, FnDef, ImplDef, Path};
use crd_channels_source::{Derive, Derived, ModuleId, Resolved};
use std::sync::Arc;

/// The paths of the traits that decide schemas and defaults.
pub(crate) const JSON_SCHEMA: &str = "schemars::JsonSchema";
pub(crate) const SERIALIZE: &str = "serde::Serialize";

/// The bindings of parameters.
pub(crate) type Bound = Vec<(Text, Concrete)>;

/// Whether a header applies to a type.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Fit {
    /// It applies to other types.
    No,
    /// It depends on unknown parts of the type.
    Maybe,
    /// It applies.
    Yes,
}

/// A block that applies to a type.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Its module.
    pub(crate) module: ModuleId,
    /// The block.
    pub(crate) def: Arc<ImplDef>,
    /// The path of its trait, if that is known by name.
    pub(crate) trait_path: Option<Text>,
    /// The bindings of its parameters.
    pub(crate) params: Bound,
    /// The type that it applies to.
    pub(crate) this: Concrete,
    /// Whether it certainly applies to the type.
    pub(crate) fit: Fit,
}

impl Block {
    /// Returns the scope inside it.
    pub(crate) fn scope(&self) -> Scope {
        Scope {
            module: self.module,
            params: self.params.iter().cloned().collect(),
            this: Some(self.this.clone()),
        }
    }

    /// Returns a function of it.
    pub(crate) fn function(&self, name: &str) -> Option<&FnDef> {
        self.def.fns.iter().find(|function| &*function.name == name)
    }

    /// Returns true if it has a function of that name whose body was not read.
    pub(crate) fn hides(&self, name: &str) -> bool {
        self.def.unread.iter().any(|unread| &**unread == name)
    }
}

impl Reader<'_> {
    /// Returns the full path of the trait that a path names. `None` if the trait is defined in the source, or the path does not
    /// name a trait.
    pub(crate) fn known_trait(&self, module: ModuleId, path: &Path) -> Option<Text> {
        match self.graph.resolve_type(module, path) {
            Ok(Resolved::External(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns the inherent blocks of a type of the source. If none in the type's module has the wanted name, searches all
    /// blocks of its crate.
    pub(crate) fn inherent_blocks(&self, own: &Concrete, wanted: &str) -> Vec<Block> {
        let Concrete::Def(instance) = own else {
            return Vec::new();
        };
        let has = |block: &Block| {
            block.function(wanted).is_some()
                || block.hides(wanted)
                || block.def.consts.iter().any(|known| &*known.name == wanted)
        };
        let near = self.graph.impls(&instance.ty, None);
        let near: Vec<_> = self.fitting(near, own).into_iter().filter(has).collect();
        if !near.is_empty() {
            return near;
        }
        let all = self.graph.all_impls(&instance.ty).into_iter();
        let all = all.filter(|(_, def)| def.of.is_none()).collect();
        self.fitting(all, own).into_iter().filter(has).collect()
    }

    /// Returns the blocks that implement a trait for a type of the source.
    pub(crate) fn trait_blocks(&self, own: &Concrete, trait_path: &str) -> Vec<Block> {
        let Concrete::Def(instance) = own.peel_references() else {
            return Vec::new();
        };
        let blocks = self
            .graph
            .impls(&instance.ty, Some(last_segment(trait_path)));
        let mut found = self.fitting(blocks, own);
        found.retain(|block| {
            let path = block.trait_path.as_deref();
            path.is_some_and(|path| is_same_trait(path, trait_path))
        });
        found
    }

    /// Returns the blocks of traits of std and of known crates that have a function of that name, as operators, loops and std's
    /// own functions call them. A trait of the source may have a function with the same name.
    pub(crate) fn known_blocks(&self, own: &Concrete, name: &str) -> Vec<Block> {
        let Concrete::Def(instance) = own.peel_references() else {
            return Vec::new();
        };
        let of_known = |blocks: Vec<(ModuleId, Arc<ImplDef>)>| {
            let blocks = blocks
                .into_iter()
                .filter(|(_, def)| has_function(def, name));
            let mut found = self.fitting(blocks.collect(), own);
            found.retain(|block| block.trait_path.is_some());
            found
        };
        let near = of_known(self.graph.trait_impls(&instance.ty));
        match near.is_empty() {
            true => of_known(self.graph.all_impls(&instance.ty)),
            false => near,
        }
    }

    /// Returns those blocks whose header applies to a type, or may.
    fn fitting(&self, blocks: Vec<(ModuleId, Arc<ImplDef>)>, own: &Concrete) -> Vec<Block> {
        let fitting = blocks.into_iter().filter_map(|(module, def)| {
            let header = self
                .typed(&def.for_, &open_scope(module, &def.generics))
                .ok()?;
            let mut params = Bound::new();
            let fit = match unify(&header, own, &mut params) {
                Fit::No => return None,
                // Whether a type has a trait is not decided here.
                Fit::Yes if !def.bounds.is_empty() => Fit::Maybe,
                fit => fit,
            };
            let path = def.of.as_ref();
            Some(Block {
                module,
                trait_path: path.and_then(|path| self.known_trait(module, path)),
                def,
                params,
                this: own.clone(),
                fit,
            })
        });
        fitting.collect()
    }

    /// Returns whether a type of the source implements a trait, by a block or a derive.
    pub(crate) fn implements(&self, instance: &Arc<Instance>, trait_path: &str) -> Fit {
        let last = last_segment(trait_path);
        let derived = match self.graph.derives_trait(&instance.ty, last, false) {
            Derived::Yes => return Fit::Yes,
            Derived::Unknown(_) => Fit::Maybe,
            Derived::No => Fit::No,
        };
        let blocks = self.trait_blocks(&Concrete::Def(Arc::clone(instance)), trait_path);
        let best = blocks.iter().map(|block| block.fit).max();
        best.unwrap_or(Fit::No).max(derived)
    }
}

/// Returns true if a type has a derive.
pub(crate) fn derives(reader: &Reader<'_>, instance: &Instance, wanted: Derive) -> bool {
    matches!(reader.graph.derive_of(&instance.ty, wanted), Derived::Yes)
}

/// Returns true if two paths name one trait, since serde re-exports its own under several.
pub(crate) fn is_same_trait(one: &str, other: &str) -> bool {
    let is_serde = |path: &str| matches!(first_segment(path), "serde" | "serde_core");
    one == other || (is_serde(one) && is_serde(other) && last_segment(one) == last_segment(other))
}

/// Returns the scope of a module, with unbound type parameters.
pub(crate) fn open_scope(module: ModuleId, generics: &[Text]) -> Scope {
    let open = generics.iter();
    let open = open.map(|name| (name.clone(), Concrete::Param(name.clone())));
    Scope::with(module, open.collect())
}

/// Unifies a type with open parameters with another type, and binds the parameters.
pub(crate) fn unify(header: &Concrete, own: &Concrete, bound: &mut Bound) -> Fit {
    let all = |headers: &[Concrete], types: &[Concrete], bound: &mut Bound| {
        let mut fit = Fit::Yes;
        for (header, own) in headers.iter().zip(types) {
            fit = fit.min(unify(header, own, bound));
        }
        fit
    };
    match (header, own) {
        (Concrete::Param(name), own) => {
            match bound.iter().position(|(known, _)| known == name) {
                None => {
                    bound.push((name.clone(), own.clone()));
                    Fit::Yes
                }
                Some(at) => {
                    let known = bound.get(at).map(|(_, known)| known.clone());
                    let known = known.unwrap_or(Concrete::Infer);
                    let fit = unify(&known, own, bound);
                    // The more specific type is kept.
                    if fit != Fit::No
                        && known.is_open()
                        && let Some((_, known)) = bound.get_mut(at)
                    {
                        *known = own.clone();
                    }
                    if known.is_open() || own.is_open() {
                        fit.max(Fit::Maybe)
                    } else {
                        fit
                    }
                }
            }
        }
        (Concrete::Infer, _) | (_, Concrete::Infer) => Fit::Maybe,
        (Concrete::External(name, args), Concrete::External(own, types)) if name == own => {
            all(args, types, bound)
        }
        (Concrete::Def(header), Concrete::Def(own)) if Arc::ptr_eq(&header.ty.def, &own.ty.def) => {
            all(&header.args, &own.args, bound)
        }
        (Concrete::Array(header, length), Concrete::Array(own, other)) if length == other => {
            unify(header, own, bound)
        }
        (Concrete::Slice(header), Concrete::Slice(own)) => unify(header, own, bound),
        (Concrete::Ref(header, mutable), Concrete::Ref(own, other)) if mutable == other => {
            unify(header, own, bound)
        }
        (Concrete::Tuple(headers), Concrete::Tuple(types)) if headers.len() == types.len() => {
            all(headers, types, bound)
        }
        _ => Fit::No,
    }
}

impl Concrete {
    /// Returns true if a part of the type is unknown.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Concrete::External(_, args) => args.iter().any(Concrete::is_open),
            Concrete::Def(instance) => {
                let Instance { args, .. } = &**instance;
                args.iter().any(Concrete::is_open)
            }
            Concrete::Array(item, _) | Concrete::Slice(item) | Concrete::Ref(item, _) => {
                item.is_open()
            }
            Concrete::Tuple(items) => items.iter().any(Concrete::is_open),
            Concrete::Param(_) | Concrete::Infer => true,
        }
    }

    /// Returns true if the type is completely unknown.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Concrete::Infer | Concrete::Param(_))
    }
}

/// Returns true if a block has a function, whether its body was read or not.
fn has_function(def: &ImplDef, name: &str) -> bool {
    def.fns.iter().any(|function| &*function.name == name)
        || def.unread.iter().any(|unread| &**unread == name)
}

/// Converts a path to an expression.
pub(crate) fn path_expr(path: &Path) -> Expr {
    Expr {
        kind: ExprKind::Path(path.clone()),
        span: path.span,
    }
}
