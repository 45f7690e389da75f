//! The program: its command line, its commands, and the modules for releases, pins and git.
//!
#![doc = include_str!("../README.md")]

#[macro_use(print, println, eprint, eprintln, status, error, note, warning, help)]
extern crate crd_channels_gen_crds;

pub mod cli;
pub mod commands;
pub mod release;
pub mod consumer;
pub mod oci;
pub mod git;
