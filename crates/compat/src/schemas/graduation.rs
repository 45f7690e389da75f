//! Graduation: a part must be the same or looser when it becomes stable, and must keep its validation.

use super::pair::{SchemaPair, Segment, Walk, child};
use crate::cel::{canonical, resembles, selects};
use crate::findings::verdict::Verdict;
use crd_channels_cel::Text;
use crd_channels_schema::{Rule, Schema};

/// How a property graduated from the experimental channel to the stable one.
pub(crate) enum Graduation {
    /// Unchanged, or looser.
    Clean,
    /// It rejects values that it accepted; how.
    Tighter(String),
    /// It may reject values that it accepted.
    Doubtful(String),
    /// Some of its validation stays experimental; which.
    LeavesBehind(String),
}

/// The findings about parts that may stay experimental when their parent graduates.
const MAY_STAY: [&str; 3] = ["property-removed", "property-demoted", "enum-value-removed"];

impl Graduation {
    /// How a property graduated that the node's new stable schema has and its old one lacks.
    pub(crate) fn of_property(
        node: &SchemaPair<'_>,
        (name, graduated): (&Text, &Schema),
        walk: Walk,
    ) -> Self {
        let segment = Segment::Property(&**name);
        let before = node.beside_old.and_then(|schema| child(schema, segment));
        let mut doubt = None;
        for (record, change) in before
            .into_iter()
            .flat_map(|before| walk(&SchemaPair::alone(before, graduated)))
        {
            if MAY_STAY.contains(&record.id) || change.property_change.is_some() {
                continue;
            }
            match change.stored {
                Verdict::No => return Self::Tighter(change.message),
                Verdict::Unknown => doubt = Some(change.message),
                Verdict::Ok => {}
            }
        }
        if let Some(message) = doubt {
            return Self::Doubtful(message);
        }
        if let Some(experimental) = node.beside_new.and_then(|schema| child(schema, segment)) {
            for (_, change) in walk(&SchemaPair::alone(graduated, experimental)) {
                if change.stored != Verdict::Ok && change.property_change.is_none() {
                    return Self::LeavesBehind(change.message);
                }
            }
        }
        match left_behind(node, name) {
            Some(rule) => Self::LeavesBehind(format!("rule `{}`", rule.rule)),
            None => Self::Clean,
        }
    }
}

/// A rule of an ancestor that reads the property and is only in the experimental channel, unless a variant of it is in the
/// stable one or it reads other experimental properties.
fn left_behind<'a>(node: &'a SchemaPair<'a>, name: &Text) -> Option<&'a Rule> {
    let mut at = Some(node);
    while let Some(node) = at {
        if let Some(experimental) = node.beside_new {
            let stable = &node.new.rules;
            let left = experimental.rules.iter().find(|rule| {
                let names = selects(&rule.rule);
                let known = |other: &Rule| {
                    canonical(&other.rule) == canonical(&rule.rule)
                        || resembles(&other.rule, &rule.rule)
                };
                names.contains(name)
                    && !stable.iter().any(known)
                    && !names
                        .iter()
                        .any(|name| only_in(experimental, node.new, name))
            });
            if left.is_some() {
                return left;
            }
        }
        at = node.parent;
    }
    None
}

/// Whether a name is a property anywhere below one schema and nowhere below the other.
fn only_in(one: &Schema, other: &Schema, name: &str) -> bool {
    has(one, name) && !has(other, name)
}

fn has(schema: &Schema, name: &str) -> bool {
    schema.properties.contains_key(name)
        || schema.properties.values().any(|child| has(child, name))
        || [Segment::Items, Segment::Values]
            .into_iter()
            .any(|segment| child(schema, segment).is_some_and(|child| has(child, name)))
}
