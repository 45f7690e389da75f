//! Properties that were added, removed, or became required.

use super::fields::Field;
use super::{NodeRule, accepts_more, narrowed, rejects, widened};
use crate::findings::verdict::{Answer, Channel, Need, Verdict};
use crate::findings::{Change, PropertyChange, Record, Topic};
use crate::schemas::graduation::Graduation;
use crate::schemas::pair::{SchemaPair, Segment, Walk, child};
use crate::values::{Limit, Local, without};
use crd_channels_cel::Text;
use crd_channels_schema::{Additional, Bounds, Schema};

const PROPERTIES: &[Field] = &[Field::Properties];

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: Record::new(
            "property-added",
            Topic::Added,
            "An optional property was added.",
            "Existing objects are unchanged. Clients with older types drop it when they write whole objects.",
        ),
        claims: PROPERTIES,
        decide: |node, walk| added(node, walk, Arrival::Plain),
    },
    NodeRule {
        record: Record::new(
            "defaulted-property-added",
            Topic::Added,
            "A property with a default was added.",
            "The default appears in every old object that is read, so it must mean what its absence meant.",
        ),
        claims: PROPERTIES,
        decide: |node, walk| added(node, walk, Arrival::Defaulted),
    },
    NodeRule {
        record: Record::new(
            "required-property-added",
            Topic::Breaking,
            "A required property was added.",
            "No old object has it. Make it optional, or give it a default.",
        ),
        claims: PROPERTIES,
        decide: |node, walk| added(node, walk, Arrival::Required),
    },
    NodeRule {
        record: Record::new(
            "experimental-property-added",
            Topic::Added,
            "An experimental property was added.",
            "Minor bundles may add one, patches may not.",
        ),
        claims: PROPERTIES,
        decide: |node, walk| added(node, walk, Arrival::Experimental),
    },
    NodeRule {
        record: Record {
            waivable: true,
            ..Record::new(
                "property-graduated",
                Topic::Graduated,
                "A property graduated from experimental to stable.",
                "It must be the same as in the experimental channel of the old bundle, or looser, and include its validation: validation that is added later tightens it.",
            )
        },
        claims: PROPERTIES,
        decide: |node, walk| added(node, walk, Arrival::Graduated),
    },
    NodeRule {
        record: Record {
            waivable: true,
            ..Record::new(
                "property-straight-to-stable",
                Topic::Added,
                "A new property is stable without having been experimental.",
                "A property must first be in the experimental channel of an earlier bundle. If that was not possible, a waiver can state why.",
            )
        },
        claims: PROPERTIES,
        decide: |node, walk| added(node, walk, Arrival::Straight),
    },
    NodeRule {
        record: Record::new(
            "property-removed",
            Topic::Removed,
            "A property was removed.",
            "It is pruned from stored objects at their next write, and silently dropped from manifests. Its name needs a tombstone.",
        ),
        claims: PROPERTIES,
        decide: |node, _| removed(node, Departure::Removed),
    },
    NodeRule {
        record: Record::new(
            "property-demoted",
            Topic::Removed,
            "A stable property moved back to experimental.",
            "Users of the stable channel lose it, as if it were removed.",
        ),
        claims: PROPERTIES,
        decide: |node, _| removed(node, Departure::Demoted),
    },
    NodeRule {
        record: Record::new(
            "property-required",
            Topic::Breaking,
            "An optional property became required.",
            "Stored objects without it cannot be updated. At the root even finalizers cannot be removed from them.",
        ),
        claims: &[Field::Required],
        decide: |node, _| required(node),
    },
    NodeRule {
        record: Record::new(
            "property-optional",
            Topic::Loosened,
            "A required property became optional.",
            "Implementations must handle objects without it.",
        ),
        claims: &[Field::Required],
        decide: |node, _| optional(node),
    },
    NodeRule {
        record: Record::new(
            "map-changed",
            Topic::Breaking,
            "An object with declared properties became a map, or the other way round.",
            "Undeclared properties are pruned, and values that were unrestricted are validated.",
        ),
        claims: &[Field::AdditionalProperties],
        decide: |node, _| map(node),
    },
    NodeRule {
        record: Record::new(
            "items-changed",
            Topic::Breaking,
            "A list gained or lost the schema for its items.",
            "The items of stored lists are validated again.",
        ),
        claims: &[Field::Items],
        decide: |node, _| items(node),
    },
];

/// How a property is added.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Arrival {
    Plain,
    Defaulted,
    Required,
    Experimental,
    Graduated,
    Straight,
}

fn is_required(schema: &Schema, name: &Text) -> bool {
    schema.required.contains(name)
}

