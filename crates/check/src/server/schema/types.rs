//! Which nodes exist for CEL: those that have a type all the way down.

use crate::document::model::Schema;
use crd_channels_validation::schema::has_type;

/// What the server knows of the types at a node whose rules it compiles. It makes them of the topmost node that has rules, and
/// finds its way down from there.
#[derive(Clone, Copy, Default)]
pub(super) enum Types {
    /// No node down to here has rules.
    #[default]
    Unasked,
    Known,
    /// The node, or one above it, has no type.
    Lost,
    /// It is an item or a value of something that has no such.
    Elementless,
}

/// How a node belongs to the one above it.
#[derive(Clone, Copy)]
pub(super) enum Below {
    Property,
    Item,
    Value,
}

impl Types {
    /// At a node whose parent has these.
    pub(super) fn at(self, schema: &Schema<'_>) -> Self {
        match self {
            Self::Unasked if schema.rules.is_empty() => Self::Unasked,
            Self::Unasked | Self::Known if has_type(schema) => Self::Known,
            Self::Unasked | Self::Known => Self::Lost,
            lost => lost,
        }
    }

    /// For a node below, where these are those at `schema`.
    pub(super) fn below(self, schema: &Schema<'_>, below: Below) -> Self {
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
