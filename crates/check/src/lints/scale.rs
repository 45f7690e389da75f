//! Lints on the scale subresource: where its paths lead, and which replicas may stand there.

use super::versions::a;
use super::{flag, regret, text, texts};
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_validation::path::Path;
use serde_json::Value;

/// What means something in JSONPath. Servers take it for a part of a name.
const NOTATION: [char; 8] = ['[', ']', '*', '\\', '\'', '"', '?', '@'];

/// The end of a path.
enum End<'s> {
    Node {
        node: &'s Value,
        /// Whether every object has it, at least by a default.
        is_certain: bool,
    },
    Nowhere,
    /// Unknown fields are preserved there, so anything may be.
    Open,
}

pub(super) fn judge(version: &Value, schema: &Value, at: Path<'_>, found: &mut Vec<Finding>) {
    let Some(scale) = version.pointer("/subresources/scale") else {
        return;
    };
    let at = at.child("subresources");
    let at = at.child("scale");
    for (key, ty) in [
        ("specReplicasPath", "integer"),
        ("statusReplicasPath", "integer"),
        ("labelSelectorPath", "string"),
    ] {
        let path = text(scale, key);
        // Whether one has to be there is not for a lint to say.
        if path.is_empty() {
            continue;
        }
        let end = follow(path, schema);
        let (rule, message) = match end {
            End::Nowhere | End::Open if path.contains(NOTATION) => (
                Rule::ScaleNotation,
                format!("servers find nothing at `{path}`, so every request to `/scale` fails"),
            ),
            End::Open => continue,
            End::Nowhere => (
                Rule::ScaleField,
                format!("the schema has nothing at `{path}`"),
            ),
            End::Node { node, .. } if text(node, "type") != ty => (
                Rule::ScaleField,
                format!("`{path}` is {}, not of type `{ty}`", a(node)),
            ),
            End::Node { node, is_certain } => {
                let absent = (key == "specReplicasPath" && !is_certain)
                    .then(|| format!("`{path}` may be absent, and `/scale` fails where it is"));
                let beyond = (ty == "integer").then(|| beyond(node)).flatten();
                let beyond =
                    beyond.map(|why| format!("`{path}` {why}, and `/scale` has 0 to {}", i32::MAX));
                let messages = absent.into_iter().chain(beyond);
                found.extend(
                    messages.map(|message| regret(Rule::ScaleReplicas, at.child(key), message)),
                );
                continue;
            }
        };
        found.push(regret(rule, at.child(key), message));
    }
}

/// Follows a path as servers do: names with dots between them.
fn follow<'s>(path: &str, schema: &'s Value) -> End<'s> {
    let mut end = schema;
    let mut is_certain = true;
    for name in path.strip_prefix('.').unwrap_or(path).split('.') {
        if flag(end, "x-kubernetes-preserve-unknown-fields")
            || flag(end, "x-kubernetes-embedded-resource")
        {
            return End::Open;
        }
        let property = end.get("properties").and_then(|all| all.get(name));
        let is_required = texts(end, "required").any(|required| required == name);
        let Some(below) = property.or_else(|| end.get("additionalProperties")) else {
            return End::Nowhere;
        };
        if !below.is_object() {
            return End::Open;
        }
        is_certain &= is_required || below.get("default").is_some();
        end = below;
    }
    End::Node {
        node: end,
        is_certain,
    }
}

/// How a node accepts more than a server's replicas. A type without a format or bounds promises nothing.
fn beyond(node: &Value) -> Option<String> {
    let number = |name: &str| node.get(name).and_then(Value::as_f64);
    let is_exclusive = |name: &str| node.get(name).is_some_and(|flag| flag == true);
    let least = number("minimum").map(|bound| match is_exclusive("exclusiveMinimum") {
        true => bound.floor() + 1.0,
        false => bound.ceil(),
    });
    if let Some(least) = least.filter(|least| *least < 0.0) {
        return Some(format!("may be {least}"));
    }
    let most = number("maximum").map(|bound| match is_exclusive("exclusiveMaximum") {
        true => bound.ceil() - 1.0,
        false => bound.floor(),
    });
    match (most, text(node, "format")) {
        (Some(most), _) => (most > f64::from(i32::MAX)).then(|| format!("may be {most}")),
        (None, format @ ("int64" | "uint32" | "uint64" | "uint")) => {
            Some(format!("may be any `{format}`"))
        }
        (None, _) => None,
    }
}
