//! Analyses of CEL rules without a server.

mod canonical;
mod implied;
mod compiled;
mod propositions;
mod refuted;
mod facts;
mod formula;
mod abstract_value;
mod samples;
mod truth;

pub(super) use canonical::{canonical, resembles, selects, transitional, unguarded};
pub(super) use implied::{counterexample, holds, implied_by};
