//! Reads a CRD: every known keyword, and an error for everything else, so that nothing is lost silently.

use super::node::{
    Fields, JsonNode, Misread, Misreads, any, boolean, exactly, integer, map, number, read_list,
    read_text, texts, word,
};
use super::{API_VERSION, KIND, LIST_TYPES, MAP_TYPES, SCOPES, TYPES, Words};
use crate::{
    Additional, Bounds, Column, Conversion, Crd, Junctors, Keys, Levels, Merge, Names, Notes,
    Origin, Rule, Scale, Schema, Scope, ServiceReference, Subresources, Version, WebhookClient,
    WebhookConversion,
};
use crd_channels_diagnostics::Written;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How deep schemas may be nested. By default, JSON readers in Rust accept 128 nested values, two per schema.
const MAX_DEPTH: usize = 128;

impl Crd {
    /// Reads a CRD from its JSON.
    ///
    /// # Errors
    /// Everything that cannot be read, including unknown keys.
    pub fn from_json(value: &Value) -> Result<Self, Vec<Misread>> {
        let mut misreads = Vec::new();
        let crd = crd(JsonNode::root(value), &mut misreads);
        finish(crd, misreads)
    }

    /// Reads a CRD that another tool wrote, and returns its unknown keys by path, such as `spec.preserveUnknownFields`. Null
    /// fields are absent, as they are for a server.
    ///
    /// # Errors
    /// Everything that cannot be read, except for unknown keys.
    pub fn from_foreign_json(
        value: &Value,
    ) -> Result<(Self, BTreeMap<String, Value>), Vec<Misread>> {
        let mut misreads = Vec::new();
        let crd = crd(JsonNode::foreign(value), &mut misreads);
        let mut unknown = BTreeMap::new();
        misreads.retain_mut(|misread| match misread.unknown.take() {
            Some((key, value)) => {
                let dot = if misread.path.is_empty() { "" } else { "." };
                unknown.insert(format!("{}{dot}{key}", misread.path), value);
                false
            }
            None => true,
        });
        finish(crd, misreads).map(|crd| (crd, unknown))
    }
}

impl Schema {
    /// Reads a schema from its JSON.
    ///
    /// # Errors
    /// Everything that cannot be read, including unknown keys.
    pub fn from_json(value: &Value) -> Result<Self, Vec<Misread>> {
        let mut misreads = Vec::new();
        let schema = schema(JsonNode::root(value), &mut misreads);
        finish(schema, misreads)
    }
}

fn finish<T>(read: Option<T>, misreads: Vec<Misread>) -> Result<T, Vec<Misread>> {
    match read {
        Some(read) if misreads.is_empty() => Ok(read),
        Some(_) | None => Err(misreads),
    }
}

