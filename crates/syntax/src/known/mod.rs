//! Names that are known without reading their source: the standard library's, and those of crates whose types are built in.

pub mod derives;
pub mod macros;

/// Packages whose source is never read: the meaning of their types is built in.
pub const BUILT_IN: &[&str] = &[
    "arrayvec",
    "bytes",
    "chrono",
    "either",
    "indexmap",
    "jiff",
    "kube",
    "kube-client",
    "kube-core",
    "kube-derive",
    "kube-runtime",
    "regex",
    "rust_decimal",
    "schemars",
    "semver",
    "serde",
    "serde_core",
    "serde_json",
    "serde_with",
    "smallvec",
    "smol_str",
    "url",
    "uuid",
];

/// Whether a name is one of the standard library's crates, all of which are reported as `std`.
pub fn is_std(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc")
}

/// The full path of a type in the prelude.
pub fn prelude_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "Option" => "std::option::Option",
        "Result" => "std::result::Result",
        "String" => "std::string::String",
        "Vec" => "std::vec::Vec",
        "Box" => "std::boxed::Box",
        "AsMut" => "std::convert::AsMut",
        "AsRef" => "std::convert::AsRef",
        "Clone" => "std::clone::Clone",
        "Copy" => "std::marker::Copy",
        "Default" => "std::default::Default",
        "DoubleEndedIterator" => "std::iter::DoubleEndedIterator",
        "Drop" => "std::ops::Drop",
        "Eq" => "std::cmp::Eq",
        "ExactSizeIterator" => "std::iter::ExactSizeIterator",
        "Extend" => "std::iter::Extend",
        "Fn" => "std::ops::Fn",
        "FnMut" => "std::ops::FnMut",
        "FnOnce" => "std::ops::FnOnce",
        "From" => "std::convert::From",
        "FromIterator" => "std::iter::FromIterator",
        "Future" => "std::future::Future",
        "Into" => "std::convert::Into",
        "IntoFuture" => "std::future::IntoFuture",
        "IntoIterator" => "std::iter::IntoIterator",
        "Iterator" => "std::iter::Iterator",
        "Ord" => "std::cmp::Ord",
        "PartialEq" => "std::cmp::PartialEq",
        "PartialOrd" => "std::cmp::PartialOrd",
        "Send" => "std::marker::Send",
        "Sized" => "std::marker::Sized",
        "Sync" => "std::marker::Sync",
        "ToOwned" => "std::borrow::ToOwned",
        "ToString" => "std::string::ToString",
        "TryFrom" => "std::convert::TryFrom",
        "TryInto" => "std::convert::TryInto",
        "Unpin" => "std::marker::Unpin",
        _ => return None,
    })
}

/// The full path of a value in the prelude.
pub fn prelude_value(name: &str) -> Option<&'static str> {
    Some(match name {
        "None" => "std::option::Option::None",
        "Some" => "std::option::Option::Some",
        "Ok" => "std::result::Result::Ok",
        "Err" => "std::result::Result::Err",
        "drop" => "std::mem::drop",
        _ => return None,
    })
}

/// Whether a name is that of a primitive type.
pub fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "bool"
            | "char"
            | "f32"
            | "f64"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "str"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
    )
}

/// The first and the last segment of a full path.
pub(super) fn ends(path: &str) -> (&str, &str) {
    let home = path.split_once(':').map_or("", |(home, _)| home);
    (home, path.rsplit(':').next().unwrap_or(path))
}
