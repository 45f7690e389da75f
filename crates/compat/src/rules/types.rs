//! Types, formats, null.

use super::fields::Field;
use super::{NodeRule, gated, lenient, narrowed, widened};
use crate::finding::{Change, Record, Topic};
use crate::schema_pair::{SchemaPair, Segment};
use crate::values::{Kinds, Local, enforced, kinds};
use crate::verdict::{Answer, Need, Verdict};
use crd_channels_schema::{JsonType, Schema};

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: Record::new(
            "type-changed",
            &[52, 81],
            Topic::Breaking,
            "A type changed.",
            "Existing objects and manifests are rejected, and typed clients cannot decode new ones. Add a field or a new API version.",
        ),
        claims: &[Field::Type, Field::IntOrString],
        decide: |node, _| changed(node),
    },
    NodeRule {
        record: Record::new(
            "type-widened",
            &[53, 81],
            Topic::Loosened,
            "A type accepts more kinds of values.",
            "Old values stay valid, but typed clients cannot decode new values.",
        ),
        claims: &[Field::Type, Field::IntOrString],
        decide: |node, _| widened_type(node),
    },
    NodeRule {
        record: gated(Record::new(
            "format-changed",
            &[54],
            Topic::Breaking,
            "A format that API servers enforce was added or changed.",
            "Values that do not have the format are rejected.",
        )),
        claims: &[Field::Format],
        decide: |node, _| format_changed(node),
    },
    NodeRule {
        record: gated(Record::new(
            "format-removed",
            &[55],
            Topic::Loosened,
            "A format that API servers enforce was removed.",
            "More values are accepted than before.",
        )),
        claims: &[Field::Format],
        decide: |node, _| format_removed(node),
    },
    NodeRule {
        record: gated(Record::new(
            "format-renamed",
            &[56],
            Topic::Fixed,
            "A format that API servers do not support changed.",
            "Servers drop such formats; only code generators read them.",
        )),
        claims: &[Field::Format],
        decide: |node, _| format_renamed(node),
    },
    NodeRule {
        record: Record::new(
            "null-allowed",
            &[57],
            Topic::Loosened,
            "A field became nullable.",
            "Controllers must handle null where a value was certain.",
        ),
        claims: &[Field::Nullable],
        decide: |node, _| null_allowed(node),
    },
    NodeRule {
        record: Record::new(
            "null-forbidden",
            &[58],
            Topic::Breaking,
            "A field is no longer nullable.",
            "In lists and required fields null is rejected; in optional fields it is silently dropped.",
        ),
        claims: &[Field::Nullable],
        decide: |node, _| null_forbidden(node),
    },
];

fn shown(schema: &Schema) -> &'static str {
    match schema.ty {
        _ if schema.int_or_string => "int-or-string",
        None => "any",
        Some(JsonType::Array) => "array",
        Some(JsonType::Boolean) => "boolean",
        Some(JsonType::Integer) => "integer",
        Some(JsonType::Number) => "number",
        Some(JsonType::Object) => "object",
        Some(JsonType::String) => "string",
    }
}

fn gone(old: &Schema, new: &Schema) -> Kinds {
    kinds(old).minus(kinds(new)).minus(Kinds::NULL)
}

/// Whether no value can be of both types, so that nothing below is comparable.
pub(crate) fn disjoint(old: &Schema, new: &Schema) -> bool {
    !kinds(old)
        .minus(Kinds::NULL)
        .meets(kinds(new).minus(Kinds::NULL))
}

fn types(node: &SchemaPair<'_>) -> String {
    format!(
        "type was `{}` and is `{}`",
        shown(node.old),
        shown(node.new)
    )
}

fn changed(node: &SchemaPair<'_>) -> Vec<Change> {
    let gone = gone(node.old, node.new);
    if gone.is_empty() {
        return Vec::new();
    }
    let mut some = Local::of(node.old).only(gone).some();
    // Where both types share nothing, null is not told apart.
    if null(node.old) && !null(node.new) && disjoint(node.old, node.new) {
        some = some.or(null_refused(node).into());
    }
    let change = narrowed(node, some, types(node));
    vec![Change {
        readers: Verdict::No,
        // Clients are compiled against the type, whatever the values.
        bump: Need::VERSION,
        ..change
    }]
}

