//! The program: its command line, its commands, and the modules for releases, pins and git.
//!
#![doc = include_str!("../README.md")]

#[macro_use(print, println, eprint, eprintln, status, error, note, warning, help)]
extern crate crd_channels_gen_crds;

/// From nothing, a run spends a fifth of its time in the allocator of the system, and most of it in that of musl.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub mod cli;
pub mod commands;
pub mod release;
pub mod consumer;
pub mod oci;
pub mod git;
