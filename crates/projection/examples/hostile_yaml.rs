//! Prints an object full of hostile texts: `yaml` as this tool writes it, `json` as any reader must read it.
//! `.ci/kubectl-reader` compares the two through kubectl.

#[path = "../src/bundle/yaml/tests/hostile.rs"]
mod hostile;

use crd_channels_projection::bundle::yaml;
use serde_json::{Map, Value, json};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("yaml") => print!("{}", yaml::to_string(&object())?),
        Some("json") => println!("{}", object()),
        _ => return Err("say `yaml` or `json`".into()),
    }
    Ok(())
}

/// A ConfigMap, so that kubectl accepts it; without a server, kubectl checks nothing in it.
fn object() -> Value {
    let texts = hostile::all();
    let data = texts.iter().enumerate();
    let data: Map<String, Value> = data
        .map(|(index, text)| (format!("text-{index}"), json!(text)))
        .collect();
    let keys: Map<String, Value> = texts
        .iter()
        .map(|text| (text.clone(), json!([text, { text: [[text]] }])))
        .collect();
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "hostile"},
        "data": data,
        "keys": keys,
        "nested": {
            "texts": texts,
            "numbers": [0, -1, i64::MAX, i64::MIN, 0.5, -1.5e-7, 1.5e300],
            "others": [null, true, false, [], {}, [[]], [{}], ""],
        },
    })
}
