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
mod derived;
mod findings;
mod foreign;
mod fragments;
mod schemars_defaults;
mod old_schemas;
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
