//! The state of one evaluation: variables, active functions, and a budget.

pub(in crate::eval) mod budget;
pub(in crate::eval) mod literals;
mod places;

use self::literals::Literals;
use crate::eval::Reader;
use crate::eval::schemas::Unsure;
use crate::eval::values::ty::{Concrete, Finding, Scope};
use crate::eval::values::value::{Value, not_constant};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, Path};
use std::borrow::Cow;

/// The maximum number of expressions that one value may evaluate, including calls, so that recursion ends.
const FUEL: u32 = 400_000;
/// The maximum depth of expressions and calls together.
const MAX_DEPTH: u32 = 200;
/// The maximum number of nested evaluations.
const MAX_ENTERED: u32 = 64;
/// The maximum number of items in a list, and of bytes in a text.
pub(crate) const MAX_SIZE: usize = 1 << 16;

/// The reason why an expression has no value.
#[derive(Debug)]
pub(crate) enum Flow {
    /// `break 'label x`
    Break(Option<Text>, Value),
    /// `continue 'label`
    Continue(Option<Text>),
    /// `return x`
    Return(Value),
    /// Its value cannot be determined.
    Stop(Finding),
}

impl From<Finding> for Flow {
    fn from(finding: Finding) -> Self {
        Flow::Stop(finding)
    }
}

/// The result of an expression.
pub(crate) type Run<T = Value> = Result<T, Flow>;

/// Returns a boolean, or the error that the value is not one.
pub(crate) fn truth(value: &Value, span: Span) -> Run<bool> {
    match value.through() {
        Value::Bool(value) => Ok(*value),
        other => stop(
            span,
            format!("a boolean is needed here, not {}", other.kind()),
        ),
    }
}

/// Returns the error `not-constant`.
pub(crate) fn stop<T>(span: Span, why: impl Into<String>) -> Run<T> {
    Err(Flow::Stop(not_constant(span, why)))
}

/// The prefix of messages about code that always panics.
const PANICS: &str = "the program panics";

/// Returns the error `not-constant` because the program panics.
pub(crate) fn panics<T>(span: Span, why: &str) -> Run<T> {
    stop(span, format!("{PANICS}: {why}"))
}

/// Returns true if there is no value because the program panics.
pub(crate) fn is_panic(finding: &Finding) -> bool {
    finding.message.starts_with(PANICS)
}

/// The expectation for a value before it is evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Want<'t> {
    /// Its type.
    pub(crate) ty: Option<&'t Concrete>,
    /// Whether the program would panic if it were an error, so that checks may be assumed to pass.
    pub(crate) assured: bool,
}

impl<'t> Want<'t> {
    /// Expects nothing.
    pub(crate) fn any() -> Self {
        Self::default()
    }

    /// Expects a type.
    pub(crate) fn of(ty: &'t Concrete) -> Self {
        Self::maybe(Some(ty))
    }

    /// Expects a type, if it is known.
    pub(crate) fn maybe(ty: Option<&'t Concrete>) -> Self {
        Self {
            ty: ty.filter(|ty| !ty.is_blank()),
            assured: false,
        }
    }

    /// Returns the same expectation with another type.
    pub(crate) fn with(self, ty: Option<&'t Concrete>) -> Self {
        Self {
            ty: ty.filter(|ty| !ty.is_blank()),
            ..self
        }
    }

    /// Expects a type argument of the type, such as the content of an `Option<T>`.
    pub(crate) fn argument(self, index: usize) -> Self {
        let arguments = self.ty.map(|ty| match ty {
            Concrete::External(_, args) => &args[..],
            Concrete::Tuple(items) => items,
            _ => &[],
        });
        self.with(arguments.and_then(|arguments| arguments.get(index)))
    }
}

/// The frame of a function being evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The scope of names.
    pub(crate) scope: Scope,
    /// Variables by name, innermost last, with the slots of their values.
    pub(crate) locals: Vec<(Text, usize)>,
    /// The names that `use`s in blocks import.
    pub(crate) uses: Vec<(Text, Path)>,
    /// The function's return type, if known.
    pub(crate) returns: Option<Concrete>,
    /// Whether the program would panic if the function returned an error.
    pub(crate) assured: bool,
}

impl Frame {
    /// Creates the frame of a function, without variables.
    pub(crate) fn new(scope: Scope) -> Self {
        Self {
            scope,
            locals: Vec::new(),
            uses: Vec::new(),
            returns: None,
            assured: false,
        }
    }

    /// Returns the slot of a variable.
    pub(crate) fn local(&self, name: &str) -> Option<usize> {
        let mut locals = self.locals.iter().rev();
        let found = locals.find(|(local, _)| &**local == name);
        found.map(|(_, slot)| *slot)
    }

