//! Types and prices rules: each line of input is an object with a `schema` and its `rules`, each line of output has the maximum
//! cost of one rule, or its error.
//!
//! ```sh
//! echo '{"schema": {"type": "array", "maxItems": 9, "items": {"type": "integer"}}, "rules": ["self.all(x, x > 0)"]}' |
//!   cargo run --package crd-channels-cel --example prices
//! ```

use crd_channels_cel::cost::estimate;
use crd_channels_cel::types::Declarations;
use crd_channels_cel::version::NEWEST;
use crd_channels_cel::{Environment, Outcome, check, parse};
use serde_json::Value;
use std::io::{self, BufRead, Write};

#[path = "../tests/described/mod.rs"]
mod described;

fn main() -> io::Result<()> {
    let mut output = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let input: Value = serde_json::from_str(&line?)?;
        let mut declarations = Declarations::default();
        let itself = declarations.declare(&described::schema(&input["schema"]));
        for rule in input["rules"].as_array().into_iter().flatten() {
            let rule = rule.as_str().unwrap_or_default();
            let said = match itself {
                None => "the schema declares nothing".to_owned(),
                Some(itself) => {
                    let environment = Environment {
                        declarations: &declarations,
                        itself,
                        optional_old: false,
                        minor: NEWEST,
                    };
                    checked(rule, environment)
                }
            };
            writeln!(output, "{said}\t{}", Value::from(rule))?;
        }
    }
    Ok(())
}

fn checked(rule: &str, environment: Environment<'_>) -> String {
    let expression = match parse(rule) {
        Ok(expression) => expression,
        Err(fault) => return format!("error: {}", fault.message),
    };
    match check(&expression, environment) {
        Outcome::Sound(checked) => {
            let Environment {
                declarations,
                itself,
                minor,
                ..
            } = environment;
            let cost = estimate(&checked, declarations, itself, minor).cost;
            format!("{}..{}: {}", cost.min, cost.max, checked.result())
        }
        Outcome::Unrunnable(_, fault) => format!("error: {}", fault.message),
        Outcome::Faulty(faults) => {
            let messages: Vec<_> = faults.into_iter().map(|fault| fault.message).collect();
            format!("error: {}", messages.join("; "))
        }
    }
}
