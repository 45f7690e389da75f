//! The server of a test that needs one.

#![allow(clippy::panic, reason = "tests")]

#[path = "../../oracle/tests/shared/skipped.rs"]
mod skipped;

use crd_channels_envtest::binaries;
use crd_channels_envtest::server::Server;
pub use skipped::skipped;

/// Starts a server. If there is none, prints to stderr that the test is skipped.
pub fn started_or_skipped() -> Option<Server> {
    let Some(binaries) = binaries::present() else {
        skipped("no API server is asked, since there is none; `cargo xtask envtest` gets one");
        return None;
    };
    Some(Server::start(&binaries).unwrap_or_else(|failure| panic!("{failure}")))
}
