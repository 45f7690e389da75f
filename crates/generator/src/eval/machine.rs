//! What one evaluation is made of: variables, the functions that are under way, and a budget.

use super::Reader;
use super::literals::Literals;
use super::ty::{Concrete, Finding, Scope};
use super::value::{Value, not_constant};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, Path};
use std::borrow::Cow;

/// How many expressions one value may take, calls included: functions that call each other cannot keep us forever.
const FUEL: u32 = 400_000;
/// How deep expressions and calls may nest together.
const MAX_DEPTH: u32 = 200;
/// How many evaluations may be started inside each other.
const MAX_ENTERED: u32 = 64;
/// How many items one list may have, and how long one text may be.
pub(crate) const MAX_SIZE: usize = 1 << 16;

/// Why an expression gives no value.
#[derive(Debug)]
pub(crate) enum Flow {
    /// `break 'label x`
    Break(Option<Text>, Value),
    /// `continue 'label`
    Continue(Option<Text>),
    /// `return x`
    Return(Value),
    /// It cannot be told.
    Stop(Finding),
}

impl From<Finding> for Flow {
    fn from(finding: Finding) -> Self {
        Flow::Stop(finding)
    }
}

/// What comes of an expression.
pub(crate) type Run<T = Value> = Result<T, Flow>;

/// A boolean, or why the value is not one.
pub(crate) fn truth(value: &Value, span: Span) -> Run<bool> {
    match value.through() {
        Value::Bool(value) => Ok(*value),
        other => stop(
            span,
            format!("a boolean is needed here, not {}", other.kind()),
        ),
    }
}

/// `not-constant` on its way out.
pub(crate) fn stop<T>(span: Span, why: impl Into<String>) -> Run<T> {
    Err(Flow::Stop(not_constant(span, why)))
}

/// How messages begin where the program panics whenever it gets there.
const PANICS: &str = "the program panics";

/// `not-constant`, since the program panics.
pub(crate) fn panics<T>(span: Span, why: &str) -> Run<T> {
    stop(span, format!("{PANICS}: {why}"))
}

/// Whether the program panics, so that no value comes of it.
pub(crate) fn is_panic(finding: &Finding) -> bool {
    finding.message.starts_with(PANICS)
}

/// What is known about a value before it is made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Want<'t> {
    /// Its type.
    pub(crate) ty: Option<&'t Concrete>,
    /// Whether the program would panic if it were an error: what only checks has passed then.
    pub(crate) assured: bool,
}

impl<'t> Want<'t> {
    /// Nothing.
    pub(crate) fn any() -> Self {
        Self::default()
    }

    /// Its type.
    pub(crate) fn of(ty: &'t Concrete) -> Self {
        Self::maybe(Some(ty))
    }

    /// Its type, if that is known.
    pub(crate) fn maybe(ty: Option<&'t Concrete>) -> Self {
        Self {
            ty: ty.filter(|ty| !ty.is_blank()),
            assured: false,
        }
    }

    /// The same of another type.
    pub(crate) fn with(self, ty: Option<&'t Concrete>) -> Self {
        Self {
            ty: ty.filter(|ty| !ty.is_blank()),
            ..self
        }
    }

    /// An argument of the type: what an `Option<T>` holds.
    pub(crate) fn argument(self, index: usize) -> Self {
        let arguments = self.ty.map(|ty| match ty {
            Concrete::External(_, args) => &args[..],
            Concrete::Tuple(items) => items,
            _ => &[],
        });
        self.with(arguments.and_then(|arguments| arguments.get(index)))
    }
}

/// The inside of a function, while it is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// What names mean.
    pub(crate) scope: Scope,
    /// Variables by name, the innermost last: the places where their values are.
    pub(crate) locals: Vec<(Text, usize)>,
    /// What names mean that a `use` in a block brings in.
    pub(crate) uses: Vec<(Text, Path)>,
    /// What the function returns, where that is known.
    pub(crate) returns: Option<Concrete>,
    /// Whether the program would panic if the function gave back an error.
    pub(crate) assured: bool,
}

impl Frame {
    /// The inside of a function without variables yet.
    pub(crate) fn new(scope: Scope) -> Self {
        Self {
            scope,
            locals: Vec::new(),
            uses: Vec::new(),
            returns: None,
            assured: false,
        }
    }

    /// The place of a variable.
    pub(crate) fn local(&self, name: &str) -> Option<usize> {
        let mut locals = self.locals.iter().rev();
        let found = locals.find(|(local, _)| &**local == name);
        found.map(|(_, slot)| *slot)
    }

    /// How many variables and `use`s there are, to go back to when a block ends.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.locals.len(), self.uses.len())
    }

    /// Forgets the variables and the `use`s that came after a mark.
    pub(crate) fn leave(&mut self, (locals, uses): (usize, usize)) {
        self.locals.truncate(locals);
        self.uses.truncate(uses);
    }

    /// A path as the `use`s of blocks let it mean.
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
    /// What it reads from.
    pub(crate) reader: Reader<'g>,
    /// The values of all variables there ever were: references may lead to any of them.
    pub(super) slots: Vec<Value>,
    /// What is done only where a part of a type's schema is there, which nobody knows yet.
    pub(super) unsure: Vec<super::schemas::Unsure>,
    /// The literals that texts come from, where somebody asks for them.
    pub(super) literals: Option<Literals>,
}

impl<'g> Reader<'g> {
    /// Starts an evaluation, on the budget of the one that it is a part of.
    ///
    /// # Errors
    /// `not-constant` where too many are parts of each other, those of `evaluate`.
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
    /// Takes one step.
    ///
    /// # Errors
    /// `not-constant` where there were too many.
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

    /// Does something one level deeper.
    ///
    /// # Errors
    /// `not-constant` where that is too deep, and those of `inside`.
    pub(crate) fn deeper<T>(
        &mut self,
        at: Span,
        inside: impl FnOnce(&mut Self) -> Run<T>,
    ) -> Run<T> {
        self.spend(at, 1)?;
        let budget = self.reader.budget;
        let depth = budget.depth.get();
        if depth >= MAX_DEPTH {
            return Err(too_long(at).into());
        }
        budget.depth.set(depth + 1);
        let done = inside(self);
        budget.depth.set(depth);
        done
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// Control flow, and `not-constant` where the value cannot be told.
    pub(crate) fn expr(&mut self, expr: &Expr, frame: &mut Frame, want: Want<'_>) -> Run {
        let value = self.deeper(expr.span, |machine| machine.step(expr, frame, want))?;
        match value {
            Value::Unknown(finding) => Err(Flow::Stop(finding)),
            value => Ok(value),
        }
    }

    /// Puts a value into a place of its own.
    pub(crate) fn store(&mut self, value: Value) -> usize {
        self.slots.push(value);
        self.slots.len() - 1
    }

    /// Makes a variable.
    pub(crate) fn bind(&mut self, frame: &mut Frame, name: Text, value: Value) {
        let slot = self.store(value);
        frame.locals.push((name, slot));
    }

    /// Refuses what grows beyond all measure.
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
