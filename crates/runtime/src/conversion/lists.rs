//! Which lists of a kind are maps, and by which keys.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// The lists of type map of one version, at any depth: those of a schema. Without a schema, no list is one.
#[derive(Clone, Debug, Default)]
pub(super) struct ListMaps {
    keys: Vec<String>,
    fields: BTreeMap<String, ListMaps>,
    /// What stands in each element of the list, or under each key of the map.
    elements: Option<Box<ListMaps>>,
}

impl ListMaps {
    /// Those of each version of a kind.
    pub(super) fn of(crd: &CustomResourceDefinition) -> BTreeMap<String, Self> {
        let versions = crd.spec.versions.iter();
        let schemas = versions.filter_map(|version| {
            let schema = version.schema.as_ref()?.open_api_v3_schema.as_ref()?;
            Some((version.name.clone(), Self::in_schema(schema)))
        });
        schemas.collect()
    }

    fn in_schema(schema: &JSONSchemaProps) -> Self {
        let fields = schema.properties.iter().flatten();
        let element = match (&schema.items, &schema.additional_properties) {
            (Some(JSONSchemaPropsOrArray::Schema(element)), _)
            | (_, Some(JSONSchemaPropsOrBool::Schema(element))) => Some(element),
            _ => None,
        };
        Self {
            keys: schema
                .x_kubernetes_list_map_keys
                .clone()
                .unwrap_or_default(),
            fields: fields
                .map(|(name, schema)| (name.clone(), Self::in_schema(schema)))
                .collect(),
            elements: element.map(|element| Box::new(Self::in_schema(element))),
        }
    }

    pub(super) fn root(&self) -> Place<'_> {
        Place(Some(self))
    }
}

/// A place in an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a>(Option<&'a ListMaps>);

impl<'a> Place<'a> {
    /// A field of it, or what stands under a key.
    pub(super) fn field(self, name: &str) -> Self {
        match self.0.and_then(|maps| maps.fields.get(name)) {
            Some(field) => Self(Some(field)),
            None => self.element(),
        }
    }

    /// An element of it.
    pub(super) fn element(self) -> Self {
        Self(self.0.and_then(|maps| maps.elements.as_deref()))
    }

    /// The keys, if it is a list of type map.
    pub(super) fn keys(self) -> Option<&'a [String]> {
        self.0
            .map(|maps| &*maps.keys)
            .filter(|keys| !keys.is_empty())
    }
}

/// The values of an element's keys; `None` if it lacks one. Which key a missing value has is a default of the schema.
pub(super) fn element_key(element: &Value, keys: &[String]) -> Option<String> {
    let values: Option<Vec<&Value>> = keys.iter().map(|key| element.get(key)).collect();
    serde_json::to_string(&values?).ok()
}
