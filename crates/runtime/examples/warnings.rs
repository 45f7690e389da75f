//! Reads arrays of `Warning` header values, one JSON array per line, and prints the warnings in each.

use crd_channels_runtime::warnings::{self, Warning};
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let values: Vec<String> = serde_json::from_str(&line?)?;
        let found = warnings::parse(values.iter().map(String::as_bytes));
        let shown: Vec<Value> = found.iter().map(shown).collect();
        writeln!(out, "{}", Value::from(shown))?;
    }
    Ok(())
}

fn shown(warning: &Warning) -> Value {
    json!({ "code": warning.code, "agent": warning.agent, "text": warning.text })
}
