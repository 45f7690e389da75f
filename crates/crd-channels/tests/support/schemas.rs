//! The schemas of the commands' output.
//!
//! They allow unknown keys, since programs have to ignore them. Here a schema must describe every key.

use jsonschema::{Registry, Validator};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/output")
}

pub fn all() -> Vec<(String, Value)> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        (name, serde_json::from_str(&text).unwrap())
    });
    files.collect()
}

/// Limits every object of a schema to the described keys.
fn closed(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(entries) => {
            for value in entries.values_mut() {
                *value = closed(value.take());
            }
            if entries.get("properties").is_some_and(Value::is_object)
                && entries.get("type") == Some(&json!("object"))
            {
                entries.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| *item = closed(item.take())),
        _ => {}
    }
    schema
}

fn validator(name: &str) -> Validator {
    let all = all();
    let mut registry = Registry::new();
    for (_, schema) in &all {
        let id = schema["$id"].as_str().unwrap().to_owned();
        registry = registry.add(id, closed(schema.clone())).unwrap();
    }
    let registry = registry.prepare().unwrap();
    let (_, schema) = all.iter().find(|(file, _)| file == name).unwrap();
    let options = jsonschema::options().with_registry(&registry);
    options.build(&closed(schema.clone())).unwrap()
}

/// Validates a document with its schema.
#[track_caller]
pub fn validate(schema: &str, document: &Value) {
    let validator = validator(schema);
    let wrong: Vec<String> = validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{schema}: {wrong:#?}\n{document:#}");
}
