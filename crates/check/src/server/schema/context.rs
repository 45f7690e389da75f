//! What a node of a schema inherits from the nodes above it.

use super::costs::Times;
use super::types::Types;
use crate::document::model::Schema;
use crd_channels_cel::types::NodeId;

/// What holds below some node above.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    /// Whether it is the root of the schema.
    pub(super) is_root: bool,
    /// Why no default may stand here.
    pub(super) no_defaults: Option<&'static str>,
    /// Whether it is part of the metadata of an object, or of an embedded one.
    pub(super) in_metadata: bool,
    /// Whether old and new values cannot be told to belong together.
    pub(super) uncorrelatable: bool,
    /// Whether rules are compiled here: not in junctors, nor in schemas that have other faults.
    pub(super) rules: bool,
    /// What is known of the types that rules read.
    pub(super) types: Types,
    /// What the node declares to expressions, where it or a node above has rules.
    pub(super) declared: Option<NodeId>,
    /// How often the node can occur.
    pub(super) times: Times,
}

impl Context {
    /// For a node below `schema` that is not a root.
    pub(super) fn below(self, schema: &Schema<'_>) -> Self {
        Self {
            is_root: false,
            times: self.times.below(schema),
            ..self
        }
    }

    /// For a schema inside of a junctor.
    pub(super) fn in_junctor(self, schema: &Schema<'_>) -> Self {
        Self {
            rules: false,
            ..self.below(schema)
        }
    }
}
