//! One short function per command.

pub mod first_bundle;
pub mod init;
mod chain;
pub mod prove;
pub mod diff;
pub mod release;
pub mod archive;
pub mod prune;
pub mod sign;
pub mod start_next;
pub mod adopt;
pub mod merge_driver;
pub mod verify_release;
mod manifest;
pub mod sets;
pub mod features;
pub mod graduate;
pub mod remove;
pub mod deprecate;
mod edited;
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

use crd_channels_gen_crds::findings::{named, say, say_as, shown};
use crd_channels_gen_crds::folder::{here, root};
use crd_channels_gen_crds::{baseline, costs, released_version, served, warned};
