//! Statements: what a block does before it gives a value back.

use super::Reader;
use super::branches::place_of;
use super::concrete::{Concrete, Finding, single};
use super::constant::Frame;
use super::construct::later;
use super::value::{Const, not_constant};
use crate::source::tree::{Expr, ExprKind, Stmt};

impl Reader<'_> {
    pub(super) fn block(
        &self,
        whole: &Expr,
        (stmts, tail, asked): (&[Stmt], Option<&Expr>, bool),
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let (outer, uses) = (frame.locals.len(), frame.uses.len());
        self.statements(stmts, tail, frame, expected)?;
        let value = match tail {
            Some(tail) => {
                frame.asked = asked;
                self.expr(tail, frame, expected)
            }
            // What every statement before it leads to is a `return`, or nobody asks.
            None if frame.depth > 1 => Ok(Const::Tuple(Vec::new())),
            None => Err(not_constant(whole.span, "this block gives nothing back")),
        };
        frame.locals.truncate(outer);
        frame.uses.truncate(uses);
        value
    }

    fn statements(
        &self,
        stmts: &[Stmt],
        tail: Option<&Expr>,
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<(), Finding> {
        for stmt in stmts {
            match stmt {
                Stmt::Let(name, of, value) => {
                    // What a block gives back, it was made for.
                    let returned = tail.is_some_and(|tail| {
                        matches!(&tail.kind, ExprKind::Path(path) if single(path) == Some(name))
                    });
                    let ty = match of {
                        Some(of) => self.concrete(of, frame.scope).ok(),
                        None => None,
                    };
                    let ty = ty.or_else(|| expected.filter(|_| returned).cloned());
                    let value = match self.expr(value, frame, ty.as_ref()) {
                        // It does no harm until somebody asks for it.
                        Err(finding) if frame.assured && frame.returned.is_none() => {
                            later(Err(finding))?
                        }
                        value => value?,
                    };
                    frame.locals.push((name.clone(), value, ty));
                }
                Stmt::Use(name, path) => {
                    let path = frame.meant(path).into_owned();
                    frame.uses.push((name.clone(), path));
                }
                Stmt::Expr(expr) => self.effect_or_check(expr, frame)?,
                Stmt::Other(words, span) => {
                    return Err(not_constant(*span, format!("{words} is not evaluated")));
                }
            }
        }
        Ok(())
    }

    /// What a statement does. Nothing, where it only checks what has to hold.
    fn effect_or_check(&self, expr: &Expr, frame: &mut Frame<'_>) -> Result<(), Finding> {
        match self.effect(expr, frame) {
            Err(finding) if frame.assured && frame.returned.is_none() => {
                self.passed(expr, frame).ok_or(finding)
            }
            done => done,
        }
    }

    /// `list.push(x);`, `map.insert(k, v);`
    fn effect(&self, expr: &Expr, frame: &mut Frame<'_>) -> Result<(), Finding> {
        let refused = || not_constant(expr.span, "this statement is not evaluated");
        match &expr.kind {
            ExprKind::Assign(place, value) => return self.assign(expr, (place, value), frame),
            ExprKind::If(..) | ExprKind::Match(..) | ExprKind::Return(_) | ExprKind::Try(_) => {
                return self.expr(expr, frame, None).map(|_| ());
            }
            ExprKind::For(pattern, list, body) => {
                return self.repeat(expr, (pattern, list, body), frame);
            }
            ExprKind::Block(stmts, tail) => {
                let (outer, uses) = (frame.locals.len(), frame.uses.len());
                self.statements(stmts, None, frame, None)?;
                if let Some(tail) = tail {
                    self.effect_or_check(tail, frame)?;
                }
                frame.locals.truncate(outer);
                frame.uses.truncate(uses);
                return Ok(());
            }
            ExprKind::Macro(path, _)
                if path
                    .segments
                    .last()
                    .is_some_and(|last| matches!(&*last.name, "write" | "writeln")) =>
            {
                return self.expr(expr, frame, None).map(|_| ());
            }
            ExprKind::Macro(path, tokens) => {
                let module = frame.scope.module;
                let made = self.graph.expanded_statements(module, path, tokens);
                return self.effect(&made.ok_or_else(refused)?, frame);
            }
            _ => {}
        }
        let ExprKind::Method {
            receiver,
            name,
            args,
            ..
        } = &expr.kind
        else {
            return Err(refused());
        };
        let variable = match &receiver.kind {
            ExprKind::Path(path) => single(path),
            _ => None,
        };
        let types = match variable.and_then(|name| frame.local(name)) {
            Some((_, _, Some(Concrete::External(_, types)))) => types.clone(),
            _ => Vec::new(),
        };
        let values = args
            .iter()
            .enumerate()
            .map(|(index, arg)| self.expr(arg, frame, types.get(index)))
            .collect::<Result<Vec<_>, _>>()?;
        let target = place_of(receiver, frame);
        match (target, &**name, &values[..]) {
            (Some(Const::List(items)), "push" | "insert" | "push_back", [value]) => {
                items.push(value.clone());
            }
            (Some(Const::Map(entries)), "insert", [key, value]) => {
                Const::insert(entries, key.clone(), value.clone());
            }
            (Some(Const::Text(text)), "push_str", [Const::Text(more)]) => {
                *text = format!("{text}{more}").into();
            }
            _ => return Err(refused()),
        }
        Ok(())
    }
}
