//! Rust types with attributes, from which CRDs of any origin are generated again.
#![doc = include_str!("../README.md")]

mod attributes;
mod crd;
mod docs;
mod features;
mod homes;
mod kinds;
mod literals;
mod merged;
mod meta;
mod names;
mod shapes;
mod source;
mod ty;
mod types;

use crate::crd::Crd;
use crate::features::Features;
use crate::homes::{Homes, Module};
use crate::shapes::Shapes;
use crate::source::Package;
use crate::types::Definitions;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The source of a package, made of CRDs.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// Texts by their paths below the package's `src`.
    pub files: BTreeMap<String, String>,
    /// The features that gates name.
    pub features: Vec<String>,
    /// Settings of the stable channel: `alpha` or `beta`, and how it serves such versions.
    pub served: BTreeMap<&'static str, &'static str>,
}

/// Something about a CRD that cannot be written as a type.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Problem {
    /// The CRD, the version and the field.
    pub place: String,
    /// What is the matter.
    pub message: String,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn add(&mut self, place: &str, message: &str) {
        let problem = Problem {
            place: place.to_owned(),
            message: message.to_owned(),
        };
        if !self.0.contains(&problem) {
            self.0.push(problem);
        }
    }
}

impl Problems {
    /// Says that something differs between the channels for which no attribute has a condition.
    pub(crate) fn differs(&mut self, place: &str, what: &str) {
        let message = format!("`{what}` differs between the channels, which no attribute can say");
        self.add(place, &message);
    }
}