    /// Returns the number of variables and `use`s, to restore when a block ends.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.locals.len(), self.uses.len())
    }

    /// Removes the variables and `use`s added after a mark.
    pub(crate) fn leave(&mut self, (locals, uses): (usize, usize)) {
        self.locals.truncate(locals);
        self.uses.truncate(uses);
    }

    /// Resolves a path by the `use`s of blocks.
    pub(crate) fn resolve_uses<'p>(&self, path: &'p Path) -> Cow<'p, Path> {
        let used = path.segments.first().filter(|_| !path.leading);
        let used = used.and_then(|first| {
            let mut uses = self.uses.iter().rev();
            uses.find(|(name, _)| *name == first.name)
        });
        let Some((_, meant)) = used else {
            return Cow::Borrowed(path);
        };
        let rest = path.segments.iter().skip(1).cloned();
        let mut segments: Vec<_> = meant.segments.clone();
        if let (Some(last), Some(first)) = (segments.last_mut(), path.segments.first()) {
            last.args.clone_from(&first.args);
        }
        segments.extend(rest);
        Cow::Owned(Path {
            leading: meant.leading,
            segments,
            span: path.span,
        })
    }
}

/// Evaluates expressions.
pub(crate) struct Machine<'g> {
    /// The reader of items and types.
    pub(crate) reader: Reader<'g>,
    /// The values of all variables ever created, since references may lead to any of them.
    pub(in crate::eval) slots: Vec<Value>,
    /// The changes that depend on whether a part of a type's schema exists, which is not known yet.
    pub(in crate::eval) unsure: Vec<Unsure>,
    /// The literals that texts come from, if requested.
    pub(in crate::eval) literals: Option<Literals>,
}

impl<'g> Reader<'g> {
    /// Starts an evaluation with the budget of the one that contains it.
    ///
    /// # Errors
    ///
    /// `not-constant` if too many are nested; those of `evaluate`.
    pub(crate) fn enter<T>(
        &self,
        at: Span,
        evaluate: impl FnOnce(&mut Machine<'g>) -> Run<T>,
    ) -> Result<T, Finding> {
        let budget = self.budget;
        let (entered, depth) = (budget.entered.get(), budget.depth.get());
        if entered >= MAX_ENTERED {
            return Err(too_long(at));
        }
        if entered == 0 {
            budget.fuel.set(FUEL);
        }
        budget.entered.set(entered + 1);
        let mut machine = Machine {
            reader: *self,
            slots: Vec::new(),
            unsure: Vec::new(),
            literals: None,
        };
        let done = evaluate(&mut machine);
        budget.entered.set(entered);
        budget.depth.set(depth);
        done.map_err(|flow| match flow {
            Flow::Stop(finding) => finding,
            Flow::Return(_) | Flow::Break(..) | Flow::Continue(_) => {
                not_constant(at, "this returns from outside of a function")
            }
        })
    }
}

impl Machine<'_> {
    /// Spends steps of the budget.
    ///
    /// # Errors
    ///
    /// `not-constant` if it is exhausted.
    pub(crate) fn spend(&self, at: Span, steps: usize) -> Run<()> {
        let budget = self.reader.budget;
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        match budget.fuel.get().checked_sub(steps) {
            Some(left) => {
                budget.fuel.set(left);
                Ok(())
            }
            None => Err(too_long(at).into()),
        }
    }

    /// Runs a function one level deeper.
    ///
    /// # Errors
    ///
    /// `not-constant` if that is too deep; those of `evaluate`.
    pub(crate) fn deeper<T>(
        &mut self,
        at: Span,
        evaluate: impl FnOnce(&mut Self) -> Run<T>,
    ) -> Run<T> {
        self.spend(at, 1)?;
        let budget = self.reader.budget;
        let depth = budget.depth.get();
        if depth >= MAX_DEPTH {
            return Err(too_long(at).into());
        }
        budget.depth.set(depth + 1);
        let done = evaluate(self);
        budget.depth.set(depth);
        done
    }

    /// Evaluates an expression.
    ///
    /// # Errors
    ///
    /// Control flow, and `not-constant` if the value cannot be determined.
    pub(crate) fn expr(&mut self, expr: &Expr, frame: &mut Frame, want: Want<'_>) -> Run {
        let value = self.deeper(expr.span, |machine| machine.step(expr, frame, want))?;
        match value {
            Value::Unknown(finding) => Err(Flow::Stop(finding)),
            value => Ok(value),
        }
    }

    /// Stores a value in a new slot.
    pub(crate) fn store(&mut self, value: Value) -> usize {
        self.slots.push(value);
        self.slots.len() - 1
    }

    /// Creates a variable.
    pub(crate) fn bind(&mut self, frame: &mut Frame, name: Text, value: Value) {
        let slot = self.store(value);
        frame.locals.push((name, slot));
    }

    /// Refuses sizes beyond the maximum.
    pub(crate) fn check_size(&self, size: usize, at: Span) -> Run<()> {
        if size > MAX_SIZE {
            return stop(at, "this value grows too large to be evaluated");
        }
        self.spend(at, size / 16)
    }
}

fn too_long(at: Span) -> Finding {
    not_constant(at, "this value takes too many steps to evaluate")
}
