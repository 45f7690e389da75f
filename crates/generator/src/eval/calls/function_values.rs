//! Functions as values: closures, functions of the source, constructors, functions of std.

use crate::eval::machine::{Flow, Frame, Machine, Run, Want, stop};
use crate::eval::values::callable::Callable;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;
use crd_channels_source::tree::Closure;
use std::sync::Arc;

impl Machine<'_> {
    /// Calls a value.
    pub(crate) fn apply(
        &mut self,
        function: &Value,
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        match self.load(function) {
            Value::Fn(callable) => self.invoke(&callable, args, want, span),
            Value::Wrapped(_, inner) => self.apply(&inner, args, want, span),
            Value::Unknown(finding) => Err(Flow::Stop(finding)),
            other => stop(span, format!("{} cannot be called", other.kind())),
        }
    }

    /// Calls a function with arguments.
    pub(crate) fn invoke(
        &mut self,
        callable: &Callable,
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        match callable {
            Callable::Closure {
                def,
                scope,
                locals,
                uses,
            } => {
                let mut frame = Frame {
                    scope: scope.clone(),
                    locals: locals.clone(),
                    uses: uses.clone(),
                    returns: None,
                    assured: false,
                };
                self.run_closure(def, &mut frame, args, want, span)
            }
            Callable::Function {
                module,
                def,
                scope,
                types,
            } => self.call_function((*module, &**def), scope, types, args, want, span),
            Callable::Constructor(of, variant) => self.construct(of, *variant, args, want, span),
            Callable::Associated {
                own,
                of,
                name,
                types,
                scope,
            } => self.call_associated((own, of.as_ref(), name), types, scope, args, want, span),
            Callable::OfTrait { of, name, scope } => {
                self.call_of_trait((of, name), scope, args, want, span)
            }
            Callable::Override(json) => Ok(Value::Override(json.clone())),
            Callable::Known(path, owner, types) => {
                self.call_known(path, (owner, types), args, want, span)
            }
        }
    }

    fn run_closure(
        &mut self,
        def: &Closure,
        frame: &mut Frame,
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        if def.params.len() != args.len() {
            return stop(span, "this closure takes different arguments");
        }
        for ((pattern, ty), value) in def.params.iter().zip(args) {
            let value = match ty {
                Some(ty) => {
                    let ty = self.reader.typed(ty, &frame.scope)?;
                    self.coerce(value, &ty, span)?
                }
                None => value,
            };
            let fits = self.matches(pattern, &value, span, frame)?;
            if !fits {
                return stop(span, "this closure takes different arguments");
            }
        }
        let returns = match &def.returns {
            Some(ty) => Some(self.reader.typed(ty, &frame.scope)?),
            None => want.ty.cloned(),
        };
        frame.returns.clone_from(&returns);
        let want = Want::maybe(returns.as_ref());
        let value = match self.expr(&def.body, frame, want) {
            Err(Flow::Return(value)) => value,
            value => value?,
        };
        match (&def.returns, &returns) {
            (Some(_), Some(ty)) => self.coerce(value, ty, span),
            _ => Ok(value),
        }
    }

    /// Evaluates a closure expression.
    pub(crate) fn closure(&mut self, def: &Arc<Closure>, frame: &Frame) -> Value {
        let mut locals = frame.locals.clone();
        if def.moves {
            // From here on it owns what it captures by `move`.
            for (_, slot) in &mut locals {
                let value = self.slots.get(*slot).cloned();
                if let Some(value) = value {
                    *slot = self.store(value);
                }
            }
        }
        Value::Fn(Arc::new(Callable::Closure {
            def: Arc::clone(def),
            scope: frame.scope.clone(),
            locals,
            uses: frame.uses.clone(),
        }))
    }
}
