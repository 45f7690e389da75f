//! The extended functions of strings.

use super::overload::{Cost, Rows};
use crate::library::Run;
use crate::library::{format, texts};
use crate::types::Type::{self, Dyn, Int, String};

pub(super) fn rows(rows: &mut Rows) {
    let texts = || Type::list(String);
    rows.member("charAt", [String, Int], String, Cost::One, texts::char_at);
    let searches: [(&str, Run); 2] = [
        ("indexOf", texts::index_of),
        ("lastIndexOf", texts::last_index_of),
    ];
    for (name, run) in searches {
        rows.member(name, [String, String], Int, Cost::ReadElements, run);
        rows.member(name, [String, String, Int], Int, Cost::ReadElements, run);
    }
    rows.member(
        "lowerAscii",
        [String],
        String,
        Cost::KeepTarget,
        texts::lower_ascii,
    );
    rows.member(
        "upperAscii",
        [String],
        String,
        Cost::KeepTarget,
        texts::upper_ascii,
    );
    rows.member("trim", [String], String, Cost::KeepTarget, texts::trim);
    rows.member(
        "replace",
        [String, String, String],
        String,
        Cost::Replace,
        texts::replace,
    );
    rows.member(
        "replace",
        [String, String, String, Int],
        String,
        Cost::Replace,
        texts::replace,
    );
    rows.member(
        "split",
        [String, String],
        texts(),
        Cost::Split,
        texts::split,
    );
    rows.member(
        "split",
        [String, String, Int],
        texts(),
        Cost::Split,
        texts::split,
    );
    rows.member(
        "substring",
        [String, Int],
        String,
        Cost::KeepTarget,
        texts::substring,
    );
    rows.member(
        "substring",
        [String, Int, Int],
        String,
        Cost::KeepTarget,
        texts::substring,
    );
    rows.member("join", [texts()], String, Cost::Join, texts::join);
    rows.member("join", [texts(), String], String, Cost::Join, texts::join);
}

/// The additions of the second version of the library.
pub(super) fn later(rows: &mut Rows) {
    rows.member(
        "format",
        [String, Type::list(Dyn)],
        String,
        Cost::ReadTarget,
        format::format,
    );
    rows.global("strings.quote", [String], String, Cost::Quote, texts::quote);
}
