//! Reads the warnings of an admission webhook, one JSON array per line, and prints those within the limits of a response.

use crd_channels_runtime::warnings::admission::within_limits;
use serde_json::Value;
use std::error::Error;
use std::io::{BufRead, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let texts: Vec<String> = serde_json::from_str(&line?)?;
        writeln!(out, "{}", Value::from(within_limits(texts)))?;
    }
    Ok(())
}
