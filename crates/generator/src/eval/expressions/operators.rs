//! Operators of numbers, and of types of the source.

use crate::eval::machine::{Flow, Frame, Machine, Run, Want, stop, truth};
use crate::eval::schemas::negated;
use crate::eval::traits::impls::{Fit, unify};
use crate::eval::values::kinds::{SeqKind, Wrapper};
use crate::eval::values::number::{Float, Int, IntType};
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{Adt, MutPlace, Seq, Value, not_constant};
use crd_channels_diagnostics::Span;
use crd_channels_source::tree::{Expr, ExprKind, Lit};
use std::cmp::Ordering;
use std::sync::Arc;

/// The trait functions of operators.
const FUNCTIONS: [(&str, &str); 10] = [
    ("+", "add"),
    ("-", "sub"),
    ("*", "mul"),
    ("/", "div"),
    ("%", "rem"),
    ("&", "bitand"),
    ("|", "bitor"),
    ("^", "bitxor"),
    ("<<", "shl"),
    (">>", "shr"),
];

/// Returns true if an operator changes its left side: `+=`.
pub(crate) fn is_assignment(operator: &str) -> bool {
    operator.len() > 1 && operator.ends_with('=') && !matches!(operator, "==" | "!=" | "<=" | ">=")
}

impl Machine<'_> {
    /// `-x`, `!x`, `*x`
    pub(super) fn unary(
        &mut self,
        whole: &Expr,
        operator: char,
        inner: &Expr,
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        let span = whole.span;
        if operator == '*' {
            return match self.place(whole, frame)? {
                Some(place) => match self.at(&place) {
                    Some(value) => Ok(value.clone()),
                    None => stop(span, "the value of this place is not known"),
                },
                None => match self.expr(inner, frame, Want::any())? {
                    // `*s` is a `str`, represented the same here.
                    text @ (Value::Str(_) | Value::Json(_) | Value::Pending(_)) => Ok(text),
                    Value::String(text) => Ok(Value::Str(text)),
                    Value::Seq(seq) if seq.kind == SeqKind::Vec => Ok(Value::Seq(Seq {
                        kind: SeqKind::Slice,
                        ..seq
                    })),
                    other => stop(span, format!("`*` on {} is not evaluated", other.kind())),
                },
            };
        }
        let is_literal = matches!(inner.kind, ExprKind::Lit(Lit::Int(..)));
        let value = if is_literal {
            // `-128` is an `i8`, although `128` is not.
            let ExprKind::Lit(lit) = &inner.kind else {
                return stop(span, "this literal cannot be read");
            };
            negative_literal(lit, want)
        } else {
            None
        };
        if let (Some(value), '-') = (value, operator) {
            return Ok(value);
        }
        let value = self.expr(inner, frame, want)?;
        self.unary_of(operator, &value, want, span)
    }

    /// Applies `-` or `!` to a value.
    pub(crate) fn unary_of(
        &mut self,
        operator: char,
        value: &Value,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        let value = self.load(value);
        let done = match (operator, &value) {
            ('-', Value::Int(int)) => int.neg().map(Value::Int),
            ('-', Value::Float(float)) => Some(Value::Float(float.map(|x| -x, |x| -x))),
            ('!', Value::Bool(value)) => Some(Value::Bool(!value)),
            ('!', Value::Int(int)) => {
                let wanted = want.ty.and_then(Concrete::external_name);
                let int = match wanted.and_then(IntType::from_name) {
                    Some(ty) => int.of(ty).unwrap_or(*int),
                    None => *int,
                };
                int.not().map(Value::Int)
            }
            ('!', Value::Pending(pending)) => negated(pending),
            (_, Value::Adt(_)) => {
                let name = if operator == '-' { "neg" } else { "not" };
                return self.user_method(&value, name, Vec::new(), want, span);
            }
            _ => None,
        };
        match done {
            Some(value) => Ok(value),
            None => stop(
                span,
                format!("`{operator}` on {} cannot be evaluated", value.kind()),
            ),
        }
    }

    /// `a + b`, `a == b`, `a && b`
    pub(super) fn binary(
        &mut self,
        whole: &Expr,
        operator: &str,
        (left, right): (&Expr, &Expr),
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        if let "&&" | "||" = operator {
            let value = self.expr(left, frame, Want::any())?;
            let value = self.load(&value);
            if truth(&value, left.span)? == (operator == "||") {
                return Ok(value);
            }
            let value = self.expr(right, frame, Want::any())?;
            let value = self.load(&value);
            return truth(&value, right.span).map(Value::Bool);
        }
        let compares = matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=");
        let numbers = want.ty.filter(|ty| {
            let name = ty.external_name();
            name.is_some_and(|name| {
                IntType::from_name(name).is_some() || matches!(name, "f32" | "f64")
            })
        });
        let hint = if compares {
            Want::any()
        } else {
            Want::maybe(numbers)
        };
        let left_value = self.expr(left, frame, hint)?;
        let of_left = match &left_value {
            Value::Int(_) | Value::Float(_) if !matches!(operator, "<<" | ">>") => {
                Some(left_value.ty())
            }
            _ => None,
        };
        let right_value = self.expr(right, frame, Want::maybe(of_left.as_ref()))?;
        self.operate(operator, left_value, right_value, want, whole.span)
    }

    /// Applies an operator to two values.
    pub(crate) fn operate(
        &mut self,
        operator: &str,
        left: Value,
        right: Value,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        if let Some(test) = self.tested(operator, (&left, &right), span)? {
            return Ok(test);
        }
        match operator {
            "==" => return Ok(Value::Bool(self.same(&left, &right, span)?)),
            "!=" => return Ok(Value::Bool(self.differs(&left, &right, span)?)),
            "<" | ">" | "<=" | ">=" => {
                let order = self.partial_compare(&left, &right, span)?;
                return Ok(Value::Bool(match operator {
                    "<" => order == Some(Ordering::Less),
                    ">" => order == Some(Ordering::Greater),
                    "<=" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                    _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
                }));
            }
            _ => {}
        }
        let (own, other) = (self.load(&left), self.load(&right));
        let done = match (&own, &other) {
            (Value::Int(own), Value::Int(other)) => own.operate(operator, *other).map(Value::Int),
            (Value::Float(own), Value::Float(other)) => {
                own.operate(operator, *other).map(Value::Float)
            }
            (Value::Bool(own), Value::Bool(other)) => match operator {
                "&" => Some(Value::Bool(own & other)),
                "|" => Some(Value::Bool(own | other)),
                "^" => Some(Value::Bool(own ^ other)),
                _ => None,
            },
            (Value::String(own), Value::Str(other) | Value::String(other)) if operator == "+" => {
                self.check_size(own.len() + other.len(), span)?;
                Some(Value::string(format!("{own}{other}")))
            }
            (Value::Duration(own), Value::Duration(other)) => match operator {
                "+" => own.checked_add(*other).map(Value::Duration),
                "-" => own.checked_sub(*other).map(Value::Duration),
                _ => None,
            },
            (Value::Duration(own), Value::Int(other)) => {
                let other = u32::try_from(other.value).ok();
                match operator {
                    "*" => other.and_then(|other| own.checked_mul(other)),
                    "/" => other.and_then(|other| own.checked_div(other)),
                    _ => None,
                }
                .map(Value::Duration)
            }
            (Value::Seq(own), Value::Seq(other)) if own.kind.is_set() && own.kind == other.kind => {
                return self.set_operated(operator, own, other, span);
            }
            (Value::Wrapped(Wrapper::Wrapping, own), Value::Wrapped(Wrapper::Wrapping, other)) => {
                let name = match operator {
                    "+" => "wrapping_add",
                    "-" => "wrapping_sub",
                    "*" => "wrapping_mul",
                    _ => "",
                };
                match (&**own, &**other) {
                    (Value::Int(own), Value::Int(other)) => {
                        let done = crate::eval::std::int_overflow::wrapping(*own, name, *other);
                        done.map(|int| Value::Wrapped(Wrapper::Wrapping, Box::new(Value::Int(int))))
                    }
                    _ => None,
                }
            }
            (Value::Adt(_), _) => {
                let function = FUNCTIONS.iter().find(|(known, _)| *known == operator);
                if let Some((_, name)) = function {
                    return self.user_operator(left, name, right, want, span);
                }
                None
            }
            _ => None,
        };
        match done {
            Some(value) => Ok(value),
            None => stop(
                span,
                format!(
                    "`{operator}` on {} and {} cannot be evaluated",
                    own.kind(),
                    other.kind()
                ),
            ),
        }
    }

    fn set_operated(&mut self, operator: &str, own: &Seq, other: &Seq, span: Span) -> Run {
        if own.kind == SeqKind::Sorted {
            let all = own.items.iter().chain(other.items.iter());
            self.check_one_order(all.cloned().collect(), span)?;
        }
        let mut items = Vec::new();
        for item in own.items.iter() {
            let in_other = self.contains(&other.items, item, span)?;
            let kept = match operator {
                "|" => true,
                "&" => in_other,
                "-" | "^" => !in_other,
                _ => return stop(span, format!("`{operator}` on sets cannot be evaluated")),
            };
            if kept {
                items.push(item.clone());
            }
        }
        if let "|" | "^" = operator {
            for item in other.items.iter() {
                if !self.contains(&own.items, item, span)? {
                    items.push(item.clone());
                }
            }
        }
        self.collection(own.kind, items, span)
    }

    /// `x += y`
    pub(super) fn assign_operated(
        &mut self,
        whole: &Expr,
        operator: &str,
        (target, value): (&Expr, &Expr),
        frame: &mut Frame,
    ) -> Run<()> {
        let span = whole.span;
        let operator = operator.trim_end_matches('=');
        let value = self.expr(value, frame, Want::any())?;
        let Some(place) = self.target(target, frame)? else {
            return stop(span, "the value that this changes is not known");
        };
        let old = match self.at(&place) {
            Some(old) => self.load(old),
            None => return stop(span, "the value that this changes is not known"),
        };
        if let Value::Adt(_) = old {
            let function = FUNCTIONS.iter().find(|(known, _)| *known == operator);
            let name = function.map_or_else(String::new, |(_, name)| format!("{name}_assign"));
            self.user_method_at(&Value::MutPlace(place), &name, vec![value], span)?;
            return Ok(());
        }
        let new = self.operate(operator, old, value, Want::any(), span)?;
        self.write(&place, new, span)
    }

    /// `x = y`
    pub(super) fn assign(&mut self, target: &Expr, value: &Expr, frame: &mut Frame) -> Run<()> {
        let span = target.span;
        match &target.kind {
            // `_ = x`
            ExprKind::Other(_) => {
                self.expr(value, frame, Want::any())?;
                return Ok(());
            }
            ExprKind::Tuple(targets) => {
                let value = self.expr(value, frame, Want::any())?;
                let Value::Tuple(values) = value else {
                    return stop(span, "this assignment is not evaluated");
                };
                for (target, value) in targets.iter().zip(values) {
                    let Some(place) = self.target(target, frame)? else {
                        return stop(span, "the value that this changes is not known");
                    };
                    self.write(&place, value, span)?;
                }
                return Ok(());
            }
            _ => {}
        }
        let ty = match self.place(target, frame)? {
            Some(place) => self.at(&place).map(|old| self.type_of(old)),
            None => self.json_to_be(target, frame)?,
        };
        let value = self.expr(value, frame, Want::maybe(ty.as_ref()))?;
        let Some(place) = self.target(target, frame)? else {
            return stop(span, "the value that this changes is not known");
        };
        let value = match self.at(&place) {
            // The type of the place is that of its previous value.
            Some(old) if !matches!(old, Value::Unknown(_) | Value::Override(_)) => {
                let ty = self.type_of(old);
                self.refined(value, &ty, span)?
            }
            _ => value,
        };
        self.write(&place, value, span)
    }

    /// Returns the type of `json[key]`, which an assignment creates if it does not exist.
    fn json_to_be(&mut self, target: &Expr, frame: &mut Frame) -> Run<Option<Concrete>> {
        let ExprKind::Index(base, _) = &target.kind else {
            return Ok(None);
        };
        let is_json = match self.place(base, frame)? {
            Some(place) => self
                .at(&place)
                .is_some_and(|base| matches!(self.load(base), Value::Json(_))),
            None => self.json_to_be(base, frame)?.is_some(),
        };
        Ok(is_json.then(|| Concrete::external("serde_json::Value")))
    }

    /// Returns the place that an assignment changes.
    fn target(&mut self, target: &Expr, frame: &mut Frame) -> Run<Option<MutPlace>> {
        if let ExprKind::Index(base, at) = &target.kind {
            let base_place = self.target(base, frame)?;
            let base_value = base_place
                .as_ref()
                .and_then(|place| self.at(place))
                .map(|value| self.load(value));
            if let (Some(Value::Json(_)), Some(place)) = (&base_value, base_place) {
                let at = self.expr(at, frame, Want::any())?;
                let at = self.load(&at);
                let mut next = Some(place);
                while let Some(place) = next {
                    if let Some(part) = self.json_part(&place, &at, true, target.span)? {
                        return Ok(Some(part));
                    }
                    next = self.behind(&place, target.span)?;
                }
                return Ok(None);
            }
            if let Some(Value::Adt(_)) = base_value {
                let place = self.place(base_of(target), frame)?;
                let at = self.expr(at, frame, Want::any())?;
                let Some(place) = place else { return Ok(None) };
                let value = self.user_method_at(
                    &Value::MutPlace(place),
                    "index_mut",
                    vec![at],
                    target.span,
                )?;
                return Ok(match value {
                    Value::MutPlace(place) => Some(place),
                    _ => None,
                });
            }
        }
        self.place(target, frame)
    }

    /// `x as T`
    pub(in crate::eval) fn cast(&mut self, value: Value, target: &Concrete, span: Span) -> Run {
        let value = self.load(&value);
        let name = match target {
            Concrete::External(name, _) => &**name,
            Concrete::Infer => return Ok(value),
            _ => "",
        };
        let cast = match (&value, IntType::from_name(name)) {
            (Value::Int(int), Some(ty)) => int.cast(ty).map(Value::Int),
            (Value::Float(float), Some(ty)) => Some(Value::int(saturated(*float, ty), ty)),
            (Value::Bool(value), Some(ty)) => Some(Value::int(i128::from(*value), ty)),
            (Value::Char(c), Some(ty)) => ty
                .truncated(i128::from(u32::from(*c)))
                .map(|value| Value::int(value, ty)),
            (Value::Adt(adt @ Adt { variant, .. }), Some(ty)) => {
                let all = self.discriminants(&Arc::clone(&adt.of), span)?;
                let number = variant.and_then(|index| all.get(index).copied());
                number
                    .and_then(|number| ty.truncated(number))
                    .map(|number| Value::int(number, ty))
            }
            (Value::Int(int), None) => match name {
                "f32" | "f64" => int
                    .with_default_type()
                    .and_then(|int| float_of(int.value, name)),
                "char" => u8::try_from(int.value)
                    .ok()
                    .map(|byte| Value::Char(char::from(byte))),
                _ => None,
            },
            (Value::Float(float), None) => match name {
                #[expect(clippy::cast_possible_truncation, reason = "what the cast does")]
                "f32" => Some(Value::Float(match float {
                    Float::F32(value) | Float::Literal(value, _) => Float::F32(*value),
                    Float::F64(value) => Float::F32(*value as f32),
                })),
                "f64" => Some(Value::Float(Float::F64(match float {
                    Float::F32(value) => f64::from(*value),
                    Float::F64(value) | Float::Literal(_, value) => *value,
                }))),
                _ => None,
            },
            (Value::Char(_), None) if name == "char" => Some(value.clone()),
            (Value::Bool(_), None) if name == "bool" => Some(value.clone()),
            (Value::Fn(_), None) => Some(value.clone()),
            _ => None,
        };
        match cast {
            Some(value) => Ok(value),
            None => stop(
                span,
                format!(
                    "the cast of {} to `{target}` is not evaluated",
                    value.kind()
                ),
            ),
        }
    }

    /// Applies an operator of a type of the source, chosen by the type of its right side.
    fn user_operator(
        &mut self,
        left: Value,
        name: &str,
        right: Value,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        let own = self.type_of(&left);
        let blocks = self.reader.known_blocks(&own, name);
        let of_right = self.type_of(&right);
        let mut fitting = Vec::new();
        for block in blocks {
            let args = self.trait_arguments(&block)?;
            let takes = args.first().cloned().unwrap_or_else(|| own.clone());
            let mut bound = block.params.clone();
            if unify(&takes, &of_right, &mut bound) != Fit::No {
                fitting.push(block);
            }
        }
        match &fitting[..] {
            [block] => self.call_block(block, name, vec![left, right], want, span),
            _ => Err(Flow::Stop(not_constant(
                span,
                format!("which `{name}` of `{own}` applies here is not known"),
            ))),
        }
    }
}

