//! The `impl` blocks of a type, by their headers, and the bindings of their parameters.

use super::kinds::{is_list, is_set};
use super::numbers::IntType;
use super::path_segments::{first_segment, last_segment};
use super::{Concrete, Finding, Instance, Scope, TraitKey};
use crate::reader::Reader;
use crd_channels_diagnostics::Text;
use crd_channels_source::tree::{Expr, ExprKind, FnDef, ImplDef, Path};
use crd_channels_source::{Def, Derived, ModuleId, Resolved};
use std::sync::Arc;

/// The maximum depth to which bounds of blocks lead to other blocks.
const MAX_DEPTH: usize = 16;

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
    /// The trait; `None` for an inherent block.
    pub(crate) of: Option<TraitKey>,
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
        let traits = match &self.of {
            Some(TraitKey::Source(of)) => Arc::from([of.clone()]),
            _ => Arc::from([]),
        };
        Scope {
            module: self.module,
            params: self.params.iter().cloned().collect(),
            this: Some(self.this.clone()),
            traits,
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
    /// Returns the trait that a path in a module names.
    pub(crate) fn trait_key(&self, module: ModuleId, path: &Path) -> Option<TraitKey> {
        match self.graph.resolve_type(module, path) {
            Ok(Resolved::Def(Def::Trait(home, of))) => Some(TraitKey::Source((home, of))),
            Ok(Resolved::External(name)) => Some(TraitKey::Known(name)),
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
        let near: Vec<_> = self.fitting(near, own, 0).into_iter().filter(has).collect();
        if !near.is_empty() {
            return near;
        }
        let all = self.graph.all_impls(&instance.ty).into_iter();
        let all = all.filter(|(_, def)| def.of.is_none()).collect();
        self.fitting(all, own, 0).into_iter().filter(has).collect()
    }

    /// Returns the blocks that implement a trait for a type.
    pub(crate) fn trait_blocks(
        &self,
        own: &Concrete,
        of: &TraitKey,
        asking: ModuleId,
    ) -> Vec<Block> {
        self.trait_blocks_at(own, of, asking, 0)
    }

    fn trait_blocks_at(
        &self,
        own: &Concrete,
        of: &TraitKey,
        asking: ModuleId,
        depth: usize,
    ) -> Vec<Block> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        let blocks = match (of, own.peel_references()) {
            (TraitKey::Source((home, def)), peeled) => {
                let place = match peeled {
                    Concrete::Def(instance) => Some(instance.ty.module),
                    _ => None,
                };
                self.graph.blocks_of(*home, def, place, asking)
            }
            (TraitKey::Known(path), Concrete::Def(instance)) => {
                let last = last_segment(path);
                self.graph.impls(&instance.ty, Some(last))
            }
            (TraitKey::Known(_), Concrete::External(name, _)) => {
                let last = last_segment(name);
                self.graph.impls_for_name(last, asking)
            }
            (TraitKey::Known(_), _) => Vec::new(),
        };
        let mut found = self.fitting(blocks, own, depth);
        found.retain(|block| block.of.as_ref().is_some_and(|found| found.is(of)));
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
            let mut found = self.fitting(blocks.collect(), own, 0);
            found.retain(|block| matches!(block.of, Some(TraitKey::Known(_))));
            found
        };
        let near = of_known(self.graph.trait_impls(&instance.ty));
        match near.is_empty() {
            true => of_known(self.graph.all_impls(&instance.ty)),
            false => near,
        }
    }

    fn fitting(
        &self,
        blocks: Vec<(ModuleId, Arc<ImplDef>)>,
        own: &Concrete,
        depth: usize,
    ) -> Vec<Block> {
        let fitting = blocks.into_iter().filter_map(|(module, def)| {
            let (fit, params) = self.fit(module, &def, own, depth);
            if fit == Fit::No {
                return None;
            }
            let of = match &def.of {
                Some(path) => Some(self.trait_key(module, path)?),
                None => None,
            };
            Some(Block {
                module,
                def,
                of,
                params,
                this: own.clone(),
                fit,
            })
        });
        fitting.collect()
    }

    /// Returns whether a block applies to a type, and the bindings of its parameters.
    fn fit(&self, module: ModuleId, def: &ImplDef, own: &Concrete, depth: usize) -> (Fit, Bound) {
        let mut bound = Bound::new();
        let Ok(header) = self.typed(&def.for_, &open_scope(module, &def.generics)) else {
            return (Fit::No, bound);
        };
        let mut fit = unify(&header, own, &mut bound);
        for (param, path) in &def.bounds {
            if fit == Fit::No {
                break;
            }
            let known = bound.iter().find(|(name, _)| name == param);
            if let (Some((_, ty)), Some(of)) = (known, self.trait_key(module, path)) {
                fit = fit.min(self.implements(&ty.clone(), &of, module, depth + 1));
            }
        }
        (fit, bound)
    }

    /// Returns whether a type implements a trait, by a block or a derive.
    pub(crate) fn implements(
        &self,
        ty: &Concrete,
        of: &TraitKey,
        asking: ModuleId,
        depth: usize,
    ) -> Fit {
        let known = match of {
            TraitKey::Known(path) => known_trait(ty, path),
            TraitKey::Source(_) => None,
        };
        if let Some(fit) = known {
            return fit;
        }
        let mut derived = Fit::No;
        if let Concrete::Def(instance) = ty {
            let of_source = matches!(of, TraitKey::Source(_));
            let last = last_segment(of.name());
            derived = match self.graph.derives_trait(&instance.ty, last, of_source) {
                Derived::Yes => return Fit::Yes,
                Derived::Unknown(_) => Fit::Maybe,
                Derived::No => Fit::No,
            };
        }
        let blocks = self.trait_blocks_at(ty, of, asking, depth);
        let best = blocks.iter().map(|block| block.fit).max();
        best.unwrap_or(Fit::No).max(derived)
    }

    /// Resolves `<own as of>::name`; returns `None` unless exactly one block defines it.
    ///
    /// # Errors
    ///
    /// Those of the type that the block names.
    pub(crate) fn associated_type(
        &self,
        own: &Concrete,
        of: Option<&Path>,
        name: &Text,
        scope: &Scope,
    ) -> Result<Option<Concrete>, Finding> {
        let mut blocks = match of {
            Some(path) => match self.trait_key(scope.module, path) {
                Some(of) => self.trait_blocks(own, &of, scope.module),
                None => return Ok(None),
            },
            None => {
                let mut found = Vec::new();
                for of in scope.traits.iter() {
                    let of = TraitKey::Source(of.clone());
                    found.extend(self.trait_blocks(own, &of, scope.module));
                }
                if found.is_empty()
                    && let Concrete::Def(instance) = own
                {
                    let all = self.graph.all_impls(&instance.ty);
                    let all = all.into_iter().filter(|(_, def)| def.of.is_some());
                    found = self.fitting(all.collect(), own, 0);
                }
                found
            }
        };
        blocks.retain(|block| block.def.types.iter().any(|(known, _)| known == name));
        let [block] = &blocks[..] else {
            return Ok(None);
        };
        let Some((_, ty)) = block.def.types.iter().find(|(known, _)| known == name) else {
            return Ok(None);
        };
        let mut block_scope = block.scope();
        let bounds = block.def.bounds.iter();
        let bounds = bounds.filter_map(|(_, path)| match self.trait_key(block.module, path) {
            Some(TraitKey::Source(of)) => Some(of),
            _ => None,
        });
        let mut traits = block_scope.traits.to_vec();
        for of in bounds {
            if !traits.iter().any(|(_, known)| Arc::ptr_eq(known, &of.1)) {
                traits.push(of);
            }
        }
        block_scope.traits = traits.into();
        self.typed(ty, &block_scope).map(Some)
    }
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
        (Concrete::Part(..) | Concrete::Infer | Concrete::Opaque(_), _)
        | (_, Concrete::Part(..) | Concrete::Infer | Concrete::Opaque(_)) => Fit::Maybe,
        (Concrete::External(name, args), Concrete::External(own, types)) if name == own => {
            all(args, types, bound)
        }
        (Concrete::Def(header), Concrete::Def(own)) if Arc::ptr_eq(&header.ty.def, &own.ty.def) => {
            all(&header.args, &own.args, bound)
        }
        (Concrete::Array(header, length), Concrete::Array(own, other)) if length == other => {
            unify(header, own, bound)
        }
        (Concrete::Sized(header, length), Concrete::Array(own, number)) => {
            let number = Concrete::Number(i128::from(*number));
            unify(length, &number, bound).min(unify(header, own, bound))
        }
        (Concrete::Slice(header), Concrete::Slice(own)) => unify(header, own, bound),
        (Concrete::Ref(header, mutable), Concrete::Ref(own, other)) if mutable == other => {
            unify(header, own, bound)
        }
        (Concrete::Tuple(headers), Concrete::Tuple(types)) if headers.len() == types.len() => {
            all(headers, types, bound)
        }
        (Concrete::Number(header), Concrete::Number(own)) if header == own => Fit::Yes,
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
            Concrete::Sized(..)
            | Concrete::Param(_)
            | Concrete::Part(..)
            | Concrete::Infer
            | Concrete::Opaque(_) => true,
            Concrete::Number(_) => false,
        }
    }

    /// Returns true if the type is completely unknown.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(
            self,
            Concrete::Infer | Concrete::Param(_) | Concrete::Part(..) | Concrete::Opaque(_)
        )
    }
}

