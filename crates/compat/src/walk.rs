//! The walk over two schemas: every rule on every node that both have.

use super::finding::{Change, Gate, Record, Topic};
use super::node::Node;
use super::rules::fields::{self, Field};
use super::rules::{NODE_RULES, NodeRule};
use super::types_are_disjoint;
use super::verdict::{Need, Verdict};

/// What no rule knows.
pub(super) const UNCLASSIFIED: Record = Record {
    id: "unclassified",
    rows: &[],
    topic: Topic::Breaking,
    gate: Gate::Node,
    waivable: false,
    summary: "Something changed that no rule covers.",
    explanation: "It counts as a new API version until a waiver accepts it.",
};

/// Shows every node that both have, from the top.
pub(super) fn walk(node: &Node<'_>, found: &mut impl FnMut(&Node<'_>, &'static Record, Change)) {
    let differing = fields::differing(node.old, node.new);
    let disjoint = types_are_disjoint(node.old, node.new);
    if !differing.is_empty() {
        for rule in NODE_RULES.iter().copied().flatten() {
            let concerned = rule.claims.iter().any(|field| differing.contains(field));
            // Of a node that is something else only that is told.
            let told = !disjoint || rule.claims.contains(&Field::Type);
            if concerned && told {
                for change in (rule.decide)(node) {
                    found(node, &rule.record, change);
                }
            }
        }
        for field in differing {
            let claimed = |rule: &NodeRule| rule.claims.contains(&field);
            if !NODE_RULES.iter().copied().flatten().any(claimed) {
                let message = format!("{field:?} changed");
                let change = Change::new([Verdict::Unknown; 3], Need::Unclassified, message);
                found(node, &UNCLASSIFIED, change);
            }
        }
    }
    if !disjoint {
        for child in node.children() {
            // Rules speak of what differs, so equal schemas need no look, however large they are.
            if child.old != child.new {
                walk(&child, found);
            }
        }
    }
}

/// Everything that changed, with its rule.
pub(super) fn changes(node: &Node<'_>) -> Vec<(&'static Record, Change)> {
    let mut all = Vec::new();
    walk(node, &mut |_, record, change| all.push((record, change)));
    all
}
