//! All rules.

use super::crds::CRD_RULES;
use super::finding::Record;
use super::rules::NODE_RULES;
use super::versions::VERSION_RULES;
use super::{components, consistency, kinds, ledger, needs, renames, stamps, walk};

/// The records of all rules, each once.
#[must_use]
pub fn catalogue() -> Vec<&'static Record> {
    let nodes = NODE_RULES
        .iter()
        .copied()
        .flatten()
        .map(|rule| &rule.record);
    let crds = CRD_RULES.iter().map(|rule| &rule.record);
    let versions = VERSION_RULES.iter().map(|rule| &rule.record);
    let others = [
        &kinds::GROUP,
        &kinds::PLURAL,
        &kinds::KIND,
        &kinds::ADDED,
        &kinds::GRADUATED,
        &kinds::STRAIGHT,
        &kinds::REMOVED,
        &kinds::DEMOTED,
        &renames::RENAMED,
        &renames::MOVED,
        &stamps::STALE,
        &stamps::MIXED,
        &stamps::RENAMED,
        &needs::RAISED,
        &components::ADDED,
        &components::CHANGED,
        &components::REMOVED,
        &ledger::MISSING,
        &ledger::REUSED,
        &ledger::ERASED,
        &consistency::PROPERTY,
        &consistency::ONE_VERSION,
        &consistency::VALIDATION,
        &consistency::DEFAULT,
        &consistency::RENAME,
        &consistency::WEBHOOK,
        &consistency::SUBSET,
        &consistency::STRICTER,
        &consistency::UNGUARDED,
        &walk::UNCLASSIFIED,
    ];
    nodes.chain(crds).chain(versions).chain(others).collect()
}
