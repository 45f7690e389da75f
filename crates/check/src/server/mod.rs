//! What an API server answers to a CRD that is created: its stages, its rules, its words for fields and reasons.

mod columns;
mod conversion;
mod decode;
mod defaults;
mod found;
mod metadata;
mod model;
mod names;
mod printable;
mod schema;
mod selectable;
mod sizes;
mod subresources;
mod versions;

#[cfg(test)]
mod answers_tests;
#[cfg(test)]
mod cel_corpus_tests;
#[cfg(test)]
mod corpus_tests;
#[cfg(test)]
mod costs_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod rows_tests;

use super::costs::SchemaCosts;
use super::finding::Finding;
use super::registry::Rule;
use crd_channels_validation::path::Path;
use found::Found;
use model::{Conversion, Crd, Version};
use serde_json::Value;

const API_VERSION: &str = "apiextensions.k8s.io/v1";

/// Judges a document that says to be a CRD, for servers of a minor of Kubernetes and for newer ones.
#[must_use]
pub fn judge(document: &Value, minor: u32) -> Vec<Finding> {
    let mut found = Found::default();
    if content(document, minor, &mut found) {
        sizes::judge(document, &mut found);
    }
    found.0
}

/// The same without a word on its size, for those who know that already.
#[must_use]
pub fn judge_content(document: &Value, minor: u32) -> Vec<Finding> {
    let mut found = Found::default();
    content(document, minor, &mut found);
    found.0
}

/// What the expressions of each version cost. Empty if the document is not a CRD.
#[must_use]
pub fn costs(document: &Value) -> Vec<SchemaCosts> {
    let Ok(crd) = decode::decode(document).crd else {
        return Vec::new();
    };
    let versions = &crd.spec.versions;
    let at = Path::root("spec");
    let path = at.child("versions");
    let of = |(index, version): (usize, &Version<'_>)| {
        let schema = version.schema.as_ref()?.as_ref()?;
        let at = path.index(index);
        let at = at.child("schema");
        let at = at.child("openAPIV3Schema");
        let status = has_status(version, versions);
        Some(schema::costs(schema, version.name, status, at))
    };
    versions.iter().enumerate().filter_map(of).collect()
}

/// Judges all but the size. Whether the document is a CRD at all.
fn content(document: &Value, minor: u32, found: &mut Found) -> bool {
    let version = document.get("apiVersion").and_then(Value::as_str);
    if let Some(other) = version.filter(|version| *version != API_VERSION) {
        let message = format!("`{other}` is not `{API_VERSION}`");
        found
            .0
            .push(Finding::new(Rule::UnservedApiVersion, message));
        return false;
    }
    let decoded = decode::decode(document);
    found.0.extend(decoded.unknown);
    match decoded.crd {
        Ok(crd) => {
            judge_crd(&crd, minor, found);
            true
        }
        Err(undecodable) => {
            found.0.extend(undecodable);
            false
        }
    }
}

fn judge_crd(crd: &Crd<'_>, minor: u32, found: &mut Found) {
    let at = Path::root("spec");
    let spec = &crd.spec;
    metadata::judge(crd, found);
    names::group(spec, at, found);
    names::scope(spec, at, found);
    versions(crd, minor, at, found);
    versions::together(spec, at, found);
    names::names(&names::Defaulted::of(&spec.names), at, found);
    let default = Conversion {
        strategy: "None",
        ..Conversion::default()
    };
    let conversion = spec.conversion.as_ref().unwrap_or(&default);
    conversion::judge(conversion, spec.preserve_unknown_fields, at, found);
    versions::stored(spec, found);
    names::approval(crd, found);
    if spec.preserve_unknown_fields {
        let message = "it cannot be `true`";
        let path = at.child("preserveUnknownFields");
        let reason = super::finding::Reason::Invalid;
        found.refuse(Rule::PreserveUnknownFields, reason, path, message);
    }
}

