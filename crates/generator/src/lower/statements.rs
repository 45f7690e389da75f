//! Blocks: variables, statements that change them, loops over lists.

use super::Reader;
use super::branches::{named_place, place_of};
use super::checks::forget;
use super::concrete::{Concrete, Finding, single};
use super::constant::Frame;
use super::construct::later;
use super::std_methods;
use super::value::{Const, not_constant};
use crate::Text;
use crate::source::tree::{Expr, ExprKind, Path, Pattern, Stmt};

/// How many items a range may have.
const MAX_RANGE: i128 = 65_536;

impl Reader<'_> {
    pub(super) fn block(
        &self,
        whole: &Expr,
        (stmts, tail, asked): (&[Stmt], Option<&Expr>, bool),
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let outer = (frame.locals.len(), frame.uses.len());
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
        frame.leave(outer);
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
                    let outer = (frame.locals.len(), frame.uses.len());
                    unmoved(value, frame)?;
                    let made = match borrowed(value, frame) {
                        Some((variable, fields)) => Const::Borrowed(variable, fields),
                        None => match self.expr(value, frame, ty.as_ref()) {
                            // It does no harm until somebody asks for it.
                            Err(finding) if frame.assured && frame.returned.is_none() => {
                                frame.leave(outer);
                                forget(value, frame).ok_or_else(|| finding.clone())?;
                                later(Err(finding))?
                            }
                            made => made?,
                        },
                    };
                    frame.locals.push((name.clone(), made, ty));
                }
                Stmt::Use(name, path) => {
                    let path = frame.meant(path).into_owned();
                    frame.uses.push((name.clone(), path));
                }
                Stmt::Bind(pattern, of, value, otherwise) => {
                    let ty = of
                        .as_ref()
                        .and_then(|of| self.concrete(of, frame.scope).ok());
                    let place = value.span;
                    unmoved(value, frame)?;
                    let value = self.expr(value, frame, ty.as_ref())?;
                    let outer = frame.locals.len();
                    if !self.matches(pattern, &value, place, frame)? {
                        frame.locals.truncate(outer);
                        match otherwise {
                            Some(otherwise) => self.expr(otherwise, frame, None)?,
                            None => return Err(not_constant(place, "this pattern does not fit")),
                        };
                        return Err(not_constant(place, "this `else` does not leave"));
                    }
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
        let outer = (frame.locals.len(), frame.uses.len());
        match self.effect(expr, frame) {
            Err(finding) if frame.assured && frame.returned.is_none() => {
                frame.leave(outer);
                self.passed(expr, frame).ok_or(finding)
            }
            done => done,
        }
    }

    /// `for pattern in items { .. }`
    fn each(
        &self,
        (pattern, items, body): (&Pattern, &Expr, &Expr),
        frame: &mut Frame<'_>,
    ) -> Result<(), Finding> {
        let values = match self.expr(items, frame, None)? {
            Const::List(values) => values,
            Const::Option(value) => value.into_iter().map(|value| *value).collect(),
            Const::Map(entries) => {
                let pair = |(key, value)| Const::Tuple(vec![key, value]);
                entries.into_iter().map(pair).collect()
            }
            other => {
                let why = format!("a loop over {} is not evaluated", other.kind());
                return Err(not_constant(items.span, why));
            }
        };
        for value in &values {
            frame.spend(items.span)?;
            let outer = frame.locals.len();
            if !self.matches(pattern, value, items.span, frame)? {
                return Err(not_constant(items.span, "this pattern does not fit"));
            }
            self.effect(body, frame)?;
            frame.locals.truncate(outer);
        }
        Ok(())
    }

    /// `a..b` as what it is gone through for.
    pub(super) fn range(
        &self,
        whole: &Expr,
        (start, end, closed): (Option<&Expr>, Option<&Expr>, bool),
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let refused = || not_constant(whole.span, "this range is not evaluated");
        let (Some(start), Some(end)) = (start, end) else {
            return Err(refused());
        };
        let is_kept = expected
            .and_then(Concrete::external_name)
            .is_some_and(|name| name.starts_with("Range"));
        match (self.expr(start, frame, None)?, self.expr(end, frame, None)?) {
            (Const::Int(start), Const::Int(end)) if !is_kept => {
                let end = end.saturating_add(i128::from(closed));
                let length = end.saturating_sub(start);
                if length > MAX_RANGE {
                    return Err(refused());
                }
                Ok(Const::List((start..end).map(Const::Int).collect()))
            }
            _ => Err(refused()),
        }
    }

    /// `&mut x`, where nothing can be changed through it: of a value that has no other name.
    pub(super) fn borrow(
        &self,
        whole: &Expr,
        inner: &Expr,
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let is_place = matches!(
            inner.kind,
            ExprKind::Path(_) | ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Unary('*', _)
        );
        if is_place {
            return Err(not_constant(
                whole.span,
                "what is done through this borrow is not evaluated",
            ));
        }
        self.expr(inner, frame, expected)
    }

    fn effect(&self, expr: &Expr, frame: &mut Frame<'_>) -> Result<(), Finding> {
        frame.spend(expr.span)?;
        frame.depth += 1;
        let done = self.done(expr, frame);
        frame.depth -= 1;
        done
    }

    /// `list.push(x);`, `map.insert(k, v);`
    fn done(&self, expr: &Expr, frame: &mut Frame<'_>) -> Result<(), Finding> {
        let refused = || not_constant(expr.span, "this statement is not evaluated");
        match &expr.kind {
            ExprKind::Assign(place, value) => return self.assign(expr, (place, value), frame),
            ExprKind::If(..) | ExprKind::Match(..) | ExprKind::Return(_) | ExprKind::Try(_) => {
                return self.expr(expr, frame, None).map(|_| ());
            }
            ExprKind::Macro(..) if self.only_speaks(expr, frame) => return Ok(()),
            ExprKind::Macro(path, tokens) => {
                let name = path.segments.last().map_or("", |last| &*last.name);
                if matches!(name, "write" | "writeln") {
                    return self.expr(expr, frame, None).map(|_| ());
                }
                let module = frame.scope.module;
                let made = self.graph.expanded_statements(module, path, tokens);
                return self.effect(&made.ok_or_else(refused)?, frame);
            }
            ExprKind::Block(stmts, tail) => {
                let outer = (frame.locals.len(), frame.uses.len());
                self.statements(stmts, None, frame, None)?;
                if let Some(tail) = tail {
                    self.effect_or_check(tail, frame)?;
                }
                frame.leave(outer);
                return Ok(());
            }
            ExprKind::For(pattern, items, body) => {
                return self.each((pattern, items, body), frame);
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
            .map(|(index, arg)| match &arg.kind {
                // `append` leaves an empty list behind.
                ExprKind::Borrow(inner) if &**name == "append" => {
                    let value = self.expr(inner, frame, None)?;
                    if let (Some(left), Some(empty)) = (place_of(inner, frame), emptied(&value)) {
                        *left = empty;
                    }
                    Ok(value)
                }
                _ => self.expr(arg, frame, types.get(index)),
            })
            .collect::<Result<Vec<_>, _>>()?;
        let target = place_of(receiver, frame).ok_or_else(refused)?;
        std_methods::change(target, name, values).ok_or_else(refused)
    }
}

/// The place that `&mut place` borrows.
fn borrowed(value: &Expr, frame: &Frame<'_>) -> Option<(usize, Vec<Text>)> {
    match &value.kind {
        ExprKind::Borrow(inner) => named_place(inner, frame),
        _ => None,
    }
}

/// Refuses a `&mut` that is handed on by its name: what is done through it then is not followed.
pub(super) fn unmoved(value: &Expr, frame: &Frame<'_>) -> Result<(), Finding> {
    let local = match &value.kind {
        ExprKind::Path(path) => single(path).and_then(|name| frame.local(name)),
        _ => None,
    };
    match local {
        Some((_, Const::Borrowed(..), _)) => Err(not_constant(
            value.span,
            "what is done through this borrow is not evaluated",
        )),
        _ => Ok(()),
    }
}

/// What stands at the place that a variable borrows.
pub(super) fn read(path: &Path, frame: &mut Frame<'_>) -> Option<Const> {
    let place = Expr {
        kind: ExprKind::Path(path.clone()),
        span: path.span,
    };
    place_of(&place, frame).map(|value| value.clone())
}

fn emptied(value: &Const) -> Option<Const> {
    match value {
        Const::List(_) => Some(Const::List(Vec::new())),
        Const::Map(_) => Some(Const::Map(Vec::new())),
        _ => None,
    }
}
