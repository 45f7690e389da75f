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

/// How much a test draws: this many times `COMPAT_DRAWS`, which is 1.
fn draws(least: u64) -> u64 {
    let times = std::env::var("COMPAT_DRAWS").map_or(1, |times| times.parse().unwrap());
    least * times
}
