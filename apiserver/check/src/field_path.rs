//! The `fieldPath` of a rule: the field, below the rule's own node, at which a violation is reported.

use super::removed::{Child, NodePair, Removed};
use crd_channels_schema::Schema;
pub use crd_channels_validation::schema::PathError;
use crd_channels_validation::schema::segments;

/// The node that a field path such as `.a.b`, `['x.y']` or `.labels['app']` leads to: through properties and the values
/// of maps, not through lists.
///
/// # Errors
///
/// If an API server would reject the path: it is malformed, or `schema` does not have what it names.
pub fn field_path<'a>(path: &str, schema: &'a Schema) -> Result<&'a Schema, PathError> {
    let mut node = schema;
    for segment in segments(path)? {
        node = match (node.properties.is_empty(), node.values()) {
            (true, Some(values)) => values,
            _ => node
                .properties
                .get(&*segment.name)
                .ok_or_else(|| PathError {
                    offset: segment.range.start,
                    message: format!("the path has no field `{}`", segment.name),
                })?,
        };
    }
    Ok(node)
}

/// The first part of a field path that the projected schema no longer has. `None` also for an invalid path, which
/// [`field_path`] reports.
///
/// `full` and `projected` are the same node, the one with the rule.
#[must_use]
pub fn removed_field_path(path: &str, full: &Schema, projected: &Schema) -> Option<Removed> {
    let mut pair = NodePair::root(full, projected, "self");
    for segment in segments(path).ok()? {
        pair = match pair.property(&segment.name, segment.range.clone()) {
            Child::To(pair) => pair,
            Child::Removed(removed) => return Some(removed),
            Child::Nowhere => match pair.named_key(&segment.name, segment.range) {
                Some(removed) => return Some(removed),
                None => pair.values()?,
            },
        };
    }
    None
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]
mod tests {
    use super::{field_path, removed_field_path};
    use crate::sample::schema;

    const FULL: &str = r#"{"type": "object", "properties": {
        "a": {"type": "object", "properties": {"b": {"type": "string"}, "gone": {"type": "object",
            "properties": {"c": {"type": "string"}}}}},
        "a-b": {"type": "string"}, "in": {"type": "string"}, "a.b": {"type": "string"}, "it's": {"type": "string"},
        "m": {"type": "object", "additionalProperties": {"type": "object", "properties": {"gone": {"type": "string"}}}},
        "l": {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "string"}}}},
        "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}"#;

    #[test]
    fn paths_lead_where_an_api_server_follows_them() {
        let full = schema(FULL);
        for path in [
            ".a",
            ".a.b",
            "['a']",
            "['a']['b']",
            "['a'].b",
            ".a['b']",
            ".a-b",
            ".in",
            "['a.b']",
            r"['it\'s']",
            ".m",
            ".m.k",
            ".m['x y']",
            ".m['k'].gone",
            ".l",
        ] {
            assert!(field_path(path, &full).is_ok(), "{path}");
        }
        for (path, offset) in [
            ("", 0),
            ("a", 0),
            (".", 0),
            (".a.", 2),
            (".x", 1),
            (".a.x", 3),
            (".l[0]", 2),
            (".l.b", 3),
            (".['a']", 0),
            ("['a'", 4),
            ("['a", 0),
            ("[\"a\"]", 0),
            (".any.x", 5),
            ("..a", 0),
            (".a]", 2),
            ("['x']", 1),
            (r"['\q']", 0),
        ] {
            assert_eq!(
                field_path(path, &full).unwrap_err().offset,
                offset,
                "{path}"
            );
        }
    }

    #[test]
    fn removed_fields_are_found() {
        let full = schema(FULL);
        let projected = schema(
            r#"{"type": "object", "properties": {
                "a": {"type": "object", "properties": {"b": {"type": "string"}}},
                "m": {"type": "object", "additionalProperties": {"type": "object"}},
                "l": {"type": "array", "items": {"type": "object"}}}}"#,
        );
        for (path, removed) in [
            (".a.b", None),
            (".a.gone", Some(("self.a.gone", "gone"))),
            (".a.gone.c", Some(("self.a.gone", "gone"))),
            (".a['gone']", Some(("self.a.gone", "'gone'"))),
            ("['a.b']", Some(("self['a.b']", "'a.b'"))),
            (".in", Some(("self.in", "in"))),
            (".m.gone", None),
            (".m['gone'].gone", Some(("self.m{}.gone", "gone"))),
            (".l[0].b", None),
            (".x.gone", None),
            ("gone", None),
        ] {
            let found = removed_field_path(path, &full, &projected);
            let found = found.as_ref().map(|found| {
                (
                    found.path.as_str(),
                    &path[found.offset..found.offset + found.len],
                )
            });
            assert_eq!(found, removed, "{path}");
        }
    }
}
