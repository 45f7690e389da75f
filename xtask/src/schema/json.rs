//! The one JSON form of a CRD: keys in alphabetical order, what is absent not written.

use super::{
    Additional, Bounds, Column, Conversion, Crd, JsonType, Junctors, ListType, MapType, Merge,
    Names, Notes, Rule, Scale, Schema, Scope, ServiceReference, Subresources, Version,
    WebhookClient, WebhookConversion,
};
use crate::Text;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An object under construction. Methods are called in the order of the keys.
struct Object<M>(M);

impl<M: SerializeMap> Object<M> {
    fn entry(&mut self, key: &str, value: impl Serialize) -> Result<(), M::Error> {
        self.0.serialize_entry(key, &value)
    }

    fn text(&mut self, key: &str, value: Option<&Text>) -> Result<(), M::Error> {
        self.some(key, value.map(|text| &**text))
    }

    fn some(&mut self, key: &str, value: Option<impl Serialize>) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.entry(key, value))
    }

    fn when(&mut self, key: &str, value: bool) -> Result<(), M::Error> {
        if value { self.entry(key, true) } else { Ok(()) }
    }

    fn list(&mut self, key: &str, values: &[impl Serialize]) -> Result<(), M::Error> {
        if values.is_empty() {
            Ok(())
        } else {
            self.entry(key, values)
        }
    }

    fn texts(&mut self, key: &str, values: &[Text]) -> Result<(), M::Error> {
        if values.is_empty() {
            Ok(())
        } else {
            self.entry(key, Texts(values))
        }
    }

    fn map(&mut self, key: &str, values: &BTreeMap<Text, Text>) -> Result<(), M::Error> {
        if values.is_empty() {
            Ok(())
        } else {
            self.entry(key, TextMap(values))
        }
    }
}

/// Serializes an object whose entries a block writes.
macro_rules! object {
    ($serializer:expr, |$object:ident| $entries:block) => {{
        let mut $object = Object($serializer.serialize_map(None)?);
        $entries
        $object.0.end()
    }};
}

struct Texts<'a>(&'a [Text]);

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|text| &**text))
    }
}

struct TextMap<'a>(&'a BTreeMap<Text, Text>);

impl Serialize for TextMap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (&**key, &**value)))
    }
}

struct Properties<'a>(&'a BTreeMap<Text, Arc<Schema>>);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (&**key, &**value)))
    }
}

impl Serialize for Crd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, |object| {
            object.entry("apiVersion", "apiextensions.k8s.io/v1")?;
            object.entry("kind", "CustomResourceDefinition")?;
            object.entry("metadata", Metadata(self))?;
            object.entry("spec", Spec(self))?;
        })
    }
}

struct Metadata<'a>(&'a Crd);

impl Serialize for Metadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, |object| {
            object.map("annotations", &self.0.annotations)?;
            object.map("labels", &self.0.labels)?;
            object.entry("name", self.0.name())?;
        })
    }
}

struct Spec<'a>(&'a Crd);

impl Serialize for Spec<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Crd {
            annotations: _,
            labels: _,
            group,
            names,
            scope,
            conversion,
            versions,
        } = self.0;
        object!(serializer, |object| {
            match conversion {
                Conversion::None => {}
                Conversion::Webhook(webhook) => object.entry("conversion", Strategy(webhook))?,
            }
            object.entry("group", &**group)?;
            object.entry("names", names)?;
            let scope = match scope {
                Scope::Cluster => "Cluster",
                Scope::Namespaced => "Namespaced",
            };
            object.entry("scope", scope)?;
            object.entry("versions", versions)?;
        })
    }
}

struct Strategy<'a>(&'a WebhookConversion);

impl Serialize for Strategy<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, |object| {
            object.entry("strategy", "Webhook")?;
            object.entry("webhook", self.0)?;
        })
    }
}

impl Serialize for WebhookConversion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, |object| {
            object.entry("clientConfig", &self.client)?;
            object.entry("conversionReviewVersions", Texts(&self.review_versions))?;
        })
    }
}

