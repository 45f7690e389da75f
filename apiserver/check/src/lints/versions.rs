//! Lints on a version: its name, its deprecation, its status, the paths of its columns.

use super::paths::{Target, follow, selects_several};
use super::regret::{regret, type_in_words};
use super::scale;
use crate::document::model::{Schema, Version};
use crate::finding::Finding;
use crate::near_path::did_you_mean;
use crate::registry::Rule;
use crd_channels_validation::path::Path;

pub(super) fn lint(version: &Version<'_>, at: Path<'_>, found: &mut Vec<Finding>) {
    let name = version.name;
    if !is_ordered(name) {
        let message =
            format!("`{name}` is not a Kubernetes-style version, so it sorts after all others");
        found.push(regret(Rule::UnorderedVersion, at.child("name"), message));
    }
    if version.deprecated && version.served == Some(false) {
        let message = format!("`{name}` is deprecated and not served, so no client is warned");
        let at = at.child("deprecated");
        found.push(regret(Rule::UnseenDeprecation, at, message));
    }
    let Some(schema) = version.schema() else {
        return;
    };
    let has_status = schema.properties.get("status").is_some();
    let subresources = version.subresources.as_ref();
    let enabled = subresources.is_some_and(|subresources| subresources.status);
    if has_status && !enabled {
        let message = format!("`{name}` has a `status` but no status subresource");
        let at = at.child("subresources");
        found.push(regret(Rule::StatusWithoutSubresource, at, message));
    }
    columns(version, schema, at, found);
    if let Some(scale) = subresources.and_then(|subresources| subresources.scale.as_ref()) {
        scale::lint(scale, schema, at.child("subresources"), found);
    }
}

fn columns(version: &Version<'_>, schema: &Schema<'_>, at: Path<'_>, found: &mut Vec<Finding>) {
    let at = at.child("additionalPrinterColumns");
    for (index, column) in version.columns.iter().enumerate() {
        let at = at.index(index);
        let (path, ty) = (column.json_path, column.ty);
        let target = follow(path, schema);
        if !matches!(target, Target::Nowhere) && selects_several(path, schema) {
            let message =
                format!("`{path}` selects several values, and the column shows only the first");
            found.push(regret(Rule::PartialColumn, at.child("jsonPath"), message));
        }
        match target {
            Target::Unknown => {}
            Target::Nowhere => {
                let message =
                    format!("the schema has nothing at `{path}`, so the column stays empty");
                let finding = regret(Rule::EmptyColumn, at.child("jsonPath"), message);
                found.push(finding.with_better_help(did_you_mean(path, schema)));
            }
            Target::Node(node) if shows(ty, node) => {}
            Target::Node(node) => {
                let message = format!(
                    "the column is of type `{ty}`, and `{path}` is {}",
                    type_in_words(node)
                );
                found.push(regret(Rule::ColumnType, at.child("type"), message));
            }
        }
    }
}

/// Whether a column of that type shows the values of a node.
fn shows(column: &str, node: &Schema<'_>) -> bool {
    let ty = node.ty;
    if ty.is_empty() {
        return true;
    }
    match column {
        "integer" => matches!(ty, "integer" | "number"),
        "number" => matches!(ty, "integer" | "number"),
        "boolean" => ty == "boolean",
        "date" => ty == "string" && matches!(node.format, "" | "date-time" | "datetime"),
        _ => true,
    }
}

/// `v1`, `v1beta1`, `v2alpha3`
fn is_ordered(name: &str) -> bool {
    let number = |text: &str| {
        !text.is_empty() && !text.starts_with('0') && text.bytes().all(|c| c.is_ascii_digit())
    };
    let Some(rest) = name.strip_prefix('v') else {
        return false;
    };
    let parts = rest.split_once("alpha").or_else(|| rest.split_once("beta"));
    match parts {
        Some((major, minor)) => number(major) && number(minor),
        None => number(rest),
    }
}