/// Returns true if a block has a function, whether its body was read or not.
fn has_function(def: &ImplDef, name: &str) -> bool {
    def.fns.iter().any(|function| &*function.name == name)
        || def.unread.iter().any(|unread| &**unread == name)
}

/// Returns whether a type implements a trait of std, in the obvious cases; `None` if blocks and derives decide.
fn known_trait(ty: &Concrete, path: &str) -> Option<Fit> {
    let last = last_segment(path);
    if !matches!(first_segment(path), "std" | "serde" | "serde_core") {
        return match ty {
            Concrete::Def(_) => None,
            _ => Some(Fit::Maybe),
        };
    }
    if matches!(
        last,
        "Send" | "Sync" | "Sized" | "Unpin" | "Fn" | "FnMut" | "FnOnce"
    ) {
        return Some(Fit::Maybe);
    }
    match ty {
        Concrete::Def(_) => None,
        Concrete::External(name, args) => {
            let scalar = args.is_empty()
                && (IntType::from_name(name).is_some()
                    || matches!(&**name, "bool" | "char" | "str")
                    || &**name == "std::string::String");
            let float = matches!(&**name, "f32" | "f64");
            Some(match last {
                "Display" | "ToString" | "Debug" | "Clone" | "PartialEq" | "PartialOrd"
                | "Serialize"
                    if scalar || float =>
                {
                    Fit::Yes
                }
                "Ord" | "Eq" | "Hash" if scalar => Fit::Yes,
                "Ord" | "Eq" | "Hash" if float => Fit::No,
                "Copy" if &**name == "std::string::String" => Fit::No,
                "Copy" if scalar || float => Fit::Yes,
                "Display" if is_list(name) || is_set(name) => Fit::No,
                _ => Fit::Maybe,
            })
        }
        _ => Some(Fit::Maybe),
    }
}

