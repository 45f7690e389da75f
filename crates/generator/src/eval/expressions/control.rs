//! Control flow: expressions that branch, loop or exit early.

use crate::eval::machine::{Flow, Frame, Machine, Run, Want, stop, truth};
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Text;
use crd_channels_source::tree::{Arm, Expr, ExprKind, Pattern};

impl Machine<'_> {
    /// `if condition { .. } else { .. }`
    pub(in crate::eval) fn branch(
        &mut self,
        (condition, then, otherwise): (&Expr, &Expr, Option<&Expr>),
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        let outer = frame.mark();
        let holds = match &condition.kind {
            ExprKind::Is(pattern, value) => {
                let place = value.span;
                let value = self.scrutinee(value, frame)?;
                if let Some(inner) = self.perhaps(&value) {
                    return self.if_perhaps((pattern, &inner, place), (then, otherwise), frame);
                }
                self.matches(pattern, &value, place, frame)?
            }
            _ => self.condition(condition, frame)?,
        };
        let value = match (holds, otherwise) {
            (true, _) => self.expr(then, frame, want),
            (false, Some(otherwise)) => {
                // Bindings of the part of the condition that held are not visible here.
                frame.leave(outer);
                self.expr(otherwise, frame, want)
            }
            (false, None) => Ok(Value::unit()),
        };
        frame.leave(outer);
        value
    }

    /// Evaluates a condition; the bindings of its patterns stay in the frame.
    pub(in crate::eval) fn condition(&mut self, condition: &Expr, frame: &mut Frame) -> Run<bool> {
        match &condition.kind {
            ExprKind::Is(pattern, value) => {
                let place = value.span;
                let value = self.scrutinee(value, frame)?;
                self.matches(pattern, &value, place, frame)
            }
            ExprKind::Binary(operator, left, right) if &**operator == "&&" => {
                Ok(self.condition(left, frame)? && self.condition(right, frame)?)
            }
            _ => {
                let value = self.expr(condition, frame, Want::any())?;
                let value = self.load(&value);
                truth(&value, condition.span)
            }
        }
    }

    /// Evaluates the value to match: a place is not moved out of, so that `ref mut` refers to it.
    fn scrutinee(&mut self, value: &Expr, frame: &mut Frame) -> Run {
        self.expr(value, frame, Want::any())
    }

    /// `match x { .. }`
    pub(in crate::eval) fn choice(
        &mut self,
        whole: &Expr,
        value: &Expr,
        arms: &[Arm],
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        let place = value.span;
        let borrows = arms.iter().any(|arm| borrows_mutably(&arm.pattern));
        let value = match self.place(value, frame)? {
            // `ref mut` changes the matched value.
            Some(place) if borrows => Value::MutPlace(place),
            _ => self.scrutinee(value, frame)?,
        };
        let outer = frame.mark();
        for arm in arms {
            let fits = self.matches(&arm.pattern, &value, place, frame)?;
            if fits {
                let value = self.expr(&arm.body, frame, want);
                frame.leave(outer);
                return value;
            }
            frame.leave(outer);
        }
        stop(whole.span, "no arm of this `match` matches")
    }

    /// `x?`
    pub(super) fn attempt(
        &mut self,
        whole: &Expr,
        value: &Expr,
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        let inner = Want {
            ty: None,
            assured: frame.assured,
        };
        let hint = want.ty.map(|ty| {
            Concrete::External(
                "std::result::Result".into(),
                vec![ty.clone(), Concrete::Infer],
            )
        });
        let of_parse = matches!(&value.kind, ExprKind::Method { .. } | ExprKind::Call(..));
        let inner = inner.with(hint.as_ref().filter(|_| of_parse));
        match self.expr(value, frame, inner)? {
            Value::Option(Some(value)) | Value::Result(Ok(value)) => Ok(*value),
            Value::Option(None) => Err(Flow::Return(Value::Option(None))),
            Value::Result(Err(error)) => {
                let wanted = frame.returns.clone();
                let error = match wanted.as_ref() {
                    Some(Concrete::External(_, args)) => match args.get(1) {
                        Some(ty) if !ty.is_blank() => self.converted(*error, ty, whole.span)?,
                        _ => *error,
                    },
                    _ => *error,
                };
                Err(Flow::Return(Value::err(error)))
            }
            other => stop(
                whole.span,
                format!("`?` on {} is not evaluated", other.kind()),
            ),
        }
    }

    /// `for pattern in items { .. }`
    pub(super) fn for_loop(
        &mut self,
        label: Option<&Text>,
        pattern: &Pattern,
        items: &Expr,
        body: &Expr,
        frame: &mut Frame,
    ) -> Run {
        let span = items.span;
        let list = self.expr(items, frame, Want::any())?;
        let mut iter = self.iterate(list, span)?;
        while let Some(item) = self.next(&mut iter, span)? {
            self.spend(span, 1)?;
            let outer = frame.mark();
            if !self.matches(pattern, &item, span, frame)? {
                return stop(span, "this pattern does not match");
            }
            let left = self.round(label, body, frame)?;
            frame.leave(outer);
            if left.is_some() {
                break;
            }
        }
        Ok(Value::unit())
    }

    /// `while condition { .. }`
    pub(super) fn while_loop(
        &mut self,
        label: Option<&Text>,
        condition: &Expr,
        body: &Expr,
        frame: &mut Frame,
    ) -> Run {
        let outer = frame.mark();
        loop {
            self.spend(condition.span, 1)?;
            let holds = self.condition(condition, frame)?;
            if !holds {
                frame.leave(outer);
                return Ok(Value::unit());
            }
            let left = self.round(label, body, frame)?;
            frame.leave(outer);
            if left.is_some() {
                return Ok(Value::unit());
            }
        }
    }

    /// `loop { .. }`
    pub(super) fn endless_loop(
        &mut self,
        whole: &Expr,
        label: Option<&Text>,
        body: &Expr,
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        loop {
            self.spend(whole.span, 1)?;
            if let Some(value) = self.round(label, body, frame)? {
                return match want.ty {
                    Some(ty) => self.refined(value, ty, whole.span),
                    None => Ok(value),
                };
            }
        }
    }

    /// `'label: { .. }`
    pub(super) fn labelled_block(
        &mut self,
        label: &Text,
        body: &Expr,
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        match self.expr(body, frame, want) {
            Err(Flow::Break(Some(target), value)) if target == *label => Ok(value),
            value => value,
        }
    }

    /// `break 'label x`
    pub(super) fn leave_loop(
        &mut self,
        label: Option<&Text>,
        value: Option<&Expr>,
        frame: &mut Frame,
    ) -> Run {
        let value = match value {
            Some(value) => self.expr(value, frame, Want::any())?,
            None => Value::unit(),
        };
        Err(Flow::Break(label.cloned(), value))
    }

    /// `return x`
    pub(super) fn leave_function(&mut self, value: Option<&Expr>, frame: &mut Frame) -> Run {
        let returns = frame.returns.clone();
        let want = Want {
            ty: returns.as_ref(),
            assured: frame.assured,
        };
        let value = match value {
            Some(value) => self.expr(value, frame, want)?,
            None => Value::unit(),
        };
        Err(Flow::Return(value))
    }

    /// Runs an iteration of a loop. Returns the value of its `break`, if it ends there.
    fn round(
        &mut self,
        label: Option<&Text>,
        body: &Expr,
        frame: &mut Frame,
    ) -> Run<Option<Value>> {
        let outer = frame.mark();
        let is_own =
            |target: &Option<Text>| target.as_ref().is_none_or(|target| Some(target) == label);
        let done = self.expr(body, frame, Want::any());
        frame.leave(outer);
        match done {
            Ok(_) => Ok(None),
            Err(Flow::Continue(target)) if is_own(&target) => Ok(None),
            Err(Flow::Break(target, value)) if is_own(&target) => Ok(Some(value)),
            Err(other) => Err(other),
        }
    }
}

/// Returns true if a pattern has a `ref mut`.
pub(super) fn borrows_mutably(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Borrowed(_, mutable, _) => *mutable,
        Pattern::Tuple(_, parts)
        | Pattern::Items(parts)
        | Pattern::Slice(parts)
        | Pattern::Either(parts) => parts.iter().any(borrows_mutably),
        Pattern::Struct(_, parts) => parts.iter().any(|(_, part)| borrows_mutably(part)),
        Pattern::If(inner, _) | Pattern::Reference(inner) => borrows_mutably(inner),
        Pattern::Name(_, inner) => inner.as_deref().is_some_and(borrows_mutably),
        _ => false,
    }
}
