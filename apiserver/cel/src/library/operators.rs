//! Operators.

use super::{Answer, Stop, UNFIT, Val, times};
use crate::value::{any_equals, order};
use std::cmp::Ordering;

pub(crate) fn not(given: &[Val]) -> Answer {
    let [Val::Bool(value)] = given else {
        return UNFIT;
    };
    Ok(Val::Bool(!value))
}

pub(crate) fn negate(given: &[Val]) -> Answer {
    match given {
        [Val::Int(value)] => value.checked_neg().map(Val::Int).ok_or(Stop::Error),
        [Val::Double(value)] => Ok(Val::Double(-value)),
        _ => UNFIT,
    }
}

pub(crate) fn equal(given: &[Val]) -> Answer {
    let [left, right] = given else { return UNFIT };
    left.equals(right).map(Val::Bool)
}

pub(crate) fn not_equal(given: &[Val]) -> Answer {
    let [left, right] = given else { return UNFIT };
    left.equals(right).map(|equal| Val::Bool(!equal))
}

pub(crate) fn less(given: &[Val]) -> Answer {
    ordered(given, Ordering::is_lt)
}

pub(crate) fn less_equal(given: &[Val]) -> Answer {
    ordered(given, Ordering::is_le)
}

pub(crate) fn greater(given: &[Val]) -> Answer {
    ordered(given, Ordering::is_gt)
}

pub(crate) fn greater_equal(given: &[Val]) -> Answer {
    ordered(given, Ordering::is_ge)
}

fn ordered(given: &[Val], holds: fn(Ordering) -> bool) -> Answer {
    let [left, right] = given else { return UNFIT };
    order(left, right).map(|order| Val::Bool(holds(order)))
}

/// `list[0]`, `map['key']`
pub(crate) fn index(given: &[Val]) -> Answer {
    let [operand, index] = given else {
        return UNFIT;
    };
    operand.select(index, false)
}

/// `item in list`, `key in map`
pub(crate) fn is_in(given: &[Val]) -> Answer {
    match given {
        [Val::Opaque, _] => UNFIT,
        [
            item,
            Val::List(items) | Val::Unordered(items) | Val::Shuffled(items),
        ] => any_equals(items, item).map(Val::Bool),
        [
            key @ (Val::Bool(_) | Val::Int(_) | Val::Uint(_) | Val::Double(_) | Val::String(_)),
            map,
        ] => map.find(key).map(|found| Val::Bool(found.is_some())),
        _ => UNFIT,
    }
}

pub(crate) fn add(given: &[Val]) -> Answer {
    match given {
        [Val::String(left), Val::String(right)] => Ok(Val::text(format!("{left}{right}"))),
        [Val::Bytes(left), Val::Bytes(right)] => {
            let bytes = left.iter().chain(right.iter());
            Ok(Val::Bytes(bytes.copied().collect()))
        }
        // Servers return the right list itself, which stays a set if it is one.
        [Val::List(left), right @ (Val::List(_) | Val::Unordered(_))] if left.is_empty() => {
            Ok(right.clone())
        }
        // A list of an object treats these as texts, which they no longer are.
        [Val::List(_), Val::List(right) | Val::Unordered(right)]
            if right.iter().any(|item| {
                matches!(item, Val::Timestamp(_) | Val::Duration(_) | Val::Bytes(_))
            }) =>
        {
            UNFIT
        }
        [Val::List(left), Val::List(right) | Val::Unordered(right)] => {
            Ok(Val::list(left.iter().chain(right.iter()).cloned()))
        }
        [
            Val::Unordered(left),
            Val::List(right) | Val::Unordered(right),
        ] => union(left, right),
        [Val::Int(left), Val::Int(right)] => checked(left.checked_add(*right)),
        [Val::Uint(left), Val::Uint(right)] => checked_uint(left.checked_add(*right)),
        [Val::Double(left), Val::Double(right)] => Ok(Val::Double(left + right)),
        _ => times::add(given),
    }
}

/// A set with the items of a list that are not in it.
fn union(set: &[Val], list: &[Val]) -> Answer {
    let mut union = set.to_vec();
    for item in list {
        // Servers look for items in their raw form.
        if !union.iter().chain([item]).all(Val::is_written) {
            return UNFIT;
        }
        if !any_equals(&union, item)? {
            union.push(item.clone());
        }
    }
    Ok(Val::Unordered(union.into()))
}

pub(crate) fn subtract(given: &[Val]) -> Answer {
    match given {
        [Val::Int(left), Val::Int(right)] => checked(left.checked_sub(*right)),
        [Val::Uint(left), Val::Uint(right)] => checked_uint(left.checked_sub(*right)),
        [Val::Double(left), Val::Double(right)] => Ok(Val::Double(left - right)),
        _ => times::subtract(given),
    }
}

pub(crate) fn multiply(given: &[Val]) -> Answer {
    match given {
        [Val::Int(left), Val::Int(right)] => checked(left.checked_mul(*right)),
        [Val::Uint(left), Val::Uint(right)] => checked_uint(left.checked_mul(*right)),
        [Val::Double(left), Val::Double(right)] => Ok(Val::Double(left * right)),
        _ => UNFIT,
    }
}

pub(crate) fn divide(given: &[Val]) -> Answer {
    match given {
        [Val::Int(left), Val::Int(right)] => checked(left.checked_div(*right)),
        [Val::Uint(left), Val::Uint(right)] => checked_uint(left.checked_div(*right)),
        [Val::Double(left), Val::Double(right)] => Ok(Val::Double(left / right)),
        _ => UNFIT,
    }
}

pub(crate) fn modulo(given: &[Val]) -> Answer {
    match given {
        [Val::Int(left), Val::Int(right)] => checked(left.checked_rem(*right)),
        [Val::Uint(left), Val::Uint(right)] => checked_uint(left.checked_rem(*right)),
        _ => UNFIT,
    }
}

fn checked(number: Option<i64>) -> Answer {
    number.map(Val::Int).ok_or(Stop::Error)
}

fn checked_uint(number: Option<u64>) -> Answer {
    number.map(Val::Uint).ok_or(Stop::Error)
}
