//! The answer of an API server to a created CRD: its stages, its rules, its field paths and reasons.

mod columns;
mod conversion;
pub(crate) mod defaults;
mod findings;
mod metadata;
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
use super::document::Document;
use super::document::model::{Conversion, Crd, DefaultedNames, Version};
use super::finding::Finding;
use super::lints::one_per_version;
use super::registry::Rule;
use crd_channels_validation::path::Path;
use findings::Findings;
pub use names::{APPROVAL, is_protected};
use serde_json::Value;

/// Validates a document that claims to be a CRD, including its size, for servers of a minor of Kubernetes and for newer ones.
#[must_use]
pub fn validate(document: &Value, minor: u32) -> Vec<Finding> {
    validate_decoded(&Document::decode(document), document, minor)
}

/// Sizes are those of the JSON, which is not part of a decoded CRD.
fn validate_decoded(decoded: &Document<'_>, document: &Value, minor: u32) -> Vec<Finding> {
    let mut found = decoded.validate(minor);
    if decoded.crd.is_some() {
        found.extend(sizes::validate(document));
    }
    found
}

impl Document<'_> {
    /// Validates like [`validate`], and lints if a server accepts it. `document` is its JSON. It does not say which types come
    /// from dependencies and cannot be changed, so lists without a type are one finding in each version.
    #[must_use]
    pub fn validate_and_lint(&self, document: &Value, minor: u32) -> Vec<Finding> {
        let mut found = validate_decoded(self, document, minor);
        if !found.iter().any(Finding::refuses) {
            found.extend(one_per_version(self.lint(minor)));
        }
        found
    }

    /// Validates everything except the size, for servers of a minor of Kubernetes and for newer ones.
    #[must_use]
    pub fn validate(&self, minor: u32) -> Vec<Finding> {
        let mut found = Findings(self.faults.clone());
        if let Some(crd) = &self.crd {
            validate_crd(crd, minor, &mut found);
        }
        found.0
    }

    /// The costs of the expressions of each version. Empty if it is not a CRD.
    #[must_use]
    pub fn costs(&self) -> Vec<SchemaCosts> {
        let versions = self.crd.as_ref().map(|crd| &*crd.spec.versions);
        let versions = versions.unwrap_or_default();
        let at = Path::root("spec");
        let path = at.child("versions");
        let of = |(index, version): (usize, &Version<'_>)| {
            let schema = version.schema()?;
            let at = path.index(index);
            let at = at.child("schema");
            let at = at.child("openAPIV3Schema");
            let status = has_status(version, versions);
            Some(schema::costs(schema, version.name, status, at))
        };
        versions.iter().enumerate().filter_map(of).collect()
    }
}

fn validate_crd(crd: &Crd<'_>, minor: u32, found: &mut Findings) {
    let at = Path::root("spec");
    let spec = &crd.spec;
    metadata::validate(crd, found);
    names::group(spec, at, found);
    names::scope(spec, at, found);
    versions(crd, minor, at, found);
    versions::together(spec, at, found);
    names::names(&DefaultedNames::of_names(&spec.names), at, found);
    let default = Conversion {
        strategy: "None",
        ..Conversion::default()
    };
    let conversion = spec.conversion.as_ref().unwrap_or(&default);
    conversion::validate(conversion, spec.preserve_unknown_fields, at, found);
    versions::stored(spec, found);
    names::approval(crd, found);
    if spec.preserve_unknown_fields {
        let message = "it cannot be `true`";
        let path = at.child("preserveUnknownFields");
        let reason = super::finding::Reason::Invalid;
        found.refuse(Rule::PreserveUnknownFields, reason, path, message);
    }
}

/// The parts that are equal in all versions, and therefore validated once, at their own path.
struct Common {
    schema: bool,
    subresources: bool,
    columns: bool,
    selectable_fields: bool,
}

impl Common {
    fn of_versions(versions: &[Version<'_>]) -> Self {
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

fn versions(crd: &Crd<'_>, minor: u32, spec: Path<'_>, found: &mut Findings) {
    let versions = &crd.spec.versions;
    let common = Common::of_versions(versions);
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
            let target = schema::ValidationTarget { status, minor };
            schema::validate(schema, target, path.child("openAPIV3Schema"), found);
        }
        if !common.subresources
            && let Some(subresources) = &version.subresources
        {
            subresources::validate(subresources, at.child("subresources"), found);
        }
        if !common.columns {
            columns::validate(
                version.columns.as_slice(),
                at.child("additionalPrinterColumns"),
                found,
            );
        }
        if !common.selectable_fields {
            // The server does not look for a schema that all versions share here.
            let schema = schema.flatten().filter(|_| !common.schema).map(Some);
            selectable::validate(version.selectable_fields.as_slice(), schema, at, found);
        }
    }
    if let Some(first) = versions.first() {
        hoisted(first, crd, &common, minor, spec, found);
    }
}

/// Validates the parts that all versions share.
fn hoisted(
    first: &Version<'_>,
    crd: &Crd<'_>,
    common: &Common,
    minor: u32,
    spec: Path<'_>,
    found: &mut Findings,
) {
    let schema = first
        .schema
        .as_ref()
        .map(Option::as_ref)
        .filter(|_| common.schema);
    if let Some(Some(schema)) = schema {
        let status = crd.spec.versions.iter().any(enables_status);
        let path = spec.child("validation");
        let target = schema::ValidationTarget { status, minor };
        schema::validate(schema, target, path.child("openAPIV3Schema"), found);
    }
    if common.subresources
        && let Some(subresources) = &first.subresources
    {
        subresources::validate(subresources, spec.child("subresources"), found);
    }
    if common.columns {
        columns::validate(
            first.columns.as_slice(),
            spec.child("additionalPrinterColumns"),
            found,
        );
    }
    if common.selectable_fields {
        selectable::validate(first.selectable_fields.as_slice(), schema, spec, found);
    }
}

fn missing_schema(at: Path<'_>, found: &mut Findings) {
    let path = at.child("schema");
    let path = path.child("openAPIV3Schema");
    let message = "the version has no schema";
    let reason = super::finding::Reason::Required;
    found.refuse(Rule::MissingSchema, reason, path, message);
}

/// Whether a version has the status subresource: the first version of its name decides.
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
