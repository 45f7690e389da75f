//! Method calls: resolves a method by the receiver's type, then by references to it, then by what it dereferences to.

use crate::eval::machine::{Frame, Machine, Run, Want, stop};
use crate::eval::traits::impls::Block;
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{MutPlace, Value, Via, not_constant};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, Receiver, Ty, TyKind};

/// The maximum number of dereferences of a receiver.
const MAX_STEPS: usize = 16;

/// A resolved method.
enum Method {
    /// A function of a block.
    Block(Box<Block>),
    /// A method of a std type, or provided by a std trait.
    Std,
}

impl Machine<'_> {
    /// `x.f(a)`
    pub(in crate::eval) fn method(
        &mut self,
        whole: &Expr,
        (receiver, name): (&Expr, &Text),
        (types, args): (&[Ty], &[Expr]),
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        let span = whole.span;
        let base = match self.place(receiver, frame)? {
            Some(place) => place,
            None => {
                let hint = receiver_type(receiver, name, want);
                let wanted = Want {
                    ty: hint.as_ref(),
                    assured: self.hands_on_assurance(name, frame, want)?,
                };
                let value = self.expr(receiver, frame, wanted)?;
                MutPlace::of(self.store(value))
            }
        };
        let mut given = Vec::with_capacity(types.len());
        for ty in types {
            given.push(self.reader.typed(ty, &frame.scope)?);
        }
        let (place, via, found) = self.find_method(base, name, frame, span)?;
        match found {
            Method::Block(block) => {
                let Some(this) = self.receiver(&place, &block, name, via, span)? else {
                    return stop(
                        span,
                        format!("`.{name}()` takes `self` in a way that is not read"),
                    );
                };
                let hints = match block.function(name) {
                    Some(def) => {
                        let def = def.clone();
                        let block_scope = block.scope();
                        let open = self.parameter_scope(block.module, &def, &block_scope, &given);
                        self.parameter_types(&def, &open, want)
                    }
                    None => Vec::new(),
                };
                let mut values = vec![this];
                values.extend(self.arguments(args, &hints, false, frame)?);
                self.call_block_with(&block, name, &given, values, want, span)
            }
            Method::Std => {
                let hints = self.method_hints(&place, name, args.len(), want);
                let values = self.arguments(args, &hints, false, frame)?;
                self.std_method((&place, via), name, &given, values, want, span)
            }
        }
    }

    /// Calls a std trait's method of a type of the source, as operators and std's functions do.
    pub(crate) fn user_method(
        &mut self,
        value: &Value,
        name: &str,
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        let loaded = self.load(value);
        let own = self.type_of(&loaded);
        let blocks = self.reader.known_blocks(&own, name);
        let [block] = &blocks[..] else {
            return stop(
                span,
                format!("`{name}` of `{own}` is not defined in readable source"),
            );
        };
        if block.hides(name) {
            return stop(span, format!("`{name}` of `{own}` is not read"));
        }
        let receiver = super::functions::receiver_of(&block.def, block.of.as_ref(), name);
        let this = match receiver {
            Some(Receiver::Shared) => Value::reference(loaded),
            Some(Receiver::Mutable) => match value {
                Value::MutPlace(_) => value.clone(),
                _ => Value::MutPlace(MutPlace::of(self.store(loaded))),
            },
            _ => loaded,
        };
        let mut all = vec![this];
        all.extend(args);
        self.call_block(block, name, all, want, span)
    }

    /// Does the same with a value at a place, which the method may change.
    pub(crate) fn user_method_at(
        &mut self,
        place: &Value,
        name: &str,
        args: Vec<Value>,
        span: Span,
    ) -> Run {
        let loaded = self.load(place);
        let own = self.type_of(&loaded);
        let mut blocks = self.reader.known_blocks(&own, name);
        if blocks.len() > 1 {
            let mut all = vec![place.clone()];
            all.extend(args.iter().cloned());
            blocks = self.by_arguments(blocks, name, &all, Want::any())?;
        }
        let [block] = &blocks[..] else {
            return stop(
                span,
                format!("`{name}` of `{own}` is not defined in readable source"),
            );
        };
        let mut all = vec![place.clone()];
        all.extend(args);
        self.call_block(block, name, all, Want::any(), span)
    }

    /// `*x` for a type of the source; `None` if it has no `Deref`.
    pub(crate) fn user_deref(&mut self, value: &Value, span: Span) -> Run<Option<Value>> {
        let own = self.type_of(value);
        let blocks = self.reader.known_blocks(&own, "deref");
        match &blocks[..] {
            [] => Ok(None),
            [block] if block.hides("deref") => stop(span, format!("`*` of `{own}` is not read")),
            [block] => {
                let this = Value::reference(value.clone());
                self.call_block(block, "deref", vec![this], Want::any(), span)
                    .map(Some)
            }
            _ => stop(span, format!("`*` of `{own}` is not known")),
        }
    }

    /// Resolves the method of a call: returns the place of the receiver, and how it was reached.
    fn find_method(
        &mut self,
        base: MutPlace,
        name: &Text,
        frame: &Frame,
        span: Span,
    ) -> Run<(MutPlace, Via, Method)> {
        let mut place = base.clone();
        let mut via = Via::Owned;
        for _ in 0..MAX_STEPS {
            let value = match self.at(&place) {
                Some(Value::Unknown(finding)) => return Err(finding.clone().into()),
                Some(value) => value.clone(),
                None => return stop(span, "the value of this place is not known"),
            };
            match &value {
                Value::MutPlace(_) => {
                    if let Some(block) = self.of_reference(&value, name, frame, span)? {
                        return Ok((place, via, Method::Block(Box::new(block))));
                    }
                    via = Via::Mutable;
                }
                Value::Ref(_) => {
                    if let Some(block) = self.of_reference(&value, name, frame, span)? {
                        return Ok((place, via, Method::Block(Box::new(block))));
                    }
                    via = Via::Shared;
                }
                value => {
                    if let Some(found) = self.method_of(value, name, frame, span)? {
                        return Ok((place, via, found));
                    }
                }
            }
            match self.behind(&place, span)? {
                Some(next) => place = next,
                None => break,
            }
        }
        let value = match self.at(&base) {
            Some(value) => self.load(value),
            None => Value::unit(),
        };
        let of = match &value {
            Value::Adt(adt) => format!("`{}`", adt.of.ty.def.name),
            value => value.kind().to_owned(),
        };
        stop(span, format!("`.{name}()` on {of} is not evaluated"))
    }

    /// Returns a method of a block for references: `impl Trait for &T`.
    fn of_reference(
        &mut self,
        value: &Value,
        name: &Text,
        frame: &Frame,
        span: Span,
    ) -> Run<Option<Block>> {
        let own = self.type_of(value);
        if !matches!(own.peel_references(), Concrete::Def(_)) {
            return Ok(None);
        }
        let mut blocks = self.reader.blocks_with(&own, name);
        for candidate in self.traits_of(None, name, &frame.scope, false)? {
            for block in self
                .reader
                .trait_blocks(&own, &candidate, frame.scope.module)
            {
                if !blocks
                    .iter()
                    .any(|known| std::sync::Arc::ptr_eq(&known.def, &block.def))
                {
                    blocks.push(block);
                }
            }
        }
        blocks.retain(|block| matches!(&block.def.for_.kind, TyKind::Reference(..)));
        let Some(block) = blocks.pop() else {
            return Ok(None);
        };
        let unsure = stop(span, format!("several `.{name}()` of `{own}` are possible"));
        if !blocks.is_empty() {
            return unsure;
        }
        // A method of the type itself with `&self` takes precedence over one that takes the reference by value.
        let inner = self.load(value);
        let by_value = super::functions::receiver_of(&block.def, block.of.as_ref(), name)
            == Some(Receiver::Value);
        let own_too = self.method_of(&inner, name, frame, span)?.is_some();
        match (by_value, own_too) {
            (true, false) => Ok(Some(block)),
            // `into_iter` of the value itself takes it by value, so the reference's takes precedence.
            (true, true) if self.takes_value(&inner, name, frame)? => Ok(Some(block)),
            (false, true) => Ok(None),
            _ => unsure,
        }
    }

    /// Returns true if every method of that name takes the value by value.
    fn takes_value(&mut self, value: &Value, name: &Text, frame: &Frame) -> Run<bool> {
        let own = self.type_of(value);
        let blocks = self.of_source(&own, None, name, &frame.scope)?;
        let by_value = |block: &Block| {
            super::functions::receiver_of(&block.def, block.of.as_ref(), name)
                == Some(Receiver::Value)
        };
        Ok(!blocks.is_empty() && blocks.iter().all(by_value))
    }

    /// Returns the method of a value's own type; `None` if it has no such method.
    fn method_of(
        &mut self,
        value: &Value,
        name: &Text,
        frame: &Frame,
        span: Span,
    ) -> Run<Option<Method>> {
        let own = self.type_of(value);
        let std = crate::eval::std::has_method(&self.reader, value, name);
        let inherent = self.reader.inherent_blocks(&own, name);
        let inherent: Vec<_> = inherent
            .into_iter()
            .filter(|block| {
                block.hides(name) || super::functions::receiver_of(&block.def, None, name).is_some()
            })
            .collect();
        let mut traits = Vec::new();
        for candidate in self.traits_of(None, name, &frame.scope, false)? {
            let blocks = self
                .reader
                .trait_blocks(&own, &candidate, frame.scope.module);
            traits.extend(
                blocks
                    .into_iter()
                    .filter(|block| !matches!(&block.def.for_.kind, TyKind::Reference(..))),
            );
        }
        for block in self.reader.known_blocks(&own, name) {
            if super::functions::receiver_of(&block.def, None, name).is_some() {
                traits.push(block);
            }
        }
        let hidden = |block: &Block| block.hides(name);
        if inherent.iter().chain(&traits).any(hidden) {
            return stop(span, format!("`.{name}()` of `{own}` is not read"));
        }
        let unsure = || {
            Err(not_constant(span, format!("several `.{name}()` of `{own}` are possible")).into())
        };
        match (&inherent[..], &traits[..], std) {
            ([], [], false) => Ok(None),
            ([], [], true) => Ok(Some(Method::Std)),
            ([one], others, _) => {
                let by_value = |block: &Block| {
                    super::functions::receiver_of(&block.def, block.of.as_ref(), name)
                        == Some(Receiver::Value)
                };
                // A trait's method with `self` takes precedence over one with `&self`.
                if !by_value(one) && others.iter().any(by_value) {
                    return unsure();
                }
                Ok(Some(Method::Block(Box::new(one.clone()))))
            }
            ([], [one], false) => Ok(Some(Method::Block(Box::new(one.clone())))),
            // Methods that a std trait provides beside those of a block count as the block's: `ne`, `max`.
            ([], [one], true) if matches!(value, Value::Adt(_)) => {
                Ok(Some(Method::Block(Box::new(one.clone()))))
            }
            _ => unsure(),
        }
    }

    /// Returns true if the program would panic if the receiver were an error.
    fn hands_on_assurance(&mut self, name: &str, frame: &Frame, want: Want<'_>) -> Run<bool> {
        match name {
            "unwrap" | "expect" => Ok(true),
            "map_err" | "ok_or" | "ok_or_else" => Ok(want.assured),
            // Those of error crates pass on the error; a trait of the source may do anything.
            "context" | "with_context" if want.assured => {
                let traits = self.traits_of(None, name, &frame.scope, false)?;
                Ok(traits.iter().all(|of| self.is_of_error_crate(of)))
            }
            _ => Ok(false),
        }
    }

    fn is_of_error_crate(&self, of: &TraitKey) -> bool {
        let TraitKey::Source((home, _)) = of else {
            return true;
        };
        let home = self.reader.graph.crate_of(*home);
        home.is_some_and(|home| {
            matches!(
                &*home.name,
                "anyhow" | "color_eyre" | "eyre" | "miette" | "snafu"
            )
        })
    }

    /// Returns `self` in the form that a function takes.
    fn receiver(
        &mut self,
        place: &MutPlace,
        block: &Block,
        name: &str,
        via: Via,
        span: Span,
    ) -> Run<Option<Value>> {
        let Some(value) = self.at(place).cloned() else {
            return stop(span, "the value of this place is not known");
        };
        let receiver = super::functions::receiver_of(&block.def, block.of.as_ref(), name);
        let receiver = match (receiver, &block.of) {
            (None, Some(TraitKey::Source((_, of)))) => of
                .fns
                .iter()
                .find(|function| &*function.name == name)
                .and_then(|function| function.receiver),
            (receiver, _) => receiver,
        };
        Ok(match receiver {
            Some(Receiver::Value) => Some(value),
            Some(Receiver::Shared) => Some(Value::reference(value)),
            Some(Receiver::Mutable) => match via {
                Via::Shared => None,
                _ => Some(Value::MutPlace(place.clone())),
            },
            Some(Receiver::Other) | None => None,
        })
    }
}

/// Returns what is known of a receiver's type if that of the result is known.
fn receiver_type(receiver: &Expr, name: &str, want: Want<'_>) -> Option<Concrete> {
    let ty = want.ty?;
    let external = |path: &str, args: Vec<Concrete>| Some(Concrete::External(path.into(), args));
    match name {
        // Of the types that an array converts to, only collections determine the type of its items.
        "into" if matches!(receiver.kind, ExprKind::Array(_)) => match ty {
            Concrete::External(path, arguments) => crate::eval::std::list_for(path, arguments),
            _ => None,
        },
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" => {
            external("std::result::Result", vec![ty.clone(), Concrete::Infer])
        }
        "clone" | "to_owned" | "map_err" | "context" | "with_context" | "or" | "or_else"
        | "filter" | "inspect" | "into_boxed_str" | "rev" => Some(ty.clone()),
        "ok" => match ty {
            Concrete::External(_, args) => external(
                "std::result::Result",
                vec![args.first()?.clone(), Concrete::Infer],
            ),
            _ => None,
        },
        "ok_or" | "ok_or_else" => match ty {
            Concrete::External(_, args) => {
                external("std::option::Option", vec![args.first()?.clone()])
            }
            _ => None,
        },
        _ => None,
    }
}
