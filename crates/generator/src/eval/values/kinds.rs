//! std's collections and wrappers, by the paths of their types.

use super::path_segments::{first_segment, last_segment};

/// Lists and sets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum SeqKind {
    /// `Vec`
    Vec,
    /// `[T; N]`
    Array,
    /// `[T]`
    Slice,
    /// `VecDeque`
    Deque,
    /// `LinkedList`
    Linked,
    /// `BinaryHeap`
    Heap,
    /// `BTreeSet`
    Sorted,
    /// `HashSet`
    Hashed,
    /// `IndexSet`
    Indexed,
}

/// Every kind, by the full path of its type.
const SEQ_KINDS: [(&str, SeqKind); 8] = [
    ("std::vec::Vec", SeqKind::Vec),
    ("std::collections::VecDeque", SeqKind::Deque),
    ("std::collections::LinkedList", SeqKind::Linked),
    ("std::collections::BinaryHeap", SeqKind::Heap),
    ("std::collections::BTreeSet", SeqKind::Sorted),
    ("std::collections::HashSet", SeqKind::Hashed),
    ("indexmap::IndexSet", SeqKind::Indexed),
    ("schemars::Set", SeqKind::Sorted),
];

impl SeqKind {
    /// Returns the kind for the full path of a type, which may go through std's own modules.
    pub(crate) fn named(path: &str) -> Option<Self> {
        let found = SEQ_KINDS.iter().find(|(known, _)| is_path(path, known));
        found.map(|(_, kind)| *kind)
    }

    /// Returns the full path of its type; `None` for arrays and slices.
    pub(crate) fn path(self) -> Option<&'static str> {
        let found = SEQ_KINDS.iter().find(|(_, kind)| *kind == self);
        found.map(|(path, _)| *path)
    }

    /// Returns true if it has no duplicates.
    pub(crate) fn is_set(self) -> bool {
        matches!(self, Self::Sorted | Self::Hashed | Self::Indexed)
    }

    /// Returns true if it has the methods of slices besides its own.
    pub(crate) fn is_slice(self) -> bool {
        matches!(self, Self::Vec | Self::Array | Self::Slice)
    }
}

/// Maps.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum MapKind {
    /// `BTreeMap`
    Sorted,
    /// `HashMap`
    Hashed,
    /// `IndexMap`
    Indexed,
    /// `serde_json::Map`; a feature of serde_json decides whether it is sorted.
    Json,
}

const MAP_KINDS: [(&str, MapKind); 5] = [
    ("std::collections::BTreeMap", MapKind::Sorted),
    ("std::collections::HashMap", MapKind::Hashed),
    ("indexmap::IndexMap", MapKind::Indexed),
    ("serde_json::Map", MapKind::Json),
    ("schemars::Map", MapKind::Sorted),
];

impl MapKind {
    /// Returns the kind for the full path of a type.
    pub(crate) fn named(path: &str) -> Option<Self> {
        let found = MAP_KINDS.iter().find(|(known, _)| is_path(path, known));
        found.map(|(_, kind)| *kind)
    }

    /// Returns the full path of its type.
    pub(crate) fn path(self) -> &'static str {
        let found = MAP_KINDS.iter().find(|(_, kind)| *kind == self);
        found.map_or("", |(path, _)| *path)
    }
}

/// Types of std that wrap one value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Wrapper {
    /// `Box`
    Box,
    /// `Rc`
    Rc,
    /// `Arc`
    Arc,
    /// `Cow`
    Cow,
    /// `Cell`
    Cell,
    /// `RefCell`
    RefCell,
    /// `Mutex`
    Mutex,
    /// `RwLock`
    RwLock,
    /// `OnceCell`, `OnceLock`
    Once,
    /// `LazyCell`, `LazyLock`
    Lazy,
    /// `std::cmp::Reverse`
    Reverse,
    /// `std::num::Wrapping`
    Wrapping,
    /// `std::num::NonZero`
    NonZero,
}

const WRAPPERS: [(&str, Wrapper); 15] = [
    ("std::boxed::Box", Wrapper::Box),
    ("std::rc::Rc", Wrapper::Rc),
    ("std::sync::Arc", Wrapper::Arc),
    ("std::borrow::Cow", Wrapper::Cow),
    ("std::cell::Cell", Wrapper::Cell),
    ("std::cell::RefCell", Wrapper::RefCell),
    ("std::sync::Mutex", Wrapper::Mutex),
    ("std::sync::RwLock", Wrapper::RwLock),
    ("std::sync::OnceLock", Wrapper::Once),
    ("std::cell::OnceCell", Wrapper::Once),
    ("std::sync::LazyLock", Wrapper::Lazy),
    ("std::cell::LazyCell", Wrapper::Lazy),
    ("std::cmp::Reverse", Wrapper::Reverse),
    ("std::num::Wrapping", Wrapper::Wrapping),
    ("std::num::NonZero", Wrapper::NonZero),
];

impl Wrapper {
    /// Returns the wrapper for a full path.
    pub(crate) fn named(path: &str) -> Option<Self> {
        let found = WRAPPERS.iter().find(|(known, _)| is_path(path, known));
        found.map(|(_, kind)| *kind)
    }

    /// Returns the full path of its type.
    pub(crate) fn path(self) -> &'static str {
        let found = WRAPPERS.iter().find(|(_, kind)| *kind == self);
        found.map_or("", |(path, _)| *path)
    }

    /// Returns true if it dereferences to its content, so that methods are resolved there too.
    pub(crate) fn derefs(self) -> bool {
        matches!(
            self,
            Self::Box | Self::Rc | Self::Arc | Self::Cow | Self::Lazy
        )
    }
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
pub(super) fn is_path(path: &str, known: &str) -> bool {
    if path == known {
        return true;
    }
    let hands_on = path.starts_with("std::collections::") || path.starts_with("serde_json::");
    hands_on
        && first_segment(path) == first_segment(known)
        && last_segment(path) == last_segment(known)
}
