//! The context that a node of a schema inherits from its ancestors.

use super::costs::Times;
use super::types::Types;
use crate::document::model::Schema;
use crd_channels_cel::types::NodeId;

/// The context of a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    /// Whether it is the root of the schema.
    pub(super) is_root: bool,
    /// The reason for which a default is forbidden here.
    pub(super) no_defaults: Option<&'static str>,
    /// Whether it is in the metadata of an object or of an embedded resource.
    pub(super) in_metadata: bool,
    /// Whether old and new values cannot be correlated.
    pub(super) uncorrelatable: bool,
    /// Whether rules are compiled here: not in junctors, nor in schemas with other errors.
    pub(super) rules: bool,
    /// The state of the types that rules read.
    pub(super) types: Types,
    /// The declaration of the node, if it or a node above has rules.
    pub(super) declared: Option<NodeId>,
    /// The maximum number of occurrences of the node.
    pub(super) times: Times,
}

impl Context {
    /// The context of a child of `schema`.
    pub(super) fn for_child(self, schema: &Schema<'_>) -> Self {
        Self {
            is_root: false,
            times: self.times.for_child(schema),
            ..self
        }
    }

    /// The context of a schema inside a junctor.
    pub(super) fn in_junctor(self, schema: &Schema<'_>) -> Self {
        Self {
            rules: false,
            ..self.for_child(schema)
        }
    }
}
