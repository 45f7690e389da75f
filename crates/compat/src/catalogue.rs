//! All rules.

use super::findings::Record;
use super::kinds::crds::CRD_RULES;
use super::kinds::versions::VERSION_RULES;
use super::kinds::{conditions, stamps, tombstones};
use super::schemas::rules::NODE_RULES;
use super::schemas::{renames, walk};
use super::set::oldest_kubernetes;
use super::{components, consistency, conversion, kinds};

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
        &oldest_kubernetes::RAISED,
        &components::ADDED,
        &components::CHANGED,
        &components::REMOVED,
        &tombstones::MISSING,
        &tombstones::REUSED,
        &tombstones::ERASED,
        &consistency::PROPERTY,
        &consistency::ONE_VERSION,
        &consistency::VALIDATION,
        &consistency::DEFAULT,
        &consistency::RENAME,
        &conversion::UNPROVEN,
        &consistency::SUBSET,
        &consistency::STRICTER,
        &consistency::UNGUARDED,
        &walk::UNCLASSIFIED,
    ];
    let conditions = conditions::records::ALL;
    nodes
        .chain(crds)
        .chain(versions)
        .chain(conditions)
        .chain(others)
        .collect()
}
