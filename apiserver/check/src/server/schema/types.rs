//! The nodes that CEL can see: those with a type at every level.

use crate::document::model::Schema;
use crd_channels_validation::schema::has_type;

/// The server's knowledge about the types at a node whose rules it compiles. It derives them from the topmost node with rules,
/// and descends from there.
#[derive(Clone, Copy, Default)]
pub(super) enum Types {
    /// No node down to this one has rules.
    #[default]
    Unasked,
    Known,
    /// The node, or one above it, has no type.
    Lost,
    /// It is an item or a value of a node that has none.
    Elementless,
}

/// The relation of a node to its parent.
#[derive(Clone, Copy)]
pub(super) enum Below {
    Property,
    Item,
    Value,
}

impl Types {
    /// The state at a node, given the state from its parent.
    pub(super) fn at_node(self, schema: &Schema<'_>) -> Self {
        match self {
            Self::Unasked if schema.rules.is_empty() => Self::Unasked,
            Self::Unasked | Self::Known if has_type(schema) => Self::Known,
            Self::Unasked | Self::Known => Self::Lost,
            lost => lost,
        }
    }

    /// The state for a child, given the state at `schema`.
    pub(super) fn for_child(self, schema: &Schema<'_>, below: Below) -> Self {
        let has_elements = match below {
            Below::Property => true,
            Below::Item | Below::Value if schema.int_or_string => false,
            Below::Item | Below::Value => match schema.ty {
                "array" => true,
                "object" => schema.values().is_some(),
                _ => false,
            },
        };
        match self {
            Self::Known if !has_elements => Self::Elementless,
            same => same,
        }
    }
}