fn crd(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Crd> {
    let mut fields = Fields::of_object(&node, misreads)?;
    fields.must("apiVersion", |node, misreads| {
        exactly(API_VERSION, node, misreads)
    });
    fields.must("kind", |node, misreads| exactly(KIND, node, misreads));
    let spec = fields.must("spec", spec);
    let metadata = fields.must("metadata", |node, misreads| {
        let mut fields = Fields::of_object(&node, misreads)?;
        let annotations = fields.get("annotations", texts).unwrap_or_default();
        let labels = fields.get("labels", texts).unwrap_or_default();
        fields.must("name", |node, misreads| match &spec {
            Some(spec) => exactly(&spec.name(), node, misreads),
            None => read_text(node, misreads).map(|_| ()),
        });
        fields.finish();
        Some((annotations, labels))
    });
    fields.finish();
    let (annotations, labels) = metadata?;
    Some(Crd {
        annotations,
        labels,
        ..spec?
    })
}

/// `spec`, as a CRD without metadata.
fn spec(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Crd> {
    let mut fields = Fields::of_object(&node, misreads)?;
    let conversion = fields.get("conversion", conversion);
    let group = fields.must("group", read_text);
    let names = fields.must("names", names);
    let scope: Option<Scope> = fields.must("scope", |node, misreads| word(SCOPES, node, misreads));
    let versions = fields.must("versions", |node, misreads| {
        read_list(node, misreads, version)
    });
    fields.finish();
    Some(Crd {
        annotations: BTreeMap::new(),
        labels: BTreeMap::new(),
        group: group?,
        names: names?,
        scope: scope?,
        conversion: conversion.unwrap_or(Conversion::None),
        versions: versions?,
    })
}

fn names(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Names> {
    let mut fields = Fields::of_object(&node, misreads)?;
    let categories = fields.list("categories", read_text);
    let kind = fields.must("kind", read_text);
    let list_kind = fields.get("listKind", read_text);
    let plural = fields.must("plural", read_text);
    let short_names = fields.list("shortNames", read_text);
    let singular = fields.get("singular", read_text);
    fields.finish();
    let kind = kind?;
    Some(Names {
        plural: plural?,
        // Both are the server's defaults.
        singular: singular.unwrap_or_else(|| kind.to_lowercase().into()),
        list_kind: list_kind.filter(|list_kind| **list_kind != format!("{kind}List")),
        kind,
        short_names,
        categories,
    })
}

fn conversion(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Conversion> {
    const STRATEGIES: Words<bool> = &[("None", false), ("Webhook", true)];
    let mut fields = Fields::of_object(&node, misreads)?;
    let strategy = fields.must("strategy", |node, misreads| {
        word(STRATEGIES, node, misreads)
    });
    let conversion = if strategy == Some(true) {
        fields.must("webhook", webhook).map(Conversion::Webhook)
    } else {
        Some(Conversion::None)
    };
    fields.finish();
    conversion
}

fn webhook(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<WebhookConversion> {
    let mut fields = Fields::of_object(&node, misreads)?;
    let client = fields.must("clientConfig", |node, misreads| {
        let mut fields = Fields::of_object(&node, misreads)?;
        let client = WebhookClient {
            url: fields.get("url", read_text),
            service: fields.get("service", service),
            ca_bundle: fields.get("caBundle", read_text),
        };
        fields.finish();
        Some(client)
    });
    let review_versions = fields.list("conversionReviewVersions", read_text);
    fields.finish();
    Some(WebhookConversion {
        review_versions,
        client: client?,
    })
}

fn service(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<ServiceReference> {
    let mut fields = Fields::of_object(&node, misreads)?;
    let namespace = fields.must("namespace", read_text);
    let name = fields.must("name", read_text);
    let path = fields.get("path", read_text);
    let port = fields.get("port", integer);
    fields.finish();
    Some(ServiceReference {
        namespace: namespace?,
        name: name?,
        path,
        port,
    })
}

fn version(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Version> {
    let mut fields = Fields::of_object(&node, misreads)?;
    let columns = fields.list("additionalPrinterColumns", column);
    let deprecated = fields.flag("deprecated");
    let deprecation_warning = fields.get("deprecationWarning", read_text);
    let name = fields.must("name", read_text);
    let schema = fields.get("schema", |node, misreads| {
        let mut fields = Fields::of_object(&node, misreads)?;
        let schema = fields.get("openAPIV3Schema", schema);
        fields.finish();
        schema
    });
    let selectable_fields = fields.list("selectableFields", |node, misreads| {
        let mut fields = Fields::of_object(&node, misreads)?;
        let path = fields.must("jsonPath", read_text);
        fields.finish();
        path
    });
    let served = fields.must("served", boolean);
    let storage = fields.must("storage", boolean);
    let subresources = fields.get("subresources", subresources);
    fields.finish();
    Some(Version {
        name: name?,
        served: served?,
        storage: storage?,
        deprecated,
        deprecation_warning,
        columns,
        selectable_fields,
        subresources: subresources.filter(|subresources| *subresources != Subresources::NONE),
        schema: schema.map(Arc::new),
    })
}

fn column(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Column> {
    let mut fields = Fields::of_object(&node, misreads)?;
    let description = fields.get("description", read_text);
    let format = fields.get("format", read_text);
    let json_path = fields.must("jsonPath", read_text);
    let name = fields.must("name", read_text);
    let priority = fields.get("priority", integer);
    let ty = fields.must("type", read_text);
    fields.finish();
    Some(Column {
        name: name?,
        ty: ty?,
        json_path: json_path?,
        description,
        format,
        priority,
    })
}

fn subresources(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Subresources> {
    let mut fields = Fields::of_object(&node, misreads)?;
    let scale = fields.get("scale", |node, misreads| {
        let mut fields = Fields::of_object(&node, misreads)?;
        let label_selector_path = fields.get("labelSelectorPath", read_text);
        let spec_replicas_path = fields.must("specReplicasPath", read_text);
        let status_replicas_path = fields.must("statusReplicasPath", read_text);
        fields.finish();
        Some(Scale {
            spec_replicas_path: spec_replicas_path?,
            status_replicas_path: status_replicas_path?,
            label_selector_path,
        })
    });
    let status = fields.get("status", |node, misreads| {
        Fields::of_object(&node, misreads)?.finish();
        Some(())
    });
    fields.finish();
    Some(Subresources {
        status: status.is_some(),
        scale,
    })
}

fn schema(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Schema> {
    if node.depth > 2 * MAX_DEPTH {
        return node.misread(
            misreads,
            format!("nested more than {MAX_DEPTH} schemas deep"),
        );
    }
    let mut fields = Fields::of_object(&node, misreads)?;
    let bounds = Bounds {
        minimum: fields.get("minimum", number),
        exclusive_minimum: fields.flag("exclusiveMinimum"),
        maximum: fields.get("maximum", number),
        exclusive_maximum: fields.flag("exclusiveMaximum"),
        multiple_of: fields.get("multipleOf", number),
        min_length: fields.get("minLength", integer),
        max_length: fields.get("maxLength", integer),
        pattern: fields.get("pattern", read_text),
        min_items: fields.get("minItems", integer),
        max_items: fields.get("maxItems", integer),
        min_properties: fields.get("minProperties", integer),
        max_properties: fields.get("maxProperties", integer),
    };
    let junctors = Junctors {
        all_of: fields.list("allOf", schema),
        any_of: fields.list("anyOf", schema),
        one_of: fields.list("oneOf", schema),
        not: fields.get("not", schema).map(Box::new),
    };
    let merge = Merge {
        list_type: fields.get("x-kubernetes-list-type", |node, misreads| {
            word(LIST_TYPES, node, misreads)
        }),
        list_map_keys: fields.list("x-kubernetes-list-map-keys", read_text),
        map_type: fields.get("x-kubernetes-map-type", |node, misreads| {
            word(MAP_TYPES, node, misreads)
        }),
    };
    let docs = fields.get("externalDocs", |node, misreads| {
        let mut fields = Fields::of_object(&node, misreads)?;
        let docs = (
            fields.get("url", read_text),
            fields.get("description", read_text),
        );
        fields.finish();
        Some(docs)
    });
    let (docs_url, docs_description) = docs.unwrap_or_default();
    let notes = Notes {
        example: fields.get("example", any),
        docs_url,
        docs_description,
    };
    let properties = fields.get("properties", |node, misreads| {
        map(node, misreads, |node, misreads| {
            schema(node, misreads).map(Arc::new)
        })
    });
    let schema = Schema {
        ty: fields.get("type", |node, misreads| word(TYPES, node, misreads)),
        format: fields.get("format", read_text),
        title: fields.get("title", read_text),
        description: fields.get("description", read_text),
        nullable: fields.flag("nullable"),
        default: fields.get("default", any).map(Box::new),
        enum_values: fields.list("enum", any),
        properties: properties.unwrap_or_default(),
        required: fields.list("required", read_text),
        additional_properties: fields.get("additionalProperties", additional),
        items: fields.get("items", schema).map(Arc::new),
        bounds: boxed(bounds),
        junctors: boxed(junctors),
        merge: boxed(merge),
        notes: boxed(notes),
        rules: fields.list("x-kubernetes-validations", rule),
        embedded_resource: fields.flag("x-kubernetes-embedded-resource"),
        int_or_string: fields.flag("x-kubernetes-int-or-string"),
        preserve_unknown_fields: fields.flag("x-kubernetes-preserve-unknown-fields"),
        origin: Origin::default(),
        levels: Levels::default(),
        keys: Keys::default(),
    };
    fields.finish();
    Some(schema)
}

/// A group of keywords; `None` if all of them are absent.
fn boxed<T: Default + PartialEq>(group: T) -> Option<Box<T>> {
    (group != T::default()).then(|| Box::new(group))
}

fn additional(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Additional> {
    match node.value {
        Value::Bool(allowed) => Some(Additional::Allowed(*allowed)),
        _ => schema(node, misreads).map(|schema| Additional::Schema(Arc::new(schema))),
    }
}

fn rule(node: JsonNode<'_>, misreads: &mut Misreads) -> Option<Rule> {
    let mut fields = Fields::of_object(&node, misreads)?;
    let rule = fields.must("rule", read_text);
    let read = Rule {
        rule: rule.unwrap_or_default(),
        message: fields.get("message", read_text),
        message_expression: fields.get("messageExpression", read_text),
        reason: fields.get("reason", read_text),
        field_path: fields.get("fieldPath", read_text),
        optional_old_self: fields.get("optionalOldSelf", boolean),
        origin: Origin::default(),
        rule_written: Written::default(),
        message_written: Written::default(),
    };
    fields.finish();
    Some(read)
}
