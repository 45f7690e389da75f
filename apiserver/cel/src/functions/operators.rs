//! The operators.

use super::overload::{A, B, Cost, Rows};
use crate::library::Run;
use crate::library::{elsewhere, operators};
use crate::operators::{
    ADD, AND, CONDITIONAL, DIVIDE, EQUAL, GREATER, GREATER_EQUAL, IN, INDEX, LESS, LESS_EQUAL,
    MODULO, MULTIPLY, NEGATE, NOT, NOT_EQUAL, NOT_FALSE, OR, SUBTRACT,
};
use crate::types::Type::{self, Bool, Bytes, Double, Duration, Int, String, Timestamp, Uint};

/// The comparable types, in the order in which the server tries them if a type is open.
const ORDERED: [Type; 8] = [Bool, Int, Uint, Double, String, Bytes, Timestamp, Duration];

const ORDERS: [(&str, Run); 4] = [
    (LESS, operators::less),
    (LESS_EQUAL, operators::less_equal),
    (GREATER, operators::greater),
    (GREATER_EQUAL, operators::greater_equal),
];

pub(super) fn rows(rows: &mut Rows) {
    rows.global(CONDITIONAL, [Bool, A, A], A, Cost::Conditional, elsewhere);
    rows.global(AND, [Bool, Bool], Bool, Cost::Logic, elsewhere);
    rows.global(OR, [Bool, Bool], Bool, Cost::Logic, elsewhere);
    rows.global(NOT, [Bool], Bool, Cost::One, operators::not);
    rows.global(NOT_FALSE, [Bool], Bool, Cost::One, elsewhere);
    rows.global(EQUAL, [A, A], Bool, Cost::Equal, operators::equal);
    rows.global(NOT_EQUAL, [A, A], Bool, Cost::Compare, operators::not_equal);
    for (order, run) in ORDERS {
        for ty in ORDERED {
            let cost = match ty {
                String | Bytes => Cost::Compare,
                _ => Cost::One,
            };
            rows.global(order, [ty.clone(), ty], Bool, cost, run);
        }
    }
    rows.global(
        INDEX,
        [Type::list(A), Int],
        A,
        Cost::IndexList,
        operators::index,
    );
    rows.global(
        INDEX,
        [Type::map(A, B), A],
        B,
        Cost::IndexMap,
        operators::index,
    );
    rows.global(IN, [A, Type::list(A)], Bool, Cost::InList, operators::is_in);
    rows.global(IN, [A, Type::map(A, B)], Bool, Cost::One, operators::is_in);
    arithmetic(rows);
}

fn arithmetic(rows: &mut Rows) {
    for ty in [Bytes, String] {
        rows.global(
            ADD,
            [ty.clone(), ty.clone()],
            ty,
            Cost::AddText,
            operators::add,
        );
    }
    rows.global(
        ADD,
        [Type::list(A), Type::list(A)],
        Type::list(A),
        Cost::AddList,
        operators::add,
    );
    let operations: [(&str, Run); 4] = [
        (ADD, operators::add),
        (SUBTRACT, operators::subtract),
        (MULTIPLY, operators::multiply),
        (DIVIDE, operators::divide),
    ];
    let [add, subtract, ..] = operations;
    for (operator, run) in operations {
        // Servers try them in this order.
        for ty in [Double, Int, Uint] {
            rows.global(operator, [ty.clone(), ty.clone()], ty, Cost::One, run);
        }
    }
    for ty in [Int, Uint] {
        rows.global(
            MODULO,
            [ty.clone(), ty.clone()],
            ty,
            Cost::One,
            operators::modulo,
        );
    }
    for ty in [Double, Int] {
        rows.global(NEGATE, [ty.clone()], ty, Cost::One, operators::negate);
    }
    for (operator, run) in [add, subtract] {
        rows.global(operator, [Duration, Duration], Duration, Cost::One, run);
        rows.global(operator, [Timestamp, Duration], Timestamp, Cost::One, run);
    }
    rows.global(
        ADD,
        [Duration, Timestamp],
        Timestamp,
        Cost::One,
        operators::add,
    );
    rows.global(
        SUBTRACT,
        [Timestamp, Timestamp],
        Duration,
        Cost::One,
        operators::subtract,
    );
}

/// Numbers of different types.
pub(super) fn across_numbers(rows: &mut Rows) {
    for (order, run) in ORDERS {
        for (one, other) in [(Int, Double), (Int, Uint), (Uint, Double)] {
            rows.global(order, [one.clone(), other.clone()], Bool, Cost::One, run);
            rows.global(order, [other, one], Bool, Cost::One, run);
        }
    }
}
