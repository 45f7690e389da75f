//! std's collections and wrappers, by the paths of their types.

use super::path_segments::{first_segment, last_segment};

const LISTS: [&str; 3] = [
    "std::vec::Vec",
    "std::collections::VecDeque",
    "std::collections::LinkedList",
];

const SETS: [&str; 4] = [
    "std::collections::BTreeSet",
    "std::collections::HashSet",
    "indexmap::IndexSet",
    "schemars::Set",
];

const MAPS: [&str; 5] = [
    "std::collections::BTreeMap",
    "std::collections::HashMap",
    "indexmap::IndexMap",
    "serde_json::Map",
    "schemars::Map",
];

/// The wrappers that dereference to their content, and are created by `new`.
const POINTERS: [&str; 3] = ["std::boxed::Box", "std::rc::Rc", "std::sync::Arc"];

/// Returns true for the full path of a list.
pub(crate) fn is_list(path: &str) -> bool {
    LISTS.iter().any(|known| is_path(path, known))
}

/// Returns true for the full path of a set.
pub(crate) fn is_set(path: &str) -> bool {
    SETS.iter().any(|known| is_path(path, known))
}

/// Returns true for the full path of a map.
pub(crate) fn is_map(path: &str) -> bool {
    MAPS.iter().any(|known| is_path(path, known))
}

/// Returns true for the full path of `Box`, `Rc` or `Arc`.
pub(crate) fn is_pointer(path: &str) -> bool {
    POINTERS.contains(&path)
}

/// Returns true for types with the schema and value of their content.
pub(crate) fn is_wrapper(path: &str) -> bool {
    path.starts_with("std::")
        && matches!(
            last_segment(path),
            "Box"
                | "Arc"
                | "Rc"
                | "Weak"
                | "Cow"
                | "Cell"
                | "RefCell"
                | "Mutex"
                | "RwLock"
                | "Wrapping"
                | "Reverse"
        )
}

/// Returns true if a path is a known one; `std::collections::btree_map::BTreeMap` and `std::collections::BTreeMap` are the
/// same.
fn is_path(path: &str, known: &str) -> bool {
    if path == known {
        return true;
    }
    let hands_on = path.starts_with("std::collections::") || path.starts_with("serde_json::");
    hands_on
        && first_segment(path) == first_segment(known)
        && last_segment(path) == last_segment(known)
}
