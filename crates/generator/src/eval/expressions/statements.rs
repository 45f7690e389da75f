//! Blocks: variables and statements.

use crate::eval::machine::{Flow, Frame, Machine, Run, Want, is_panic, stop};
use crate::eval::values::ty::{Concrete, single};
use crate::eval::values::value::Value;
use crd_channels_diagnostics::{Code, Text};
use crd_channels_source::tree::{Expr, ExprKind, Stmt, Ty};
use crd_channels_source::{CalledMacro, Expanded};
use std::sync::Arc;

impl Machine<'_> {
    /// `{ stmts; tail }`
    pub(in crate::eval) fn block(
        &mut self,
        stmts: &[Stmt],
        tail: Option<&Expr>,
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        let outer = frame.mark();
        let value = self.statements(stmts, tail, frame, want);
        frame.leave(outer);
        value
    }

    fn statements(
        &mut self,
        stmts: &[Stmt],
        tail: Option<&Expr>,
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        for stmt in stmts {
            match stmt {
                Stmt::Let(name, of, value) => {
                    let of = self.variable_type(of.as_ref(), name, tail, frame, want)?;
                    self.let_variable((name, of.as_ref()), value, frame)?;
                }
                Stmt::Later(name, _) => {
                    self.bind(frame, name.clone(), Value::unit());
                }
                Stmt::Use(name, path) => {
                    let path = frame.resolve_uses(path).into_owned();
                    frame.uses.push((name.clone(), path));
                }
                Stmt::Bind(pattern, of, value, otherwise) => {
                    let of = match of {
                        Some(of) => Some(self.reader.typed(of, &frame.scope)?),
                        None => None,
                    };
                    let place = value.span;
                    let borrows = super::control::borrows_mutably(pattern);
                    let value = match self.place(value, frame)? {
                        Some(place) if borrows => Value::MutPlace(place),
                        _ => self.expr(value, frame, Want::maybe(of.as_ref()))?,
                    };
                    let value = match &of {
                        Some(of) => self.coerce(value, of, place)?,
                        None => value,
                    };
                    if let (Some(inner), Some(otherwise)) = (value.perhaps(), otherwise) {
                        let inner = inner.clone();
                        self.let_perhaps((pattern, &inner, place), otherwise, frame)?;
                        continue;
                    }
                    let outer = frame.mark();
                    if !self.matches(pattern, &value, place, frame)? {
                        frame.leave(outer);
                        return match otherwise {
                            Some(otherwise) => {
                                self.expr(otherwise, frame, Want::any())?;
                                stop(place, "this `else` does not diverge")
                            }
                            None => stop(place, "this pattern does not match"),
                        };
                    }
                }
                Stmt::Expr(expr) => match self.statements_of(expr, frame) {
                    // Variables of an expanded macro belong to the caller.
                    Some(made) => match &made.kind {
                        ExprKind::Block(stmts, None) => {
                            self.deeper(expr.span, |machine| {
                                machine.statements(stmts, None, frame, Want::any())
                            })?;
                        }
                        _ => self.effect(&made, frame)?,
                    },
                    None => self.effect(expr, frame)?,
                },
                Stmt::Other(words, span) => {
                    return stop(*span, format!("{words} is not evaluated"));
                }
            }
        }
        match tail {
            Some(tail) => self.expr(tail, frame, want),
            None => Ok(Value::unit()),
        }
    }

    /// Expands a macro of the source, if it consists of statements rather than an expression.
    fn statements_of(&self, expr: &Expr, frame: &Frame) -> Option<Arc<Expr>> {
        let ExprKind::Macro(path, tokens) = &expr.kind else {
            return None;
        };
        let (graph, module) = (self.reader.graph, frame.scope.module);
        let meant = frame.resolve_uses(path);
        match graph.called_macro(module, &meant, tokens) {
            CalledMacro::Rules(Some(Expanded::Statements(made))) => Some(made),
            _ => None,
        }
    }

    /// Returns the type of a variable: the written one, else the block's, if the block returns the variable.
    fn variable_type(
        &mut self,
        of: Option<&Ty>,
        name: &Text,
        tail: Option<&Expr>,
        frame: &Frame,
        want: Want<'_>,
    ) -> Run<Option<Concrete>> {
        if let Some(of) = of {
            return Ok(Some(self.reader.typed(of, &frame.scope)?));
        }
        let is_tail = tail.is_some_and(
            |tail| matches!(&tail.kind, ExprKind::Path(path) if single(path) == Some(name)),
        );
        Ok(want.ty.filter(|_| is_tail).cloned())
    }

    /// `let name: Type = value;`
    fn let_variable(
        &mut self,
        (name, of): (&Text, Option<&Concrete>),
        value: &Expr,
        frame: &mut Frame,
    ) -> Run<()> {
        let span = value.span;
        let outer = frame.mark();
        let made = self.expr(value, frame, Want::maybe(of));
        let made = made.and_then(|made| match of {
            Some(of) => self.coerce(made, of, span),
            None => Ok(made),
        });
        let made = match made {
            // It matters only if it is used.
            Err(Flow::Stop(finding))
                if frame.assured && finding.code == Code::NotConstant && !is_panic(&finding) =>
            {
                frame.leave(outer);
                if !self.forget(value, frame) {
                    return Err(Flow::Stop(finding));
                }
                Value::Unknown(finding)
            }
            made => made?,
        };
        self.bind(frame, name.clone(), made);
        Ok(())
    }

    /// Runs a statement, or assumes that it passes if it only checks.
    fn effect(&mut self, expr: &Expr, frame: &mut Frame) -> Run<()> {
        let outer = frame.mark();
        match self.expr(expr, frame, Want::any()) {
            Err(Flow::Stop(finding)) if frame.assured && !is_panic(&finding) => {
                frame.leave(outer);
                if self.assume_check_passed(expr, frame) {
                    Ok(())
                } else {
                    Err(Flow::Stop(finding))
                }
            }
            done => done.map(|_| ()),
        }
    }
}
