//! Whether the `impl` that schemars derives for a generic type knows that a field is `Serialize`. schemars asks this where the
//! type is defined, so only the bounds there count, not the arguments.

use super::Reader;
use crate::types::impls::open_scope;
use crate::types::{Concrete, SERIALIZE, Scope, derives, is_same_trait};
use crd_channels_diagnostics::Text;
use crd_channels_source::tree::Ty;
use crd_channels_source::{Derive, Derived};

/// The type that is `Serialize` whatever its argument is.
pub(super) const PHANTOM: &str = "std::marker::PhantomData";

/// The type parameters with bounds that matter.
#[derive(Default)]
struct Bounds {
    /// Those that are `Serialize`.
    proven: Vec<Text>,
    /// Those with a bound that may imply it.
    undecided: Vec<Text>,
}

impl Reader<'_> {
    /// Returns whether a field's type is `Serialize` by the bounds of its definition; `None` if that is not decided here:
    /// bounds of traits of the source, and types that wrap a parameter which is not `Serialize`, are left to the compiler.
    pub(super) fn proves_serialize(&self, ty: &Ty, scope: &Scope) -> Option<bool> {
        let Some(Concrete::Def(instance)) = &scope.this else {
            return Some(true);
        };
        if scope.params.is_empty() {
            return Some(true);
        }
        let open = open_scope(instance.ty.module, &instance.ty.def.generics);
        let ty = self.typed(ty, &open).ok()?;
        if !ty.is_open() {
            return Some(true);
        }
        let mut bounds = Bounds::default();
        for (of, path) in instance.ty.def.bounds.as_ref()? {
            // A trait of the source may have `Serialize` among its supertraits.
            let bound = self
                .known_trait(open.module, path)
                .filter(|path| is_foreign(path));
            let serialize = bound
                .as_ref()
                .is_some_and(|path| is_same_trait(path, SERIALIZE));
            match self.typed(of, &open).ok()? {
                Concrete::Param(name) if serialize => bounds.proven.push(name),
                Concrete::Param(name) if bound.is_none() => bounds.undecided.push(name),
                of if of.is_open() && !of.is_blank() && (serialize || bound.is_none()) => {
                    return None;
                }
                _ => {}
            }
        }
        self.proves(&ty, &bounds)
    }

    /// Returns true if serde derives `Deserialize` for the type of a scope.
    pub(super) fn derives_deserialize(&self, scope: &Scope) -> bool {
        matches!(&scope.this, Some(Concrete::Def(instance))
            if derives(self, instance, Derive::Deserialize))
    }

    /// Decides for a type with open parameters.
    fn proves(&self, ty: &Concrete, bounds: &Bounds) -> Option<bool> {
        let all = |types: &[Concrete]| {
            let found = types.iter().map(|ty| self.proves(ty, bounds));
            let found: Vec<_> = found.collect();
            match found.contains(&Some(false)) {
                true => Some(false),
                false => found.into_iter().collect::<Option<Vec<_>>>().map(|_| true),
            }
        };
        match ty {
            _ if !ty.is_open() => Some(true),
            Concrete::External(name, _) if &**name == PHANTOM => Some(true),
            Concrete::External(_, args) => all(args),
            Concrete::Tuple(items) => all(items),
            Concrete::Array(item, _) | Concrete::Slice(item) | Concrete::Ref(item, _) => {
                self.proves(item, bounds)
            }
            Concrete::Param(name) if bounds.proven.contains(name) => Some(true),
            Concrete::Param(name) => (!bounds.undecided.contains(name)).then_some(false),
            // The `impl` that serde derives requires it of the parameters at most.
            Concrete::Def(instance) => {
                let derived = self.graph.derive_of(&instance.ty, Derive::Serialize);
                let known = matches!(derived, Derived::Yes) && !instance.ty.def.rebound;
                all(&instance.args).filter(|proven| known && *proven)
            }
            Concrete::Infer => None,
        }
    }
}

/// Returns true for a trait of a crate whose traits have no supertrait `Serialize`.
fn is_foreign(of: &str) -> bool {
    let home = of.split("::").next();
    matches!(
        home,
        Some("std" | "core" | "alloc" | "serde" | "serde_core" | "schemars")
    )
}
