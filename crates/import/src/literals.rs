//! Texts and JSON as Rust source.

use serde_json::{Number, Value};

/// A text as a literal: raw if that is easier to read.
pub(crate) fn text(text: &str) -> String {
    let plain = format!("{text:?}");
    let readable = !text.contains(['\n', '\r']) && text.chars().all(|c| !c.is_control());
    if plain.len() == text.len() + 2 || !readable {
        return escaped(text);
    }
    let mut hashes = String::new();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

/// A text in quotes, with the escapes of Rust, which leaves other letters alone.
fn escaped(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&c.escape_unicode().to_string()),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A number in `json!`, where an integer without a suffix is an `i32`.
pub(crate) fn number(number: &Number) -> String {
    match (number.as_i64(), number.as_u64()) {
        (Some(small), _) if i32::try_from(small).is_ok() => small.to_string(),
        (Some(large), _) => format!("{large}_i64"),
        (None, Some(larger)) => format!("{larger}_u64"),
        (None, None) => number.to_string(),
    }
}

/// JSON as an argument of `json!`.
pub(crate) fn json(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(of) => number(of),
        Value::String(of) => text(of),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(json).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", text(key), json(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}
