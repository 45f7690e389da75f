//! Lints on the scale subresource: the targets of its paths, and the allowed values of replicas.

use super::regret::{is_open, regret, type_in_words};
use crate::document::model::{Additional, Scale, Schema};
use crate::finding::Finding;
use crate::near_path::did_you_mean;
use crate::registry::Rule;
use crd_channels_validation::path::Path;

/// Characters with a meaning in JSONPath. Servers treat them as parts of names.
const NOTATION: [char; 8] = ['[', ']', '*', '\\', '\'', '"', '?', '@'];

/// The end of a path.
enum End<'s, 'a> {
    Node {
        node: &'s Schema<'a>,
        /// Whether every object has it, if only by a default.
        is_certain: bool,
    },
    Nowhere,
    /// Unknown fields are preserved there, so anything may be present.
    Open,
}

/// `at` is the path of the subresources.
pub(super) fn lint(scale: &Scale<'_>, schema: &Schema<'_>, at: Path<'_>, found: &mut Vec<Finding>) {
    let at = at.child("scale");
    let selector = scale.label_selector.unwrap_or_default();
    for (key, path, ty) in [
        ("specReplicasPath", scale.spec_replicas, "integer"),
        ("statusReplicasPath", scale.status_replicas, "integer"),
        ("labelSelectorPath", selector, "string"),
    ] {
        // Lints do not report a missing path.
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
            End::Node { node, .. } if node.ty != ty => (
                Rule::ScaleField,
                format!("`{path}` is {}, not of type `{ty}`", type_in_words(node)),
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
        let finding = regret(rule, at.child(key), message);
        let near = matches!(end, End::Nowhere).then(|| did_you_mean(path, schema));
        found.push(finding.with_better_help(near.flatten()));
    }
}

/// Follows a path as servers do: names separated by dots.
fn follow<'s, 'a>(path: &str, schema: &'s Schema<'a>) -> End<'s, 'a> {
    let mut end = schema;
    let mut is_certain = true;
    for name in path.strip_prefix('.').unwrap_or(path).split('.') {
        if is_open(end) {
            return End::Open;
        }
        let is_required = end.required.iter().any(|required| *required == name);
        let below = match (end.properties.get(name), &end.additional_properties) {
            (Some(property), _) => property,
            (None, Some(Additional::Schema(values))) => values,
            (None, Some(Additional::Allowed(_))) => return End::Open,
            (None, None) => return End::Nowhere,
        };
        is_certain &= is_required || below.default.is_some();
        end = below;
    }
    End::Node {
        node: end,
        is_certain,
    }
}

/// How a node accepts more values than a server's replicas. A type without a format or bounds does not count.
fn beyond(node: &Schema<'_>) -> Option<String> {
    let least = node.minimum.map(|bound| match node.exclusive_minimum {
        true => bound.floor() + 1.0,
        false => bound.ceil(),
    });
    if let Some(least) = least.filter(|least| *least < 0.0) {
        return Some(format!("may be {least}"));
    }
    let most = node.maximum.map(|bound| match node.exclusive_maximum {
        true => bound.ceil() - 1.0,
        false => bound.floor(),
    });
    match (most, node.format) {
        (Some(most), _) => (most > f64::from(i32::MAX)).then(|| format!("may be {most}")),
        (None, format @ ("int64" | "uint32" | "uint64" | "uint")) => {
            Some(format!("may be any `{format}`"))
        }
        (None, _) => None,
    }
}
