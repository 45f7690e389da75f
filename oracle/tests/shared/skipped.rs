//! Tests that this machine cannot run.

use std::io::Write;

/// Reports what is not tested, and why. The output of `println!` in a passing test would be hidden.
pub fn skipped(what: &str) {
    let text = format!("skipped: {what}\n");
    let _ = std::io::stderr().write_all(text.as_bytes());
}
