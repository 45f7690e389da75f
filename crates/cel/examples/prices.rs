//! Types and prices rules: each line of the input is an object with a `schema` and its `rules`, each line of the output says
//! of one rule what it costs at most, or what is wrong with it.
//!
//! ```sh
//! echo '{"schema": {"type": "array", "maxItems": 9, "items": {"type": "integer"}}, "rules": ["self.all(x, x > 0)"]}' |
//!   cargo run --package crd-channels-cel --example prices
//! ```

use crd_channels_cel::cost::estimate;
use crd_channels_cel::types::{Declarations, Schema, Shape};
use crd_channels_cel::{Environment, Outcome, check, parse};
use serde_json::Value;
use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut output = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let input: Value = serde_json::from_str(&line?)?;
        let mut declarations = Declarations::default();
        let itself = declarations.declare(&schema(&input["schema"]));
        for rule in input["rules"].as_array().into_iter().flatten() {
            let rule = rule.as_str().unwrap_or_default();
            let said = match itself {
                None => "the schema declares nothing".to_owned(),
                Some(itself) => {
                    let environment = Environment {
                        declarations: &declarations,
                        itself,
                        optional_old: false,
                    };
                    judged(rule, environment)
                }
            };
            writeln!(output, "{said}\t{}", Value::from(rule))?;
        }
    }
    Ok(())
}

fn judged(rule: &str, environment: Environment<'_>) -> String {
    let expression = match parse(rule) {
        Ok(expression) => expression,
        Err(fault) => return format!("error: {}", fault.message),
    };
    match check(&expression, environment) {
        Outcome::Sound(checked) => {
            let cost = estimate(&checked, environment.declarations, environment.itself).cost;
            format!("{}..{}: {}", cost.min, cost.max, checked.result())
        }
        Outcome::Unrunnable(_, fault) => format!("error: {}", fault.message),
        Outcome::Faulty(faults) => {
            let messages: Vec<_> = faults.into_iter().map(|fault| fault.message).collect();
            format!("error: {}", messages.join("; "))
        }
    }
}

/// As much of an OpenAPI schema as rules see.
fn schema(value: &Value) -> Schema<'_> {
    let number = |name: &str| value[name].as_i64();
    let shape = match value["type"].as_str() {
        Some("boolean") => Shape::Boolean,
        Some("integer") => Shape::Integer,
        Some("number") => Shape::Number,
        Some("string") => Shape::String {
            format: value["format"].as_str().unwrap_or_default(),
            longest_value: value["enum"].as_array().map(|values| longest(values)),
        },
        Some("array") => Shape::Array {
            items: Box::new(schema(&value["items"])),
            max_items: number("maxItems"),
        },
        Some("object") if value["additionalProperties"].is_object() => Shape::Map {
            values: Box::new(schema(&value["additionalProperties"])),
            max_properties: number("maxProperties"),
        },
        Some("object") => {
            let properties = value["properties"].as_object().into_iter().flatten();
            let required = value["required"].as_array().into_iter().flatten();
            Shape::Object {
                properties: properties
                    .map(|(name, property)| (name.as_str(), schema(property)))
                    .collect(),
                required: required.filter_map(Value::as_str).collect(),
            }
        }
        _ => Shape::Unknown,
    };
    Schema {
        shape,
        int_or_string: value["x-kubernetes-int-or-string"] == true,
        resource: value["x-kubernetes-embedded-resource"] == true,
        max_length: number("maxLength"),
        has_default: !value["default"].is_null(),
    }
}

fn longest(values: &[Value]) -> i64 {
    let lengths = values.iter().filter_map(Value::as_str).map(str::len);
    i64::try_from(lengths.max().unwrap_or_default()).unwrap_or(i64::MAX)
}