fn widened_type(node: &SchemaPair<'_>) -> Vec<Change> {
    let came = gone(node.new, node.old);
    if came.is_empty() || !gone(node.old, node.new).is_empty() {
        return Vec::new();
    }
    let some = Local::of(node.new).only(came).some();
    let change = widened(node, some, types(node));
    vec![Change {
        bump: Need::VERSION,
        ..change
    }]
}

fn format_changed(node: &SchemaPair<'_>) -> Vec<Change> {
    let (old, new) = (enforced(node.old), enforced(node.new));
    let Some(new) = new.filter(|new| old != Some(new)) else {
        return Vec::new();
    };
    let plain = Local::of(node.old).only(Kinds::STRING).some();
    let bounded = node.old.bounds.is_some() || !node.old.enum_values.is_empty();
    let some = match plain {
        _ if new == "password" => Answer::No,
        // What is left of a bounded string is not looked into.
        Answer::Yes if bounded || old.is_some() => Answer::Unknown,
        plain => plain,
    };
    let message = match old {
        Some(old) => format!("format was `{old}` and is `{new}`"),
        None => format!("format `{new}` added"),
    };
    let change = narrowed(node, some, message);
    let readers = old.map_or(Verdict::Ok, |_| Verdict::Unknown);
    vec![Change { readers, ..change }]
}

fn format_removed(node: &SchemaPair<'_>) -> Vec<Change> {
    match (enforced(node.old), enforced(node.new)) {
        (Some(old), None) => {
            let some = if old == "password" {
                Answer::No
            } else {
                Answer::Unknown
            };
            vec![widened(node, some, format!("format `{old}` removed"))]
        }
        _ => Vec::new(),
    }
}

fn format_renamed(node: &SchemaPair<'_>) -> Vec<Change> {
    if node.old.format == node.new.format || enforced(node.old) != enforced(node.new) {
        return Vec::new();
    }
    let show = |format: Option<&str>| format.unwrap_or("none").to_owned();
    let message = format!(
        "format was `{}` and is `{}`; API servers support neither",
        show(node.old.format.as_deref()),
        show(node.new.format.as_deref())
    );
    vec![Change::harmless(Need::PATCH, message)]
}

fn null(schema: &Schema) -> bool {
    kinds(schema).meets(Kinds::NULL)
}

fn null_allowed(node: &SchemaPair<'_>) -> Vec<Change> {
    if null(node.old) || !null(node.new) {
        return Vec::new();
    }
    vec![widened(node, Answer::Yes, "null is accepted".to_owned())]
}

/// Whether an object is refused because of a null that is no longer accepted. Under an optional name it is dropped; then
/// there may be too few members left.
fn null_refused(node: &SchemaPair<'_>) -> bool {
    let Some(parent) = node.parent else {
        return true;
    };
    let Some(Segment::Property(name)) = node.segment else {
        return node.segment == Some(Segment::Items);
    };
    if parent.new.required.iter().any(|known| **known == *name) {
        return true;
    }
    let least = |schema: &Schema| {
        let bounds = schema.bounds.as_deref();
        bounds.and_then(|bounds| bounds.min_properties).unwrap_or(0)
    };
    let dropped = parent.children().filter(|child| {
        let optional = match child.segment {
            Some(Segment::Property(name)) => {
                !parent.new.required.iter().any(|known| **known == *name)
            }
            _ => false,
        };
        optional && null(child.old) && !null(child.new)
    });
    let left = least(parent.old).saturating_sub(dropped.count() as u64);
    left.max(parent.old.required.len() as u64) < least(parent.new)
}

fn null_forbidden(node: &SchemaPair<'_>) -> Vec<Change> {
    if !null(node.old) || null(node.new) {
        return Vec::new();
    }
    let refused = null_refused(node);
    let change = narrowed(
        node,
        refused.into(),
        "null is no longer accepted".to_owned(),
    );
    let (stored, writers) = match (refused, &node.new.default) {
        (true, None) => (change.stored, change.writers),
        // It is dropped, and then the default takes its place.
        (_, Some(_)) => (Verdict::Unknown, Verdict::Unknown),
        (false, None) => (Verdict::Ok, Verdict::Unknown),
    };
    let change = Change {
        stored,
        writers,
        bump: Need::VERSION,
        ..change
    };
    vec![lenient(node, change)]
}
