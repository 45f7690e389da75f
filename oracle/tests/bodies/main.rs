//! Values that the generator reads from function bodies, against what the compiled program computes.
//!
//! `shapes` were once read wrong, `plain_bodies` are such as operators have, `random_bodies` draws well-typed bodies by a
//! grammar (`random/grammar.rs` says how it is written), `random_modules` trees of modules, `random_macros` macros and calls.
//! `ORACLE_BODIES` says how many there are, `ORACLE_SEED` the first seed. A module of the crates under `target/bodies` is named
//! after its seed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

#[path = "../random/batch.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod batch;
#[path = "../compare/mod.rs"]
mod compare;
#[path = "../crates/mod.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod crates;
#[path = "../random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;
mod identities;
mod report;
mod plain;
mod random;
mod schemas;
mod shapes;
mod texts;
