//! Associated functions: `T::f(..)`, `<T as Trait>::f(..)`.

use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::traits::impls::{Block, Fit, unify};
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::{Concrete, Scope};
use crate::eval::values::value::{FLOAT, INTEGER, Value};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::Receiver;

impl Machine<'_> {
    /// `Type::name(a, b)`, `<Type as Trait>::name(a, b)`
    pub(in crate::eval) fn call_associated(
        &mut self,
        (own, of, name): (&Concrete, Option<&TraitKey>, &Text),
        types: &[Concrete],
        scope: &Scope,
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        let mut blocks = self.of_source(own, of, name, scope)?;
        if let ("json_schema", [generator]) = (&**name, &args[..])
            && self.is_generator(generator)
            && blocks.iter().all(is_schemars)
        {
            return self.type_schema(own, span);
        }
        if blocks.len() > 1 {
            blocks = self.by_arguments(blocks, name, &args, want)?;
        }
        match &blocks[..] {
            [block] if block.hides(name) => stop(span, format!("`{own}::{name}` is not read")),
            [block] => self.call_block_with(block, name, types, args, want, span),
            [] => self.call_provided((own, of, name), args, want, span),
            _ => stop(span, format!("several `{name}` of `{own}` are possible")),
        }
    }

    /// Selects the blocks that accept the arguments.
    pub(in crate::eval) fn by_arguments(
        &mut self,
        blocks: Vec<Block>,
        name: &str,
        args: &[Value],
        want: Want<'_>,
    ) -> Run<Vec<Block>> {
        let mut best = Vec::new();
        let mut sure = Vec::new();
        for block in blocks {
            let Some(def) = block.function(name) else {
                best.push(block);
                continue;
            };
            let def = def.clone();
            let block_scope = block.scope();
            let open = self.parameter_scope(block.module, &def, &block_scope, &[]);
            let mut bound = block.params.clone();
            let mut fit = block.fit;
            let mut literal = true;
            for (ty, value) in def.param_types.iter().zip(args) {
                let Some(ty) = ty else { continue };
                let ty = self.reader.typed(ty, &open)?;
                let own = self.type_of(value);
                fit = fit.min(unify(&ty, &own, &mut bound));
                // A literal whose type nothing else determines is an `i32` or `f64`.
                if let (Concrete::External(name, _), Concrete::External(own, _)) = (&ty, &own) {
                    literal &= match &**own {
                        INTEGER => &**name == "i32",
                        FLOAT => &**name == "f64",
                        _ => true,
                    };
                }
            }
            if let (Some(returns), Some(wanted)) = (&def.returns, want.ty) {
                let returns = self.reader.typed(returns, &open)?;
                if unify(&returns, wanted, &mut bound) == Fit::No {
                    fit = Fit::No;
                }
            }
            if fit == Fit::No {
                continue;
            }
            if literal {
                sure.push(block.clone());
            }
            best.push(block);
        }
        let exact: Vec<Block> = if best.len() > 1 && sure.len() == 1 {
            sure
        } else {
            best
        };
        Ok(exact)
    }

    /// `Trait::name(a, b)`: the type is that of the first argument or of the result.
    pub(super) fn call_of_trait(
        &mut self,
        (of, name): (&TraitKey, &Text),
        scope: &Scope,
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        let TraitKey::Source((_, def)) = of else {
            return stop(span, format!("`{name}` is not evaluated here"));
        };
        let takes_self = match def.fns.iter().find(|function| function.name == *name) {
            Some(function) => function.receiver.is_some(),
            None => def
                .receivers
                .iter()
                .find(|(known, _)| known == name)
                .is_none_or(|(_, receiver)| receiver.is_some()),
        };
        let by_reference = def
            .fns
            .iter()
            .find(|function| function.name == *name)
            .and_then(|function| function.receiver)
            .or_else(|| def.receivers.iter().find(|(known, _)| known == name)?.1)
            .is_some_and(|receiver| matches!(receiver, Receiver::Shared | Receiver::Mutable));
        let own = match (takes_self, args.first()) {
            // `&self`: the type is the target of the reference.
            (true, Some(first)) => match (by_reference, self.type_of(first)) {
                (true, Concrete::Ref(inner, _)) => {
                    let mut own = *inner;
                    // Dereferences the argument as far as Rust would.
                    while self.reader.trait_blocks(&own, of, scope.module).is_empty() {
                        own = match own {
                            Concrete::Ref(inner, _) => *inner,
                            _ => {
                                let why = format!("the type of this `{name}` is unknown");
                                return stop(span, why);
                            }
                        };
                    }
                    own
                }
                (_, own) => own,
            },
            _ => match want.ty {
                Some(ty) => ty.clone(),
                None => return stop(span, format!("the type of this `{name}` is unknown")),
            },
        };
        self.call_associated((&own, Some(of), name), &[], scope, args, want, span)
    }
}

/// Returns true if the block implements `schemars::JsonSchema`.
fn is_schemars(block: &Block) -> bool {
    matches!(&block.of, Some(TraitKey::Known(path)) if &**path == "schemars::JsonSchema")
}