fn arrival(node: &SchemaPair<'_>, name: &Text, schema: &Schema) -> Option<Arrival> {
    if is_required(node.new, name) && schema.default.is_none() {
        return Some(Arrival::Required);
    }
    let has = |beside: Option<&Schema>| {
        beside.is_some_and(|beside| child(beside, Segment::Property(name)).is_some())
    };
    match node.channel {
        // Stable properties are reported in the stable channel.
        Channel::Experimental if has(node.beside_new) => None,
        Channel::Experimental => Some(Arrival::Experimental),
        Channel::Stable if has(node.beside_old) => Some(Arrival::Graduated),
        Channel::Stable if node.tried_first => Some(Arrival::Straight),
        Channel::Stable if schema.default.is_some() => Some(Arrival::Defaulted),
        Channel::Stable => Some(Arrival::Plain),
    }
}

fn added(node: &SchemaPair<'_>, walk: Walk, wanted: Arrival) -> Vec<Change> {
    let only_new = node
        .new
        .properties
        .iter()
        .filter(|(name, _)| !node.old.properties.contains_key(*name))
        .filter(|(name, schema)| arrival(node, name, schema) == Some(wanted));
    let changes = only_new.map(|(name, schema)| {
        arrive(node, name, schema, wanted, walk)
            .of_property(name)
            .with_property_change(PropertyChange::Added(Box::new(schema.as_ref().clone())))
    });
    changes.collect()
}

fn arrive(
    node: &SchemaPair<'_>,
    name: &Text,
    schema: &Schema,
    arrival: Arrival,
    walk: Walk,
) -> Change {
    let default = schema.default.as_ref();
    let with = default.map_or_else(String::new, |default| format!(" with default `{default}`"));
    let readers = default.map_or(Verdict::Ok, |_| Verdict::Unknown);
    let verdicts = [Verdict::Ok, Verdict::Ok, readers];
    let change = match arrival {
        Arrival::Plain => Change::new(verdicts, Need::MINOR, "optional property added"),
        Arrival::Defaulted => Change::new(verdicts, Need::MINOR, format!("property{with} added")),
        Arrival::Required => narrowed(
            node,
            rejects(node.old, node.new, Answer::Yes, &requiring(name)),
            "required property without a default added".to_owned(),
        ),
        Arrival::Experimental => Change::new(
            verdicts,
            Need::MINOR,
            format!("experimental property{with} added"),
        ),
        Arrival::Graduated => {
            let (bump, message) = match Graduation::of_property(node, (name, schema), walk) {
                // It could be added without having been experimental.
                _ if !node.tried_first => (Need::MINOR, format!("graduated to stable{with}")),
                Graduation::Clean => (Need::MINOR, format!("graduated to stable{with}")),
                Graduation::Tighter(what) => (
                    Need::NEVER,
                    format!("graduated to stable tighter than before: {what}"),
                ),
                Graduation::Doubtful(what) => (
                    Need::Unknown,
                    format!("graduated to stable, possibly tighter than before: {what}"),
                ),
                Graduation::LeavesBehind(what) => (
                    Need::NEVER,
                    format!(
                        "graduated to stable without validation that stays experimental: {what}"
                    ),
                ),
            };
            Change::new(verdicts, bump, message)
        }
        Arrival::Straight => Change::new(
            verdicts,
            Need::NEVER,
            format!("property{with} added to stable without having been experimental"),
        ),
    };
    let change = if default.is_some() {
        counted(node, change)
    } else {
        change
    };
    // Unvalidated values may be there already.
    let free = node.old.preserve_unknown_fields || node.old.additional_properties.is_some();
    if free && change.stored == Verdict::Ok {
        return Change {
            stored: Verdict::Unknown,
            writers: Verdict::Unknown,
            bump: match change.bump {
                Need::Bump(crate::findings::verdict::Bump::Minor) => Need::Unknown,
                bump => bump,
            },
            ..change
        };
    }
    change
}

/// A property with a default is added to every object at once, so it can exceed a maximum or affect a junctor.
fn counted(node: &SchemaPair<'_>, change: Change) -> Change {
    let bounds = node.new.bounds.as_deref();
    let most = bounds.and_then(|bounds| bounds.max_properties);
    let full = most.map(|most| Bounds {
        max_properties: Some(most.saturating_sub(1)),
        ..Bounds::default()
    });
    let full =
        full.and_then(|full| Local::from_schema(node.old).outside(Limit::MaxProperties, &full));
    let some = match (most, full.map(|full| full.some())) {
        (Some(0), _) => Answer::Yes,
        (_, Some(some)) if some != Answer::No => some,
        _ if node.fields_matter() => Answer::Unknown,
        _ => return change,
    };
    let narrowed = narrowed(node, (some, None), String::new());
    let bump = if narrowed.bump.counts_as() > change.bump.counts_as() {
        narrowed.bump
    } else {
        change.bump
    };
    Change {
        stored: change.stored.max(narrowed.stored),
        writers: change.writers.max(narrowed.writers),
        bump,
        message: format!(
            "{}; the default may be more than an object can have",
            change.message
        ),
        ..change
    }
}

