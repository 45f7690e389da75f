//! Lints on a version: its name, its deprecation, its status, the paths of its columns.

use super::{flag, regret, text};
use crate::check::finding::Finding;
use crate::check::registry::Rule;
use serde_json::Value;

pub(super) fn judge(version: &Value, at: &str, found: &mut Vec<Finding>) {
    let name = text(version, "name");
    if !is_ordered(name) {
        let message = format!("`{name}` comes after every version that Kubernetes orders");
        found.push(regret(
            Rule::UnorderedVersion,
            format!("{at}.name"),
            message,
        ));
    }
    if flag(version, "deprecated") && version.get("served") == Some(&Value::Bool(false)) {
        let message = format!("`{name}` is deprecated and not served, so nobody is warned");
        found.push(regret(
            Rule::UnseenDeprecation,
            format!("{at}.deprecated"),
            message,
        ));
    }
    let Some(schema) = version.pointer("/schema/openAPIV3Schema") else {
        return;
    };
    let has_status = schema.pointer("/properties/status").is_some();
    let enabled = version
        .pointer("/subresources/status")
        .is_some_and(|status| !status.is_null());
    if has_status && !enabled {
        let message = format!("`{name}` has a `status` and no status subresource");
        found.push(regret(
            Rule::StatusWithoutSubresource,
            format!("{at}.subresources"),
            message,
        ));
    }
    let columns = version
        .get("additionalPrinterColumns")
        .and_then(Value::as_array);
    for (index, column) in columns.into_iter().flatten().enumerate() {
        let path = text(column, "jsonPath");
        if leads_nowhere(path, schema) {
            let message = format!("the schema has nothing at `{path}`, so the column stays empty");
            let at = format!("{at}.additionalPrinterColumns[{index}].jsonPath");
            found.push(regret(Rule::EmptyColumn, at, message));
        }
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

/// Whether a path of plain names leaves what the schema declares. Metadata, and what cannot be followed, is left alone.
fn leads_nowhere(path: &str, schema: &Value) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let Some(names) = path
        .strip_prefix('.')
        .filter(|path| path.chars().all(plain))
    else {
        return false;
    };
    if names.is_empty() || names == "metadata" || names.starts_with("metadata.") {
        return false;
    }
    let mut node = schema;
    for name in names.split('.') {
        let open = flag(node, "x-kubernetes-preserve-unknown-fields")
            || flag(node, "x-kubernetes-embedded-resource")
            || node.get("additionalProperties").is_some();
        if open || matches!(name, "kind" | "apiVersion") {
            return false;
        }
        match node
            .get("properties")
            .and_then(|properties| properties.get(name))
        {
            Some(property) => node = property,
            None => return true,
        }
    }
    false
}
