//! The functions of lists, sets and maps.

use super::overload::{A, B, COMPARABLE, Cost, Rows};
use crate::library::{elsewhere, lists};
use crate::operators::{INSERT, SORT_BY};
use crate::types::Type::{self, Bool, Bytes, Dyn, Int, String};

/// The extended functions of lists.
pub(super) fn rows(rows: &mut Rows) {
    let list = || Type::list(A);
    rows.member(
        "slice",
        [list(), Int, Int],
        list(),
        Cost::Slice,
        lists::slice,
    );
    rows.member(
        "flatten",
        [Type::list(list())],
        list(),
        Cost::Flatten,
        lists::flatten,
    );
    rows.member(
        "flatten",
        [Type::list(Dyn), Int],
        Type::list(Dyn),
        Cost::Flatten,
        lists::flatten,
    );
    rows.global(
        "lists.range",
        [Int],
        Type::list(Int),
        Cost::Range,
        lists::range,
    );
    rows.member("reverse", [list()], list(), Cost::Reverse, lists::reverse);
    rows.member(
        "distinct",
        [list()],
        list(),
        Cost::Distinct,
        lists::distinct,
    );
    for ty in COMPARABLE {
        let is_text = matches!(ty, String | Bytes);
        let of = Type::list(ty);
        rows.member(
            "sort",
            [of.clone()],
            of.clone(),
            Cost::Sort(is_text),
            lists::sort,
        );
        rows.member(
            SORT_BY,
            [list(), of],
            list(),
            Cost::SortBy(is_text),
            lists::sort_by,
        );
    }
}

/// Whether a list has an item, or a value is another one.
pub(super) fn includes(rows: &mut Rows) {
    let run = lists::includes;
    rows.member("includes", [Dyn, Dyn], Bool, Cost::Includes, run);
}

/// Lists as sets.
pub(super) fn sets(rows: &mut Rows) {
    let list = || Type::list(A);
    rows.global(
        "sets.contains",
        [list(), list()],
        Bool,
        Cost::Sets(1),
        lists::set_contains,
    );
    rows.global(
        "sets.equivalent",
        [list(), list()],
        Bool,
        Cost::Sets(2),
        lists::set_equivalent,
    );
    rows.global(
        "sets.intersects",
        [list(), list()],
        Bool,
        Cost::Sets(1),
        lists::set_intersects,
    );
}

/// The functions that the map macros expand to.
pub(super) fn insert(rows: &mut Rows) {
    let map = || Type::map(A, B);
    rows.global(INSERT, [map(), A, B], map(), Cost::One, elsewhere);
    rows.global(INSERT, [map(), map()], map(), Cost::One, elsewhere);
}
