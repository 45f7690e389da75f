//! The evaluator of Rust expressions. Its result is exactly the compiled program's, or unknown: an error at the expression,
//! with the reason.
//!
//! It resolves names as rustc does, values know their types, tables define std, and everything else is a hole.

mod values;
mod machine;
mod expressions;
mod calls;
mod traits;
mod std;
pub(crate) mod serde;
mod schemas;
mod kube;
mod overrides;
mod entry;

pub use overrides::{Idle, Overrides, RecordedField, Records};

pub(crate) use kube::Merge;
pub(crate) use machine::budget::Budget;
pub(crate) use overrides::{DEFAULT_HELP, ResolvedOverrides};
pub(crate) use schemas::{AskedType, HELP};
pub(crate) use serde::json_value::integer;
pub(crate) use traits::derives::derives;
pub(crate) use traits::impls::{Fit, path_expr};
pub(crate) use values::kinds::is_wrapper;
pub(crate) use values::trait_key::TraitKey;
pub(crate) use values::ty::{Concrete, Finding, Instance, Scope, unsupported};
pub(crate) use values::value::{Value, not_constant};

use crd_channels_source::Graph;

/// Reads types and values: has the graph, the overrides of the configuration, and the budget of evaluations.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'g> {
    /// The items.
    pub(crate) graph: &'g Graph<'g>,
    /// The overrides.
    pub(crate) overrides: &'g ResolvedOverrides<'g>,
    /// The budget of an evaluation.
    pub(crate) budget: &'g Budget,
}
