//! The kinds of std's collections and wrappers, by the paths of their types.

use super::segments::{first_of, last_of};

/// The kinds of lists and sets.
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

/// Every kind by the full path of its type.
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
    /// The kind of the type of a full path; std's own modules may stand in it.
    pub(crate) fn named(path: &str) -> Option<Self> {
        let found = SEQ_KINDS.iter().find(|(known, _)| is_path(path, known));
        found.map(|(_, kind)| *kind)
    }

    /// The full path of its type; none of arrays and slices.
    pub(crate) fn path(self) -> Option<&'static str> {
        let found = SEQ_KINDS.iter().find(|(_, kind)| *kind == self);
        found.map(|(path, _)| *path)
    }

    /// Whether nothing stands in it twice.
    pub(crate) fn is_set(self) -> bool {
        matches!(self, Self::Sorted | Self::Hashed | Self::Indexed)
    }

    /// Whether its methods are those of slices, besides its own.
    pub(crate) fn is_slice(self) -> bool {
        matches!(self, Self::Vec | Self::Array | Self::Slice)
    }
}

/// The kinds of maps.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum MapKind {
    /// `BTreeMap`
    Sorted,
    /// `HashMap`
    Hashed,
    /// `IndexMap`
    Indexed,
    /// `serde_json::Map`: whether it is sorted a feature of serde_json decides.
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
    /// The kind of the type of a full path.
    pub(crate) fn named(path: &str) -> Option<Self> {
        let found = MAP_KINDS.iter().find(|(known, _)| is_path(path, known));
        found.map(|(_, kind)| *kind)
    }

    /// The full path of its type.
    pub(crate) fn path(self) -> &'static str {
        let found = MAP_KINDS.iter().find(|(_, kind)| *kind == self);
        found.map_or("", |(path, _)| *path)
    }
}

/// Types of std that keep one value.
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
    /// The wrapper of a full path.
    pub(crate) fn named(path: &str) -> Option<Self> {
        let found = WRAPPERS.iter().find(|(known, _)| is_path(path, known));
        found.map(|(_, kind)| *kind)
    }

    /// The full path of its type.
    pub(crate) fn path(self) -> &'static str {
        let found = WRAPPERS.iter().find(|(_, kind)| *kind == self);
        found.map_or("", |(path, _)| *path)
    }

    /// Whether `*x` is what is inside, and methods are looked for there as well.
    pub(crate) fn derefs(self) -> bool {
        matches!(
            self,
            Self::Box | Self::Rc | Self::Arc | Self::Cow | Self::Lazy
        )
    }
}

/// Types whose schema and value are those of what they hold.
pub(crate) fn is_wrapper(path: &str) -> bool {
    path.starts_with("std::")
        && matches!(
            last_of(path),
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

/// Whether a path is a known one; `std::collections::btree_map::BTreeMap` and `std::collections::BTreeMap` are the same.
pub(super) fn is_path(path: &str, known: &str) -> bool {
    if path == known {
        return true;
    }
    let hands_on = path.starts_with("std::collections::") || path.starts_with("serde_json::");
    hands_on && first_of(path) == first_of(known) && last_of(path) == last_of(known)
}
