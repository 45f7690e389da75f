//! Converts typed CRDs to the server's types, without intermediate JSON.

use super::decode::spec::certificate;
use super::model;
use crd_channels_diagnostics::Text;
use crd_channels_schema as source;
use crd_channels_validation::metadata::Metadata;
use crd_channels_validation::path::Path;
use crd_channels_validation::schema as server;
use crd_channels_validation::schema::{Faults, JsonNode, Many, Named};
use serde_json::{Number, Value};
use std::collections::BTreeMap;
use std::ops::Deref;

/// The depth at which `spec` nests a schema.
const SCHEMA_DEPTH: usize = 4;

/// A node of a schema as a server decodes it, without bounds that servers cannot decode.
#[must_use]
pub fn schema(schema: &source::Schema) -> server::Schema<'_> {
    node(&mut Faults::default(), schema, Path::root("schema"), 0)
}

pub(super) fn crd<'a>(faults: &mut Faults, crd: &'a source::Crd, name: &'a str) -> model::Crd<'a> {
    let source::Crd {
        annotations,
        labels,
        group,
        names,
        scope,
        conversion,
        versions,
    } = crd;
    let spec = Path::root("spec");
    let at = spec.child("versions");
    let versions = versions.iter().enumerate();
    model::Crd {
        metadata: Metadata {
            name,
            labels: texts_by_name(labels),
            annotations: texts_by_name(annotations),
            ..Metadata::default()
        },
        spec: model::Spec {
            group,
            names: self::names(names),
            scope: scope.name(),
            conversion: self::conversion(faults, conversion, spec.child("conversion")),
            versions: versions
                .map(|(index, it)| version(faults, it, at.index(index)))
                .collect(),
            preserve_unknown_fields: false,
        },
        status: model::Status::default(),
    }
}

fn names(names: &source::Names) -> model::Names<'_> {
    let source::Names {
        plural,
        singular,
        kind,
        list_kind,
        short_names,
        categories,
    } = names;
    model::Names {
        plural,
        singular,
        short_names: texts(short_names),
        kind,
        list_kind: text_or_empty(list_kind),
        categories: texts(categories),
    }
}

fn conversion<'a>(
    faults: &mut Faults,
    conversion: &'a source::Conversion,
    at: Path<'_>,
) -> Option<model::Conversion<'a>> {
    let source::Conversion::Webhook(webhook) = conversion else {
        return None;
    };
    let source::WebhookConversion {
        review_versions,
        client,
    } = webhook;
    let source::WebhookClient {
        url,
        service,
        ca_bundle,
    } = client;
    if let Some(bundle) = ca_bundle {
        let (webhook, bundle) = (at.child("webhook"), Value::from(&**bundle));
        let client = webhook.child("clientConfig");
        certificate(faults, JsonNode::new(&bundle, &client.child("caBundle")));
    }
    Some(model::Conversion {
        strategy: "Webhook",
        client: Some(model::WebhookClient {
            url: url.as_deref(),
            service: service.as_ref().map(self::service),
        }),
        review_versions: texts(review_versions),
    })
}

fn service(service: &source::ServiceReference) -> model::Service<'_> {
    let source::ServiceReference {
        namespace,
        name,
        path,
        port,
    } = service;
    model::Service {
        namespace,
        name,
        path: path.as_deref(),
        port: port.map(i64::from),
    }
}

fn version<'a>(
    faults: &mut Faults,
    version: &'a source::Version,
    at: Path<'_>,
) -> model::Version<'a> {
    let source::Version {
        name,
        served,
        storage,
        deprecated,
        deprecation_warning,
        columns,
        selectable_fields,
        subresources,
        schema,
    } = version;
    let path = at.child("schema");
    let path = path.child("openAPIV3Schema");
    model::Version {
        name,
        served: Some(*served),
        storage: *storage,
        deprecated: *deprecated,
        deprecation_warning: deprecation_warning.as_deref(),
        schema: schema
            .as_deref()
            .map(|it| Some(node(faults, it, path, SCHEMA_DEPTH))),
        subresources: subresources.as_ref().and_then(self::subresources),
        columns: many(columns.iter().map(column)),
        selectable_fields: texts(selectable_fields),
    }
}

fn subresources(subresources: &source::Subresources) -> Option<model::Subresources<'_>> {
    let source::Subresources { status, scale } = subresources;
    let is_written = *status || scale.is_some();
    is_written.then(|| model::Subresources {
        status: *status,
        scale: scale.as_ref().map(self::scale),
    })
}

fn scale(scale: &source::Scale) -> model::Scale<'_> {
    let source::Scale {
        spec_replicas_path,
        status_replicas_path,
        label_selector_path,
    } = scale;
    model::Scale {
        spec_replicas: spec_replicas_path,
        status_replicas: status_replicas_path,
        label_selector: label_selector_path.as_deref(),
    }
}

fn column(column: &source::Column) -> model::Column<'_> {
    let source::Column {
        name,
        ty,
        json_path,
        description,
        format,
        priority,
    } = column;
    model::Column {
        name,
        ty,
        format: text_or_empty(format),
        description: text_or_empty(description),
        priority: priority.map(i64::from).unwrap_or_default(),
        json_path,
    }
}

