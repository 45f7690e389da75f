//! A node of a schema as the expressions of rules see it.

use super::super::model::Schema;
use super::types::has_type;
use crate::check::cel::{Property, Selects, Shape, Typed};

/// A node, or what the server puts in its place.
#[derive(Clone, Copy)]
pub(super) enum Node<'s, 'a> {
    Schema(&'s Schema<'a>),
    /// The root, or an embedded resource.
    Object(&'s Schema<'a>),
    /// The metadata of such an object, whatever its schema says.
    Metadata,
    /// Text that the server knows.
    Text,
}

impl<'s, 'a> Node<'s, 'a> {
    pub(super) fn new(schema: &'s Schema<'a>, is_root: bool) -> Self {
        if is_root || schema.embedded_resource {
            Self::Object(schema)
        } else {
            Self::Schema(schema)
        }
    }

    fn schema(self) -> Option<&'s Schema<'a>> {
        match self {
            Self::Schema(schema) | Self::Object(schema) => Some(schema),
            Self::Metadata | Self::Text => None,
        }
    }
}

impl Shape for Node<'_, '_> {
    fn property(self, fits: &dyn Fn(&str) -> bool) -> Option<Property<Self>> {
        let own = match self {
            Self::Object(_) if fits("apiVersion") || fits("kind") => Some(Self::Text),
            Self::Object(_) if fits("metadata") => Some(Self::Metadata),
            Self::Metadata if fits("name") || fits("generateName") => Some(Self::Text),
            _ => None,
        };
        let shape = match own {
            Some(shape) => shape,
            None => {
                let mut properties = self.schema()?.properties.iter();
                let visible =
                    |(name, property): &&(&str, Schema<'_>)| fits(name) && has_type(property);
                let (_, property) = properties.find(visible)?;
                Self::new(property, false)
            }
        };
        Some(Property {
            shape,
            optional: false,
        })
    }

    fn items(self) -> Option<Self> {
        let schema = self.schema().filter(|schema| schema.ty == "array");
        Some(Self::new(schema?.item()?, false))
    }

    fn values(self) -> Option<Self> {
        let schema = self.schema().filter(|schema| schema.ty == "object");
        Some(Self::new(schema?.values()?, false))
    }
}

impl Typed for Node<'_, '_> {
    fn selects(self) -> Selects {
        let schema = match self {
            Self::Object(_) | Self::Metadata => return Selects::Fields,
            Self::Text => return Selects::Nothing,
            Self::Schema(schema) => schema,
        };
        match schema.ty {
            _ if schema.int_or_string => Selects::Anything,
            "object" if schema.values().is_some() => Selects::Values,
            "object" => Selects::Fields,
            "" => Selects::Anything,
            _ => Selects::Nothing,
        }
    }
}
