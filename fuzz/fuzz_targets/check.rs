//! The committed CRDs with parts cut out, replaced and moved, as the bytes say; and any JSON as it is.

#![no_main]

mod choices;

use choices::Choices;
use crd_channels_check::{Document, Finding, NEWEST, as_written, trail, validate};
use crd_channels_schema::Crd;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::OnceLock;

static CRDS: OnceLock<Vec<Value>> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    if let Ok(document) = serde_json::from_slice(bytes) {
        validated(&document);
        return;
    }
    let mut program = Program(Choices(bytes));
    let crds = CRDS.get_or_init(committed);
    let mut crd = crds[program.0.below(crds.len())].clone();
    while !program.0.is_done() {
        program.step(&mut crd);
    }
    validated(&crd);
});

/// Validates a document, twice alike.
fn validated(document: &Value) {
    let found = validate(document, NEWEST);
    assert_eq!(found, validate(document, NEWEST));
    for Finding { field, .. } in &found {
        let _ = as_written(&field.clone().unwrap_or_default(), found.len());
    }
    let _ = Document::decode(document).lint(NEWEST);
    if let Ok(crd) = Crd::from_json(document) {
        let field = found.first().and_then(|finding| finding.field.clone());
        let _ = trail(&crd, &field.unwrap_or_default());
    }
}

fn committed() -> Vec<Value> {
    let mut found = Vec::new();
    for channel in ["stable", "experimental"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../generated")
            .join(channel);
        for entry in std::fs::read_dir(folder).expect("the committed CRDs") {
            let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a file");
            let document: Value = serde_saphyr::from_str(&text).expect("YAML");
            if document["kind"] == "CustomResourceDefinition" {
                found.push(document);
            }
        }
    }
    found
}

/// Changes of a document.
struct Program<'b>(Choices<'b>);

impl Program<'_> {
    /// Walks down to a node, of which every second one is left again.
    fn node<'v>(&mut self, value: &'v mut Value) -> &'v mut Value {
        let stops = self.0.byte().is_multiple_of(8);
        let inner = match &*value {
            Value::Object(fields) => fields.len(),
            Value::Array(items) => items.len(),
            _ => 0,
        };
        if stops || inner == 0 {
            return value;
        }
        let index = self.0.below(inner);
        match value {
            Value::Object(fields) => self.node(fields.values_mut().nth(index).expect("counted")),
            Value::Array(items) => self.node(&mut items[index]),
            _ => unreachable!("it has children"),
        }
    }

    fn step(&mut self, crd: &mut Value) {
        let new = match self.0.byte() % 12 {
            0 => json!(null),
            1 => json!(self.0.byte()),
            2 => json!(-1.5),
            3 => json!(u64::MAX),
            4 => json!([]),
            5 => json!({}),
            6 => json!({ self.0.text(): self.0.text() }),
            7 => json!([self.0.text()]),
            8 => self.node(crd).clone(),
            9 => {
                let node = self.node(crd);
                if let Value::Object(fields) = node {
                    let key = fields.keys().nth(self.0.below(fields.len())).cloned();
                    fields.remove(&key.unwrap_or_default());
                }
                return;
            }
            10 => {
                let (key, rule) = (self.0.text(), json!([{ "rule": self.0.text() }]));
                let node = self.node(crd);
                if let Value::Object(fields) = node {
                    fields.insert("x-kubernetes-validations".to_owned(), rule);
                    fields.insert("default".to_owned(), json!(key));
                }
                return;
            }
            _ => json!(self.0.text()),
        };
        *self.node(crd) = new;
    }
}
