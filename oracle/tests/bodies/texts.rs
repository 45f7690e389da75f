//! Texts that are compiled by kube-derive and read by the generator: their form, and the comparison.
//!
//! `//# name` begins a module, `//+ name` a further file of it. `KIND` stands for the attributes of a kind, and
//! `SPEC a: T = f, b: U = g` for kinds with one field each, whose default is what the function gives.

use super::batch::{self, Batch};
use super::compare;
use super::crates::Ours;
use crd_channels_proof::documented::{Pair, Versions};
use crd_channels_proof::facts;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "\
#![allow(dead_code, deprecated, non_camel_case_types, unused)]

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
";

const DEPENDENCIES: &str = r#"better_default = "1"
derive_more = { version = "2", default-features = false, features = ["display", "from", "into", "std"] }
indexmap = { version = "2", features = ["serde"] }
once_cell = "1"
regex = { version = "1", default-features = false, features = ["std", "unicode"] }
serde_with = { version = "3", default-features = false, features = ["macros", "schemars_1", "std"] }
uuid = { version = "1", features = ["serde"] }
"#;

/// The differences of one kind.
pub enum Outcome {
    Equal,
    /// They are rows of `docs/differences.md`, each once.
    Documented(BTreeSet<&'static str>),
    /// The generator refuses it, for this reason.
    Refused(String),
    /// These facts differ.
    Wrong(Vec<String>),
    /// kube itself panics.
    Panics(String),
}

/// A module, or a file that one includes.
struct Part {
    name: String,
    text: String,
}

/// Compiles and reads texts: the outcome for each kind.
pub fn outcomes(folder: &str, texts: &[&str]) -> BTreeMap<String, Outcome> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("../bodies")
        .join(folder);
    let (mut modules, mut files) = (Vec::new(), Vec::new());
    for text in texts.iter().flat_map(|text| text.split("//# ").skip(1)) {
        parts(text, &mut modules, &mut files);
    }
    let mut kinds = BTreeSet::new();
    for part in &modules {
        let is_new = kinds.insert(kind(&part.name));
        assert!(is_new, "two shapes are called `{}`", part.name);
    }
    let modules: Vec<(String, String)> = modules
        .into_iter()
        .map(|part| (part.name, part.text))
        .collect();
    let batch = Batch::write(&root, &modules, DEPENDENCIES);
    for file in files {
        batch.add(&file.name, &file.text);
    }
    let by_kube = batch.by_kube();
    let mut ours: BTreeMap<String, Ours> = BTreeMap::new();
    for (name, said) in batch.ours() {
        // A file belongs to the module that includes it.
        let name = name.split("__").next().unwrap().replace('_', "");
        let whole = ours.entry(name).or_default();
        whole.errors.extend(said.errors);
        whole.crd = said.crd.or(whole.crd.take());
    }
    let mut found = BTreeMap::new();
    for (name, kube) in by_kube {
        let ours = ours.remove(&name.replace('_', "")).unwrap_or_default();
        let outcome = match kube {
            Ok(kube) => outcome(&kube, &ours),
            Err(panic) => Outcome::Panics(panic),
        };
        found.insert(name, outcome);
    }
    for (name, said) in ours {
        found.insert(name, Outcome::Wrong(said.errors));
    }
    found
}

fn outcome(kube: &serde_json::Value, ours: &Ours) -> Outcome {
    if let Some(error) = ours.errors.first() {
        return Outcome::Refused(error.clone());
    }
    let Some(crd) = &ours.crd else {
        return Outcome::Wrong(vec!["neither a CRD nor an error".to_owned()]);
    };
    let (ours, kube) = (batch::alone(crd), batch::alone(kube));
    let mut differences = facts::compare(Some(&ours), Some(&kube)).differences;
    if differences.is_empty() {
        return Outcome::Equal;
    }
    let versions = Versions::default();
    let pair = Pair::new(&ours, &kube, &versions);
    let mut rows = BTreeSet::new();
    differences.retain(|difference| {
        let row = pair.row(difference);
        rows.extend(row.map(|row| row.id));
        row.is_none()
    });
    if differences.is_empty() {
        return Outcome::Documented(rows);
    }
    let facts = differences.iter().map(|difference| {
        let (path, text) = compare::shown(difference);
        let path = path.rsplit(".openAPIV3Schema.").next().unwrap();
        format!("{path}\n{text}")
    });
    Outcome::Wrong(facts.collect())
}

/// Adds the modules and files of one text.
fn parts(text: &str, modules: &mut Vec<Part>, files: &mut Vec<Part>) {
    let (name, text) = text.split_once('\n').unwrap();
    let mut texts = text.split("//+ ");
    let own = texts.next().unwrap();
    let fields: Vec<&str> = own
        .lines()
        .filter_map(|line| line.strip_prefix("SPEC "))
        .flat_map(|fields| fields.split(", "))
        .collect();
    if fields.is_empty() {
        modules.push(module(name, own, ""));
    }
    for field in fields {
        let (field, default) = field
            .split_once(" = ")
            .unwrap_or_else(|| panic!("{name}: no field: {field}"));
        let spec = format!(
            "KIND\npub struct Spec {{\n    #[serde(default = \"{default}\")]\n    pub {field},\n}}\n"
        );
        let name = format!("{name}_{}", field.split(':').next().unwrap());
        modules.push(module(&name, own, &spec));
    }
    for file in texts {
        let (file, text) = file.split_once('\n').unwrap();
        files.push(Part {
            name: format!("{name}__{file}"),
            text: written(name, text),
        });
    }
}

/// The module of a kind.
fn module(name: &str, text: &str, spec: &str) -> Part {
    let kind = kind(name);
    let written = written(name, &format!("{text}{spec}"));
    Part {
        name: name.to_owned(),
        text: format!(
            "{HEAD}\n{written}\npub fn crd() -> serde_json::Value {{\n    serde_json::to_value(<{kind} as kube::CustomResourceExt>::crd()).unwrap()\n}}\n"
        ),
    }
}

/// A text with its kind written out.
fn written(name: &str, text: &str) -> String {
    let mut made = String::new();
    for line in text.lines() {
        if line == "KIND" {
            writeln!(
                made,
                "#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]\n#[kube(group = \"shapes.example.dev\", version = \"v1\", kind = \"{}\")]",
                kind(name)
            )
            .unwrap();
        } else if !line.starts_with("SPEC ") {
            writeln!(made, "{line}").unwrap();
        }
    }
    made
}

/// `a3_as_str` is the module of the kind `A3AsStr`.
fn kind(name: &str) -> String {
    let parts = name.split('_');
    parts
        .map(|part| part[..1].to_uppercase() + &part[1..])
        .collect()
}
