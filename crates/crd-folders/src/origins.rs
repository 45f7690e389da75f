//! Tells each schema of a CRD where it is written, so that every finding about it points into the YAML.

use crd_channels_diagnostics::{FileId, Span};
use crd_channels_released::places::Places;
use crd_channels_schema::{Additional, Crd, Origin, Schema};
use crd_channels_validation::path::PathElement;
use std::sync::Arc;

/// Sets the origins of all schemas and rules.
pub(crate) fn set(crd: &mut Crd, file: FileId, places: &Places) {
    let versions = place_below(Some(places), &["spec", "versions"]);
    for (nth, version) in crd.versions.iter_mut().enumerate() {
        let version_at = item(versions, nth);
        if let Some(schema) = &mut version.schema {
            let at = place_below(version_at, &["schema", "openAPIV3Schema"]);
            of_schema(Arc::make_mut(schema), file, at);
        }
    }
}

fn of_schema(schema: &mut Schema, file: FileId, at: Option<&Places>) {
    let Some(at) = at else {
        return;
    };
    schema.origin = Origin(Some(Span::of_bytes(file, at.range())));
    let properties = place_below(Some(at), &["properties"]);
    for (name, property) in &mut schema.properties {
        of_schema(
            Arc::make_mut(property),
            file,
            place_below(properties, &[name]),
        );
    }
    if let Some(items) = &mut schema.items {
        of_schema(
            Arc::make_mut(items),
            file,
            place_below(Some(at), &["items"]),
        );
    }
    if let Some(Additional::Schema(values)) = &mut schema.additional_properties {
        let values_at = place_below(Some(at), &["additionalProperties"]);
        of_schema(Arc::make_mut(values), file, values_at);
    }
    let rules = place_below(Some(at), &["x-kubernetes-validations"]);
    for (nth, rule) in schema.rules.iter_mut().enumerate() {
        let rule_at = item(rules, nth).map(|at| Span::of_bytes(file, at.range()));
        rule.origin = Origin(rule_at);
    }
    if let Some(junctors) = &mut schema.junctors {
        let lists = [
            ("allOf", &mut junctors.all_of),
            ("anyOf", &mut junctors.any_of),
            ("oneOf", &mut junctors.one_of),
        ];
        for (key, list) in lists {
            let list_at = place_below(Some(at), &[key]);
            for (nth, branch) in list.iter_mut().enumerate() {
                of_schema(branch, file, item(list_at, nth));
            }
        }
        if let Some(not) = &mut junctors.not {
            of_schema(not, file, place_below(Some(at), &["not"]));
        }
    }
}

/// The place of a field inside an object.
fn place_below<'p>(places: Option<&'p Places>, names: &[&str]) -> Option<&'p Places> {
    names.iter().try_fold(places?, |at, name| {
        at.below(&PathElement::Child((*name).into()))
    })
}

fn item(places: Option<&Places>, nth: usize) -> Option<&Places> {
    places?.below(&PathElement::Index(nth))
}
