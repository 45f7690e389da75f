//! Names that are known without reading their source: the standard library's, and those of crates whose types are built in.

pub mod derives;
pub mod macros;

/// Packages whose source is never read: the meaning of their types is built in.
#[rustfmt::skip]
pub const BUILT_IN: &[&str] = &[
    "arrayvec", "bytes", "chrono", "either", "indexmap", "jiff", "kube", "kube-client", "kube-core", "kube-derive",
    "kube-runtime", "regex", "rust_decimal", "schemars", "semver", "serde", "serde_core", "serde_json", "serde_with",
    "smallvec", "smol_str", "url", "uuid",
];

/// Whether a name is one of the standard library's crates, all of which are reported as `std`.
pub fn is_std(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc")
}

/// The types and traits of the prelude, by their module.
#[rustfmt::skip]
const PRELUDE: &[(&str, &[&str])] = &[
    ("option", &["Option"]),
    ("result", &["Result"]),
    ("string", &["String", "ToString"]),
    ("vec", &["Vec"]),
    ("boxed", &["Box"]),
    ("convert", &["AsMut", "AsRef", "From", "Into", "TryFrom", "TryInto"]),
    ("clone", &["Clone"]),
    ("marker", &["Copy", "Send", "Sized", "Sync", "Unpin"]),
    ("default", &["Default"]),
    ("iter", &["DoubleEndedIterator", "ExactSizeIterator", "Extend", "FromIterator", "IntoIterator", "Iterator"]),
    ("ops", &["Drop", "Fn", "FnMut", "FnOnce"]),
    ("cmp", &["Eq", "Ord", "PartialEq", "PartialOrd"]),
    ("future", &["Future", "IntoFuture"]),
    ("borrow", &["ToOwned"]),
];

/// The full path of a type in the prelude.
pub fn prelude_type(name: &str) -> Option<String> {
    let mut modules = PRELUDE.iter();
    let (module, _) = modules.find(|(_, names)| names.contains(&name))?;
    Some(format!("std::{module}::{name}"))
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

/// The primitive types.
#[rustfmt::skip]
const PRIMITIVES: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16", "u32", "u64", "u128",
    "usize",
];

/// Whether a name is that of a primitive type.
pub fn is_primitive(name: &str) -> bool {
    PRIMITIVES.contains(&name)
}

/// The first and the last segment of a full path.
pub(super) fn ends(path: &str) -> (&str, &str) {
    let home = path.split_once(':').map_or("", |(home, _)| home);
    (home, path.rsplit(':').next().unwrap_or(path))
}
