//! What a server accepts and users regret.

mod schemas;
mod versions;

use super::finding::Finding;
use super::registry::Rule;
use serde_json::Value;

/// What there is to say about a CRD that a server accepts.
#[must_use]
pub fn lint(document: &Value) -> Vec<Finding> {
    let mut found = Vec::new();
    let versions = document.pointer("/spec/versions").and_then(Value::as_array);
    for (index, version) in versions.into_iter().flatten().enumerate() {
        let at = format!("spec.versions[{index}]");
        versions::judge(version, &at, &mut found);
        if let Some(schema) = version.pointer("/schema/openAPIV3Schema") {
            schemas::judge(schema, &format!("{at}.schema.openAPIV3Schema"), &mut found);
        }
    }
    found
}

fn regret(rule: Rule, at: impl Into<String>, message: impl Into<String>) -> Finding {
    Finding::new(rule, message).at(at)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn flag(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool).unwrap_or_default()
}

#[cfg(test)]
mod tests;
