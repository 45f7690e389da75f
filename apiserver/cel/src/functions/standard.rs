//! The functions of the language itself.

use super::overload::{A, B, Cost, Rows};
use crate::library::Run;
use crate::library::{conversions, elsewhere, operators, optionals, texts, times};
use crate::operators::{INDEX, OPTIONAL_INDEX};
use crate::types::Type::{self, Bool, Bytes, Double, Duration, Dyn, Int, String, Timestamp, Uint};

pub(super) fn rows(rows: &mut Rows) {
    for ty in [Bytes, Type::list(A), Type::map(A, B), String] {
        rows.global("size", [ty.clone()], Int, Cost::One, texts::size);
        rows.member("size", [ty], Int, Cost::One, texts::size);
    }
    rows.global(
        "type",
        [A],
        Type::of_type(A),
        Cost::One,
        conversions::type_of,
    );
    rows.global("dyn", [A], Dyn, Cost::One, conversions::dynamic);
    conversions(rows);
    rows.member(
        "contains",
        [String, String],
        Bool,
        Cost::Contains,
        texts::contains,
    );
    rows.member(
        "endsWith",
        [String, String],
        Bool,
        Cost::Affix,
        texts::ends_with,
    );
    rows.member(
        "startsWith",
        [String, String],
        Bool,
        Cost::Affix,
        texts::starts_with,
    );
    // As a function it had the default cost before cel-go 0.29.
    rows.global("matches", [String, String], Bool, Cost::One, texts::matches);
    rows.repriced(37, Cost::Matches);
    rows.member(
        "matches",
        [String, String],
        Bool,
        Cost::Matches,
        texts::matches,
    );
    times(rows);
}

fn conversions(rows: &mut Rows) {
    let all: [(&str, Type, &[Type], Run); 8] = [
        ("bool", Bool, &[Bool, String], conversions::bool),
        (
            "double",
            Double,
            &[Double, Int, String, Uint],
            conversions::double,
        ),
        (
            "duration",
            Duration,
            &[Duration, String],
            times::to_duration,
        ),
        (
            "int",
            Int,
            &[Int, Double, Duration, String, Timestamp, Uint],
            conversions::int,
        ),
        (
            "string",
            String,
            &[String, Bool, Double, Duration, Int, Timestamp, Uint],
            conversions::string,
        ),
        (
            "timestamp",
            Timestamp,
            &[Timestamp, Int, String],
            times::to_timestamp,
        ),
        (
            "uint",
            Uint,
            &[Uint, Double, Int, String],
            conversions::uint,
        ),
        ("bytes", Bytes, &[Bytes], conversions::bytes),
    ];
    for (name, gives, takes, run) in all {
        for ty in takes {
            rows.global(name, [ty.clone()], gives.clone(), Cost::One, run);
        }
    }
    // It never had a conversion.
    rows.global("duration", [Int], Duration, Cost::One, times::to_duration);
    rows.until(37);
    rows.global("bytes", [String], Bytes, Cost::ToBytes, conversions::bytes);
    rows.global("string", [Bytes], String, Cost::ToText, conversions::string);
}

fn times(rows: &mut Rows) {
    let parts: [(&str, Run); 10] = [
        ("getFullYear", times::full_year),
        ("getMonth", times::month),
        ("getDayOfYear", times::day_of_year),
        ("getDayOfMonth", times::day_of_month),
        ("getDate", times::date),
        ("getDayOfWeek", times::day_of_week),
        ("getHours", times::hours),
        ("getMinutes", times::minutes),
        ("getSeconds", times::seconds),
        ("getMilliseconds", times::milliseconds),
    ];
    for (name, run) in parts {
        rows.member(name, [Timestamp], Int, Cost::One, run);
        rows.member(name, [Timestamp, String], Int, Cost::One, run);
    }
    let [.., hours, minutes, seconds, milliseconds] = parts;
    for (name, run) in [hours, minutes, seconds, milliseconds] {
        rows.member(name, [Duration], Int, Cost::One, run);
    }
}

/// Optionals.
pub(super) fn optionals(rows: &mut Rows) {
    let some = || Type::optional(A);
    rows.global("optional.of", [A], some(), Cost::One, optionals::of_value);
    rows.global(
        "optional.ofNonZeroValue",
        [A],
        some(),
        Cost::One,
        optionals::of_non_zero,
    );
    rows.global("optional.none", [], some(), Cost::One, optionals::none);
    rows.member("value", [some()], A, Cost::One, optionals::value);
    rows.member("hasValue", [some()], Bool, Cost::One, optionals::has_value);
    rows.member("or", [some(), some()], some(), Cost::One, elsewhere);
    rows.member("orValue", [some(), A], A, Cost::One, elsewhere);
    let value = || Type::optional(B);
    let list = || Type::list(A);
    let map = || Type::map(A, B);
    rows.global(OPTIONAL_INDEX, [list(), Int], some(), Cost::One, elsewhere);
    rows.global(
        OPTIONAL_INDEX,
        [Type::optional(list()), Int],
        some(),
        Cost::One,
        elsewhere,
    );
    rows.global(OPTIONAL_INDEX, [map(), A], value(), Cost::One, elsewhere);
    rows.global(
        OPTIONAL_INDEX,
        [Type::optional(map()), A],
        value(),
        Cost::One,
        elsewhere,
    );
    rows.global(
        INDEX,
        [Type::optional(list()), Int],
        some(),
        Cost::One,
        operators::index,
    );
    rows.global(
        INDEX,
        [Type::optional(map()), A],
        value(),
        Cost::One,
        operators::index,
    );
}

/// The additions of a later version of the optionals.
pub(super) fn ends(rows: &mut Rows) {
    let some = || Type::optional(A);
    rows.member(
        "first",
        [Type::list(A)],
        some(),
        Cost::One,
        optionals::first,
    );
    rows.member("last", [Type::list(A)], some(), Cost::One, optionals::last);
    rows.global(
        "optional.unwrap",
        [Type::list(some())],
        Type::list(A),
        Cost::One,
        optionals::unwrap,
    );
    rows.member(
        "unwrapOpt",
        [Type::list(some())],
        Type::list(A),
        Cost::One,
        optionals::unwrap,
    );
}