fn base_of(target: &Expr) -> &Expr {
    match &target.kind {
        ExprKind::Index(base, _) => base,
        _ => target,
    }
}

fn negative_literal(lit: &Lit, want: Want<'_>) -> Option<Value> {
    let Lit::Int(digits, suffix) = lit else {
        return None;
    };
    let value: i128 = digits.parse().ok()?;
    let int = Int::literal(value.checked_neg()?);
    let name = match (suffix, want.ty) {
        (Some(suffix), _) => Some(&**suffix),
        (None, Some(Concrete::External(name, _))) => Some(&**name),
        (None, _) => None,
    };
    Some(Value::Int(match name.and_then(IntType::from_name) {
        Some(ty) => int.of(ty)?,
        None => int,
    }))
}

/// Converts a float to an integer: truncated, and saturated to the type's range.
#[expect(
    clippy::cast_possible_truncation,
    reason = "casts of floats saturate, and the bounds are checked against the type"
)]
fn saturated(float: Float, ty: IntType) -> i128 {
    let wide = match float {
        Float::F32(value) => value as i128,
        Float::F64(value) | Float::Literal(_, value) => value as i128,
    };
    wide.clamp(ty.min(), ty.max())
}

#[expect(clippy::cast_precision_loss, reason = "what the cast does")]
fn float_of(int: i128, name: &str) -> Option<Value> {
    Some(Value::Float(match name {
        "f32" => Float::F32(int as f32),
        "f64" => Float::F64(int as f64),
        _ => return None,
    }))
}
