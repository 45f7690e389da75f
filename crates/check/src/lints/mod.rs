//! What a server accepts and users regret.

mod versions;
mod paths;
mod scale;
mod schemas;
mod lists;
mod rules;
mod clashes;
mod names;
mod newer;

pub use clashes::name_clashes;

use super::finding::Finding;
use super::registry::Rule;
use crd_channels_validation::path::Path;
use serde_json::Value;

/// What there is to say about a CRD that servers of a minor and newer ones accept.
#[must_use]
pub fn lint(document: &Value, minor: u32) -> Vec<Finding> {
    let mut found = Vec::new();
    let spec = Path::root("spec");
    newer::judge(document, minor, &mut found);
    names::judge(document, spec.child("names"), &mut found);
    let at = spec.child("versions");
    let versions = document.pointer("/spec/versions").and_then(Value::as_array);
    for (index, version) in versions.into_iter().flatten().enumerate() {
        let at = at.index(index);
        versions::judge(version, at, &mut found);
        if let Some(schema) = version.pointer("/schema/openAPIV3Schema") {
            let at = at.child("schema");
            schemas::judge(schema, minor, at.child("openAPIV3Schema"), &mut found);
        }
    }
    found
}

fn regret(rule: Rule, at: Path<'_>, message: impl Into<String>) -> Finding {
    Finding::new(rule, message).at(at.to_string())
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn flag(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool).unwrap_or_default()
}

/// The texts of a list.
fn texts<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a str> {
    let list = value.get(name).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests;
