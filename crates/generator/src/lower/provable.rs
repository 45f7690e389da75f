//! Whether the `impl` that schemars derives for a generic type knows that a field is `Serialize`. schemars asks this where the
//! type is defined, so only the bounds there count, not the arguments.

use super::Reader;
use crate::types::{Concrete, Instance, Scope, TraitKey, derives};
use crd_channels_diagnostics::Text;
use crd_channels_source::attrs::FieldSerde;
use crd_channels_source::tree::{Body, FieldDef, Ty, TyKind};
use crd_channels_source::{Derive, Derived};
use std::sync::Arc;

/// The type that is `Serialize` whatever its argument is.
pub(super) const PHANTOM: &str = "std::marker::PhantomData";

/// How many supertraits are followed in a chain.
const MAX_SUPERS: usize = 16;

/// How many traits of a parameter are searched for an associated type.
const MAX_TRAITS: usize = 256;

/// A bound of a definition; each part is `None` if it cannot be resolved.
struct Bound {
    of: Option<Concrete>,
    to: Option<TraitKey>,
}

impl Reader<'_> {
    /// Returns whether a field's type is `Serialize` by the bounds of its definition; `None` if that cannot be decided.
    pub(super) fn proves_serialize(&self, ty: &Ty, scope: &Scope) -> Option<bool> {
        let Some(Concrete::Def(instance)) = &scope.this else {
            return Some(true);
        };
        if scope.params.is_empty() {
            return Some(true);
        }
        // Parameters that are constants keep their values.
        let open = scope.params.iter().map(|(name, ty)| match ty {
            Concrete::Number(_) => (name.clone(), ty.clone()),
            _ => (name.clone(), Concrete::Param(name.clone())),
        });
        let open = Scope::with(instance.ty.module, open.collect());
        let ty = self.typed(ty, &open).ok()?;
        if !ty.is_open() {
            return Some(true);
        }
        let bounds = instance.ty.def.bounds.as_ref()?;
        let bounds = bounds.iter().map(|(of, path)| Bound {
            of: self.typed(of, &open).ok(),
            to: self.trait_key(open.module, path),
        });
        self.proves(&ty, &bounds.collect::<Vec<_>>())
    }

    /// Returns true if serde derives `Deserialize` for the type of a scope.
    pub(super) fn derives_deserialize(&self, scope: &Scope) -> bool {
        matches!(&scope.this, Some(Concrete::Def(instance))
            if derives(self, instance, Derive::Deserialize))
    }

    /// Decides for a type with open parameters.
    fn proves(&self, ty: &Concrete, bounds: &[Bound]) -> Option<bool> {
        if !ty.is_open() {
            return Some(true);
        }
        let key = ty.key();
        // A bound of an unknown type may be one of this type.
        let of_it = any(bounds.iter().map(|bound| match &bound.of {
            Some(of) if of.key() == key => self.implies_serialize(bound.to.as_ref(), 0),
            Some(_) => Some(false),
            None => {
                let implied = self.implies_serialize(bound.to.as_ref(), 0);
                implied.filter(|implied| !implied)
            }
        }));
        if of_it == Some(true) {
            return of_it;
        }
        let by_parts = match ty {
            Concrete::External(name, _) if &**name == PHANTOM => Some(true),
            Concrete::External(_, args) => self.all(args, bounds),
            Concrete::Tuple(items) => self.all(items, bounds),
            Concrete::Array(item, _) | Concrete::Slice(item) | Concrete::Ref(item, _) => {
                self.proves(item, bounds)
            }
            // serde has no `impl` for arrays of any length.
            Concrete::Sized(..) | Concrete::Param(_) => Some(false),
            Concrete::Def(instance) => self.proves_instance(instance, bounds),
            Concrete::Part(of, name) => self.part_implies_serialize(of, name, bounds),
            Concrete::Number(_) => Some(true),
            Concrete::Infer | Concrete::Opaque(_) => None,
        };
        any([of_it, by_parts].into_iter())
    }

    fn all(&self, types: &[Concrete], bounds: &[Bound]) -> Option<bool> {
        let mut decided = Some(true);
        for ty in types {
            match self.proves(ty, bounds) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => decided = None,
            }
        }
        decided
    }

    /// Decides for a type of the source: the `impl` that serde derives requires `Serialize` of the parameters in the fields
    /// that it writes.
    fn proves_instance(&self, instance: &Arc<Instance>, bounds: &[Bound]) -> Option<bool> {
        let def = &instance.ty.def;
        let derived = self.graph.derive_of(&instance.ty, Derive::Serialize);
        let known = matches!(derived, Derived::Yes) && !def.rebound;
        let mut decided = Some(true);
        for (param, arg) in def.generics.iter().zip(&instance.args) {
            match self.proves(arg, bounds) {
                Some(true) => {}
                Some(false) if known && writes(&def.body, param) => return Some(false),
                _ => decided = None,
            }
        }
        decided
    }

    /// Returns whether a trait is `Serialize`, or has it among its supertraits.
    fn implies_serialize(&self, of: Option<&TraitKey>, depth: usize) -> Option<bool> {
        if depth > MAX_SUPERS {
            return None;
        }
        match of? {
            TraitKey::Source((home, def)) => any(def.supers.iter().map(|path| {
                self.implies_serialize(self.trait_key(*home, path).as_ref(), depth + 1)
            })),
            known if known.is(&TraitKey::Known("serde::Serialize".into())) => Some(true),
            known => is_foreign(known).then_some(false),
        }
    }

    /// Decides for an associated type of a parameter by its bounds in the trait that declares it. Since the parameter is bound
    /// by the trait, no `impl` of it tells more.
    fn part_implies_serialize(&self, of: &Text, name: &Text, bounds: &[Bound]) -> Option<bool> {
        let of_param =
            |bound: &&Bound| matches!(&bound.of, Some(Concrete::Param(known)) if known == of);
        let mut open: Vec<_> = bounds
            .iter()
            .filter(of_param)
            .map(|bound| bound.to.clone())
            .collect();
        let mut declared = Vec::new();
        let mut seen = 0;
        while let Some(known) = open.pop() {
            seen += 1;
            match known? {
                _ if seen > MAX_TRAITS => return None,
                TraitKey::Source((home, def)) => {
                    open.extend(def.supers.iter().map(|path| self.trait_key(home, path)));
                    let found = def.types.iter().find(|(known, _)| known == name);
                    declared.extend(found.map(|(_, paths)| {
                        any(paths.iter().map(|path| {
                            self.implies_serialize(self.trait_key(home, path).as_ref(), 0)
                        }))
                    }));
                }
                known if is_foreign(&known) => {}
                TraitKey::Known(_) => return None,
            }
        }
        let first = *declared.first()?;
        first.filter(|_| declared.iter().all(|implied| *implied == first))
    }
}

