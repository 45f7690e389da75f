//! Associated types: `<T as Trait>::Name`, by the one `impl` block of the trait that is for `T`.

use super::Reader;
use super::concrete::{Concrete, Finding, Scope, single};
use crate::Text;
use crate::source::tree::{ImplDef, Path, TraitDef, Ty, TyKind};
use crate::source::{Def, ModuleId, Resolved};
use std::sync::Arc;

/// How deep bounds of blocks lead to other blocks.
const MAX_DEPTH: usize = 32;

/// A trait, and the module it stands in.
type TraitRef = (ModuleId, Arc<TraitDef>);

/// What a block's parameters stand for.
type Bound = Vec<(Text, Concrete)>;

impl Reader<'_> {
    /// `<own as of>::name`. None where the trait is not in source, or not exactly one block of it is for the type.
    pub(super) fn associated_type(
        &self,
        own: &Concrete,
        (of, name): (&Path, &Text),
        scope: &Scope,
        depth: usize,
    ) -> Result<Option<Concrete>, Finding> {
        let Some(of) = self.trait_at(scope.module, of) else {
            return Ok(None);
        };
        let fitting = self.blocks_for(own, &of, scope.module, 0);
        let [(module, block, bound)] = &fitting[..] else {
            return Ok(None);
        };
        let Some((_, ty)) = block.types.iter().find(|(known, _)| known == name) else {
            return Ok(None);
        };
        let scope = Scope {
            module: *module,
            params: bound.iter().cloned().collect(),
            this: Some(own.clone()),
            function: None,
        };
        let ty = self.qualified(ty, *module, block);
        self.concrete_at(&ty, &scope, depth).map(Some)
    }

    fn trait_at(&self, module: ModuleId, path: &Path) -> Option<TraitRef> {
        match self.graph.resolve_type(module, path) {
            Ok(Resolved::Def(Def::Trait(home, of))) => Some((home, of)),
            _ => None,
        }
    }

    /// The blocks of a trait that are for a type, and what their parameters are then.
    fn blocks_for(
        &self,
        own: &Concrete,
        (home, of): &TraitRef,
        asking: ModuleId,
        depth: usize,
    ) -> Vec<(ModuleId, Arc<ImplDef>, Bound)> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        let place = match own {
            Concrete::Def(instance) => Some(instance.ty.module),
            _ => None,
        };
        let blocks = self.graph.blocks_of((*home, of), place, asking);
        let fitting = blocks.into_iter().filter_map(|(module, block)| {
            let mut bound = Bound::new();
            let fits = self.fits(&block.for_, own, (module, &block), &mut bound)
                && block.bounds.iter().all(|(param, path)| {
                    let known = bound.iter().find(|(name, _)| name == param);
                    match (known, self.trait_at(module, path)) {
                        // What other crates' traits ask for, the compiler has seen to.
                        (None, _) | (_, None) => true,
                        (Some((_, ty)), Some(of)) => self.has(ty, &of, asking, depth + 1),
                    }
                });
            fits.then_some((module, block, bound))
        });
        fitting.collect()
    }

    /// Whether a type has a trait, by a block or by a derive of that name.
    fn has(&self, ty: &Concrete, of: &TraitRef, asking: ModuleId, depth: usize) -> bool {
        let derived = match ty {
            Concrete::Def(instance) => self.graph.derives_trait(&instance.ty, &of.1.name),
            _ => false,
        };
        derived || !self.blocks_for(ty, of, asking, depth).is_empty()
    }

    /// Whether a type is one that a block's header is for. What its parameters are is added to `bound`.
    fn fits(
        &self,
        header: &Ty,
        own: &Concrete,
        block: (ModuleId, &ImplDef),
        bound: &mut Bound,
    ) -> bool {
        let (module, def) = block;
        let all = |headers: &[Ty], args: &[Concrete], bound: &mut Bound| {
            let mut pairs = headers.iter().zip(args);
            pairs.all(|(header, arg)| self.fits(header, arg, block, bound))
        };
        match &header.kind {
            TyKind::Path(path) => {
                if let Some(name) = single(path).filter(|name| def.generics.contains(name)) {
                    return match bound.iter().find(|(known, _)| known == name) {
                        Some((_, known)) => known.key() == own.key(),
                        None => {
                            bound.push((name.clone(), own.clone()));
                            true
                        }
                    };
                }
                let args = path.segments.last().map_or(&[][..], |last| &last.args);
                match (self.graph.resolve_type(module, path), own) {
                    (Ok(Resolved::External(name)), Concrete::External(own, types)) => {
                        name == *own && all(args, types, bound)
                    }
                    (Ok(Resolved::Def(Def::Type(ty))), Concrete::Def(instance)) => {
                        Arc::ptr_eq(&ty.def, &instance.ty.def) && all(args, &instance.args, bound)
                    }
                    (Ok(Resolved::Def(Def::Alias(home, alias))), own) => {
                        let named = self.concrete(&alias.ty, &Scope::module(home));
                        named.is_ok_and(|named| named.key() == own.key())
                    }
                    _ => false,
                }
            }
            TyKind::Tuple(headers) => match own {
                Concrete::Tuple(items) if items.len() == headers.len() => {
                    all(headers, items, bound)
                }
                _ => false,
            },
            TyKind::Slice(header) => match own {
                Concrete::External(name, args) if &**name == "std::vec::Vec" => {
                    all(std::slice::from_ref(header), args, bound)
                }
                _ => false,
            },
            TyKind::Array(header, _) => match own {
                Concrete::Array(item, _) => self.fits(header, item, block, bound),
                _ => false,
            },
            TyKind::Reference(header) => self.fits(header, own, block, bound),
            TyKind::Qualified(..) | TyKind::Const(_) | TyKind::Macro(..) | TyKind::Other(_) => {
                false
            }
        }
    }

    /// A type inside a block with the traits written out: `T::Name` by the bound of `T`, `Self::Name` by the block's own.
    fn qualified(&self, ty: &Ty, module: ModuleId, block: &ImplDef) -> Ty {
        let inner = |ty: &Ty| Box::new(self.qualified(ty, module, block));
        let all = |types: &[Ty]| -> Vec<Ty> {
            let each = types.iter().map(|ty| self.qualified(ty, module, block));
            each.collect()
        };
        let kind = match &ty.kind {
            TyKind::Path(path) => match &path.segments[..] {
                [first, second] if !path.leading => {
                    let of = if &*first.name == "Self" {
                        block.of.as_ref()
                    } else {
                        let of = block.bounds.iter().filter(|(of, _)| *of == first.name);
                        let mut in_source =
                            of.filter(|(_, of)| self.trait_at(module, of).is_some());
                        in_source.next().map(|(_, of)| of)
                    };
                    let own = Path {
                        segments: vec![first.clone()],
                        ..path.clone()
                    };
                    let own = Ty {
                        kind: TyKind::Path(own),
                        span: ty.span,
                    };
                    match of {
                        Some(of) => {
                            TyKind::Qualified(Box::new(own), Some(of.clone()), second.name.clone())
                        }
                        None => ty.kind.clone(),
                    }
                }
                _ => {
                    let mut path = path.clone();
                    for segment in &mut path.segments {
                        segment.args = all(&segment.args);
                    }
                    TyKind::Path(path)
                }
            },
            TyKind::Qualified(own, of, name) => {
                TyKind::Qualified(inner(own), of.clone(), name.clone())
            }
            TyKind::Reference(of) => TyKind::Reference(inner(of)),
            TyKind::Slice(of) => TyKind::Slice(inner(of)),
            TyKind::Array(of, length) => TyKind::Array(inner(of), length.clone()),
            TyKind::Tuple(items) => TyKind::Tuple(all(items)),
            TyKind::Const(_) | TyKind::Macro(..) | TyKind::Other(_) => ty.kind.clone(),
        };
        Ty {
            kind,
            span: ty.span,
        }
    }
}