impl Serialize for WebhookClient {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, |object| {
            object.text("caBundle", self.ca_bundle.as_ref())?;
            object.some("service", self.service.as_ref())?;
            object.text("url", self.url.as_ref())?;
        })
    }
}

impl Serialize for ServiceReference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, |object| {
            object.entry("name", &*self.name)?;
            object.entry("namespace", &*self.namespace)?;
            object.text("path", self.path.as_ref())?;
            object.some("port", self.port)?;
        })
    }
}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Names {
            plural,
            singular,
            kind,
            list_kind,
            short_names,
            categories,
        } = self;
        object!(serializer, |object| {
            object.texts("categories", categories)?;
            object.entry("kind", &**kind)?;
            match list_kind {
                Some(list_kind) => object.entry("listKind", &**list_kind)?,
                None => object.entry("listKind", format!("{kind}List"))?,
            }
            object.entry("plural", &**plural)?;
            object.texts("shortNames", short_names)?;
            object.entry("singular", &**singular)?;
        })
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Version {
            name,
            served,
            storage,
            deprecated,
            deprecation_warning,
            columns,
            selectable_fields,
            subresources,
            schema,
        } = self;
        object!(serializer, |object| {
            object.list("additionalPrinterColumns", columns)?;
            object.when("deprecated", *deprecated)?;
            object.text("deprecationWarning", deprecation_warning.as_ref())?;
            object.entry("name", &**name)?;
            object.some("schema", schema.as_deref().map(Validation))?;
            let fields: Vec<Selectable<'_>> = selectable_fields
                .iter()
                .map(|path| Selectable(path))
                .collect();
            object.list("selectableFields", &fields)?;
            object.entry("served", served)?;
            object.entry("storage", storage)?;
            object.some("subresources", subresources.as_ref())?;
        })
    }
}

struct Validation<'a>(&'a Schema);

impl Serialize for Validation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, |object| {
            object.entry("openAPIV3Schema", self.0)?;
        })
    }
}

struct Selectable<'a>(&'a str);

impl Serialize for Selectable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, |object| {
            object.entry("jsonPath", self.0)?;
        })
    }
}

impl Serialize for Column {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Column {
            name,
            ty,
            json_path,
            description,
            format,
            priority,
        } = self;
        object!(serializer, |object| {
            object.text("description", description.as_ref())?;
            object.text("format", format.as_ref())?;
            object.entry("jsonPath", &**json_path)?;
            object.entry("name", &**name)?;
            object.some("priority", *priority)?;
            object.entry("type", &**ty)?;
        })
    }
}

impl Serialize for Subresources {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, |object| {
            object.some("scale", self.scale.as_ref())?;
            if self.status {
                object.entry("status", BTreeMap::<&str, ()>::new())?;
            }
        })
    }
}

