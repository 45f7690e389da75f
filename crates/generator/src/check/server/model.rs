//! A CRD as the server has it after decoding: every field that its types have, the refused ones too, borrowed from the
//! document. Empty and absent lists are the same to `same`, and different to the rules that ask for presence.

use serde_json::Value;

/// A list or a map that may be absent. Equality does not tell an empty one from an absent one, as the server does not
/// where it asks whether two versions are alike.
#[derive(Clone, Debug)]
pub(super) struct Many<T>(pub(super) Option<Vec<T>>);

impl<T> Default for Many<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: PartialEq> PartialEq for Many<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T> Many<T> {
    pub(super) fn as_slice(&self) -> &[T] {
        self.0.as_deref().unwrap_or_default()
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// Whether it is written, if only as an empty one.
    pub(super) fn is_present(&self) -> bool {
        self.0.is_some()
    }
}

/// Named things in the order of their names.
pub(super) type Named<'a, T> = Many<(&'a str, T)>;

impl<T> Named<'_, T> {
    pub(super) fn get(&self, name: &str) -> Option<&T> {
        let found = self
            .as_slice()
            .binary_search_by(|(known, _)| (*known).cmp(name));
        found
            .ok()
            .and_then(|at| self.as_slice().get(at))
            .map(|(_, value)| value)
    }
}

/// A whole CRD.
#[derive(Debug, Default)]
pub(super) struct Crd<'a> {
    pub(super) metadata: Metadata<'a>,
    pub(super) spec: Spec<'a>,
}

#[derive(Debug, Default)]
pub(super) struct Metadata<'a> {
    pub(super) name: &'a str,
    pub(super) generate_name: &'a str,
    pub(super) labels: Named<'a, &'a str>,
    pub(super) annotations: Named<'a, &'a str>,
    pub(super) finalizers: Many<&'a str>,
    pub(super) owners: Many<Owner<'a>>,
}

#[derive(Debug, Default)]
pub(super) struct Owner<'a> {
    pub(super) api_version: &'a str,
    pub(super) kind: &'a str,
    pub(super) name: &'a str,
    pub(super) uid: &'a str,
    pub(super) controller: bool,
}

#[derive(Debug, Default)]
pub(super) struct Spec<'a> {
    pub(super) group: &'a str,
    pub(super) names: Names<'a>,
    pub(super) scope: &'a str,
    pub(super) versions: Vec<Version<'a>>,
    pub(super) conversion: Option<Conversion<'a>>,
    pub(super) preserve_unknown_fields: bool,
}

#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    pub(super) plural: &'a str,
    pub(super) singular: &'a str,
    pub(super) short_names: Many<&'a str>,
    pub(super) kind: &'a str,
    pub(super) list_kind: &'a str,
    pub(super) categories: Many<&'a str>,
}

#[derive(Debug, Default)]
pub(super) struct Version<'a> {
    pub(super) name: &'a str,
    pub(super) storage: bool,
    pub(super) deprecated: bool,
    pub(super) deprecation_warning: Option<&'a str>,
    /// The outer option is `schema`, the inner one `openAPIV3Schema`.
    pub(super) schema: Option<Option<Schema<'a>>>,
    pub(super) subresources: Option<Subresources<'a>>,
    pub(super) columns: Many<Column<'a>>,
    pub(super) selectable_fields: Many<&'a str>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Subresources<'a> {
    pub(super) status: bool,
    pub(super) scale: Option<Scale<'a>>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Scale<'a> {
    pub(super) spec_replicas: &'a str,
    pub(super) status_replicas: &'a str,
    pub(super) label_selector: Option<&'a str>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Column<'a> {
    pub(super) name: &'a str,
    pub(super) ty: &'a str,
    pub(super) format: &'a str,
    pub(super) description: &'a str,
    pub(super) priority: i64,
    pub(super) json_path: &'a str,
}

#[derive(Debug, Default)]
pub(super) struct Conversion<'a> {
    pub(super) strategy: &'a str,
    pub(super) client: Option<WebhookClient<'a>>,
    pub(super) review_versions: Many<&'a str>,
}

#[derive(Debug, Default)]
pub(super) struct WebhookClient<'a> {
    pub(super) url: Option<&'a str>,
    pub(super) service: Option<Service<'a>>,
}

