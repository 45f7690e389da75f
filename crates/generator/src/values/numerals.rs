//! Numbers: literals, operators of integers, and casts that keep the value.

use super::Value;
use super::names::Named;
use super::not_constant;
use super::number::Int;
use super::reading::{Env, Reading, Run, int_type, mismatch, stop};
use crate::types::Concrete;
use crate::types::numbers::{IntType, USIZE};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, Lit};

/// The message about an operation that may panic, which also happens where nothing uses the result.
pub(super) const OVERFLOWS: &str = "the result of this operator is not known";

const NOT_AN_INTEGER: &str = "only integers are read here, and how this is one is not known";

impl Reading<'_> {
    /// Reads a number.
    pub(super) fn number(&mut self, expr: &Expr, env: &Env, place: Option<&Concrete>) -> Run {
        let int = self.integer(expr, env)?;
        placed(int, expr, place)
    }

    /// Reads what a variable without a written type is made of, and its type: that of a literal is decided by its uses. `None` for
    /// what is neither an integer nor the name of a value.
    pub(crate) fn untyped(&mut self, made: &Expr, env: &Env) -> Run<Option<(Value, Concrete)>> {
        let is_integer = match &made.kind {
            ExprKind::Path(path) => {
                return Ok(match self.item_named(path, env, None)? {
                    Named::Value(Value::Unknown(_), _) => None,
                    Named::Value(value @ Value::Int(_), Concrete::Param(_)) => {
                        Some((value, not_known()))
                    }
                    Named::Value(value, ty) => {
                        let ty = int_type(&ty).map_or(Concrete::Infer, of_int);
                        Some((value, ty))
                    }
                    _ => None,
                });
            }
            ExprKind::Lit(Lit::Int(..)) | ExprKind::Binary(..) | ExprKind::Cast(..) => true,
            ExprKind::Unary('-', inner) => !matches!(inner.kind, ExprKind::Lit(Lit::Float(..))),
            ExprKind::Call(function, _) => {
                matches!(self.integer_returned(function, env), Ok(Some(_)))
            }
            ExprKind::Method { name, .. } => matches!(&**name, "pow" | "len"),
            _ => false,
        };
        if !is_integer {
            return Ok(None);
        }
        let int = self.integer(made, env)?;
        let ty = int.ty.map_or(Concrete::Infer, of_int);
        Ok(Some((placed(int, made, None)?, ty)))
    }

    /// Reads an integer, whose type its place decides unless a part of it does.
    fn integer(&mut self, expr: &Expr, env: &Env) -> Run<Int> {
        self.deeper(expr.span, |reading| reading.integer_in(expr, env))
    }

    /// Reads one operator, cast, literal or constant of an integer.
    fn integer_in(&mut self, expr: &Expr, env: &Env) -> Run<Int> {
        let span = expr.span;
        let known = |int: Option<Int>, why: &str| int.ok_or_else(|| not_constant(span, why));
        match &expr.kind {
            ExprKind::Lit(Lit::Int(digits, suffix)) => known(
                literal(digits.parse().ok(), suffix.as_ref()),
                "this integer does not fit into its type",
            ),
            ExprKind::Unary('-', inner)
                if let ExprKind::Lit(Lit::Int(digits, suffix)) = &inner.kind =>
            {
                let value = digits.parse().ok().and_then(i128::checked_neg);
                known(
                    literal(value, suffix.as_ref()),
                    "this integer does not fit into its type",
                )
            }
            ExprKind::Unary('-', inner) => {
                let int = self.integer(inner, env)?;
                known(int.neg(), "this integer does not fit into its type")
            }
            ExprKind::Binary(operator, left, right) => {
                let (first, second) = (self.integer(left, env)?, self.integer(right, env)?);
                // Which bits are lost depends on the type, which only a literal takes from its place.
                if &**operator == "<<" && first.ty.is_none() && !is_literal(left) {
                    return stop(left.span, "the type of this integer is not written");
                }
                known(first.operate(operator, second), OVERFLOWS)
            }
            ExprKind::Cast(inner, ty) => {
                let ty = self.reader.typed(ty, &env.scope)?;
                let Some(ty) = int_type(&ty) else {
                    return mismatch(span, "an integer", &ty);
                };
                self.cast(inner, ty, env, span)
            }
            ExprKind::Path(path) => {
                let (value, ty) = self.constant_of(path, env)?;
                let value = value.needed_integer(span)?;
                Ok(match (int_type(&ty), ty) {
                    (Some(ty), _) => Int::new(value, ty),
                    (None, Concrete::Param(_)) => Int::open(value),
                    // That of a literal.
                    (None, _) => Int::literal(value),
                })
            }
            ExprKind::Call(function, args) => match self.integer_returned(function, env)? {
                Some(ty) => {
                    let place = Concrete::external(ty.name());
                    let value = self.call(function, args, env, Some(&place), span)?;
                    Ok(Int::new(value.needed_integer(span)?, ty))
                }
                None => stop(span, NOT_AN_INTEGER),
            },
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } if let ("pow", [power]) = (&**name, &args[..]) => {
                self.check_method(name, &env.scope, span)?;
                let (base, power) = (self.integer(receiver, env)?, self.integer(power, env)?);
                known(base.pow(power), OVERFLOWS)
            }
            ExprKind::Method { name, .. } if &**name == "len" => {
                let length = self.read(expr, env, None)?;
                Ok(Int::new(length.needed_integer(span)?, USIZE))
            }
            _ => stop(span, NOT_AN_INTEGER),
        }
    }

    /// Reads an integer that std's `From` makes one of another type, which keeps each value.
    pub(super) fn widened(&mut self, inner: &Expr, ty: IntType, env: &Env) -> Run {
        let value = self.read(inner, env, None)?.needed_integer(inner.span)?;
        match ty.holds(value) {
            true => Ok(Value::Int(value)),
            false => stop(inner.span, NOT_AN_INTEGER),
        }
    }

    /// Reads `inner as T`.
    fn cast(&mut self, inner: &Expr, ty: IntType, env: &Env, span: Span) -> Run<Int> {
        let int = self.integer(inner, env)?;
        // What overflows depends on the type, which only a literal takes from its place.
        let is_value = matches!(inner.kind, ExprKind::Path(_)) || is_literal(inner);
        if int.ty.is_none() && !is_value {
            return stop(inner.span, "the type of this integer is not written");
        }
        let cast = int.cast(ty);
        cast.ok_or_else(|| not_constant(span, "this cast changes the value"))
    }

    /// Returns the type of the integer that a function returns: one of the source, or `T::from`.
    fn integer_returned(&mut self, function: &Expr, env: &Env) -> Run<Option<IntType>> {
        let Some(path) = function.path() else {
            return Ok(None);
        };
        Ok(match self.item_named(path, env, None)? {
            Named::Function(_, def, scope) => {
                let returns = def.returns.as_ref();
                // A type parameter is no name of the scope.
                let returns = returns.and_then(|ty| self.reader.typed(ty, &scope).ok());
                returns.as_ref().and_then(int_type)
            }
            Named::Known(known, _) => known.strip_suffix("::from").and_then(IntType::from_name),
            _ => None,
        })
    }

    /// Reads a float: an `f32` is rounded to its width.
    pub(super) fn float(
        &self,
        (digits, suffix): (&str, Option<&Text>),
        negative: bool,
        place: Option<&Concrete>,
        span: Span,
    ) -> Run {
        let named = match place {
            Some(Concrete::External(name, args)) if args.is_empty() => Some(name),
            Some(ty) => return mismatch(span, "a float", ty),
            None => None,
        };
        let name = suffix.or(named).map_or("f64", |name| &**name);
        if named.is_some_and(|named| **named != *name) {
            return stop(span, format!("a float of type `{name}` does not fit here"));
        }
        let value = match name {
            "f32" => digits.parse::<f32>().ok().map(f64::from),
            "f64" => digits.parse::<f64>().ok(),
            _ => None,
        };
        match value.filter(|value| value.is_finite()) {
            Some(value) => Ok(Value::Float(if negative { -value } else { value })),
            None => stop(span, "this float is not read"),
        }
    }
}

