//! What the language itself has.

use super::{A, B, Cost, Rows};
use crate::operators::{INDEX, OPTIONAL_INDEX};
use crate::types::Type::{self, Bool, Bytes, Double, Duration, Dyn, Int, String, Timestamp, Uint};

pub(super) fn rows(rows: &mut Rows) {
    for ty in [Bytes, Type::list(A), Type::map(A, B), String] {
        rows.global("size", [ty.clone()], Int, Cost::One);
        rows.member("size", [ty], Int, Cost::One);
    }
    rows.global("type", [A], Type::of_type(A), Cost::One);
    rows.global("dyn", [A], Dyn, Cost::One);
    conversions(rows);
    rows.member("contains", [String, String], Bool, Cost::Contains);
    rows.member("endsWith", [String, String], Bool, Cost::Affix);
    rows.member("startsWith", [String, String], Bool, Cost::Affix);
    // As a function it has the price of any other.
    rows.global("matches", [String, String], Bool, Cost::One);
    rows.member("matches", [String, String], Bool, Cost::Matches);
    times(rows);
}

fn conversions(rows: &mut Rows) {
    let all: [(&str, Type, &[Type]); 8] = [
        ("bool", Bool, &[Bool, String]),
        ("double", Double, &[Double, Int, String, Uint]),
        ("duration", Duration, &[Duration, Int, String]),
        (
            "int",
            Int,
            &[Int, Double, Duration, String, Timestamp, Uint],
        ),
        (
            "string",
            String,
            &[String, Bool, Double, Duration, Int, Timestamp, Uint],
        ),
        ("timestamp", Timestamp, &[Timestamp, Int, String]),
        ("uint", Uint, &[Uint, Double, Int, String]),
        ("bytes", Bytes, &[Bytes]),
    ];
    for (name, gives, takes) in all {
        for ty in takes {
            rows.global(name, [ty.clone()], gives.clone(), Cost::One);
        }
    }
    rows.global("bytes", [String], Bytes, Cost::ToBytes);
    rows.global("string", [Bytes], String, Cost::ToText);
}

fn times(rows: &mut Rows) {
    for name in [
        "getFullYear",
        "getMonth",
        "getDayOfYear",
        "getDayOfMonth",
        "getDate",
        "getDayOfWeek",
        "getHours",
        "getMinutes",
        "getSeconds",
        "getMilliseconds",
    ] {
        rows.member(name, [Timestamp], Int, Cost::One);
        rows.member(name, [Timestamp, String], Int, Cost::One);
    }
    for name in ["getHours", "getMinutes", "getSeconds", "getMilliseconds"] {
        rows.member(name, [Duration], Int, Cost::One);
    }
}

/// Optionals.
pub(super) fn optionals(rows: &mut Rows) {
    let some = || Type::optional(A);
    rows.global("optional.of", [A], some(), Cost::One);
    rows.global("optional.ofNonZeroValue", [A], some(), Cost::One);
    rows.global("optional.none", [], some(), Cost::One);
    rows.member("value", [some()], A, Cost::One);
    rows.member("hasValue", [some()], Bool, Cost::One);
    rows.member("or", [some(), some()], some(), Cost::One);
    rows.member("orValue", [some(), A], A, Cost::One);
    let value = || Type::optional(B);
    let list = || Type::list(A);
    let map = || Type::map(A, B);
    rows.global(OPTIONAL_INDEX, [list(), Int], some(), Cost::One);
    rows.global(
        OPTIONAL_INDEX,
        [Type::optional(list()), Int],
        some(),
        Cost::One,
    );
    rows.global(OPTIONAL_INDEX, [map(), A], value(), Cost::One);
    rows.global(
        OPTIONAL_INDEX,
        [Type::optional(map()), A],
        value(),
        Cost::One,
    );
    rows.global(INDEX, [Type::optional(list()), Int], some(), Cost::One);
    rows.global(INDEX, [Type::optional(map()), A], value(), Cost::One);
}

/// What a later version of the optionals brought.
pub(super) fn ends(rows: &mut Rows) {
    let some = || Type::optional(A);
    rows.member("first", [Type::list(A)], some(), Cost::One);
    rows.member("last", [Type::list(A)], some(), Cost::One);
    rows.global(
        "optional.unwrap",
        [Type::list(some())],
        Type::list(A),
        Cost::One,
    );
    rows.member("unwrapOpt", [Type::list(some())], Type::list(A), Cost::One);
}
