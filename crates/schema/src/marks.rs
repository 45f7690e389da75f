//! Gates, tombstones, and what `#[crd(..)]` says of a schema node: that is the same in every channel, whatever the
//! convention.

use super::path::Segment;
use super::{Merge, Notes};
use crd_channels_diagnostics::{Span, Text};
pub use crd_channels_markers::{Count, Level, Polarity, Status};

/// A condition on the channel: the node is there only where the feature is on (or off).
pub type Gate = crd_channels_markers::Gate<Text, Span>;

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
    pub metadata: Vec<Vec<Segment<Text>>>,
    /// `conditions`: what the list's items are.
    pub conditions: Option<Conditions>,
    /// `exactly_one_of` and the like
    pub unions: Vec<Union>,
    /// `allow(..)`, `warn(..)`, `deny(..)`
    pub levels: Vec<LintLevel>,
    /// `inner(..)`: of the items of a list or the values of a map.
    pub inner: Option<Box<Marks>>,
}

/// The conditions that a list holds. Others may stand beside them.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// The enum that declares them.
    pub name: Text,
    /// The types, in the order of their declaration.
    pub types: Vec<Condition>,
    /// Whether the items are Kubernetes' own `meta/v1.Condition`.
    pub of_kubernetes: bool,
}

/// One type of condition. Before they are resolved, its reasons are a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition<R = Vec<Reason>> {
    /// Its name, with the domain where it has one.
    pub name: Text,
    /// Where it is declared.
    pub span: Span,
    /// The gates on it; all of them hold where it is there.
    pub gates: Vec<Gate>,
    /// Which status a healthy object has.
    pub polarity: Polarity,
    /// Whether a positive one is there only if the controller uses it.
    pub optional: bool,
    /// What replaces it, where it is deprecated.
    pub replaced: Option<Replaced>,
    /// Its documentation.
    pub docs: Text,
    /// Its reasons, in the order of their declaration.
    pub reasons: R,
}

impl Condition {
    /// Which status a healthy object has, as the end of a sentence that begins with "It is".
    #[must_use]
    pub fn meaning(&self) -> &'static str {
        match (self.polarity, self.optional) {
            (Polarity::Positive, false) => "`True` on a healthy object",
            (Polarity::Positive, true) => "`True` on a healthy object, not always there",
            (Polarity::Negative, _) => "an error, there only while it is `True`",
        }
    }
}

/// What replaces a deprecated type of condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Replaced {
    /// The type.
    pub by: Text,
    /// The bundle that will remove the deprecated one.
    pub until: Text,
    /// Where that is written.
    pub span: Span,
}

/// One reason of a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// The word; none where it is made of another system's error code.
    pub name: Option<Text>,
    /// The gates on it, those of its type of condition left out.
    pub gates: Vec<Gate>,
    /// The status that it stands for.
    pub status: Status,
    /// Its documentation.
    pub docs: Text,
}

impl Conditions {
    /// Every gate on types and reasons.
    pub fn gates(&self) -> impl Iterator<Item = &Gate> {
        self.types.iter().flat_map(|of| {
            let reasons = of.reasons.iter().flat_map(|reason| &reason.gates);
            of.gates.iter().chain(reasons)
        })
    }
}

/// A lint whose level the source sets.
pub type LintLevel = crd_channels_markers::LintLevel<Span>;

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

/// Fields of which some have to be set. Before they are resolved, they are names.
pub type Union<M = Member> = crd_channels_markers::Union<M, Span>;

/// A serialized name that was used once and is never to be used again.
pub type Tombstone = crd_channels_markers::Tombstone<Text, Span>;