/// Returns true for a trait of a crate that has no supertrait and no associated type bounded by `Serialize`.
fn is_foreign(of: &TraitKey) -> bool {
    let home = of.name().split("::").next();
    matches!(
        home,
        Some("std" | "core" | "alloc" | "serde" | "serde_core" | "schemars")
    )
}

/// Three-valued `or`.
fn any(found: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut decided = Some(false);
    for one in found {
        match one {
            Some(true) => return one,
            Some(false) => {}
            None => decided = None,
        }
    }
    decided
}

/// Returns true if serde writes a field whose type mentions a parameter.
fn writes(body: &Body, param: &Text) -> bool {
    let fields: Vec<&FieldDef> = match body {
        Body::Struct(_, fields) => fields.iter().collect(),
        Body::Enum(variants) => variants
            .iter()
            .filter(|variant| {
                let writing = &variant.attrs.writing;
                !writing.skip && writing.serialize_with.is_none()
            })
            .flat_map(|variant| &variant.fields)
            .collect(),
    };
    let is_written = |serde: &FieldSerde| !serde.skip_serializing && serde.serialize_with.is_none();
    fields
        .iter()
        .any(|field| is_written(field.attrs.serde.writing()) && mentions(&field.ty, param))
}

/// Returns true if serde finds a parameter in a type.
fn mentions(ty: &Ty, param: &Text) -> bool {
    match &ty.kind {
        TyKind::Path(path) => {
            let phantom = path.segments.last();
            phantom.is_none_or(|last| &*last.name != "PhantomData")
                && (matches!(&path.segments[..], [only] if !path.leading && only.name == *param)
                    || path
                        .segments
                        .iter()
                        .flat_map(|segment| &segment.args)
                        .any(|arg| mentions(arg, param)))
        }
        TyKind::Reference(inner, _) | TyKind::Slice(inner) | TyKind::Array(inner, _) => {
            mentions(inner, param)
        }
        TyKind::Tuple(items) => items.iter().any(|item| mentions(item, param)),
        TyKind::Qualified(..) | TyKind::Const(_) | TyKind::Macro(..) | TyKind::Other(_) => false,
    }
}
