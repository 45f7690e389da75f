//! The parts of a version's schema that affect conversion: lists that are maps, unions, defaults.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, JSON, JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// A place in the objects of one version, with everything below it.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// The keys of a list of type map.
    keys: Vec<String>,
    /// Whether values have one of several forms, whose parts must not be mixed.
    is_union: bool,
    default: Option<Value>,
    /// Whether a server may add defaults below it.
    has_defaults: bool,
    nullable: bool,
    fields: BTreeMap<String, Shape>,
    /// The elements of a list, or the values of a map.
    elements: Option<Box<Shape>>,
}

impl Shape {
    /// Returns the shape of the objects of each version of a kind.
    pub(super) fn of(crd: &CustomResourceDefinition) -> BTreeMap<String, Self> {
        let versions = crd.spec.versions.iter();
        let schemas = versions.map(|version| {
            let schema = version.schema.as_ref();
            let schema = schema.and_then(|schema| schema.open_api_v3_schema.as_ref());
            let shape = schema.map(Self::in_schema).unwrap_or_default();
            (version.name.clone(), shape)
        });
        schemas.collect()
    }

    fn in_schema(schema: &JSONSchemaProps) -> Self {
        let element = match (&schema.items, &schema.additional_properties) {
            (Some(JSONSchemaPropsOrArray::Schema(element)), _)
            | (_, Some(JSONSchemaPropsOrBool::Schema(element))) => Some(element),
            _ => None,
        };
        let elements = element.map(|element| Box::new(Self::in_schema(element)));
        let fields = schema.properties.iter().flatten();
        let fields: BTreeMap<String, Self> = fields
            .map(|(name, schema)| (name.clone(), Self::in_schema(schema)))
            .collect();
        let mut below = fields.values().chain(elements.as_deref());
        let has_defaults = below.any(|below| below.default.is_some() || below.has_defaults);
        let branches = schema.one_of.iter().chain(&schema.any_of).flatten();
        Self {
            keys: schema
                .x_kubernetes_list_map_keys
                .clone()
                .unwrap_or_default(),
            is_union: branches.count() > 0,
            default: schema.default.as_ref().map(|JSON(value)| value.clone()),
            nullable: schema.nullable == Some(true),
            has_defaults,
            fields,
            elements,
        }
    }

    /// Whether a server may add defaults to an object.
    pub(super) fn has_defaults(&self) -> bool {
        self.has_defaults
    }

    /// Adds the defaults of missing fields, as an API server does.
    pub(super) fn add_defaults(&self, value: &mut Value) {
        match value {
            Value::Object(object) => {
                for (name, field) in &self.fields {
                    let is_missing = match object.get(name) {
                        None => true,
                        Some(value) => value.is_null() && !field.nullable,
                    };
                    if let (true, Some(default)) = (is_missing, &field.default) {
                        object.insert(name.clone(), default.clone());
                    }
                }
                for (name, value) in object {
                    if let Some(below) = self.fields.get(name).or(self.elements.as_deref()) {
                        below.add_defaults(value);
                    }
                }
            }
            Value::Array(items) => {
                if let Some(below) = &self.elements {
                    items.iter_mut().for_each(|item| below.add_defaults(item));
                }
            }
            _ => {}
        }
    }
}

/// The shape at a place in an object; `None` if no schema describes the place.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownShape<'a>(pub(super) Option<&'a Shape>);

impl<'a> KnownShape<'a> {
    /// A field of it, or the value of a map's key.
    pub(super) fn field(self, name: &str) -> Self {
        match self.0.and_then(|shape| shape.fields.get(name)) {
            Some(field) => Self(Some(field)),
            None => self.element(),
        }
    }

    /// An element of it.
    pub(super) fn element(self) -> Self {
        Self(self.0.and_then(|shape| shape.elements.as_deref()))
    }

    /// The keys, if it is a list of type map.
    pub(super) fn keys(self) -> Option<&'a [String]> {
        let keys = self.0.map(|shape| &*shape.keys);
        keys.filter(|keys| !keys.is_empty())
    }

    /// Whether a value here is preserved as a whole or not at all.
    pub(super) fn is_union(self) -> bool {
        self.0.is_some_and(|shape| shape.is_union)
    }
}

/// The values of an element's keys, as JSON; `None` if it lacks one.
pub(super) fn element_key(element: &Value, keys: &[String]) -> Option<String> {
    let values: Option<Vec<&Value>> = keys.iter().map(|key| element.get(key)).collect();
    serde_json::to_string(&values?).ok()
}
