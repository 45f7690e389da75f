//! The changes between two sets of CRDs: whom they affect, and the bump that they require.
//!
//! Rules see only published CRDs, never what generated them.
//!
#![doc = include_str!("../README.md")]

mod catalogue;
mod cel;
mod compare;
mod components;
mod consistency;
mod conversion;
mod findings;
mod kinds;
pub mod report;
mod schemas;
mod set;
#[cfg(test)]
mod tests;
mod values;

pub use catalogue::catalogue;
pub use compare::{compare, compare_along};
pub use components::{Components, add as add_component};
pub use consistency::{AGREE, first};
pub use conversion::UNPROVEN as CONVERSION_UNPROVEN;
pub use findings::verdict::{Answer, Bump, Channel, Need, Verdict};
pub use findings::{Change, Finding, Gate, KindLabels, Record, Report, Topic, Waived};
pub use kinds::lineage::{Ancestor, Lineage};
pub use kinds::tombstones::{reason_of_removal, union};
pub use kinds::versions::is_ga;
pub use schemas::differences::{Difference, Part, differences, keywords, schema_differences};
pub use schemas::pair::property_path;
pub use schemas::rules::fields::Field;
pub use set::names_in_use::{NamesInUse, Spot};
pub use set::oldest_kubernetes::oldest_kubernetes;
pub use set::{Crds, Published, Set};
pub use values::same as same_value;

pub use findings::waivers;
pub use set::read;