/// Converts a path to an expression.
pub(crate) fn path_expr(path: &Path) -> Expr {
    Expr {
        kind: ExprKind::Path(path.clone()),
        span: path.span,
    }
}

/// Replaces the open parameters of a type with their bindings.
pub(crate) fn substituted(ty: &Concrete, bound: &Bound) -> Concrete {
    let all = |types: &[Concrete]| types.iter().map(|ty| substituted(ty, bound)).collect();
    let boxed = |ty: &Concrete| Box::new(substituted(ty, bound));
    match ty {
        Concrete::Param(name) => {
            let found = bound.iter().find(|(known, _)| known == name);
            found.map_or(Concrete::Infer, |(_, ty)| ty.clone())
        }
        Concrete::External(name, args) => Concrete::External(name.clone(), all(args)),
        Concrete::Def(instance) => Concrete::Def(Arc::new(Instance {
            ty: instance.ty.clone(),
            args: all(&instance.args),
        })),
        Concrete::Array(item, length) => Concrete::Array(boxed(item), *length),
        Concrete::Sized(item, length) => match substituted(length, bound) {
            Concrete::Number(number) => match u64::try_from(number) {
                Ok(length) => Concrete::Array(boxed(item), length),
                Err(_) => Concrete::Infer,
            },
            length => Concrete::Sized(boxed(item), Box::new(length)),
        },
        Concrete::Slice(item) => Concrete::Slice(boxed(item)),
        Concrete::Ref(inner, mutable) => Concrete::Ref(boxed(inner), *mutable),
        Concrete::Tuple(items) => Concrete::Tuple(all(items)),
        Concrete::Part(..) => Concrete::Infer,
        Concrete::Number(_) | Concrete::Infer | Concrete::Opaque(_) => ty.clone(),
    }
}
