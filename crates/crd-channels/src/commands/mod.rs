//! What each command does: a file for each, or a folder where its steps take several files.

pub mod format;
pub mod versions_differ;
pub mod init;
mod bundle_chain;
pub mod prove;
pub mod diff;
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
pub mod vendor;
pub mod check;
pub mod eval_rule;
pub mod explain_rule;
pub mod explain;
pub mod envtest;
pub mod explain_warning;

pub use crd_channels_gen_crds::outcome::Outcome;
pub use crd_channels_gen_crds::{examples, gen_crds, interrupted, program};

use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Diagnostic, Sources};
use crd_channels_gen_crds::current_folder::{here, root};
use crd_channels_gen_crds::findings::{
    blocks_release, named, say, say_as, say_with_summary, shown,
};
use crd_channels_gen_crds::{
    costs, known_warnings, recording, released_version, seen_deprecations, type_meta,
};

/// Ends a command that cannot begin. As JSON, it prints the document that the command would print.
pub fn failed(command: &str, finding: &Diagnostic, format: Format) -> Outcome {
    let findings = std::slice::from_ref(finding);
    let document = match (format, command) {
        (Format::Json, "check") => Some(check::failed(findings, &Sources::default())),
        (Format::Json, "diff") => Some(diff::failed(findings, &Sources::default())),
        (Format::Json, "eval-rule") => Some(eval_rule::failed(findings)),
        (Format::Json, "explain-rule") => Some(explain_rule::failed(findings)),
        (Format::Json, "features") => Some(features::failed(findings, &Sources::default())),
        (Format::Json, "pin") => Some(pin::failed(findings)),
        (Format::Json, "prove") => Some(prove::document(None, findings, &Sources::default())),
        (Format::Json, "release") => Some(release::failed(findings, &Sources::default())),
        (Format::Json, "vendor") => Some(vendor::failed(findings)),
        _ => None,
    };
    match document {
        Some(document) => println!("{document}"),
        None => say_as(findings, &Sources::default(), format),
    }
    Outcome::CouldNotRun
}
