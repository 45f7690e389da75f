//! The changes between two sets of CRDs: whom they affect, and the bump that they require.
//!
//! Rules see only published CRDs, never what generated them.
//!
#![doc = include_str!("../README.md")]

mod verdict;
mod finding;
mod set;
mod sides;
mod compare;
mod lineage;
mod kinds;
mod columns;
mod crds;
mod versions;
mod walk;
mod differences;
mod schema_pair;
mod rules;
mod renames;
mod graduation;
mod stamps;
mod components;
mod called;
mod ledger;
mod consistency;
mod needs;
mod cel;
mod included;
mod normal;
mod remembered;
mod values;
pub mod read;
pub mod waivers;
pub mod report;
mod catalogue;

#[cfg(test)]
mod tests;

pub use called::{NamesInUse, Spot};
pub use catalogue::catalogue;
pub use compare::{compare, compare_along};
pub use components::{Components, add as add_component};
pub use consistency::{AGREE, first};
pub use differences::{Difference, Part, differences, keywords, schema_differences};
pub use finding::{Change, Finding, Gate, Record, Report, Topic, Waived};
pub use ledger::union;
pub use lineage::{Ancestor, Lineage};
pub use needs::oldest_kubernetes;
pub use rules::fields::Field;
pub use schema_pair::below;
pub use set::{Crds, Published, Set};
pub use values::same as same_value;
pub use verdict::{Answer, Bump, Channel, Need, Verdict};
pub use versions::is_ga;

use rules::types_are_disjoint;
