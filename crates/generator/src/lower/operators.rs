//! Literals, and operators on scalars.

use super::value::Const;
use crate::source::tree::Lit;

/// The value of a literal; none where it is too large.
pub(super) fn literal(lit: &Lit) -> Option<Const> {
    Some(match lit {
        Lit::Str(text) => Const::Text(text.clone()),
        Lit::Bytes(bytes) => Const::List(
            bytes
                .iter()
                .map(|byte| Const::Int(i128::from(*byte)))
                .collect(),
        ),
        Lit::Char(c) => Const::Char(*c),
        Lit::Int(digits) => Const::Int(digits.parse().ok()?),
        Lit::Float(digits) => Const::Float(digits.parse().ok()?),
        Lit::Bool(value) => Const::Bool(*value),
    })
}

/// The value of `left operator right`; none where there is none, or it overflows.
pub(super) fn operate(operator: &str, left: &Const, right: &Const) -> Option<Const> {
    match operator {
        "==" => return left.same(right).map(Const::Bool),
        "!=" => return Some(Const::Bool(!left.same(right)?)),
        "<" => return Some(Const::Bool(left.compare(right)?.is_lt())),
        ">" => return Some(Const::Bool(left.compare(right)?.is_gt())),
        "<=" => return Some(Const::Bool(left.compare(right)?.is_le())),
        ">=" => return Some(Const::Bool(left.compare(right)?.is_ge())),
        _ => {}
    }
    match (left, right) {
        (Const::Int(left), Const::Int(right)) => {
            let shift = u32::try_from(*right).ok();
            let value = match operator {
                "+" => left.checked_add(*right),
                "-" => left.checked_sub(*right),
                "*" => left.checked_mul(*right),
                "/" => left.checked_div(*right),
                "%" => left.checked_rem(*right),
                "<<" => shift
                    .filter(|by| *by < 64)
                    .and_then(|by| left.checked_mul(1 << by)),
                ">>" => shift.and_then(|by| left.checked_shr(by)),
                "&" => Some(left & right),
                "|" => Some(left | right),
                "^" => Some(left ^ right),
                _ => None,
            };
            value.map(Const::Int)
        }
        (Const::Float(left), Const::Float(right)) => {
            let value = match operator {
                "+" => left + right,
                "-" => left - right,
                "*" => left * right,
                "/" => left / right,
                _ => return None,
            };
            Some(Const::Float(value))
        }
        (Const::Bool(left), Const::Bool(right)) => {
            let value = match operator {
                "&&" | "&" => *left && *right,
                "||" | "|" => *left || *right,
                "^" => left != right,
                _ => return None,
            };
            Some(Const::Bool(value))
        }
        (Const::Text(left), Const::Text(right)) if operator == "+" => {
            Some(Const::Text(format!("{left}{right}").into()))
        }
        _ => None,
    }
}
