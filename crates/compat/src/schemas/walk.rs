//! The walk over two schemas: applies every rule to every node that both have.

use super::differences::pairs;
use super::pair::SchemaPair;
use super::rules::NODE_RULES;
use super::rules::fields::Field;
use super::rules::types_are_disjoint;
use crate::findings::verdict::{Need, Verdict};
use crate::findings::{Change, Gate, Record, Topic};

/// The record for changes that no rule covers.
pub(crate) const UNCLASSIFIED: Record = Record {
    id: "unclassified",
    topic: Topic::Breaking,
    gate: Gate::Node,
    waivable: false,
    summary: "Something changed that no rule covers.",
    explanation: "It counts as a new API version until a waiver accepts it.",
};

/// Visits all changes in the nodes that both have, from the top.
pub(crate) fn walk(
    node: &SchemaPair<'_>,
    found: &mut impl FnMut(&SchemaPair<'_>, &'static Record, Change),
) {
    pairs(node, &mut |node, differing| {
        let disjoint = types_are_disjoint(node.old, node.new);
        if !differing.is_empty() {
            apply(node, differing, disjoint, found);
        }
        !disjoint
    });
}

/// Applies the rules to a node.
fn apply(
    node: &SchemaPair<'_>,
    differing: &[Field],
    disjoint: bool,
    found: &mut impl FnMut(&SchemaPair<'_>, &'static Record, Change),
) {
    let rules = || NODE_RULES.iter().copied().flatten();
    for rule in rules() {
        let concerned = rule.claims.iter().any(|field| differing.contains(field));
        // Other changes of a node do not count if its type changed.
        let applies = !disjoint || rule.claims.contains(&Field::Type);
        if concerned && applies {
            for change in (rule.decide)(node, changes) {
                found(node, &rule.record, change);
            }
        }
    }
    for field in differing {
        if !rules().any(|rule| rule.claims.contains(field)) {
            let message = format!("{field:?} changed");
            let change = Change::new([Verdict::Unknown; 3], Need::Unclassified, message);
            found(node, &UNCLASSIFIED, change);
        }
    }
}

/// All changes, with their rules.
pub(crate) fn changes(node: &SchemaPair<'_>) -> Vec<(&'static Record, Change)> {
    let mut all = Vec::new();
    walk(node, &mut |_, record, change| all.push((record, change)));
    all
}