impl Serialize for Scale {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, |object| {
            object.text("labelSelectorPath", self.label_selector_path.as_ref())?;
            object.entry("specReplicasPath", &*self.spec_replicas_path)?;
            object.entry("statusReplicasPath", &*self.status_replicas_path)?;
        })
    }
}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Schema {
            ty,
            format,
            title,
            description,
            nullable,
            default,
            enum_values,
            properties,
            required,
            additional_properties,
            items,
            bounds,
            junctors,
            merge,
            notes,
            rules,
            embedded_resource,
            int_or_string,
            preserve_unknown_fields,
            origin: _,
        } = self;
        let no_bounds = Bounds::default();
        let Bounds {
            minimum,
            exclusive_minimum,
            maximum,
            exclusive_maximum,
            multiple_of,
            min_length,
            max_length,
            pattern,
            min_items,
            max_items,
            min_properties,
            max_properties,
        } = bounds.as_deref().unwrap_or(&no_bounds);
        let no_junctors = Junctors::default();
        let Junctors {
            all_of,
            any_of,
            one_of,
            not,
        } = junctors.as_deref().unwrap_or(&no_junctors);
        let no_merge = Merge::default();
        let Merge {
            list_type,
            list_map_keys,
            map_type,
        } = merge.as_deref().unwrap_or(&no_merge);
        let notes = notes.as_deref();
        object!(serializer, |object| {
            object.some("additionalProperties", additional_properties.as_ref())?;
            object.list("allOf", all_of)?;
            object.list("anyOf", any_of)?;
            object.some("default", default.as_deref())?;
            object.text("description", description.as_ref())?;
            object.list("enum", enum_values)?;
            object.some("example", notes.and_then(|notes| notes.example.as_ref()))?;
            object.when("exclusiveMaximum", *exclusive_maximum)?;
            object.when("exclusiveMinimum", *exclusive_minimum)?;
            object.some(
                "externalDocs",
                notes.filter(|notes| notes.docs_url.is_some()).map(Docs),
            )?;
            object.text("format", format.as_ref())?;
            object.some("items", items.as_deref())?;
            object.some("maxItems", *max_items)?;
            object.some("maxLength", *max_length)?;
            object.some("maxProperties", *max_properties)?;
            object.some("maximum", maximum.as_ref())?;
            object.some("minItems", *min_items)?;
            object.some("minLength", *min_length)?;
            object.some("minProperties", *min_properties)?;
            object.some("minimum", minimum.as_ref())?;
            object.some("multipleOf", multiple_of.as_ref())?;
            object.some("not", not.as_deref())?;
            object.when("nullable", *nullable)?;
            object.list("oneOf", one_of)?;
            object.text("pattern", pattern.as_ref())?;
            if !properties.is_empty() {
                object.entry("properties", Properties(properties))?;
            }
            object.texts("required", required)?;
            object.text("title", title.as_ref())?;
            object.some("type", ty.map(JsonType::as_str))?;
            object.when("x-kubernetes-embedded-resource", *embedded_resource)?;
            object.when("x-kubernetes-int-or-string", *int_or_string)?;
            object.texts("x-kubernetes-list-map-keys", list_map_keys)?;
            object.some("x-kubernetes-list-type", list_type.map(ListType::as_str))?;
            object.some("x-kubernetes-map-type", map_type.map(MapType::as_str))?;
            object.when(
                "x-kubernetes-preserve-unknown-fields",
                *preserve_unknown_fields,
            )?;
            object.list("x-kubernetes-validations", rules)?;
        })
    }
}

impl Serialize for Additional {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Additional::Allowed(allowed) => serializer.serialize_bool(*allowed),
            Additional::Schema(schema) => schema.serialize(serializer),
        }
    }
}

struct Docs<'a>(&'a Notes);

impl Serialize for Docs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, |object| {
            object.text("description", self.0.docs_description.as_ref())?;
            object.text("url", self.0.docs_url.as_ref())?;
        })
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Rule {
            rule,
            message,
            message_expression,
            reason,
            field_path,
            optional_old_self,
            origin: _,
        } = self;
        object!(serializer, |object| {
            object.text("fieldPath", field_path.as_ref())?;
            object.text("message", message.as_ref())?;
            object.text("messageExpression", message_expression.as_ref())?;
            object.some("optionalOldSelf", *optional_old_self)?;
            object.text("reason", reason.as_ref())?;
            object.entry("rule", &**rule)?;
        })
    }
}

impl JsonType {
    /// As the `type` keyword has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            JsonType::Array => "array",
            JsonType::Boolean => "boolean",
            JsonType::Integer => "integer",
            JsonType::Number => "number",
            JsonType::Object => "object",
            JsonType::String => "string",
        }
    }
}

impl ListType {
    /// As `x-kubernetes-list-type` has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            ListType::Atomic => "atomic",
            ListType::Set => "set",
            ListType::Map => "map",
        }
    }
}

impl MapType {
    /// As `x-kubernetes-map-type` has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            MapType::Atomic => "atomic",
            MapType::Granular => "granular",
        }
    }
}
