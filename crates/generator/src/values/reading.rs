//! Reads an expression for a place.

use super::{Literals, Value, not_constant};
use crate::reader::Reader;
use crate::types::impls::{Bound, unify};
use crate::types::numbers::IntType;
use crate::types::{Concrete, Finding, Fit, Scope};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, Lit};
use crd_channels_source::unknown_cfg;

/// The maximum length of an array of equal items that is written out.
pub(super) const MAX_ITEMS: u64 = 1024;

/// What is read, or why it cannot be.
pub(crate) type Run<T = Value> = Result<T, Finding>;

/// Returns the error `not-constant`.
pub(crate) fn stop<T>(span: Span, why: impl Into<String>) -> Run<T> {
    Err(not_constant(span, why))
}

/// The names that an expression may use.
#[derive(Clone, Debug)]
pub(crate) struct Env {
    /// Those of the module and the type.
    pub(crate) scope: Scope,
    /// The parameters of the function, and the variables around the expression, innermost last.
    pub(crate) variables: Vec<Variable>,
}

/// A parameter or a variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Text,
    pub(crate) value: Value,
    /// Its type, which is open if it is not written.
    pub(crate) ty: Concrete,
}

impl Env {
    /// The names of a scope.
    pub(crate) fn new(scope: Scope) -> Self {
        Self {
            scope,
            variables: Vec::new(),
        }
    }

    /// Returns true for the name of a variable.
    fn is_variable(&self, expr: &Expr) -> bool {
        let name = expr.name();
        name.is_some_and(|name| self.variables.iter().any(|it| it.name == *name))
    }
}

/// One reading.
pub(crate) struct Reading<'g> {
    /// The reader of items and types.
    pub(crate) reader: Reader<'g>,
    /// The literals that texts come from, if requested.
    pub(crate) literals: Option<Literals>,
    /// Whether the schema does not know what JSON is made of, so that a channel cannot remove gated parts from it.
    pub(crate) untyped: bool,
}

impl<'g> Reader<'g> {
    /// Starts a reading, with what the one that contains it has left.
    pub(crate) fn reading(&self) -> Reading<'g> {
        self.budget.start();
        Reading {
            reader: *self,
            literals: None,
            untyped: false,
        }
    }
}