/// Makes types of the CRDs of one channel, or of a stable and an experimental one.
///
/// The documents are CRDs of `apiextensions.k8s.io/v1` that a server accepts.
///
/// # Errors
///
/// What cannot be said with types and attributes, each with its place.
pub fn import(stable: &[Value], experimental: Option<&[Value]>) -> Result<Imported, Vec<Problem>> {
    let experimental = experimental.unwrap_or(stable);
    let name = |document: &Value| {
        document["metadata"]["name"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let mut documents: BTreeMap<String, [Option<&Value>; 2]> = BTreeMap::new();
    for (channel, set) in [stable, experimental].into_iter().enumerate() {
        for document in set {
            documents.entry(name(document)).or_default()[channel] = Some(document);
        }
    }
    let mut problems = Problems::default();
    let mut features = Features::default();
    let crds: Vec<Crd<'_>> = documents
        .iter()
        .map(|(name, documents)| Crd {
            name,
            documents: *documents,
        })
        .collect();
    let mut versions = Vec::new();
    for crd in &crds {
        for version in crd.versions() {
            let path = format!("{} {version} ", crd.name);
            let root = crd::schema(crd.version(&version), &path, &mut problems);
            features.collect(&root);
            versions.push((crd, version, root));
        }
    }
    let mut shapes = Shapes {
        definitions: Definitions::default(),
        features: &features,
        problems: &mut problems,
    };
    let kinds: Vec<kinds::Kind> = versions
        .iter()
        .map(|(crd, version, root)| kinds::kind(crd, version, root, &mut shapes))
        .collect();
    let definitions = shapes.definitions;
    let served = served(&versions, &mut problems);
    if !problems.0.is_empty() {
        return Err(problems.0);
    }
    let homes = Homes::new(&kinds, &definitions);
    let mut roots = BTreeMap::new();
    for kind in &kinds {
        let number = roots.len() + 1;
        let name = if number == 1 {
            "object".to_owned()
        } else {
            format!("object_{number}")
        };
        roots.entry(kind.root.to_string()).or_insert(name);
    }
    let package = Package {
        kinds: &kinds,
        definitions: &definitions,
        homes: &homes,
        roots: &roots,
    };
    let modules = package.modules();
    let mut files = BTreeMap::new();
    let mut children: BTreeMap<Module, BTreeSet<String>> = BTreeMap::new();
    let mut helpers: BTreeSet<&str> = BTreeSet::new();
    for (module, text) in modules {
        for length in 0..module.len() {
            children
                .entry(module[..length].to_vec())
                .or_default()
                .insert(module[length].clone());
        }
        for (name, _) in HELPERS {
            if text.contains(&format!("schemas::{name})")) {
                helpers.insert(name);
            }
        }
        files.insert(format!("{}.rs", module.join("/")), text);
    }
    if !helpers.is_empty() {
        children
            .entry(Module::new())
            .or_default()
            .insert("schemas".to_owned());
        let mut text = "//! What the schemas of some fields lack, compared with those of their types.\n\nuse schemars::Schema;\n".to_owned();
        for (name, body) in HELPERS {
            if helpers.contains(name) {
                let _ = write!(
                    text,
                    "\npub(crate) fn {name}(schema: &mut Schema) {{\n{body}}}\n"
                );
            }
        }
        files.insert("schemas.rs".to_owned(), text);
    }
    children
        .entry(Module::new())
        .or_default()
        .insert("root".to_owned());
    let mut text =
        "//! The schemas of what every object has.\n\nuse serde_json::{Value, json};\n".to_owned();
    for (json, name) in &roots {
        let value: Value = serde_json::from_str(json).unwrap_or_default();
        let _ = write!(
            text,
            "\npub fn {name}() -> Value {{\n    json!({})\n}}\n",
            literals::json(&value)
        );
    }
    files.insert("root.rs".to_owned(), text);
    for (module, names) in children {
        let mut text = String::new();
        if module.is_empty() {
            text.push_str("//! The types of the API.\n\n");
        }
        for name in names {
            let visible = if name == "schemas" && module.is_empty() {
                ""
            } else {
                "pub "
            };
            let _ = writeln!(text, "{visible}mod {name};");
        }
        let path = if module.is_empty() {
            "lib.rs".to_owned()
        } else {
            format!("{}/mod.rs", module.join("/"))
        };
        files.insert(path, text);
    }
    Ok(Imported {
        files,
        features: features.names().map(str::to_owned).collect(),
        served,
    })
}

/// How the stable channel serves alpha and beta versions, where it is not as the experimental channel does.
fn served(
    versions: &[(&Crd<'_>, String, merged::Node)],
    problems: &mut Problems,
) -> BTreeMap<&'static str, &'static str> {
    let mut settings = BTreeMap::new();
    for stage in ["alpha", "beta", ""] {
        let of_stage = versions.iter().filter(|(_, version, _)| match stage {
            "" => !version.contains("alpha") && !version.contains("beta"),
            stage => version.contains(stage),
        });
        let flags: Vec<(&str, &str, [Option<bool>; 2])> = of_stage
            .map(|(crd, version, _)| {
                let each = crd
                    .version(version)
                    .map(|it| it.map(|it| it["served"] == true));
                (crd.name, version.as_str(), each)
            })
            .collect();
        let differing = flags
            .iter()
            .find(|(_, _, each)| matches!(each, [Some(a), Some(b)] if a != b));
        let Some((name, version, _)) = differing else {
            continue;
        };
        let in_stable: BTreeSet<bool> = flags.iter().filter_map(|(_, _, each)| each[0]).collect();
        match (in_stable.len(), in_stable.first()) {
            (1, Some(is_served)) if !stage.is_empty() => {
                settings.insert(stage, if *is_served { "served" } else { "unserved" });
            }
            _ => problems.add(
                &format!("{name} {version}"),
                "`served` differs between the channels",
            ),
        }
    }
    settings
}

/// Functions that change what the schema of a type says: their names and bodies.
const HELPERS: [(&str, &str); 4] = [
    (
        "any_object",
        "    schema.remove(\"additionalProperties\");\n    let keep = \"x-kubernetes-preserve-unknown-fields\";\n    schema.insert(keep.to_owned(), true.into());\n",
    ),
    ("no_any_of", "    schema.remove(\"anyOf\");\n"),
    ("no_description", "    schema.remove(\"description\");\n"),
    ("no_format", "    schema.remove(\"format\");\n"),
];
