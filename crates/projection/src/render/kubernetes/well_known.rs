//! Types of Kubernetes' own: what API servers and controller-gen say of them.

use super::super::Renderer;
use super::super::common::{anything, of};
use super::super::context::Context;
use super::super::keywords;
use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::{KnownList, Type, WellKnown};
use crd_channels_schema::{Bounds, JsonType, Junctors, Schema};
use serde_json::{Number, Value};
use std::sync::Arc;

/// What a quantity looks like when it is written as a string.
const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";
const REASON: &str = r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";
const CONDITION_TYPE: &str = r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

/// The properties that every object has, beside its own.
pub(super) fn of_every_object() -> [(Text, Schema); 3] {
    let text = |description: &str| Schema {
        description: Some(description.into()),
        ..of(JsonType::String)
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
        // An API server refuses anything more about the metadata, a description included.
        ("metadata".into(), of(JsonType::Object)),
    ]
}

/// Whether a schema is the one form of an int-or-string whose `anyOf` may name types.
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

fn both() -> [Schema; 2] {
    [of(JsonType::Integer), of(JsonType::String)]
}

/// Lets an int-or-string be both, in the one form and order that an API server takes.
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
            WellKnown::Condition => condition(written),
            WellKnown::IntOrString => int_or_string(description),
            WellKnown::Quantity => {
                let mut schema = int_or_string(description);
                keywords::bounds(&mut schema).pattern = Some(QUANTITY.into());
                schema
            }
            WellKnown::ObjectMeta => of(JsonType::Object),
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

/// Lists are merged as Kubernetes says. One whose keys may be missing from an item is left as it is: a server would refuse it.
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

/// `meta/v1.Condition`: the Rust type has the fields and their descriptions, Kubernetes the limits.
pub(in super::super) fn condition(mut schema: Schema) -> Schema {
    let text = |bounds: Bounds| Schema {
        bounds: Some(Box::new(bounds)),
        ..of(JsonType::String)
    };
    let limits = [
        (
            "lastTransitionTime",
            Schema {
                format: Some("date-time".into()),
                ..of(JsonType::String)
            },
        ),
        (
            "message",
            text(Bounds {
                max_length: Some(32768),
                ..Bounds::default()
            }),
        ),
        (
            "observedGeneration",
            Schema {
                format: Some("int64".into()),
                bounds: Some(Box::new(Bounds {
                    minimum: Some(Number::from(0)),
                    ..Bounds::default()
                })),
                ..of(JsonType::Integer)
            },
        ),
        (
            "reason",
            text(Bounds {
                min_length: Some(1),
                max_length: Some(1024),
                pattern: Some(REASON.into()),
                ..Bounds::default()
            }),
        ),
        (
            "status",
            Schema {
                enum_values: ["True", "False", "Unknown"].map(Value::from).to_vec(),
                ..of(JsonType::String)
            },
        ),
        (
            "type",
            text(Bounds {
                max_length: Some(316),
                pattern: Some(CONDITION_TYPE.into()),
                ..Bounds::default()
            }),
        ),
    ];
    for (name, limited) in limits {
        let property = schema.properties.entry(name.into()).or_default();
        let property = Arc::make_mut(property);
        *property = Schema {
            title: property.title.take(),
            description: property.description.take(),
            origin: property.origin,
            ..limited
        };
    }
    schema.required = ["lastTransitionTime", "message", "reason", "status", "type"]
        .map(Text::from)
        .to_vec();
    schema
}
