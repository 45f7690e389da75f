//! `spec`: all of a CRD except its schemas.

use super::super::model::{
    Column, Conversion, Names, Scale, Schema, Service, Spec, Subresources, Version, WebhookClient,
};
use crate::base64;
use crd_channels_validation::schema;
use crd_channels_validation::schema::{Faults, JsonNode};
use serde_json::Value;

pub(super) fn decode_spec<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Spec<'a> {
    let mut spec = Spec::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "group" => spec.group = faults.text(node),
            "names" => spec.names = names(faults, node),
            "scope" => spec.scope = faults.text(node),
            "versions" => spec.versions = faults.list(node, version).0.unwrap_or_default(),
            "conversion" => spec.conversion = present(node).map(|node| conversion(faults, node)),
            "preserveUnknownFields" => spec.preserve_unknown_fields = faults.flag(node),
            _ => return false,
        }
        true
    });
    spec
}

/// The node, unless it is null, which counts as absent.
fn present<'a, 'p>(node: JsonNode<'a, 'p>) -> Option<JsonNode<'a, 'p>> {
    (!node.value.is_null()).then_some(node)
}

pub(super) fn names<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Names<'a> {
    let mut names = Names::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "plural" => names.plural = faults.text(node),
            "singular" => names.singular = faults.text(node),
            "shortNames" => names.short_names = faults.texts(node),
            "kind" => names.kind = faults.text(node),
            "listKind" => names.list_kind = faults.text(node),
            "categories" => names.categories = faults.texts(node),
            _ => return false,
        }
        true
    });
    names
}

fn version<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Version<'a> {
    let mut version = Version::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "name" => version.name = faults.text(node),
            "served" => version.served = faults.some_flag(node),
            "storage" => version.storage = faults.flag(node),
            "deprecated" => version.deprecated = faults.flag(node),
            "deprecationWarning" => version.deprecation_warning = faults.some_text(node),
            "schema" => version.schema = present(node).map(|node| validation(faults, node)),
            "subresources" => {
                version.subresources = present(node).map(|node| subresources(faults, node));
            }
            "additionalPrinterColumns" => version.columns = faults.list(node, column),
            "selectableFields" => version.selectable_fields = faults.list(node, selectable_field),
            _ => return false,
        }
        true
    });
    version
}

fn validation<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Option<Schema<'a>> {
    let mut found = None;
    faults.fields(node, |faults, name, node| {
        let known = name == "openAPIV3Schema";
        if known {
            found = present(node).map(|node| schema::decode_schema(faults, node));
        }
        known
    });
    found
}

fn subresources<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Subresources<'a> {
    let mut subresources = Subresources::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "status" => {
                subresources.status = present(node).is_some();
                faults.fields(node, |_, _, _| false);
            }
            "scale" => subresources.scale = present(node).map(|node| scale(faults, node)),
            _ => return false,
        }
        true
    });
    subresources
}

fn scale<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Scale<'a> {
    let mut scale = Scale::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "specReplicasPath" => scale.spec_replicas = faults.text(node),
            "statusReplicasPath" => scale.status_replicas = faults.text(node),
            "labelSelectorPath" => scale.label_selector = faults.some_text(node),
            _ => return false,
        }
        true
    });
    scale
}

fn column<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Column<'a> {
    let mut column = Column::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "name" => column.name = faults.text(node),
            "type" => column.ty = faults.text(node),
            "format" => column.format = faults.text(node),
            "description" => column.description = faults.text(node),
            "priority" => column.priority = faults.small_integer(node).unwrap_or_default(),
            "jsonPath" => column.json_path = faults.text(node),
            _ => return false,
        }
        true
    });
    column
}

fn selectable_field<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> &'a str {
    let mut path = "";
    faults.fields(node, |faults, name, node| {
        let known = name == "jsonPath";
        if known {
            path = faults.text(node);
        }
        known
    });
    path
}

fn conversion<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Conversion<'a> {
    let mut conversion = Conversion::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "strategy" => conversion.strategy = faults.text(node),
            "webhook" => faults.fields(node, |faults, name, node| {
                match name {
                    "clientConfig" => {
                        conversion.client = present(node).map(|node| client(faults, node));
                    }
                    "conversionReviewVersions" => conversion.review_versions = faults.texts(node),
                    _ => return false,
                }
                true
            }),
            _ => return false,
        }
        true
    });
    conversion
}

fn client<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> WebhookClient<'a> {
    let mut client = WebhookClient::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "url" => client.url = faults.some_text(node),
            "service" => client.service = present(node).map(|node| service(faults, node)),
            "caBundle" => certificate(faults, node),
            _ => return false,
        }
        true
    });
    client
}

fn service<'a>(faults: &mut Faults, node: JsonNode<'a, '_>) -> Service<'a> {
    let mut service = Service::default();
    faults.fields(node, |faults, name, node| {
        match name {
            "namespace" => service.namespace = faults.text(node),
            "name" => service.name = faults.text(node),
            "path" => service.path = faults.some_text(node),
            "port" => service.port = faults.small_integer(node),
            _ => return false,
        }
        true
    });
    service
}

/// Bytes in base64 with padding; line breaks are skipped.
pub(crate) fn certificate(faults: &mut Faults, node: JsonNode<'_, '_>) {
    let fits = match node.value {
        Value::Null => true,
        Value::String(text) => base64::decoded(text).is_some(),
        _ => false,
    };
    if !fits {
        faults.refuse(node, "text in base64");
    }
}
