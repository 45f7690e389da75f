//! What `#[crd(..)]` says of a schema node: the same in every channel, whatever the convention.

use super::{Merge, Notes};
use crate::Text;
use crate::diag::Span;
pub use crd_channels_markers::{Count, Level};

/// What `#[crd(..)]` says of a field or a type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// `title`
    pub title: Option<Text>,
    /// `example`, `external_docs`
    pub notes: Notes,
    /// `list_type`, `list_map_keys`, `map_type`, `struct_type`
    pub merge: Merge,
    /// `immutable`: the field as the rules of the object around it read it.
    pub immutable: Option<Member>,
    /// `embedded_resource`
    pub embedded_resource: bool,
    /// `embedded_metadata`: the ways from here to every object's metadata.
    pub metadata: Vec<Vec<Step>>,
    /// `exactly_one_of` and the like
    pub unions: Vec<Union>,
    /// `allow(..)`, `warn(..)`, `deny(..)`
    pub levels: Vec<LintLevel>,
    /// `inner(..)`: of the items of a list or the values of a map.
    pub inner: Option<Box<Marks>>,
}

/// A lint whose level the source sets.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct LintLevel {
    /// The lint's code.
    pub code: &'static str,
    /// What its findings do.
    pub level: Level,
    /// Where it is set.
    pub span: Span,
}

/// A field that rules read.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its serialized name.
    pub name: Text,
    /// The name as expressions write it.
    pub escaped: Text,
    /// Where it is named.
    pub span: Span,
}

/// Fields of which some have to be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// How many.
    pub count: Count,
    /// The fields.
    pub members: Vec<Member>,
    /// Where they are named.
    pub span: Span,
}

/// From a schema to one below it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Step {
    /// A property.
    Property(Text),
    /// The items of a list.
    Items,
    /// The values of a map.
    Values,
}
