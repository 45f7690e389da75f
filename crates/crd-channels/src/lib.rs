//! The program: its command line, its commands, and the modules for releases, pins and git.
//!
#![doc = include_str!("../README.md")]

#[macro_use(print, println, eprint, eprintln, status, error, note, warning, help)]
extern crate crd_channels_gen_crds;

/// A run from nothing spends a fifth of its instructions on memory, and most of its time with the allocator of musl.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub mod cli;
pub mod commands;
pub mod release;
pub mod consumer;
pub mod oci;
pub mod git;

/// The examples of internal packages, compiled as one program.
#[cfg(doctest)]
#[doc = include_str!("../../../apiserver/check/README.md")]
#[doc = include_str!("../../../apiserver/envtest/README.md")]
#[doc = include_str!("../../../crates/compat/README.md")]
#[doc = include_str!("../../../crates/crd-folders/README.md")]
#[doc = include_str!("../../../crates/diagnostics/README.md")]
#[doc = include_str!("../../../crates/files/README.md")]
#[doc = include_str!("../../../crates/gen-crds/README.md")]
#[doc = include_str!("../../../crates/import/README.md")]
#[doc = include_str!("../../../crates/projection/README.md")]
#[doc = include_str!("../../../crates/proof/README.md")]
#[doc = include_str!("../../../crates/reference/README.md")]
#[doc = include_str!("../../../crates/released/README.md")]
#[doc = include_str!("../../../crates/schema/README.md")]
#[doc = include_str!("../../../crates/signature/README.md")]
#[doc = include_str!("../../../crates/source/README.md")]
#[doc = include_str!("../../../crates/syntax/README.md")]
#[doc = include_str!("../../../crates/ungate/README.md")]
#[doc = include_str!("../../../crates/workspace/README.md")]
pub struct Examples;