/// Returns the value of an integer of a type, without one of the type that rustc chooses.
fn placed(int: Int, expr: &Expr, place: Option<&Concrete>) -> Run {
    let typed = match place {
        // Which values of its type an operator makes is not known.
        None if int.is_open && expr.path().is_none() => {
            return stop(expr.span, "the type of this integer is not written");
        }
        None => int.with_default_type(),
        Some(ty) => match int_type(ty) {
            Some(ty) => int.typed_as(ty),
            None => return mismatch(expr.span, "an integer", ty),
        },
    };
    match (typed, place) {
        (Some(int), _) => Ok(Value::Int(int.value)),
        (None, Some(ty)) => stop(expr.span, format!("`{int}` does not fit into `{ty}`")),
        (None, None) => stop(expr.span, format!("`{int}` does not fit into `i32`")),
    }
}

fn of_int(ty: IntType) -> Concrete {
    Concrete::external(ty.name())
}

/// The type of a variable that is made in another way: that of an integer is decided where it is not read.
pub(crate) fn open_type(value: &Value) -> Concrete {
    match value {
        Value::Int(_) => not_known(),
        _ => Concrete::Infer,
    }
}

/// The type of an integer that is decided where it is not read.
pub(crate) fn not_known() -> Concrete {
    Concrete::Param("_".into())
}

/// The integer of a literal; `None` if it does not fit.
fn literal(value: Option<i128>, suffix: Option<&Text>) -> Option<Int> {
    let int = Int::literal(value?);
    match suffix {
        None => Some(int),
        Some(name) => int.typed_as(IntType::from_name(name)?),
    }
}

/// Returns true for literals of integers, and operators of such.
fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Lit(_) => true,
        ExprKind::Unary(_, inner) => is_literal(inner),
        ExprKind::Binary(_, left, right) => is_literal(left) && is_literal(right),
        _ => false,
    }
}
