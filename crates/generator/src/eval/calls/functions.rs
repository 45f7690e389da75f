//! Calls: resolves the function, evaluates its arguments, and runs its body.

use crate::eval::expressions::paths::ResolvedPath;
use crate::eval::machine::{Flow, Frame, Machine, Run, Want, stop};
use crate::eval::traits::impls::{Block, Bound, Fit, open_scope, substituted, unify};
use crate::eval::values::callable::Callable;
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::{Concrete, Scope, TraitRef};
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;
use crd_channels_source::ModuleId;
use crd_channels_source::tree::{Expr, ExprKind, FnDef, ImplDef, Receiver};
use std::sync::Arc;

impl Machine<'_> {
    /// `f(a, b)`
    pub(in crate::eval) fn call(
        &mut self,
        whole: &Expr,
        function: &Expr,
        args: &[Expr],
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        let span = whole.span;
        let led = match &function.kind {
            ExprKind::Path(path) => self.resolve_path(path, frame, want)?,
            ExprKind::Qualified(own, of, last) => {
                let own = self.reader.typed(own, &frame.scope)?;
                self.resolve_qualified(&own, of.as_ref(), last, frame, want, function.span)?
            }
            _ => ResolvedPath::Value(self.expr(function, frame, Want::any())?),
        };
        match led {
            ResolvedPath::Function(callable) => {
                if let Callable::Known(path, ..) = &callable
                    && let Some(done) = self.lazy_call(path, args, frame, want, span)?
                {
                    return Ok(done);
                }
                let hints = self.hints(&callable, args.len(), want)?;
                let assured = self.assures(&callable, want);
                let values = self.arguments(args, &hints, assured, frame)?;
                self.invoke(&callable, values, want, span)
            }
            ResolvedPath::Value(value) => {
                let values = self.arguments(args, &[], false, frame)?;
                self.apply(&value, values, want, span)
            }
        }
    }

    /// Evaluates calls whose arguments are not evaluated first: those of the environment.
    fn lazy_call(
        &mut self,
        path: &str,
        args: &[Expr],
        frame: &mut Frame,
        _want: Want<'_>,
        span: Span,
    ) -> Run<Option<Value>> {
        self.variable(path, args, frame, span)
    }

    /// Returns true if an error in an argument would cause a panic: `Ok(x?)` passes on what is required of it.
    fn assures(&self, callable: &Callable, want: Want<'_>) -> bool {
        match callable {
            Callable::Known(path, ..) => want.assured && path.ends_with("::Ok"),
            _ => false,
        }
    }

    /// Evaluates arguments, with what is known of their types.
    pub(in crate::eval) fn arguments(
        &mut self,
        args: &[Expr],
        hints: &[Option<Concrete>],
        assured: bool,
        frame: &mut Frame,
    ) -> Run<Vec<Value>> {
        let mut values = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let hint = hints.get(index).and_then(Option::as_ref);
            let want = Want {
                assured,
                ..Want::maybe(hint)
            };
            values.push(self.expr(arg, frame, want)?);
        }
        Ok(values)
    }

    /// Returns what is known of the arguments of a function before they are evaluated.
    fn hints(
        &mut self,
        callable: &Callable,
        count: usize,
        want: Want<'_>,
    ) -> Run<Vec<Option<Concrete>>> {
        match callable {
            Callable::Function {
                module,
                def,
                scope,
                types,
            } => {
                let open = self.parameter_scope(*module, def, scope, types);
                Ok(self.parameter_types(def, &open, want))
            }
            Callable::Constructor(of, variant) => {
                let fields = crate::eval::expressions::construct::fields_of(of, *variant);
                let scope = Scope::of(of);
                let hints = fields
                    .iter()
                    .map(|field| self.reader.typed(&field.ty, &scope));
                Ok(hints.map(Result::ok).collect())
            }
            Callable::Associated {
                own,
                of,
                name,
                types,
                scope,
            } => {
                if let [block] = &self.of_source(own, of.as_ref(), name, scope)?[..]
                    && let Some(def) = block.function(name)
                {
                    let block_scope = block.scope();
                    let open = self.parameter_scope(block.module, def, &block_scope, types);
                    return Ok(self.parameter_types(def, &open, want));
                }
                Ok(Vec::new())
            }
            Callable::Known(path, owner, _) => {
                Ok(crate::eval::std::call_hints(path, owner, count, want))
            }
            Callable::Closure { def, scope, .. } => {
                let hints = def.params.iter().map(|(_, ty)| match ty {
                    Some(ty) => self.reader.typed(ty, scope).map(Some),
                    None => Ok(None),
                });
                Ok(hints.collect::<Result<_, _>>()?)
            }
            Callable::OfTrait { .. } | Callable::Override(_) => Ok(Vec::new()),
        }
    }

    /// Returns the types of a function's parameters, as far as they are known before the call.
    pub(super) fn parameter_types(
        &self,
        def: &FnDef,
        open: &Scope,
        want: Want<'_>,
    ) -> Vec<Option<Concrete>> {
        let mut bound = Bound::new();
        if let (Some(returns), Some(wanted)) = (&def.returns, want.ty)
            && let Ok(returns) = self.reader.typed(returns, open)
        {
            unify(&returns, wanted, &mut bound);
        }
        let types = def
            .param_types
            .iter()
            .skip(usize::from(def.receiver.is_some()));
        types
            .map(|ty| {
                let ty = self.reader.typed(ty.as_ref()?, open).ok()?;
                Some(substituted(&ty, &bound))
            })
            .collect()
    }

    /// Returns the scope of a function's signature. Its own parameters are open unless its path binds them.
    pub(super) fn parameter_scope(
        &self,
        module: ModuleId,
        def: &FnDef,
        scope: &Scope,
        types: &[Concrete],
    ) -> Scope {
        let own = def.generics.iter().enumerate().map(|(index, name)| {
            let given = types.get(index).filter(|ty| !ty.is_blank());
            let ty = given.cloned();
            (
                name.clone(),
                ty.unwrap_or_else(|| Concrete::Param(name.clone())),
            )
        });
        let around = scope.params.iter().map(|(name, ty)| {
            let ty = match ty {
                Concrete::Infer => Concrete::Param(name.clone()),
                ty => ty.clone(),
            };
            (name.clone(), ty)
        });
        Scope {
            module,
            params: own.chain(around).collect(),
            ..scope.clone()
        }
    }

    /// Runs a function of the source.
    pub(in crate::eval) fn call_function(
        &mut self,
        (module, def): (ModuleId, &FnDef),
        scope: &Scope,
        types: &[Concrete],
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        if args.len() != def.params.len() {
            return stop(
                span,
                format!("`{}` takes a different number of arguments", def.name),
            );
        }
        let open = self.parameter_scope(module, def, scope, types);
        let mut bound = Bound::new();
        let declared = self.declared_types(def, &open, &args, &mut bound)?;
        let returns = match &def.returns {
            Some(ty) => Some(self.reader.typed(ty, &open)?),
            None => None,
        };
        if let (Some(returns), Some(wanted)) = (&returns, want.ty) {
            unify_result(returns, wanted, &mut bound);
        }
        let body_scope = self.body_scope((module, def), scope, &open, &bound);
        let mut frame = Frame::new(body_scope);
        let params = def.params.iter().zip(&def.patterns).zip(declared).zip(args);
        for (((name, pattern), ty), value) in params {
            let Some(ty) = ty else {
                self.bind(&mut frame, name.clone(), value);
                continue;
            };
            let ty = substituted(&ty, &bound);
            let value = self.coerce(value, &ty, span)?;
            if !self.matches(pattern, &value, span, &mut frame)? {
                return stop(span, "this pattern does not match");
            }
        }
        let returns = returns.map(|ty| substituted(&ty, &bound));
        frame.returns.clone_from(&returns);
        frame.assured = want.assured;
        let inner = Want {
            assured: want.assured,
            ..Want::maybe(returns.as_ref())
        };
        let value = match self.expr(&def.body, &mut frame, inner) {
            Err(Flow::Return(value)) => value,
            value => value?,
        };
        match returns {
            Some(ty) => self.coerce(value, &ty, span),
            None => Ok(Value::unit()),
        }
    }

    /// Returns the types of the parameters as they are declared, and binds the type parameters by the arguments.
    fn declared_types(
        &mut self,
        def: &FnDef,
        open: &Scope,
        args: &[Value],
        bound: &mut Bound,
    ) -> Run<Vec<Option<Concrete>>> {
        let mut declared = Vec::with_capacity(args.len());
        for (ty, value) in def.param_types.iter().zip(args) {
            let ty = match ty {
                Some(ty) => Some(self.reader.typed(ty, open)?),
                None => None,
            };
            if let Some(ty) = &ty {
                let own = self.type_of(value);
                unify_argument(ty, &own, bound);
            }
            declared.push(ty);
        }
        Ok(declared)
    }

    /// Returns the scope of a function's body: the parameters' types as far as the call determines them, and the traits that
    /// its bounds name.
    fn body_scope(
        &self,
        (module, def): (ModuleId, &FnDef),
        scope: &Scope,
        open: &Scope,
        bound: &Bound,
    ) -> Scope {
        let params = open.params.iter().map(|(name, ty)| match ty {
            Concrete::Param(param) => {
                let found = bound.iter().find(|(known, _)| known == param);
                let ty = found.map_or(Concrete::Infer, |(_, ty)| ty.clone());
                (name.clone(), ty)
            }
            ty => (name.clone(), ty.clone()),
        });
        let bounds = def.bounds.iter();
        let bounds = bounds.filter_map(|(_, path)| match self.reader.trait_key(module, path) {
            Some(TraitKey::Source(of)) => Some(of),
            _ => None,
        });
        Scope {
            module: self.reader.graph.inside(module, def),
            params: params.collect(),
            this: scope.this.as_ref().map(|this| substituted(this, bound)),
            function: Some(def.name.clone()),
            traits: scope.traits.iter().cloned().chain(bounds).collect(),
        }
    }

    /// Runs a function of a block.
    pub(in crate::eval) fn call_block(
        &mut self,
        block: &Block,
        name: &str,
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        self.call_block_with(block, name, &[], args, want, span)
    }

    pub(super) fn call_block_with(
        &mut self,
        block: &Block,
        name: &str,
        types: &[Concrete],
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        if let Some(def) = block.function(name) {
            let of = (block.module, def);
            return self.call_function(of, &block.scope(), types, args, want, span);
        }
        if let Some(TraitKey::Source((home, of))) = &block.of
            && let Some(def) = of.fns.iter().find(|function| &*function.name == name)
        {
            // Its body is in the trait.
            let names = of.generics.iter().cloned();
            let given = self.trait_arguments(block)?;
            let scope = Scope {
                params: names.zip(given).collect(),
                this: Some(block.this.clone()),
                traits: Arc::from([(*home, Arc::clone(of))]),
                ..Scope::module(*home)
            };
            return self.call_function((*home, def), &scope, types, args, want, span);
        }
        stop(span, format!("`{name}` of `{}` is not read", block.this))
    }

    /// Returns the type arguments that a block's header passes to its trait.
    pub(in crate::eval) fn trait_arguments(&mut self, block: &Block) -> Run<Vec<Concrete>> {
        let of = block.def.of.as_ref().and_then(|of| of.segments.last());
        let args = of.map_or(&[][..], |last| &last.args);
        let mut scope = open_scope(block.module, &block.def.generics);
        let params = block.params.iter().cloned();
        scope.params = params.chain(scope.params.iter().cloned()).collect();
        scope.this = Some(block.this.clone());
        let types = args.iter().map(|ty| self.reader.typed(ty, &scope));
        Ok(types.collect::<Result<_, _>>()?)
    }

    /// Returns the blocks of the source with a function `name` for a type: inherent ones before those of traits.
    pub(in crate::eval) fn of_source(
        &mut self,
        own: &Concrete,
        of: Option<&TraitKey>,
        name: &str,
        scope: &Scope,
    ) -> Run<Vec<Block>> {
        if of.is_none() {
            let mut inherent = self.reader.inherent_blocks(own, name);
            inherent.retain(|block| block.function(name).is_some() || block.hides(name));
            if !inherent.is_empty() {
                return Ok(inherent);
            }
        }
        let mut found = Vec::new();
        for candidate in self.traits_of(of, name, scope, false)? {
            found.extend(self.reader.trait_blocks(own, &candidate, scope.module));
        }
        if of.is_none() {
            // Traits of std that a type of the source implements.
            for block in self.reader.known_blocks(own, name) {
                let seen = found
                    .iter()
                    .any(|known| Arc::ptr_eq(&known.def, &block.def));
                if !seen {
                    found.push(block);
                }
            }
        }
        Ok(found)
    }

    /// Returns the traits that a function or constant may belong to: the named one, else those in scope that have it.
    pub(in crate::eval) fn traits_of(
        &mut self,
        of: Option<&TraitKey>,
        name: &str,
        scope: &Scope,
        constant: bool,
    ) -> Run<Vec<TraitKey>> {
        if let Some(of) = of {
            return Ok(vec![of.clone()]);
        }
        let has = |of: &TraitRef| {
            if constant {
                of.1.const_names.iter().any(|known| &**known == name)
            } else {
                of.1.has_fn(name)
            }
        };
        let mut found: Vec<TraitRef> = scope.traits.iter().filter(|of| has(of)).cloned().collect();
        for of in self.reader.graph.traits_in_scope(scope.module) {
            let known = found.iter().any(|(_, known)| Arc::ptr_eq(known, &of.1));
            if !known && has(&of) {
                found.push(of);
            }
        }
        // The supertraits of a bound are visible through it.
        let mut open: Vec<TraitRef> = scope.traits.to_vec();
        let mut depth = 0;
        while let Some((home, of)) = open.pop() {
            depth += 1;
            if depth > 64 {
                break;
            }
            for path in &of.supers {
                if let Some(TraitKey::Source(above)) = self.reader.trait_key(home, path) {
                    let known = found.iter().any(|(_, known)| Arc::ptr_eq(known, &above.1));
                    if !known && has(&above) {
                        found.push(above.clone());
                    }
                    open.push(above);
                }
            }
        }
        Ok(found.into_iter().map(TraitKey::Source).collect())
    }
}

