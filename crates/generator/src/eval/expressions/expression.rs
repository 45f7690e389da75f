//! The evaluation of expressions.

use super::operators::is_assignment;
use crate::eval::machine::{Flow, Frame, Machine, Run, Want, stop};
use crate::eval::schemas::UNSEEN;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::number::{Float, Int, IntType, U8};
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{MutPlace, Value, not_constant};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, Lit};

/// The maximum number of items in `[x; n]`.
const MAX_REPEAT: usize = 65_536;

impl Machine<'_> {
    /// Evaluates one expression; [`Machine::expr`] checks the budget.
    pub(in crate::eval) fn step(&mut self, expr: &Expr, frame: &mut Frame, want: Want<'_>) -> Run {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Lit(lit) => self.noted_literal(lit, want, span),
            ExprKind::Path(path) => self.path(path, frame, want),
            ExprKind::Qualified(own, of, last) => {
                let own = self.reader.typed(own, &frame.scope)?;
                self.qualified(&own, of.as_ref(), last, frame, want, span)
            }
            ExprKind::Unary(operator, inner) => self.unary(expr, *operator, inner, frame, want),
            ExprKind::Binary(operator, left, right) if is_assignment(operator) => {
                self.assign_operated(expr, operator, (left, right), frame)?;
                Ok(Value::unit())
            }
            ExprKind::Binary(operator, left, right) => {
                self.binary(expr, operator, (left, right), frame, want)
            }
            ExprKind::Call(function, args) => self.call(expr, function, args, frame, want),
            ExprKind::Method {
                receiver,
                name,
                types,
                args,
            } => self.method(expr, (receiver, name), (types, args), frame, want),
            ExprKind::Field(base, name) => self.field(expr, base, name, frame),
            ExprKind::Struct { path, fields, rest } => {
                self.struct_literal(expr, path, (fields, rest.as_deref()), frame, want)
            }
            ExprKind::Array(items) => self.list(SeqKind::Array, items, frame, want),
            ExprKind::Repeat(value, length) => {
                self.repeat(SeqKind::Array, (value, length), frame, want, span)
            }
            ExprKind::Tuple(items) => self.tuple(items, frame, want),
            ExprKind::Reference(inner) => self.reference(inner, frame, want),
            ExprKind::Borrow(inner) => self.mutable_reference(inner, frame),
            ExprKind::Range(start, end, closed) => {
                self.range((start.as_deref(), end.as_deref(), *closed), frame, want)
            }
            ExprKind::Cast(inner, ty) => {
                let target = self.reader.typed(ty, &frame.scope)?;
                let value = self.expr(inner, frame, Want::any())?;
                self.cast(value, &target, span)
            }
            ExprKind::Block(stmts, tail) => self.block(stmts, tail.as_deref(), frame, want),
            ExprKind::Macro(path, tokens) => self.macro_call(expr, path, tokens, frame, want),
            ExprKind::If(condition, then, otherwise) => {
                self.branch((condition, then, otherwise.as_deref()), frame, want)
            }
            ExprKind::Is(..) => Ok(Value::Bool(self.condition(expr, frame)?)),
            ExprKind::Match(value, arms) => self.choice(expr, value, arms, frame, want),
            ExprKind::For(label, pattern, items, body) => {
                self.for_loop(label.as_ref(), pattern, items, body, frame)
            }
            ExprKind::While(label, condition, body) => {
                self.while_loop(label.as_ref(), condition, body, frame)
            }
            ExprKind::Loop(label, body) => {
                self.endless_loop(expr, label.as_ref(), body, frame, want)
            }
            ExprKind::Labelled(label, body) => self.labelled_block(label, body, frame, want),
            ExprKind::Break(label, value) => {
                self.leave_loop(label.as_ref(), value.as_deref(), frame)
            }
            ExprKind::Continue(label) => Err(Flow::Continue(label.clone())),
            ExprKind::Return(value) => self.leave_function(value.as_deref(), frame),
            ExprKind::Try(value) => self.attempt(expr, value, frame, want),
            ExprKind::Assign(place, value) => {
                self.assign(place, value, frame)?;
                Ok(Value::unit())
            }
            ExprKind::Index(list, at) => self.index(expr, list, at, frame),
            ExprKind::Closure(def) => Ok(self.closure(def, frame)),
            ExprKind::Undecided(cfg) => Err(Flow::Stop(Box::new(
                crd_channels_source::unknown_cfg(cfg, span),
            ))),
            ExprKind::Other(words) => stop(span, format!("{words} is not evaluated")),
        }
    }

    /// `"x"`, `1`: notes where a text comes from, if that is wanted.
    fn noted_literal(&mut self, lit: &Lit, want: Want<'_>, span: Span) -> Run {
        if let (Lit::Str(text), Some(literals)) = (lit, &mut self.literals) {
            literals.read(text, span);
        }
        literal(lit, want).ok_or_else(|| not_constant(span, "this literal is out of range").into())
    }

    /// `(a, b)`
    fn tuple(&mut self, items: &[Expr], frame: &mut Frame, want: Want<'_>) -> Run {
        let mut values = Vec::with_capacity(items.len());
        for (index, value) in items.iter().enumerate() {
            values.push(self.expr(value, frame, want.argument(index))?);
        }
        Ok(Value::Tuple(values))
    }

    /// `a..b`
    fn range(
        &mut self,
        (start, end, closed): (Option<&Expr>, Option<&Expr>, bool),
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        let mut ends = Vec::with_capacity(2);
        for end in [start, end].into_iter().flatten() {
            ends.push(self.expr(end, frame, want.argument(0))?);
        }
        self.same_numbers(&mut ends);
        let end = end.and_then(|_| ends.pop()).map(Box::new);
        let start = ends.pop().map(Box::new);
        Ok(Value::Range(start, end, closed))
    }

    /// `[a, b]`, `vec![a, b]`
    pub(in crate::eval) fn list(
        &mut self,
        kind: SeqKind,
        items: &[Expr],
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        let item = want.ty.and_then(Concrete::item);
        let mut values = Vec::with_capacity(items.len());
        for value in items {
            values.push(self.expr(value, frame, Want::maybe(item))?);
        }
        self.same_numbers(&mut values);
        Ok(Value::seq(kind, values))
    }

    /// `[value; length]`, `vec![value; length]`
    pub(in crate::eval) fn repeat(
        &mut self,
        kind: SeqKind,
        (value, length): (&Expr, &Expr),
        frame: &mut Frame,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        let item = want.ty.and_then(Concrete::item);
        let value = self.expr(value, frame, Want::maybe(item))?;
        let length = self.length(length, frame)?;
        let items = self.copies(&value, length, span)?;
        Ok(Value::seq(kind, items))
    }

    /// Evaluates a length or another count.
    fn length(&mut self, expr: &Expr, frame: &mut Frame) -> Run<usize> {
        let value = self.expr(expr, frame, Want::any())?;
        match self.load(&value) {
            Value::Int(length) => {
                let length = usize::try_from(length.value).ok();
                match length.filter(|length| *length <= MAX_REPEAT) {
                    Some(length) => Ok(length),
                    None => stop(expr.span, "this length is too large to be evaluated"),
                }
            }
            other => {
                let why = format!("an integer is needed here, not {}", other.kind());
                stop(expr.span, why)
            }
        }
    }

    /// `&x`
    fn reference(&mut self, inner: &Expr, frame: &mut Frame, want: Want<'_>) -> Run {
        let wanted = match want.ty {
            Some(Concrete::Ref(target, _)) => Want::of(target),
            _ => Want::any(),
        };
        let value = match self.place(inner, frame)? {
            Some(place) => match self.at(&place) {
                Some(value) => value.clone(),
                None => return stop(inner.span, "the value of this place is not known"),
            },
            None => self.expr(inner, frame, wanted)?,
        };
        if let Value::Unknown(finding) = value {
            return Err(Flow::Stop(finding));
        }
        Ok(Value::reference(value))
    }

    /// `&mut x`
    fn mutable_reference(&mut self, inner: &Expr, frame: &mut Frame) -> Run {
        if let Some(place) = self.place(inner, frame)? {
            return Ok(Value::MutPlace(place));
        }
        let value = self.expr(inner, frame, Want::any())?;
        Ok(Value::MutPlace(MutPlace::of(self.store(value))))
    }

    /// `x.name`
    fn field(&mut self, whole: &Expr, base: &Expr, name: &Text, frame: &mut Frame) -> Run {
        match self.place(whole, frame)? {
            Some(place) => match self.at(&place) {
                // A group of keywords is not a value on its own.
                Some(Value::Pending(pending)) if pending.is_group() => stop(whole.span, UNSEEN),
                Some(value) => Ok(value.clone()),
                None => stop(
                    whole.span,
                    format!("the field `{name}` cannot be evaluated"),
                ),
            },
            None => {
                let value = self.expr(base, frame, Want::any())?;
                let why = format!("the field `{name}` of {} is not known", value.kind());
                stop(whole.span, why)
            }
        }
    }

    /// `x[y]`
    fn index(&mut self, whole: &Expr, list: &Expr, at: &Expr, frame: &mut Frame) -> Run {
        let base = match self.place(list, frame)? {
            Some(place) => Value::MutPlace(place),
            None => self.expr(list, frame, Want::any())?,
        };
        let at = self.expr(at, frame, Want::any())?;
        self.indexed(base, &at, whole.span)
    }

    /// Gives integers and floats one type: literals adopt that of the others.
    pub(crate) fn same_numbers(&self, values: &mut [Value]) {
        let ty = values.iter().find_map(|value| match value {
            Value::Int(int) => int.ty.map(|ty| ty.name()),
            Value::Float(float) => float.type_name(),
            _ => None,
        });
        let Some(name) = ty else { return };
        for value in values {
            match value {
                Value::Int(int) if int.ty.is_none() => {
                    if let Some(known) = IntType::from_name(name).and_then(|ty| int.of(ty)) {
                        *int = known;
                    }
                }
                Value::Float(float) => {
                    if let Some(known) = float.of(name) {
                        *float = known;
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the value of a literal.
pub(crate) fn literal(lit: &Lit, want: Want<'_>) -> Option<Value> {
    Some(match lit {
        Lit::Str(text) => Value::Str(text.clone()),
        Lit::Bytes(bytes) => {
            let bytes = bytes.iter().map(|byte| Value::int(i128::from(*byte), U8));
            Value::reference(Value::seq(SeqKind::Array, bytes.collect()))
        }
        Lit::Char(c) => Value::Char(*c),
        Lit::Bool(value) => Value::Bool(*value),
        Lit::Int(digits, suffix) => {
            let int = Int::literal(digits.parse().ok()?);
            let wanted = match want.ty {
                Some(Concrete::External(name, _)) => IntType::from_name(name),
                _ => None,
            };
            match (suffix, wanted) {
                (Some(suffix), _) => Value::Int(int.of(IntType::from_name(suffix)?)?),
                (None, Some(ty)) => Value::Int(int.of(ty).unwrap_or(int)),
                (None, None) => Value::Int(int),
            }
        }
        Lit::Float(digits, suffix) => {
            let float = Float::literal(digits)?;
            let wanted = match want.ty {
                Some(Concrete::External(name, _)) => float.of(name),
                _ => None,
            };
            match suffix {
                Some(suffix) => Value::Float(float.of(suffix)?),
                None => Value::Float(wanted.unwrap_or(float)),
            }
        }
    })
}
