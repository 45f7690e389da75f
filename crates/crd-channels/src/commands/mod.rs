//! What each command does: a file for each, or a folder where its steps take several files.

pub mod format;
mod versions_differ;
pub mod import;
pub mod init;
mod bundle_chain;
pub mod prove;
pub mod diff;
pub mod reference;
pub mod release;
pub mod archive;
pub mod prune;
pub mod keygen;
pub mod sign;
pub mod start_next;
pub mod adopt;
pub mod merge_driver;
pub mod verify_release;
mod manifest;
mod published_set;
mod proofs;
pub mod features;
pub mod graduate;
pub mod remove;
pub mod deprecate;
mod edited_tree;
pub mod pin;
mod pin_changes;
mod crd_document;
mod records;
mod object_update;
pub mod plan;
pub mod vendor;
pub mod cluster;
pub mod check;
pub mod validate;
pub mod eval_rule;
pub mod explain_rule;
pub mod explain;
pub mod envtest;
pub mod explain_warning;

pub use crd_channels_gen_crds::outcome::Outcome;
pub use crd_channels_gen_crds::{examples, gen_crds, interrupted, program};

use crd_channels_gen_crds::current_folder::{here, root};
use crd_channels_gen_crds::findings::{
    blocks_release, list_names, say, say_as, say_with_summary, shown,
};
use crd_channels_gen_crds::{
    costs, known_warnings, recording, released_version, seen_deprecations, type_meta,
};

/// What `gen-crds` does beyond its own package.
pub const WHOLE_PROGRAM: gen_crds::WholeProgram = gen_crds::WholeProgram {
    versions_differ: versions_differ::differences,
    pages: Some(reference::write::configured),
};
