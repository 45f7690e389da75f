//! Types, formats, null.

use super::fields::Field;
use super::{NodeRule, accepts_more, gated, narrowed, rejects, widened};
use crate::findings::verdict::{Answer, Need, Verdict};
use crate::findings::{Change, Record, Topic};
use crate::schemas::pair::{SchemaPair, Segment};
use crate::values::{
    Kinds, Limit, Local, bounds_of_format, bounds_texts, enforced, inhabited, kinds, valid,
};
use crd_channels_check::fits_format;
use crd_channels_schema::{JsonType, Schema};
use serde_json::Value;

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: Record::new(
            "type-changed",
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
            Topic::Loosened,
            "Null, which was rejected, is now accepted.",
            "Controllers must handle null where a value was certain.",
        ),
        claims: &[Field::Nullable],
        decide: |node, _| null_allowed(node),
    },
    NodeRule {
        record: Record::new(
            "null-forbidden",
            Topic::Breaking,
            "Null is no longer accepted.",
            "In lists and required fields null is rejected; in optional fields it is silently dropped. A nullable field with an enum rejects every null, listed or not.",
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

/// Whether no value has both types, so that nothing below is comparable.
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
    let mut some = Local::from_schema(node.old).only(gone).some();
    // If the types are disjoint, null is not reported separately.
    if null(node, node.old) && !null(node, node.new) && disjoint(node.old, node.new) {
        some = some.or(null_refused(node));
    }
    let only = Schema {
        ty: node.new.ty,
        int_or_string: node.new.int_or_string,
        ..Schema::default()
    };
    let some = rejects(node.old, node.new, some, &only);
    let change = narrowed(node, some, types(node));
    vec![Change {
        writers: change.writers.max(null_counts(node)),
        readers: Verdict::No,
        // Clients are compiled against the type, whatever the values.
        bump: Need::VERSION,
        ..change
    }]
}

fn widened_type(node: &SchemaPair<'_>) -> Vec<Change> {
    let only_new = gone(node.new, node.old);
    if only_new.is_empty() || !gone(node.old, node.new).is_empty() {
        return Vec::new();
    }
    let some = Local::from_schema(node.new).only(only_new).some();
    let change = widened(node, some, types(node));
    vec![Change {
        writers: null_counts(node),
        bump: Need::VERSION,
        ..change
    }]
}

/// Whether a value of a schema does not have a format.
fn without_format(schema: &Schema, format: &str) -> Answer {
    if let Some(bounds) = bounds_of_format(format) {
        let formatted = Schema {
            format: Some(format.into()),
            ..schema.clone()
        };
        // If no number satisfies the format, none is left.
        let none_left = inhabited(&formatted).not().and(inhabited(schema));
        let outside = [Limit::Minimum, Limit::Maximum].into_iter();
        let outside =
            outside.filter_map(|limit| Local::from_schema(schema).outside(limit, &bounds));
        return Answer::any(outside.map(|local| local.some())).or(none_left);
    }
    if !bounds_texts(format) {
        return Answer::No;
    }
    let bounded = schema.bounds.is_some() || enforced(schema).is_some_and(bounds_texts);
    match Local::from_schema(schema).only(Kinds::STRING).some() {
        Answer::No => Answer::No,
        _ if !schema.enum_values.is_empty() => {
            Answer::any(schema.enum_values.iter().map(|value| {
                let fits = value.as_str().and_then(|text| fits_format(format, text));
                valid(schema, value).and(fits.is_some_and(|fits| !fits).into())
            }))
        }
        // Bounded strings are not analyzed.
        _ if bounded => Answer::Unknown,
        some => some,
    }
}

/// A schema with only the format of another.
fn only_format(schema: &Schema) -> Schema {
    Schema {
        ty: schema.ty,
        format: schema.format.clone(),
        ..Schema::default()
    }
}

fn format_changed(node: &SchemaPair<'_>) -> Vec<Change> {
    let (old, new) = (enforced(node.old), enforced(node.new));
    let Some(new) = new.filter(|new| old != Some(new)) else {
        return Vec::new();
    };
    let some = without_format(node.old, new);
    let some = rejects(node.old, node.new, some, &only_format(node.new));
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
            let some = without_format(node.new, old);
            let some = accepts_more(node.old, node.new, some, &only_format(node.old));
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

/// Whether one side of a node accepts and keeps null. Servers drop null fields that are not nullable, whatever else these
/// accept.
fn null(node: &SchemaPair<'_>, schema: &Schema) -> bool {
    let is_dropped =
        matches!(node.segment, Some(Segment::Property(_) | Segment::Values)) && !schema.nullable;
    !is_dropped && kinds(schema).meets(Kinds::NULL)
}

/// Whether one side rejects a null in a manifest and the other drops it, as servers do if a field is not nullable.
fn is_dropped_by(node: &SchemaPair<'_>, drops: &Schema, refuses: &Schema) -> bool {
    let is_required = |name: &str| {
        let parents = node.parent.map(|parent| [parent.old, parent.new]);
        let mut parents = parents.into_iter().flatten();
        drops.default.is_none()
            && parents.any(|parent| parent.required.iter().any(|known| **known == *name))
    };
    let is_dropped = match node.segment {
        Some(Segment::Property(name)) => !is_required(name),
        Some(Segment::Values) => true,
        Some(Segment::Items) | None => false,
    };
    is_dropped && !drops.nullable && refuses.nullable && !null(node, refuses)
}

/// The verdict for manifests with a null that was dropped and is now kept: it counts as a field, and is not replaced by a
/// default.
fn null_counts(node: &SchemaPair<'_>) -> Verdict {
    let is_kept = !node.old.nullable
        && node.new.nullable
        && matches!(node.segment, Some(Segment::Property(_) | Segment::Values));
    let bounds = node.parent.and_then(|parent| parent.new.bounds.as_deref());
    let counts = node.old.default.is_some()
        || bounds.is_some_and(|of| of.max_properties.is_some())
        || node.parent.is_some_and(SchemaPair::fields_matter);
    if is_kept && counts {
        Verdict::Unknown
    } else {
        Verdict::Ok
    }
}

fn null_allowed(node: &SchemaPair<'_>) -> Vec<Change> {
    if !null(node, node.old) && null(node, node.new) {
        let change = widened(node, Answer::Yes, "null is accepted".to_owned());
        let writers = null_counts(node);
        return vec![Change { writers, ..change }];
    }
    if !is_dropped_by(node, node.new, node.old) {
        return Vec::new();
    }
    let message = "null is dropped, as the field is not nullable; beside the enum it was rejected";
    vec![Change::harmless(Need::MINOR, message)]
}

/// Whether an object is rejected because null is no longer accepted. A null in an optional field is dropped, after which there
/// may be too few members.
fn null_refused(node: &SchemaPair<'_>) -> Answer {
    // The null is kept, and then rejected.
    if node.new.nullable {
        return Answer::Yes;
    }
    let Some(parent) = node.parent else {
        return Answer::Yes;
    };
    let least = |schema: &Schema| {
        let bounds = schema.bounds.as_deref();
        bounds.and_then(|bounds| bounds.min_properties).unwrap_or(0)
    };
    let name = match node.segment {
        Some(Segment::Property(name)) => name,
        Some(Segment::Items) | None => return Answer::Yes,
        // A map with only nulls becomes empty.
        Some(Segment::Values) if least(parent.new) > 0 => return Answer::Yes,
        Some(Segment::Values) if node.parent.is_some_and(SchemaPair::fields_matter) => {
            return Answer::Unknown;
        }
        Some(Segment::Values) => return Answer::No,
    };
    if parent.new.required.iter().any(|known| **known == *name) {
        return Answer::Yes;
    }
    let dropped = parent.children().filter(|child| {
        let optional = match child.segment {
            Some(Segment::Property(name)) => {
                !parent.new.required.iter().any(|known| **known == *name)
            }
            _ => false,
        };
        optional && null(child, child.old) && !null(child, child.new)
    });
    let left = least(parent.old).saturating_sub(dropped.count() as u64);
    match left.max(parent.old.required.len() as u64) < least(parent.new) {
        true => Answer::Yes,
        false if node.parent.is_some_and(SchemaPair::fields_matter) => Answer::Unknown,
        false => Answer::No,
    }
}

fn null_forbidden(node: &SchemaPair<'_>) -> Vec<Change> {
    if is_dropped_by(node, node.old, node.new) {
        let message = "null is rejected, as the nullable field has an enum; it was dropped";
        let verdicts = [Verdict::Ok, Verdict::No, Verdict::Ok];
        return vec![Change::new(verdicts, Need::VERSION, message)];
    }
    if !null(node, node.old) || null(node, node.new) {
        return Vec::new();
    }
    let refused = null_refused(node);
    let change = narrowed(
        node,
        (refused, None),
        "null is no longer accepted".to_owned(),
    );
    let (stored, writers) = match (refused, &node.new.default) {
        // The null is dropped, and then replaced by the default.
        (_, Some(_)) => (Verdict::Unknown, Verdict::Unknown),
        (Answer::No, None) => (Verdict::Ok, Verdict::Unknown),
        (Answer::Yes | Answer::Unknown, None) => (change.stored, change.writers),
    };
    let is_kept = node.new.nullable || !matches!(node.segment, Some(Segment::Values));
    let is_witness = refused == Answer::Yes && node.new.default.is_none() && is_kept;
    vec![Change {
        stored,
        writers,
        bump: Need::VERSION,
        rejected: is_witness.then_some(Value::Null),
        ..change
    }]
}
