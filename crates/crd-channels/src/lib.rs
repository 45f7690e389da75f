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
