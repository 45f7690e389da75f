//! Whether a schema has any value, and whether one of its values contains a certain child.

use super::kinds::{Kinds, kinds};
use super::local::Local;
use super::size::Count;
use crate::findings::verdict::Answer;
use crd_channels_schema::path::Segment;
use crd_channels_schema::{Additional, Schema};

/// Whether any value is valid. Ignores rules and junctors.
pub(crate) fn inhabited(schema: &Schema) -> Answer {
    Local::from_schema(schema).some()
}

/// Whether a value of a schema can contain a child there.
pub(crate) fn occurs(schema: &Schema, segment: Segment<&str>) -> Answer {
    if !schema.enum_values.is_empty() {
        // Its values are listed; which of them have the child is not analyzed.
        return inhabited(schema).and(Answer::Unknown);
    }
    let (items, members) = counts(schema);
    let kinds = kinds(schema);
    match segment {
        _ if !kinds.meets(Kinds::ARRAY.or(Kinds::OBJECT)) => Answer::No,
        Segment::Property(name) => object(
            schema,
            Members {
                with: Some(name),
                ..Members::counting(members)
            },
        ),
        Segment::Items => {
            let some = items.max.is_none_or(|max| max > 0);
            let item = schema.items.as_deref().map_or(Answer::Yes, inhabited);
            Answer::from(some && !items.is_empty()).and(item)
        }
        Segment::Values => {
            let some = members.max.is_none_or(|max| max > 0);
            Answer::from(some && !members.is_empty()).and(values(schema))
        }
    }
}

/// Whether an object of a schema lacks a property.
pub(crate) fn without(schema: &Schema, name: &str) -> Answer {
    if !schema.enum_values.is_empty() {
        let listed = schema.enum_values.iter();
        return Answer::any(listed.filter(|value| value.is_object()).map(|value| {
            Answer::from(value.get(name).is_none()).and(super::valid(schema, value))
        }));
    }
    let (_, members) = counts(schema);
    object(
        schema,
        Members {
            without: Some(name),
            ..Members::counting(members)
        },
    )
}

fn counts(schema: &Schema) -> (Count, Count) {
    schema
        .bounds
        .as_deref()
        .map_or((Count::ANY, Count::ANY), |bounds| {
            let count = |min: Option<u64>, max| Count {
                min: min.unwrap_or(0),
                max,
            };
            (
                count(bounds.min_items, bounds.max_items),
                count(bounds.min_properties, bounds.max_properties),
            )
        })
}

/// Whether there is a list with an allowed number of items.
pub(super) fn array(schema: &Schema, items: Count) -> Answer {
    if items.is_empty() {
        return Answer::No;
    }
    match &schema.items {
        Some(item) if items.min > 0 => inhabited(item),
        _ => Answer::Yes,
    }
}

/// Constraints on an object's members.
#[derive(Clone, Copy)]
pub(super) struct Members<'a> {
    count: Count,
    with: Option<&'a str>,
    without: Option<&'a str>,
}

impl Members<'_> {
    pub(super) fn counting(count: Count) -> Self {
        Self {
            count,
            with: None,
            without: None,
        }
    }
}

/// Whether there is an object with such members.
pub(super) fn object(schema: &Schema, members: Members<'_>) -> Answer {
    let Members {
        count,
        with,
        without,
    } = members;
    let mut needed: Vec<&str> = schema.required.iter().map(|name| &**name).collect();
    needed.extend(with);
    needed.sort_unstable();
    needed.dedup();
    if count.is_empty() || without.is_some_and(|name| needed.contains(&name)) {
        return Answer::No;
    }
    let number = needed.len() as u64;
    if count.max.is_some_and(|max| number > max) {
        return Answer::No;
    }
    let there = Answer::all(needed.iter().map(|name| member(schema, name)));
    if number >= count.min || there == Answer::No {
        return there;
    }
    // Other members must make up the number.
    let open = values(schema);
    if open == Answer::Yes {
        return there;
    }
    let mut certain = number;
    let mut possible = number;
    for (name, property) in &schema.properties {
        if needed.contains(&&**name) || without == Some(name) {
            continue;
        }
        match inhabited(property) {
            Answer::Yes => {
                certain += 1;
                possible += 1;
            }
            Answer::Unknown => possible += 1,
            Answer::No => {}
        }
    }
    let enough = if certain >= count.min {
        Answer::Yes
    } else if possible >= count.min || open == Answer::Unknown {
        Answer::Unknown
    } else {
        Answer::No
    };
    there.and(enough)
}

fn member(schema: &Schema, name: &str) -> Answer {
    match schema.properties.get(name) {
        Some(property) => inhabited(property),
        // A server always knows `metadata`; other undeclared fields are pruned.
        None => values(schema).or(Answer::Unknown),
    }
}

/// Whether undeclared members may be present.
fn values(schema: &Schema) -> Answer {
    if schema.preserve_unknown_fields {
        return Answer::Yes;
    }
    match &schema.additional_properties {
        Some(Additional::Allowed(allowed)) => (*allowed).into(),
        Some(Additional::Schema(value)) => inhabited(value),
        None => Answer::No,
    }
}
