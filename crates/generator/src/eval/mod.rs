//! The evaluator of Rust expressions. Its result is exactly the compiled program's, or unknown: an error at the expression,
//! with the reason.
//!
//! It resolves names as rustc does, values know their types, tables define std, and everything else is a hole.

pub(crate) mod adapters;
mod number;
mod ty;
mod kinds;
mod segments;
mod traits;
mod budget;
mod callable;
mod iterator;
mod value;
mod derives;
mod impls;
mod overrides;
mod machine;
mod places;
mod closure;
mod exprs;
mod literals;
mod operators;
mod control;
mod statements;
mod assume;
mod patterns;
mod paths;
mod calls;
mod associated;
mod methods;
mod construct;
mod coerce;
mod convert;
mod defaults;
mod compare;
mod collections;
mod format;
mod display;
mod macros;
mod environment;
mod iter;
mod json;
mod stepping;
mod std;
mod serialize;
mod inside;
mod writing;
mod entry;
mod schemas;
mod kube;

pub use overrides::{Idle, Overrides, RecordedField, Records};

pub(crate) use budget::Budget;
pub(crate) use derives::derives;
pub(crate) use impls::{Fit, path_expr};
pub(crate) use json::integer;
pub(crate) use kinds::is_wrapper;
pub(crate) use kube::Merge;
pub(crate) use overrides::{DEFAULT_HELP, Stated};
pub(crate) use schemas::{AskedType, HELP};
pub(crate) use traits::TraitKey;
pub(crate) use ty::{Concrete, Finding, Instance, Scope, unsupported};
pub(crate) use value::{Value, not_constant};

use crd_channels_source::Graph;

/// Reads types and values: has the graph, the overrides of the configuration, and the budget of evaluations.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'g> {
    /// The items.
    pub(crate) graph: &'g Graph<'g>,
    /// The overrides.
    pub(crate) stated: &'g Stated<'g>,
    /// The budget of an evaluation.
    pub(crate) budget: &'g Budget,
}
