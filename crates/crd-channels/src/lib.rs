//! The program: its command line, its commands, and what they know of releases, pins and git.

#[macro_use]
mod print;

pub mod cli;
pub mod commands;
pub mod release;
pub mod consumer;
pub mod git;
