//! Edits of a part that a type's schema may lack: they apply if the part exists, and must have no effect otherwise.

use super::pending::{Pending, UNSEEN, Unsure};
use crate::eval::machine::{Flow, Frame, Machine, Run, Want, stop};
use crate::eval::std::Call;
use crate::eval::values::ty::single;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;
use crd_channels_source::tree::{Expr, ExprKind, Pattern, Stmt};
use crd_channels_source::{CalledMacro, Resolved};

impl Machine<'_> {
    /// Calls a method of an option that may or may not be `Some`.
    pub(super) fn perhaps_method(&mut self, call: &Call<'_>, inner: &Value, args: &[Value]) -> Run {
        let perhaps = |value: Value| Ok(Pending::Perhaps(Box::new(value)).value());
        match (call.name, args) {
            // If it is absent the program panics, and there is no CRD.
            ("unwrap", []) | ("expect", [_]) => Ok(inner.clone()),
            ("as_mut" | "as_ref" | "as_deref" | "as_deref_mut" | "cloned" | "copied", []) => {
                perhaps(inner.clone())
            }
            ("and_then", [function]) => {
                let made = self.under(inner, |machine| {
                    machine.apply(function, vec![inner.clone()], Want::any(), call.span)
                })?;
                match self.load(&made) {
                    Value::Pending(pending) if matches!(*pending, Pending::Perhaps(_)) => {
                        Ok(Value::Pending(pending))
                    }
                    _ => stop(call.span, UNSEEN),
                }
            }
            ("is_some_and", [test]) => self.tests(test, inner, call.span),
            ("map_or", [Value::Bool(false), test]) => self.tests(test, inner, call.span),
            _ => stop(call.span, UNSEEN),
        }
    }

    /// Returns the possible content of such an option, or of a keyword of schemars 0.8's structs.
    pub(in crate::eval) fn perhaps(&self, value: &Value) -> Option<Value> {
        if let Some(inner) = value.perhaps() {
            return Some(inner.clone());
        }
        let Value::MutPlace(place) = value else {
            return None;
        };
        match self.at(place)? {
            Value::Pending(pending) => match &**pending {
                Pending::Keyword(_, Some(ty)) if ty.external_name() == Some("Option") => {
                    Some(value.clone())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Tests a part that may not exist; if it does not, it fails the test.
    fn tests(&mut self, test: &Value, inner: &Value, span: Span) -> Run {
        let answer = self.apply(test, vec![inner.clone()], Want::any(), span)?;
        match self.load(&answer) {
            Value::Pending(pending) => match *pending {
                Pending::Test(filter) if filter.is => Ok(Pending::Test(filter).value()),
                _ => stop(span, UNSEEN),
            },
            _ => stop(span, UNSEEN),
        }
    }

    /// Runs code that the program may not run: of the existing variables, it may change only what `of` refers to.
    pub(in crate::eval) fn under<T>(
        &mut self,
        of: &Value,
        evaluate: impl FnOnce(&mut Self) -> Run<T>,
    ) -> Run<T> {
        self.unsure.push(Unsure {
            of: of.clone(),
            slots: self.slots.len(),
        });
        let done = evaluate(self);
        self.unsure.pop();
        done
    }

    /// `if let Some(part) = .. { .. }` for a part that may not exist.
    pub(in crate::eval) fn if_perhaps(
        &mut self,
        (pattern, inner, span): (&Pattern, &Value, Span),
        (then, otherwise): (&Expr, Option<&Expr>),
        frame: &mut Frame,
    ) -> Run {
        if otherwise.is_some() {
            return stop(span, UNSEEN);
        }
        let outer = frame.mark();
        let done = self.under(inner, |machine| {
            machine.bind_perhaps(pattern, inner, span, frame)?;
            machine.expr(then, frame, Want::any())
        });
        frame.leave(outer);
        match done {
            Ok(_) => Ok(Value::unit()),
            Err(Flow::Stop(finding)) => Err(Flow::Stop(finding)),
            // Whether this exits depends on an unknown.
            Err(_) => stop(then.span, UNSEEN),
        }
    }

    /// `let Some(part) = .. else { panic!() };`: if the part is absent, no CRD exists.
    pub(in crate::eval) fn let_perhaps(
        &mut self,
        (pattern, inner, span): (&Pattern, &Value, Span),
        otherwise: &Expr,
        frame: &mut Frame,
    ) -> Run<()> {
        if !self.panics(otherwise, frame) {
            return stop(span, UNSEEN);
        }
        self.bind_perhaps(pattern, inner, span, frame)
    }

    /// Binds the content of `Some(..)`, `Value::Array(..)` and the like.
    fn bind_perhaps(
        &mut self,
        pattern: &Pattern,
        inner: &Value,
        span: Span,
        frame: &mut Frame,
    ) -> Run<()> {
        let Pattern::Tuple(path, parts) = pattern else {
            return stop(span, UNSEEN);
        };
        let meant = frame.resolve_uses(path);
        let resolved = self.reader.graph.resolve_value(frame.scope.module, &meant);
        let fits = match &resolved {
            Ok(Resolved::External(name)) => match name.rsplit_once("::") {
                Some((owner, "Some")) => owner.starts_with("std::"),
                Some((owner, "Array")) => owner.starts_with("serde_json::"),
                _ => false,
            },
            _ => false,
        };
        let [part] = &parts[..] else {
            return stop(span, UNSEEN);
        };
        if !fits {
            return stop(path.span, UNSEEN);
        }
        match part {
            Pattern::Any => Ok(()),
            Pattern::Name(name, None) => match single(name) {
                Some(name) => {
                    self.bind(frame, name.clone(), inner.clone());
                    Ok(())
                }
                None => stop(span, UNSEEN),
            },
            Pattern::Tuple(..) => {
                // A list and its JSON value are the same here.
                match inner.through() {
                    Value::MutPlace(_) | Value::Pending(_) => {
                        self.bind_perhaps(part, inner, span, frame)
                    }
                    _ => stop(span, UNSEEN),
                }
            }
            _ => stop(span, UNSEEN),
        }
    }

    /// Returns true if a block only panics.
    fn panics(&self, block: &Expr, frame: &Frame) -> bool {
        match &block.kind {
            ExprKind::Block(stmts, tail) => match (&stmts[..], tail) {
                ([], Some(tail)) => self.panics(tail, frame),
                ([Stmt::Expr(only)], None) => self.panics(only, frame),
                _ => false,
            },
            ExprKind::Macro(path, tokens) => {
                let meant = frame.resolve_uses(path);
                let called = self
                    .reader
                    .graph
                    .called_macro(frame.scope.module, &meant, tokens);
                match called {
                    CalledMacro::Named(name) => matches!(
                        &*name,
                        "std::panic" | "std::unreachable" | "std::todo" | "std::unimplemented"
                    ),
                    CalledMacro::Rules(_) | CalledMacro::Unknown => false,
                }
            }
            _ => false,
        }
    }
}
