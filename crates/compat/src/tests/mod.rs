//! Tests of the rules: pairs for each rule of the catalogue, known releases, enumeration.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod drawn;
mod compositions;
mod many;
mod oldest_kubernetes;
mod chains;
mod conditions;
mod conversion;
mod rows;
mod tombstones;
mod claims;
mod history;
mod enumeration;
mod leaves;
mod validator;