fn node<'a>(
    faults: &mut Faults,
    schema: &'a source::Schema,
    at: Path<'_>,
    depth: usize,
) -> server::Schema<'a> {
    if faults.is_too_deep(&at, depth) {
        return server::Schema::default();
    }
    let source::Schema {
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
        levels: _,
        keys: _,
    } = schema;
    let mut read = server::Schema {
        ty: ty.map(source::JsonType::name).unwrap_or_default(),
        format: text_or_empty(format),
        title: text_or_empty(title),
        description: text_or_empty(description),
        nullable: *nullable,
        default: default.as_deref().filter(|value| !value.is_null()),
        enum_values: many(enum_values.iter()),
        required: texts(required),
        rules: many(rules.iter().map(rule)),
        embedded_resource: *embedded_resource,
        int_or_string: *int_or_string,
        preserve_unknown_fields: preserve_unknown_fields.then_some(true),
        ..server::Schema::default()
    };
    let path = at.child("properties");
    let properties = properties.iter();
    read.properties = many(properties.map(|(name, property)| {
        let property = node(faults, property, path.child(name), depth + 2);
        (&**name, property)
    }));
    read.items = items.as_deref().map(|items| {
        let item = node(faults, items, at.child("items"), depth + 1);
        server::Items::One(Box::new(item))
    });
    read.additional_properties = additional_properties.as_ref().map(|values| match values {
        source::Additional::Allowed(allowed) => server::Additional::Allowed(*allowed),
        source::Additional::Schema(values) => {
            let values = node(faults, values, at.child("additionalProperties"), depth + 1);
            server::Additional::Schema(Box::new(values))
        }
    });
    if let Some(bounds) = bounds {
        self::bounds(faults, bounds, &mut read, at);
    }
    if let Some(junctors) = junctors {
        self::junctors(faults, junctors, &mut read, at, depth);
    }
    if let Some(merge) = merge {
        let source::Merge {
            list_type,
            list_map_keys,
            map_type,
        } = &**merge;
        read.list_type = list_type.map(source::ListType::name);
        read.list_map_keys = texts(list_map_keys);
        read.map_type = map_type.map(source::MapType::name);
    }
    if let Some(notes) = notes {
        let source::Notes {
            example,
            docs_url,
            docs_description,
        } = &**notes;
        read.example = example.as_ref().filter(|value| !value.is_null());
        let has_docs = docs_url.is_some() || docs_description.is_some();
        read.external_docs =
            has_docs.then(|| (text_or_empty(docs_description), text_or_empty(docs_url)));
    }
    read
}

fn bounds<'a>(
    faults: &mut Faults,
    bounds: &'a source::Bounds,
    read: &mut server::Schema<'a>,
    at: Path<'_>,
) {
    let source::Bounds {
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
    } = bounds;
    let number = |number: &Option<Number>| number.as_ref().and_then(Number::as_f64);
    // Servers use signed integers for counts.
    let mut count = |count: &Option<u64>, keyword| {
        let count = Value::from((*count)?);
        faults.integer(JsonNode::new(&count, &at.child(keyword)))
    };
    read.minimum = number(minimum);
    read.exclusive_minimum = *exclusive_minimum;
    read.maximum = number(maximum);
    read.exclusive_maximum = *exclusive_maximum;
    read.multiple_of = number(multiple_of);
    read.min_length = count(min_length, "minLength");
    read.max_length = count(max_length, "maxLength");
    read.pattern = server::Pattern::new(text_or_empty(pattern));
    read.min_items = count(min_items, "minItems");
    read.max_items = count(max_items, "maxItems");
    read.min_properties = count(min_properties, "minProperties");
    read.max_properties = count(max_properties, "maxProperties");
}

fn junctors<'a>(
    faults: &mut Faults,
    junctors: &'a source::Junctors,
    read: &mut server::Schema<'a>,
    at: Path<'_>,
    depth: usize,
) {
    let source::Junctors {
        all_of,
        any_of,
        one_of,
        not,
    } = junctors;
    let mut branches = |branches: &'a [source::Schema], keyword| {
        let at = at.child(keyword);
        let branches = branches.iter().enumerate();
        many(branches.map(|(index, branch)| node(faults, branch, at.index(index), depth + 2)))
    };
    read.all_of = branches(all_of, "allOf");
    read.any_of = branches(any_of, "anyOf");
    read.one_of = branches(one_of, "oneOf");
    read.not = not
        .as_deref()
        .map(|not| Box::new(node(faults, not, at.child("not"), depth + 1)));
}

fn rule(rule: &source::Rule) -> server::ValidationRule<'_> {
    let source::Rule {
        rule,
        message,
        message_expression,
        reason,
        field_path,
        optional_old_self,
        origin: _,
        rule_written: _,
        message_written: _,
    } = rule;
    server::ValidationRule {
        rule,
        message: text_or_empty(message),
        message_expression: text_or_empty(message_expression),
        reason: reason.as_deref(),
        field_path: text_or_empty(field_path),
        optional_old_self: *optional_old_self,
    }
}

fn text_or_empty(text: &Option<Text>) -> &str {
    text.as_deref().unwrap_or_default()
}

fn texts(texts: &[Text]) -> Many<&str> {
    many(texts.iter().map(Deref::deref))
}

/// Empty lists are not written.
fn many<T>(items: impl ExactSizeIterator<Item = T>) -> Many<T> {
    Many((items.len() > 0).then(|| items.collect()))
}

fn texts_by_name(texts: &BTreeMap<Text, Text>) -> Named<'_, &str> {
    many(texts.iter().map(|(name, text)| (&**name, &**text)))
}
