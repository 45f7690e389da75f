//! The commands as their users run them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "support/bundle.rs"]
mod bundle;
#[path = "support/killed.rs"]
mod killed;
mod support;

mod check;
mod cluster;
mod command_line;
mod crds;
mod deprecate;
mod diagnostics;
mod diff;
mod envtest;
mod eval_rule;
mod exit_codes;
mod explain_rule;
mod gen_crds;
mod graduate;
mod import;
mod init;
mod json;
mod leaks;
mod output_schemas;
mod pipelines;
mod plan;
mod reference;
mod revisions;
mod show;
mod special_files;
mod validate;
mod versioning;
