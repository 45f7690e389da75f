//! What can be told of CEL rules without running them.

mod canonical;
mod implied;
mod judged;
mod propositions;
mod refuted;
mod facts;
mod formula;
mod known;
mod samples;
mod truth;

pub(super) use canonical::{canonical, resembles, selects, transitional, unguarded};
pub(super) use implied::{counterexample, holds, implied_by};