/// What is equal in all versions, and therefore judged once, at a path of its own.
struct Common {
    schema: bool,
    subresources: bool,
    columns: bool,
    selectable_fields: bool,
}

impl Common {
    fn of(versions: &[Version<'_>]) -> Self {
        let all = |same: fn(&Version<'_>, &Version<'_>) -> bool| {
            let pairs = versions.first().into_iter().zip(versions.get(1..));
            pairs
                .into_iter()
                .all(|(first, rest)| rest.iter().all(|other| same(first, other)))
        };
        Self {
            schema: all(|one, other| one.schema == other.schema),
            subresources: all(|one, other| one.subresources == other.subresources),
            columns: all(|one, other| one.columns == other.columns),
            selectable_fields: all(|one, other| one.selectable_fields == other.selectable_fields),
        }
    }
}

fn versions(crd: &Crd<'_>, minor: u32, spec: Path<'_>, found: &mut Found) {
    let versions = &crd.spec.versions;
    let common = Common::of(versions);
    let path = spec.child("versions");
    for (index, version) in versions.iter().enumerate() {
        let at = path.index(index);
        versions::version(version, at, found);
        let schema = version.schema.as_ref().map(Option::as_ref);
        if schema.flatten().is_none() {
            missing_schema(at, found);
        }
        if !common.schema
            && let Some(Some(schema)) = schema
        {
            let status = has_status(version, versions);
            let path = at.child("schema");
            let ground = schema::Ground { status, minor };
            schema::judge(schema, ground, path.child("openAPIV3Schema"), found);
        }
        if !common.subresources
            && let Some(subresources) = &version.subresources
        {
            subresources::judge(subresources, at.child("subresources"), found);
        }
        if !common.columns {
            columns::judge(
                version.columns.as_slice(),
                at.child("additionalPrinterColumns"),
                found,
            );
        }
        if !common.selectable_fields {
            // A schema that all versions share is not looked for here by the server.
            let schema = schema.flatten().filter(|_| !common.schema).map(Some);
            selectable::judge(version.selectable_fields.as_slice(), schema, at, found);
        }
    }
    if let Some(first) = versions.first() {
        hoisted(first, crd, &common, minor, spec, found);
    }
}

/// What is judged once for all versions.
fn hoisted(
    first: &Version<'_>,
    crd: &Crd<'_>,
    common: &Common,
    minor: u32,
    spec: Path<'_>,
    found: &mut Found,
) {
    let schema = first
        .schema
        .as_ref()
        .map(Option::as_ref)
        .filter(|_| common.schema);
    if let Some(Some(schema)) = schema {
        let status = crd.spec.versions.iter().any(enables_status);
        let path = spec.child("validation");
        let ground = schema::Ground { status, minor };
        schema::judge(schema, ground, path.child("openAPIV3Schema"), found);
    }
    if common.subresources
        && let Some(subresources) = &first.subresources
    {
        subresources::judge(subresources, spec.child("subresources"), found);
    }
    if common.columns {
        columns::judge(
            first.columns.as_slice(),
            spec.child("additionalPrinterColumns"),
            found,
        );
    }
    if common.selectable_fields {
        selectable::judge(first.selectable_fields.as_slice(), schema, spec, found);
    }
}

fn missing_schema(at: Path<'_>, found: &mut Found) {
    let path = at.child("schema");
    let path = path.child("openAPIV3Schema");
    let message = "the version has no schema";
    let reason = super::finding::Reason::Required;
    found.refuse(Rule::MissingSchema, reason, path, message);
}

/// Whether the status subresource is on for a version: the first of its name decides.
fn has_status(version: &Version<'_>, all: &[Version<'_>]) -> bool {
    let namesake = all.iter().find(|other| other.name == version.name);
    namesake.is_some_and(enables_status)
}

fn enables_status(version: &Version<'_>) -> bool {
    version
        .subresources
        .as_ref()
        .is_some_and(|subresources| subresources.status)
}
