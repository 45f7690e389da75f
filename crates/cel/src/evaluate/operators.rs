//! The operators with two sides.

use super::{Answer, Stop, Val};
use crate::ast::Binary;
use std::cmp::Ordering;

pub(super) fn binary(operator: Binary, left: &Val, right: &Val) -> Answer {
    match operator {
        Binary::Equal => left.equals(right).map(Val::Bool),
        Binary::NotEqual => left.equals(right).map(|equal| Val::Bool(!equal)),
        Binary::Less => order(left, right).map(|order| Val::Bool(order.is_lt())),
        Binary::LessEqual => order(left, right).map(|order| Val::Bool(order.is_le())),
        Binary::Greater => order(left, right).map(|order| Val::Bool(order.is_gt())),
        Binary::GreaterEqual => order(left, right).map(|order| Val::Bool(order.is_ge())),
        Binary::In => contains(right, left).map(Val::Bool),
        Binary::Add => match (left, right) {
            (Val::String(left), Val::String(right)) => Ok(Val::String(format!("{left}{right}"))),
            (Val::List(left), Val::List(right)) => {
                Ok(Val::List(left.iter().chain(right).cloned().collect()))
            }
            _ => arithmetic(operator, left, right),
        },
        Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo => {
            arithmetic(operator, left, right)
        }
    }
}

pub(super) fn order(left: &Val, right: &Val) -> Result<Ordering, Stop> {
    match (left, right) {
        (Val::Int(left), Val::Int(right)) => Ok(left.cmp(right)),
        (Val::Uint(left), Val::Uint(right)) => Ok(left.cmp(right)),
        (Val::String(left), Val::String(right)) => Ok(left.cmp(right)),
        (Val::Bool(left), Val::Bool(right)) => Ok(left.cmp(right)),
        (Val::Timestamp(left), Val::Timestamp(right))
        | (Val::Duration(left), Val::Duration(right)) => Ok(left.cmp(right)),
        _ => {
            let Some((left, right)) = left.number().zip(right.number()) else {
                return Err(mismatch(left, right));
            };
            left.partial_cmp(&right).ok_or(Stop::Unknown)
        }
    }
}

/// What an operator makes of values that are not its own: no overload fits scalars of different types.
fn mismatch(left: &Val, right: &Val) -> Stop {
    let is_scalar = |value: &Val| {
        matches!(
            value,
            Val::Null | Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Double(_) | Val::String(_)
        )
    };
    match is_scalar(left) && is_scalar(right) {
        true => Stop::Error,
        false => Stop::Unknown,
    }
}

/// `item in container`
pub(super) fn contains(container: &Val, item: &Val) -> Result<bool, Stop> {
    for element in container.elements()? {
        if element.equals(item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn arithmetic(operator: Binary, left: &Val, right: &Val) -> Answer {
    match (left, right) {
        (Val::Int(left), Val::Int(right)) => {
            let result = match operator {
                Binary::Add => left.checked_add(*right),
                Binary::Subtract => left.checked_sub(*right),
                Binary::Multiply => left.checked_mul(*right),
                Binary::Divide => left.checked_div(*right),
                Binary::Modulo => left.checked_rem(*right),
                _ => return Err(Stop::Unknown),
            };
            result.map(Val::Int).ok_or(Stop::Error)
        }
        (Val::Double(left), Val::Double(right)) => Ok(Val::Double(match operator {
            Binary::Add => left + right,
            Binary::Subtract => left - right,
            Binary::Multiply => left * right,
            Binary::Divide => left / right,
            _ => return Err(Stop::Unknown),
        })),
        (Val::Uint(left), Val::Uint(right)) => {
            let result = match operator {
                Binary::Add => left.checked_add(*right),
                Binary::Subtract => left.checked_sub(*right),
                Binary::Multiply => left.checked_mul(*right),
                Binary::Divide => left.checked_div(*right),
                Binary::Modulo => left.checked_rem(*right),
                _ => return Err(Stop::Unknown),
            };
            result.map(Val::Uint).ok_or(Stop::Error)
        }
        _ => Err(mismatch(left, right)),
    }
}
