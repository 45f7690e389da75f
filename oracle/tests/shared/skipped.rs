//! What tests do not test on this machine.

use std::io::Write;

/// Says what is not tested, and why. Not by `println!`: what a passing test prints with it, nobody sees.
pub fn skipped(what: &str) {
    let text = format!("skipped: {what}\n");
    let _ = std::io::stderr().write_all(text.as_bytes());
}
