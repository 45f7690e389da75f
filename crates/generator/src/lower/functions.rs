//! Functions of the source that make schemas: which one a path names, and what names mean inside.

use crate::Text;
use crate::eval::{Concrete, Instance, Reader, Scope};
use crate::source::tree::{FnDef, Path};
use crate::source::{ModuleId, TypeRef};
use std::sync::Arc;

impl Reader<'_> {
    /// What names mean inside of a function, its type parameters bound where the path to it says what they are.
    pub(super) fn function_scope(
        &self,
        module: ModuleId,
        function: &FnDef,
        path: &Path,
        outside: &Scope,
    ) -> Scope {
        let written = path.segments.last().map_or(&[][..], |last| &last.args);
        let names = function.generics.iter().cloned().zip(written);
        let bound = names.filter_map(|(name, ty)| Some((name, self.concrete(ty, outside).ok()?)));
        Scope::with(module, bound.collect()).within(&function.name)
    }

    /// The same where the items in its body are known as well.
    pub(super) fn body_scope(&self, function: &FnDef, scope: &Scope) -> Scope {
        Scope {
            module: self.graph.inside(scope.module, function),
            ..scope.clone()
        }
    }

    /// A type that a path names, with the arguments that the path gives to its segment `from_end`.
    pub(super) fn instance_of(
        &self,
        ty: TypeRef,
        path: &Path,
        from_end: usize,
        scope: &Scope,
    ) -> Arc<Instance> {
        if let Some(Concrete::Def(known)) = &scope.this
            && Arc::ptr_eq(&known.ty.def, &ty.def)
        {
            return Arc::clone(known);
        }
        let at = path.segments.len().checked_sub(from_end);
        let written = at.and_then(|at| path.segments.get(at));
        let args = written.map_or(&[][..], |segment| &segment.args);
        let args: Result<Vec<_>, _> = args.iter().map(|arg| self.concrete(arg, scope)).collect();
        Arc::new(Instance {
            ty,
            args: args.unwrap_or_default(),
        })
    }

    /// A function of a type, if exactly one block has one of that name: an inherent one, else one of a trait.
    pub(super) fn function_of(&self, of: &Arc<Instance>, name: &Text) -> Option<(FnDef, Scope)> {
        let own = Concrete::Def(Arc::clone(of));
        let mut blocks = self.inherent_blocks(&own, name);
        if blocks.is_empty() {
            blocks = self.blocks_with(&own, name);
        }
        let [block] = &blocks[..] else {
            return None;
        };
        let function = block.function(name)?.clone();
        Some((function, block.scope().within(name)))
    }
}