/// Binds parameters by unifying the result's type with the expected one, unless the arguments determine them.
fn unify_result(returns: &Concrete, wanted: &Concrete, bound: &mut Bound) {
    let mut more = bound.clone();
    if unify(returns, wanted, &mut more) == Fit::No {
        return;
    }
    for (name, ty) in more {
        match bound.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) if known.is_open() => *known = ty,
            Some(_) => {}
            None => bound.push((name, ty)),
        }
    }
}

/// Binds parameters by unifying a parameter's type with an argument's, allowing for references to be added or removed.
fn unify_argument(ty: &Concrete, own: &Concrete, bound: &mut Bound) {
    let mut more = bound.clone();
    if unify(ty, own, &mut more) != Fit::No {
        *bound = more;
        return;
    }
    match (ty, own) {
        (Concrete::Ref(ty, _), Concrete::Ref(own, _)) => unify_behind(ty, own, bound),
        (ty, own) => unify_behind(ty, own, bound),
    }
}

fn unify_behind(ty: &Concrete, own: &Concrete, bound: &mut Bound) {
    let mut more = bound.clone();
    if unify(ty, own, &mut more) != Fit::No {
        *bound = more;
        return;
    }
    // `&Vec<T>` and `&[T; N]` are accepted as `&[T]`.
    if let (Concrete::Slice(ty), Some(own)) = (ty, own.item()) {
        unify(ty, own, bound);
    }
}

/// Returns how a function of a block takes `self`, if it does.
pub(super) fn receiver_of(def: &ImplDef, of: Option<&TraitKey>, name: &str) -> Option<Receiver> {
    let own = def.fns.iter().find(|function| &*function.name == name);
    let own = own.and_then(|function| function.receiver);
    own.or_else(|| match of {
        Some(TraitKey::Source((_, of))) => {
            let found = of.fns.iter().find(|function| &*function.name == name);
            found.and_then(|function| function.receiver)
        }
        _ => None,
    })
}
