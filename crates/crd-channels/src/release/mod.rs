//! The rules of releases: permitted versions, permitted changes, and the files of a bundle. Functions map plain values to plain
//! values; nothing here reads source, starts a process or writes.

pub mod tombstones;
pub mod history;
pub mod archive;
pub mod version_choice;
pub mod lifecycle;
pub mod line;
pub mod other_lines;
mod majors;
pub mod preflight;
pub mod places;
pub mod remedies;
pub mod contents;
pub mod helm;
mod notices;
pub mod policy;
pub mod policies;
mod upgrades;
mod guardrails;
mod stable_bounds;
mod way;
mod kept_annotations;
mod deprecated_fields;
pub mod changelog;
pub mod manifests;
pub mod publishing;
pub mod merge_sides;

#[cfg(test)]
mod policy_tests;
#[cfg(test)]
mod kept_annotations_tests;
#[cfg(test)]
mod deprecated_fields_tests;

use crd_channels_diagnostics::{Code, Diagnostic};

fn rejection(code: Code, message: impl Into<String>, help: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(code, None, message).with_help(help))
}
