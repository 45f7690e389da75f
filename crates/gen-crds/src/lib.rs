//! The command `gen-crds`, and the parts that all commands share: outcomes, output, and global options.
//!
#![doc = include_str!("../README.md")]

#[macro_use]
mod print;

pub mod outcome;
pub mod findings;
pub mod current_folder;
pub mod interrupted;
pub mod known_warnings;
pub mod costs;
pub mod examples;
pub mod recording;
pub mod released_version;
pub mod rustc_json;
pub mod type_meta;
pub mod stale_file;
pub mod seen_deprecations;
pub mod gen_crds;
pub mod options;
pub mod arguments;
pub mod command_line;
pub mod watch;
mod hand_over;

pub use crd_channels_diagnostics::program::{self, as_typed};
pub use crd_channels_diagnostics::terminal::{is_quiet, print as print_to};
pub use hand_over::hand_over;