/// How a property is removed.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Departure {
    Removed,
    Demoted,
}

fn removed(node: &SchemaPair<'_>, wanted: Departure) -> Vec<Change> {
    let only_old = node
        .old
        .properties
        .iter()
        .filter(|(name, _)| !node.new.properties.contains_key(*name));
    let departed = only_old.filter_map(|(name, schema)| {
        let demoted = node.channel == Channel::Stable
            && node
                .beside_new
                .is_some_and(|beside| beside.properties.contains_key(name));
        let departure = if demoted {
            Departure::Demoted
        } else {
            Departure::Removed
        };
        if departure != wanted {
            return None;
        }
        let message = match wanted {
            Departure::Removed => "property removed",
            Departure::Demoted => "property moved back to experimental",
        };
        let kept = node.new.preserve_unknown_fields;
        let change = if kept {
            // Unknown fields keep their nulls, and get no defaults.
            let is_as_written = schema.nullable && schema.default.is_none();
            let writers = match is_as_written {
                true => Verdict::Ok,
                false => Verdict::Unknown,
            };
            Change::new(
                [Verdict::Ok, writers, Verdict::Unknown],
                Need::VERSION,
                format!("{message}; its values are kept, but no longer validated"),
            )
        } else {
            Change::new([Verdict::No; 3], Need::VERSION, message)
        };
        let change_of_property = PropertyChange::Removed(Box::new(schema.as_ref().clone()));
        Some(
            change
                .of_property(name)
                .with_property_change(change_of_property),
        )
    });
    departed.collect()
}

/// The properties that both sides have and only `one` requires.
fn only_required<'a>(one: &'a Schema, other: &'a Schema) -> impl Iterator<Item = &'a Text> {
    one.required.iter().filter(|name| {
        !is_required(other, name)
            && (one.properties.contains_key(*name) == other.properties.contains_key(*name))
    })
}

fn required(node: &SchemaPair<'_>) -> Vec<Change> {
    let names = only_required(node.new, node.old);
    let changes = names.map(|name| {
        let default =
            child(node.new, Segment::Property(name)).and_then(|schema| schema.default.as_ref());
        let change = match default {
            Some(default) => Change::harmless(
                Need::MINOR,
                format!("optional property is required, with default `{default}`"),
            ),
            None => narrowed(
                node,
                rejects(
                    node.old,
                    node.new,
                    without(node.old, name),
                    &requiring(name),
                ),
                "optional property is required".to_owned(),
            ),
        };
        change.of_property(name)
    });
    changes.collect()
}

/// A schema that only requires a field.
fn requiring(name: &Text) -> Schema {
    Schema {
        required: vec![name.clone()],
        ..Schema::default()
    }
}

fn optional(node: &SchemaPair<'_>) -> Vec<Change> {
    let names = only_required(node.old, node.new);
    let changes = names.map(|name| {
        let some = without(node.new, name);
        widened(
            node,
            accepts_more(node.old, node.new, some, &requiring(name)),
            "required property is optional".to_owned(),
        )
        .of_property(name)
    });
    changes.collect()
}

fn map(node: &SchemaPair<'_>) -> Vec<Change> {
    let shown = |additional: &Option<Additional>| match additional {
        None => "an object",
        Some(Additional::Allowed(false)) => "a closed object",
        Some(Additional::Allowed(true)) => "a map of anything",
        Some(Additional::Schema(_)) => "a map",
    };
    let (was, is) = (
        shown(&node.old.additional_properties),
        shown(&node.new.additional_properties),
    );
    if was == is {
        return Vec::new();
    }
    let message = format!("{was} became {is}");
    vec![Change::new([Verdict::No; 3], Need::VERSION, message)]
}

fn items(node: &SchemaPair<'_>) -> Vec<Change> {
    match (&node.old.items, &node.new.items) {
        (None, Some(_)) => {
            let only = Schema {
                items: node.new.items.clone(),
                ..Schema::default()
            };
            let some = rejects(node.old, node.new, Answer::Unknown, &only);
            vec![narrowed(node, some, "items have a schema".to_owned())]
        }
        (Some(_), None) => vec![widened(
            node,
            Answer::Unknown,
            "items no longer have a schema".to_owned(),
        )],
        (None, None) | (Some(_), Some(_)) => Vec::new(),
    }
}
