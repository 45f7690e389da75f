//! Gates, tombstones, and the values of `#[crd(..)]` on schema nodes, which are the same in every channel and convention.

use super::path::Segment;
use super::{Merge, Notes};
use crd_channels_diagnostics::{Span, Text};
pub use crd_channels_markers::{Count, Level, Polarity, Status};

/// A condition on the channel: the node exists only if the feature is on (or off).
pub type Gate = crd_channels_markers::Gate<Text, Span>;

/// The values of `#[crd(..)]` on a field or a type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// `title`
    pub title: Option<Text>,
    /// `example`, `external_docs`
    pub notes: Notes,
    /// `list_type`, `list_map_keys`, `map_type`, `struct_type`
    pub merge: Merge,
    /// `immutable`: the field as the rules of the surrounding object refer to it.
    pub immutable: Option<Member>,
    /// `deprecated`: what to use instead, in one line.
    pub deprecated: Option<Text>,
    /// `embedded_resource`
    pub embedded_resource: bool,
    /// `embedded_metadata`: the paths from here to the metadata of every object.
    pub metadata: Vec<Vec<Segment<Text>>>,
    /// `conditions`: the conditions in the list.
    pub conditions: Option<Conditions>,
    /// `exactly_one_of` and the like
    pub unions: Vec<Union>,
    /// `allow(..)`, `warn(..)`, `deny(..)`
    pub levels: Vec<LintLevel>,
    /// `inner(..)`: the marks of a list's items or a map's values.
    pub inner: Option<Box<Marks>>,
}

/// The declared conditions of a list, which may also contain others.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// The enum that declares them.
    pub declared_by: Declaring,
    /// The types, in the order of their declaration.
    pub types: Vec<Condition>,
    /// Whether the items are Kubernetes' own `meta/v1.Condition`.
    pub of_kubernetes: bool,
}

/// A condition type. `R` is a type before its reasons are resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition<R = Reasons> {
    /// Its name, with its domain if it has one.
    pub name: Text,
    /// The span of its declaration.
    pub span: Span,
    /// Its gates; it exists only if all of them hold.
    pub gates: Vec<Gate>,
    /// The status on a healthy object.
    pub polarity: Polarity,
    /// Whether a positive condition exists only if the controller uses it.
    pub optional: bool,
    /// Its replacement, if it is deprecated.
    pub replaced: Option<Replaced>,
    /// Its documentation.
    pub docs: Text,
    /// Its reasons.
    pub reasons: R,
}

/// The reasons of a condition type.
#[derive(Clone, Debug, PartialEq)]
pub struct Reasons {
    /// The enum that declares them.
    pub declared_by: Declaring,
    /// The reasons, in the order of their declaration.
    pub all: Vec<Reason>,
}

/// An enum that declares conditions or reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaring {
    /// Its name.
    pub name: Text,
    /// The span of its name.
    pub span: Span,
    /// The names that it reserves.
    pub tombstones: Vec<Tombstone>,
}

impl Condition {
    /// Describes the status on a healthy object, to follow "It is".
    #[must_use]
    pub fn meaning(&self) -> &'static str {
        match (self.polarity, self.optional) {
            (Polarity::Positive, false) => "`True` on a healthy object",
            (Polarity::Positive, true) => "`True` on a healthy object, not always there",
            (Polarity::Negative, _) => "an error, there only while it is `True`",
        }
    }
}

/// The replacement of a deprecated condition type.
#[derive(Clone, Debug, PartialEq)]
pub struct Replaced {
    /// The type.
    pub by: Text,
    /// The bundle that will remove the deprecated one.
    pub until: Text,
    /// The span of the replacement in the source.
    pub span: Span,
}

/// A reason of a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// The serialized word; `None` if it is computed from another system's error code.
    pub name: Option<Text>,
    /// The span of its declaration.
    pub span: Span,
    /// Its gates, without those of its condition type.
    pub gates: Vec<Gate>,
    /// The condition's status with this reason.
    pub status: Status,
    /// Its documentation.
    pub docs: Text,
}

impl Conditions {
    /// Every gate on types and reasons.
    pub fn gates(&self) -> impl Iterator<Item = &Gate> {
        self.types.iter().flat_map(|of| {
            let reasons = of.reasons.all.iter().flat_map(|reason| &reason.gates);
            of.gates.iter().chain(reasons)
        })
    }
}

/// A lint whose level the source sets.
pub type LintLevel = crd_channels_markers::LintLevel<Span>;

/// A field that rules refer to.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its serialized name.
    pub name: Text,
    /// Its name as escaped in expressions.
    pub escaped: Text,
    /// The span of the name.
    pub span: Span,
}

/// Fields of which a number must be set. `M` is a name before they are resolved.
pub type Union<M = Member> = crd_channels_markers::Union<M, Span>;

/// A serialized name that was used and must not be used again.
pub type Tombstone = crd_channels_markers::Tombstone<Text, Span>;