#[derive(Debug, Default)]
pub(super) struct Service<'a> {
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
    pub(super) path: Option<&'a str>,
    pub(super) port: Option<i64>,
}

/// `JSONSchemaProps`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Schema<'a> {
    pub(super) id: &'a str,
    pub(super) dollar_schema: &'a str,
    pub(super) reference: Option<&'a str>,
    pub(super) description: &'a str,
    pub(super) ty: &'a str,
    pub(super) format: &'a str,
    pub(super) title: &'a str,
    pub(super) default: Option<&'a Value>,
    pub(super) maximum: Option<f64>,
    pub(super) exclusive_maximum: bool,
    pub(super) minimum: Option<f64>,
    pub(super) exclusive_minimum: bool,
    pub(super) max_length: Option<i64>,
    pub(super) min_length: Option<i64>,
    pub(super) pattern: &'a str,
    pub(super) max_items: Option<i64>,
    pub(super) min_items: Option<i64>,
    pub(super) unique_items: bool,
    pub(super) multiple_of: Option<f64>,
    pub(super) enum_values: Many<&'a Value>,
    pub(super) max_properties: Option<i64>,
    pub(super) min_properties: Option<i64>,
    pub(super) required: Many<&'a str>,
    pub(super) items: Option<Items<'a>>,
    pub(super) all_of: Many<Schema<'a>>,
    pub(super) one_of: Many<Schema<'a>>,
    pub(super) any_of: Many<Schema<'a>>,
    pub(super) not: Option<Box<Schema<'a>>>,
    pub(super) properties: Named<'a, Schema<'a>>,
    pub(super) additional_properties: Option<Additional<'a>>,
    pub(super) pattern_properties: Named<'a, Schema<'a>>,
    pub(super) dependencies: Named<'a, Option<Schema<'a>>>,
    pub(super) additional_items: Option<Additional<'a>>,
    pub(super) definitions: Named<'a, Schema<'a>>,
    pub(super) external_docs: Option<(&'a str, &'a str)>,
    pub(super) example: Option<&'a Value>,
    pub(super) nullable: bool,
    pub(super) preserve_unknown_fields: Option<bool>,
    pub(super) embedded_resource: bool,
    pub(super) int_or_string: bool,
    pub(super) list_map_keys: Many<&'a str>,
    pub(super) list_type: Option<&'a str>,
    pub(super) map_type: Option<&'a str>,
    pub(super) rules: Many<ValidationRule<'a>>,
}

impl<'a> Schema<'a> {
    /// The schema of the items, where it is one.
    pub(super) fn item(&self) -> Option<&Schema<'a>> {
        match self.items.as_ref()? {
            Items::One(schema) => Some(schema),
            Items::None | Items::Several(_) => None,
        }
    }

    /// The schema of the values of a map, where there is one.
    pub(super) fn values(&self) -> Option<&Schema<'a>> {
        match self.additional_properties.as_ref()? {
            Additional::Schema(schema) => Some(schema),
            Additional::Allowed(_) => None,
        }
    }

    pub(super) fn preserves(&self) -> bool {
        self.preserve_unknown_fields == Some(true)
    }
}

/// `items`
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Items<'a> {
    /// Written, but as neither of the two: the server takes it for nothing.
    None,
    One(Box<Schema<'a>>),
    Several(Vec<Schema<'a>>),
}

/// `additionalProperties`
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Additional<'a> {
    Allowed(bool),
    Schema(Box<Schema<'a>>),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ValidationRule<'a> {
    pub(super) rule: &'a str,
    pub(super) message: &'a str,
    pub(super) message_expression: &'a str,
    pub(super) reason: Option<&'a str>,
    pub(super) field_path: &'a str,
    pub(super) optional_old_self: Option<bool>,
}
