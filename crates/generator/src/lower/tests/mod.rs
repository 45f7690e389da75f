//! Tests of fixtures, through the reader and this layer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod builtins;
mod carried;
mod findings;
mod foreign;
mod schemars_defaults;
mod left_open;
mod old_schemas;
mod older;
mod oracle;
mod macros;
mod own_names;
#[allow(
    clippy::all,
    clippy::unwrap_used,
    missing_docs,
    dead_code,
    unused,
    non_local_definitions,
    reason = "read as text as well"
)]
mod macro_values;
#[allow(
    clippy::all,
    clippy::unwrap_used,
    missing_docs,
    dead_code,
    reason = "read as text as well"
)]
mod values;
#[allow(
    clippy::all,
    clippy::unwrap_used,
    missing_docs,
    dead_code,
    reason = "read as text as well"
)]
mod changed_values;
mod shapes;
#[allow(
    clippy::all,
    clippy::unwrap_used,
    missing_docs,
    dead_code,
    reason = "read as text as well"
)]
mod widgets;

use super::{Overrides, drafts_of};
use crd_channels_diagnostics::Sink;
use crd_channels_schema::draft::Draft;
use crd_channels_source::Graph;

/// The drafts of all kinds.
fn drafts(graph: &Graph<'_>, overrides: &Overrides, sink: &mut Sink) -> Vec<Draft> {
    drafts_of(graph, &graph.kinds(), overrides, sink).0
}
