//! The operators.

use super::{A, B, COMPARABLE, Cost, Rows};
use crate::operators::{
    ADD, AND, CONDITIONAL, DIVIDE, EQUAL, GREATER, GREATER_EQUAL, IN, INDEX, LESS, LESS_EQUAL,
    MODULO, MULTIPLY, NEGATE, NOT, NOT_EQUAL, NOT_FALSE, OR, SUBTRACT,
};
use crate::types::Type::{self, Bool, Bytes, Double, Duration, Int, String, Timestamp, Uint};

const ORDERS: [&str; 4] = [LESS, LESS_EQUAL, GREATER, GREATER_EQUAL];

pub(super) fn rows(rows: &mut Rows) {
    rows.global(CONDITIONAL, [Bool, A, A], A, Cost::Conditional);
    rows.global(AND, [Bool, Bool], Bool, Cost::Logic);
    rows.global(OR, [Bool, Bool], Bool, Cost::Logic);
    rows.global(NOT, [Bool], Bool, Cost::One);
    rows.global(NOT_FALSE, [Bool], Bool, Cost::One);
    rows.global(EQUAL, [A, A], Bool, Cost::Equal);
    rows.global(NOT_EQUAL, [A, A], Bool, Cost::Compare);
    for order in ORDERS {
        for ty in COMPARABLE {
            let cost = match ty {
                String | Bytes => Cost::Compare,
                _ => Cost::One,
            };
            rows.global(order, [ty.clone(), ty], Bool, cost);
        }
    }
    rows.global(INDEX, [Type::list(A), Int], A, Cost::IndexList);
    rows.global(INDEX, [Type::map(A, B), A], B, Cost::IndexMap);
    rows.global(IN, [A, Type::list(A)], Bool, Cost::InList);
    rows.global(IN, [A, Type::map(A, B)], Bool, Cost::One);
    arithmetic(rows);
}

fn arithmetic(rows: &mut Rows) {
    for ty in [Bytes, String] {
        rows.global(ADD, [ty.clone(), ty.clone()], ty, Cost::AddText);
    }
    rows.global(
        ADD,
        [Type::list(A), Type::list(A)],
        Type::list(A),
        Cost::AddList,
    );
    for operator in [ADD, SUBTRACT, MULTIPLY, DIVIDE] {
        for ty in [Int, Uint, Double] {
            rows.global(operator, [ty.clone(), ty.clone()], ty, Cost::One);
        }
    }
    for ty in [Int, Uint] {
        rows.global(MODULO, [ty.clone(), ty.clone()], ty, Cost::One);
    }
    for ty in [Int, Double] {
        rows.global(NEGATE, [ty.clone()], ty, Cost::One);
    }
    for operator in [ADD, SUBTRACT] {
        rows.global(operator, [Duration, Duration], Duration, Cost::One);
        rows.global(operator, [Timestamp, Duration], Timestamp, Cost::One);
    }
    rows.global(ADD, [Duration, Timestamp], Timestamp, Cost::One);
    rows.global(SUBTRACT, [Timestamp, Timestamp], Duration, Cost::One);
}

/// Numbers of different types.
pub(super) fn across_numbers(rows: &mut Rows) {
    for order in ORDERS {
        for (one, other) in [(Int, Double), (Int, Uint), (Uint, Double)] {
            rows.global(order, [one.clone(), other.clone()], Bool, Cost::One);
            rows.global(order, [other, one], Bool, Cost::One);
        }
    }
}
