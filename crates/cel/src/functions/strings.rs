//! The extended functions of strings.

use super::{Cost, Rows};
use crate::types::Type::{self, Dyn, Int, String};

pub(super) fn rows(rows: &mut Rows) {
    let texts = || Type::list(String);
    rows.member("charAt", [String, Int], String, Cost::One);
    for name in ["indexOf", "lastIndexOf"] {
        rows.member(name, [String, String], Int, Cost::ReadElements);
        rows.member(name, [String, String, Int], Int, Cost::ReadElements);
    }
    rows.member("lowerAscii", [String], String, Cost::KeepTarget);
    rows.member("upperAscii", [String], String, Cost::KeepTarget);
    rows.member("trim", [String], String, Cost::KeepTarget);
    rows.member("replace", [String, String, String], String, Cost::Replace);
    rows.member(
        "replace",
        [String, String, String, Int],
        String,
        Cost::Replace,
    );
    rows.member("split", [String, String], texts(), Cost::Split);
    rows.member("split", [String, String, Int], texts(), Cost::Split);
    rows.member("substring", [String, Int], String, Cost::KeepTarget);
    rows.member("substring", [String, Int, Int], String, Cost::KeepTarget);
    rows.member("join", [texts()], String, Cost::Join);
    rows.member("join", [texts(), String], String, Cost::Join);
}

/// What the second version of the library brought.
pub(super) fn later(rows: &mut Rows) {
    rows.member(
        "format",
        [String, Type::list(Dyn)],
        String,
        Cost::ReadTarget,
    );
    rows.global("strings.quote", [String], String, Cost::Quote);
}
