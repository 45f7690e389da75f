//! Types of Kubernetes itself, as API servers and controller-gen define them.

use super::super::Renderer;
use super::super::common::{anything, schema_of};
use super::super::context::Context;
use super::super::{conditions, keywords};
use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::{KnownList, Type, WellKnown};
use crd_channels_schema::{JsonType, Junctors, Schema};
use std::sync::Arc;

/// The pattern of a quantity written as a string.
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// Returns the properties that every object has in addition to its own.
pub(super) fn of_every_object() -> [(Text, Schema); 3] {
    let text = |description: &str| Schema {
        description: Some(description.into()),
        ..schema_of(JsonType::String)
    };
    [
        (
            "apiVersion".into(),
            text(
                "The API group and version that this object is written in, as `group/version`.\n\
                 A server converts what it knows to the version that is asked for and refuses what it does not know.\n\
                 More info: https://kubernetes.io/docs/reference/using-api/#api-groups",
            ),
        ),
        (
            "kind".into(),
            text(
                "The type of this object, in CamelCase. It cannot be changed.\n\
                 More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/",
            ),
        ),
        // API servers refuse anything else about the metadata, even a description.
        ("metadata".into(), schema_of(JsonType::Object)),
    ]
}

/// Returns true if a schema has the only form of an int-or-string whose `anyOf` may name types.
pub(in super::super) fn is_int_or_string(schema: &Schema) -> bool {
    let Some(junctors) = schema.junctors.as_deref().filter(|_| schema.int_or_string) else {
        return false;
    };
    let Junctors {
        all_of,
        any_of,
        one_of,
        not,
    } = junctors;
    *any_of == both() && all_of.is_empty() && one_of.is_empty() && not.is_none()
}

/// Returns true if `allOf` has the only form that may name the types of an int-or-string, above keywords that validate.
pub(super) fn is_all_of_int_or_string(all_of: &[Schema]) -> bool {
    let junctors = Junctors {
        any_of: both().to_vec(),
        ..Junctors::default()
    };
    let first = Schema {
        junctors: Some(Box::new(junctors)),
        ..Schema::default()
    };
    all_of.first() == Some(&first)
}

fn both() -> [Schema; 2] {
    [schema_of(JsonType::Integer), schema_of(JsonType::String)]
}

/// Lets an int-or-string be both, in the only form and order that API servers accept.
pub(super) fn allow_both(schema: &mut Schema) {
    let junctors = schema.junctors.get_or_insert_default();
    let bare = junctors
        .any_of
        .iter()
        .all(|branch| *branch == Schema::default());
    if bare && junctors.all_of.is_empty() {
        junctors.any_of = both().to_vec();
    }
}

impl Renderer<'_> {
    pub(super) fn well_known(
        &self,
        known: WellKnown,
        ty: &Arc<Type>,
        context: &mut Context<'_>,
    ) -> Schema {
        let written = self.shape(ty, context);
        let description = written.description.clone();
        match known {
            WellKnown::Condition => conditions::limited(written),
            WellKnown::IntOrString => int_or_string(description),
            WellKnown::Quantity => {
                let mut schema = int_or_string(description);
                keywords::bounds(&mut schema).pattern = Some(QUANTITY.into());
                schema
            }
            WellKnown::ObjectMeta => schema_of(JsonType::Object),
            WellKnown::RawExtension => Schema {
                ty: Some(JsonType::Object),
                description,
                ..anything()
            },
            WellKnown::Lists(lists) => {
                let mut schema = written;
                merge_lists(&mut schema, lists);
                schema
            }
        }
    }
}

fn int_or_string(description: Option<Text>) -> Schema {
    let mut schema = Schema {
        description,
        int_or_string: true,
        ..Schema::default()
    };
    allow_both(&mut schema);
    schema
}

/// Sets how Kubernetes merges these lists. A list whose keys may be missing from an item is left as it is: a server would
/// refuse it.
pub(in super::super) fn merge_lists(schema: &mut Schema, lists: &[KnownList]) {
    for list in lists {
        let Some(property) = schema.properties.get_mut(list.field) else {
            continue;
        };
        let is_list = property.ty == Some(JsonType::Array);
        let items = property.items.as_deref();
        let has_key = |key: &&str| {
            items.is_some_and(|items| {
                let key_schema = items.properties.get(*key);
                let defaulted = key_schema.is_some_and(|schema| schema.default.is_some());
                key_schema.is_some()
                    && (defaulted || items.required.iter().any(|name| **name == **key))
            })
        };
        if is_list && list.keys.iter().all(has_key) {
            let merge = keywords::merge(Arc::make_mut(property));
            merge.list_type = Some(list.list_type);
            merge.list_map_keys = list.keys.iter().map(|key| Text::from(*key)).collect();
        }
    }
}