impl Reading<'_> {
    /// Runs a function one level deeper.
    ///
    /// # Errors
    ///
    /// `not-constant` beyond the limits; those of `read`.
    pub(crate) fn deeper<T>(&mut self, at: Span, read: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        let budget = self.reader.budget;
        if !budget.enter() {
            return stop(at, "this value is too deep or too large to be read");
        }
        let done = read(self);
        budget.leave();
        done
    }

    /// Reads an expression for a place of a type. Without a type nothing but the expression decides: `json!(x)`.
    ///
    /// # Errors
    ///
    /// `not-constant` if it is not in the language, `unresolved-path`.
    pub(crate) fn read(&mut self, expr: &Expr, env: &Env, place: Option<&Concrete>) -> Run {
        if place.is_some_and(Concrete::is_open) {
            return stop(
                expr.span,
                "the type of this value is not written in the source",
            );
        }
        let value = self.deeper(expr.span, |reading| reading.expression(expr, env, place))?;
        match value {
            Value::Unknown(finding) => Err(finding),
            value => Ok(value),
        }
    }

    /// Reads a part of a value. Without a place another part may decide the type of a float.
    pub(super) fn part(&mut self, expr: &Expr, env: &Env, place: Option<&Concrete>) -> Run {
        let value = self.read(expr, env, place)?;
        match place {
            None if value.has_float() => stop(expr.span, "the type of this float is not written"),
            _ => Ok(value),
        }
    }

    fn expression(&mut self, expr: &Expr, env: &Env, place: Option<&Concrete>) -> Run {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Lit(Lit::Float(digits, suffix)) => {
                self.float((digits, suffix.as_ref()), false, place, span)
            }
            ExprKind::Binary(operator, text, more)
                if &**operator == "+"
                    && place.is_some_and(|ty| is_named(ty, "std::string::String")) =>
            {
                let text = self.read(text, env, place)?.needed_text(span)?;
                let more = self.string(more, env)?.needed_text(span)?;
                Ok(Value::Text(format!("{text}{more}").into()))
            }
            // What a variable refers to, if that is no value of a type with a `Deref` of its own.
            ExprKind::Unary('*', inner) if env.is_variable(inner) => {
                match self.read(inner, env, place)? {
                    value @ (Value::Text(_) | Value::Int(_) | Value::Bool(_) | Value::Char(_)) => {
                        Ok(value)
                    }
                    _ => stop(span, "this expression is not read"),
                }
            }
            ExprKind::Lit(Lit::Int(..)) | ExprKind::Binary(..) | ExprKind::Cast(..) => {
                self.number(expr, env, place)
            }
            ExprKind::Unary('-', inner) => match &inner.kind {
                ExprKind::Lit(Lit::Float(digits, suffix)) => {
                    self.float((digits, suffix.as_ref()), true, place, span)
                }
                _ => self.number(expr, env, place),
            },
            ExprKind::Lit(lit) => self.literal(lit, place, span),
            ExprKind::Path(path) => self.path(path, env, place),
            ExprKind::Qualified(..) => stop(span, "a constant of this type or trait is not read"),
            ExprKind::Call(function, args) => self.call(function, args, env, place, span),
            ExprKind::Method {
                receiver,
                name,
                types,
                args,
            } => self.method(expr, (receiver, name), (types, args), env, place),
            ExprKind::Struct { path, fields, rest } => {
                self.struct_literal(path, (fields, rest.as_deref()), env, place, span)
            }
            ExprKind::Array(items) => {
                let items = self.items(items, env, item_place(place, span)?);
                items.map(Value::List)
            }
            ExprKind::Repeat(item, length) => {
                self.repeated((item, length), env, item_place(place, span)?)
            }
            ExprKind::Tuple(items) => self.tuple(items, env, place, span),
            ExprKind::Reference(inner) => match place {
                None => self.read(inner, env, None),
                Some(Concrete::Ref(target, false)) => self.behind(inner, env, target),
                Some(ty) => mismatch(span, "a reference", ty),
            },
            ExprKind::Block(statements, Some(tail)) => self.block((statements, tail), env, place),
            ExprKind::Macro(path, tokens) => self.macro_call((path, tokens), env, place, span),
            ExprKind::Undecided(cfg) => Err(Box::new(unknown_cfg(cfg, span))),
            ExprKind::Other(words) => stop(span, format!("{words} is not read")),
            _ => stop(span, "this expression is not read"),
        }
    }

    /// Reads what a reference points to. `&[a, b]` may be used as a slice.
    fn behind(&mut self, inner: &Expr, env: &Env, target: &Concrete) -> Run {
        match (&inner.kind, target) {
            (ExprKind::Array(items), Concrete::Slice(item)) => {
                self.items(items, env, Some(item)).map(Value::List)
            }
            _ => self.read(inner, env, Some(target)),
        }
    }

    fn literal(&mut self, lit: &Lit, place: Option<&Concrete>, span: Span) -> Run {
        let (value, what) = match lit {
            Lit::Str(text) => {
                if let Some(literals) = &mut self.literals {
                    literals.record(text, span);
                }
                (Value::Text(text.clone()), "a `&str`")
            }
            Lit::Char(c) => (Value::Char(*c), "a character"),
            Lit::Bool(value) => (Value::Bool(*value), "a boolean"),
            Lit::Bytes(_) => return stop(span, "bytes are not read"),
            Lit::Int(..) | Lit::Float(..) => return stop(span, "a number is needed here"),
        };
        let fits = match (&value, place) {
            (_, None) => true,
            (Value::Text(_), Some(Concrete::Ref(target, _))) => is_named(target, "str"),
            (Value::Char(_), Some(ty)) => is_named(ty, "char"),
            (Value::Bool(_), Some(ty)) => is_named(ty, "bool"),
            _ => false,
        };
        match place {
            Some(ty) if !fits => mismatch(span, what, ty),
            _ => Ok(value),
        }
    }

    fn tuple(&mut self, items: &[Expr], env: &Env, place: Option<&Concrete>, span: Span) -> Run {
        let types = match place {
            None => None,
            Some(Concrete::Tuple(types)) if types.len() == items.len() => Some(types),
            Some(ty) => return mismatch(span, "a tuple", ty),
        };
        if items.is_empty() {
            return Ok(Value::Unit);
        }
        let mut values = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let ty = types.and_then(|types| types.get(index));
            values.push(self.part(item, env, ty)?);
        }
        Ok(Value::List(values))
    }

    /// `[a; n]`, `vec![a; n]`
    pub(super) fn repeated(
        &mut self,
        (item, length): (&Expr, &Expr),
        env: &Env,
        ty: Option<&Concrete>,
    ) -> Run {
        let value = self.part(item, env, ty)?;
        let usize = Concrete::external("usize");
        let count = match self.read(length, env, Some(&usize))? {
            Value::Int(count) => u64::try_from(count).ok(),
            _ => None,
        };
        let count = count.filter(|count| *count <= MAX_ITEMS);
        // The `Clone` of other values may be hand-written, and their copies too large.
        let is_plain = matches!(
            value,
            Value::Unit
                | Value::Bool(_)
                | Value::Char(_)
                | Value::Int(_)
                | Value::Float(_)
                | Value::Text(_)
        );
        match count.and_then(|count| usize::try_from(count).ok()) {
            Some(count) if is_plain => Ok(Value::List(vec![value; count])),
            _ => stop(item.span, "how this is repeated is not read"),
        }
    }

    /// Reads the items of a list.
    pub(super) fn items(
        &mut self,
        items: &[Expr],
        env: &Env,
        ty: Option<&Concrete>,
    ) -> Run<Vec<Value>> {
        let items = items.iter().map(|item| self.part(item, env, ty));
        items.collect()
    }
}

/// Returns the place of the items of an array.
fn item_place(place: Option<&Concrete>, span: Span) -> Run<Option<&Concrete>> {
    match place {
        None => Ok(None),
        Some(Concrete::Array(item, _)) => Ok(Some(item)),
        Some(ty) => mismatch(span, "an array", ty),
    }
}

/// Returns true for a type known by this name, without arguments.
pub(super) fn is_named(ty: &Concrete, name: &str) -> bool {
    matches!(ty, Concrete::External(path, args) if &**path == name && args.is_empty())
}

/// Returns the type of an integer.
pub(super) fn int_type(ty: &Concrete) -> Option<IntType> {
    match ty {
        Concrete::External(name, args) if args.is_empty() => IntType::from_name(name),
        _ => None,
    }
}

/// Refuses a value of a type for a place of another one, or if either is open.
pub(super) fn check_place(ty: &Concrete, place: Option<&Concrete>, span: Span) -> Run<()> {
    match place {
        Some(place) if unify(ty, place, &mut Bound::new()) != Fit::Yes => {
            mismatch(span, &format!("`{ty}`"), place)
        }
        _ => Ok(()),
    }
}

/// The error that a place of another type needs a conversion.
pub(super) fn mismatch<T>(span: Span, what: &str, ty: &Concrete) -> Run<T> {
    stop(span, format!("how {what} becomes `{ty}` is not read"))
}
