//! Nothing of a gated node is in a channel without its feature, node by node, in the published files.
//!
//! The source is scanned a second time, by a small walk that shares nothing with the tool: fields and variants with their
//! paths, descriptions, rules, columns, and the gates around each. The files are read by another YAML reader than the writer's.

#[path = "leaks/scan.rs"]
mod scan;

use crate::support::Workspace;
use scan::{Part, Scan};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the parts of a published CRD, in the form of the scan.
fn published(crd: &Value) -> BTreeSet<Part> {
    let mut parts = BTreeSet::new();
    let kind = crd["spec"]["names"]["kind"].as_str().unwrap();
    parts.insert(Part::Kind(kind.to_owned()));
    for key in ["shortNames", "categories"] {
        for name in crd["spec"]["names"][key].as_array().into_iter().flatten() {
            parts.insert(Part::Name(name.as_str().unwrap().to_owned()));
        }
    }
    for version in crd["spec"]["versions"].as_array().unwrap() {
        let root = format!("{kind}/{}", version["name"].as_str().unwrap());
        for column in version["additionalPrinterColumns"]
            .as_array()
            .into_iter()
            .flatten()
        {
            parts.insert(Part::Name(column["name"].as_str().unwrap().to_owned()));
        }
        schema(&version["schema"]["openAPIV3Schema"], &root, &mut parts);
    }
    parts
}

fn schema(node: &Value, path: &str, parts: &mut BTreeSet<Part>) {
    if let Some(text) = node["description"].as_str() {
        // Each paragraph on its own, since a gate may remove one of several.
        for paragraph in text.split("\n\n") {
            parts.insert(Part::text(paragraph));
        }
    }
    for value in node["enum"].as_array().into_iter().flatten() {
        if let Some(value) = value.as_str() {
            parts.insert(Part::Value(path.to_owned(), value.to_owned()));
        }
    }
    for rule in node["x-kubernetes-validations"]
        .as_array()
        .into_iter()
        .flatten()
    {
        parts.insert(Part::Rule(rule["rule"].as_str().unwrap().to_owned()));
        if let Some(message) = rule["message"].as_str() {
            parts.insert(Part::text(message));
        }
    }
    for (name, child) in node["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        parts.insert(Part::Path(path.clone()));
        schema(child, &path, parts);
    }
    for inner in ["items", "additionalProperties"] {
        if node[inner].is_object() {
            schema(&node[inner], path, parts);
        }
    }
    for junctor in ["allOf", "anyOf", "oneOf"] {
        for branch in node[junctor].as_array().into_iter().flatten() {
            schema(branch, path, parts);
        }
    }
}

/// Reads the CRDs below a folder.
fn read(folder: &Path) -> Vec<Value> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let parsed = paths.iter().map(|path| {
        let text = fs::read_to_string(path).unwrap();
        serde_saphyr::from_str::<Value>(&text).unwrap()
    });
    parsed
        .filter(|object| object["kind"] == "CustomResourceDefinition")
        .collect()
}

fn all(crds: &[Value]) -> BTreeSet<Part> {
    crds.iter().flat_map(published).collect()
}

/// Returns the parts that a channel with those features must not have but has.
fn leaks(scan: &Scan, features: Features, crds: &[Value]) -> Vec<Part> {
    let (_, absent) = scan.split(|gate| features.holds(gate));
    let published = all(crds);
    let texts = || published.iter().filter_map(as_text);
    let leaked = |part: &Part| match as_text(part) {
        // A text may be a part of another one.
        Some(text) => texts().any(|whole| whole.contains(text)),
        None => published.contains(part),
    };
    absent.into_iter().filter(leaked).collect()
}

fn as_text(part: &Part) -> Option<&str> {
    match part {
        Part::Text(text) => Some(text),
        _ => None,
    }
}

/// Returns the parts that it must have but lacks, to show that the scan and the files match.
fn lacks(scan: &Scan, features: Features, crds: &[Value]) -> Vec<Part> {
    let (present, _) = scan.split(|gate| features.holds(gate));
    let gated = scan.gated();
    let published = all(crds);
    // A field's description replaces its type's.
    let missing = |part: &&Part| {
        gated.contains(*part) && as_text(part).is_none() && !published.contains(*part)
    };
    present.iter().filter(missing).cloned().collect()
}

/// The two channels of every workspace here.
#[derive(Clone, Copy)]
enum Features {
    None,
    All,
}

impl Features {
    fn holds(self, gate: &scan::Gate) -> bool {
        gate.on == matches!(self, Features::All)
    }
}

fn check(sources: &[String], generated: &Path) -> (Scan, Vec<Value>) {
    let scan = Scan::from_sources(sources);
    assert!(
        scan.gated().len() > 20,
        "the scan finds too little: {:?}",
        scan.gated()
    );
    let stable = read(&generated.join("stable"));
    let experimental = read(&generated.join("experimental"));
    for (features, crds) in [(Features::None, &stable), (Features::All, &experimental)] {
        assert_eq!(leaks(&scan, features, crds), [], "leaks");
        assert_eq!(lacks(&scan, features, crds), [], "lacks");
    }
    (scan, stable)
}

/// Plants each gated part in a stable CRD; every one must be found.
fn plant(scan: &Scan, stable: &[Value]) {
    let (_, absent) = scan.split(|gate| Features::None.holds(gate));
    let mut planted = 0;
    for part in &absent {
        let mut crds = stable.to_vec();
        if !put(part, &mut crds) {
            continue;
        }
        planted += 1;
        assert!(
            leaks(scan, Features::None, &crds).contains(part),
            "not seen: {part:?}"
        );
    }
    assert!(
        planted * 2 > absent.len(),
        "{planted} of {} were planted",
        absent.len()
    );
}

/// Adds a part to the CRDs at its place; returns false if that place is itself absent.
fn put(part: &Part, crds: &mut [Value]) -> bool {
    let Some(first) = crds.first_mut() else {
        return false;
    };
    match part {
        Part::Kind(kind) => first["spec"]["names"]["kind"] = json!(kind),
        Part::Name(name) => first["spec"]["names"]["shortNames"] = json!([name]),
        Part::Text(text) => {
            first["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["description"] =
                json!(format!("Before.\n\n{text}"));
        }
        Part::Rule(rule) => {
            first["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["x-kubernetes-validations"] =
                json!([{ "rule": rule }]);
        }
        Part::Path(path) => {
            let (above, name) = path.rsplit_once('.').unwrap();
            return node_at(above, crds).is_some_and(|node| {
                node["properties"][name] = json!({ "type": "string" });
                true
            });
        }
        Part::Value(path, value) => {
            return node_at(path, crds).is_some_and(|node| {
                node["enum"] = json!([value]);
                true
            });
        }
    }
    true
}

/// Returns the node at a path such as `Kind/v1.spec.rules`.
fn node_at<'c>(path: &str, crds: &'c mut [Value]) -> Option<&'c mut Value> {
    let mut names = path.split('.');
    let (kind, version) = names.next()?.split_once('/')?;
    let crd = crds
        .iter_mut()
        .find(|crd| crd["spec"]["names"]["kind"] == kind)?;
    let versions = crd["spec"]["versions"].as_array_mut()?;
    let version = versions.iter_mut().find(|found| found["name"] == version)?;
    let mut node = version.get_mut("schema")?.get_mut("openAPIV3Schema")?;
    for name in names {
        while node.get("items").is_some()
            || node
                .get("additionalProperties")
                .is_some_and(Value::is_object)
        {
            let inner = if node.get("items").is_some() {
                "items"
            } else {
                "additionalProperties"
            };
            node = node.get_mut(inner)?;
        }
        node = node.get_mut("properties")?.get_mut(name)?;
    }
    while node.get("items").is_some() {
        node = node.get_mut("items")?;
    }
    Some(node)
}

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn sources(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts.extend(sources(&path));
        } else {
            texts.push(fs::read_to_string(path).unwrap());
        }
    }
    texts
}

#[test]
fn nothing_gated_is_in_the_stable_channel_of_this_repository() {
    let texts = sources(&repository().join("api-types/src"));
    let (scan, stable) = check(&texts, &repository().join("generated"));
    plant(&scan, &stable);
}

#[test]
fn nothing_leaks_through_any_form_of_gate() {
    let text = include_str!("leaks/every_gate.txt");
    let workspace = Workspace::new(text);
    workspace.generate();
    let texts = sources(&workspace.path("src"));
    let (scan, stable) = check(&texts, &workspace.path("generated"));
    plant(&scan, &stable);
    // kube gives the tag of every variant its own schema, which a CRD cannot express.
    for tagged in ["tagged: Option<Tagged>", "adjacent: Option<Adjacent>"] {
        workspace.edit("src/lib.rs", &format!("    pub {tagged},\n"), "");
    }
    let texts = sources(&workspace.path("src"));
    workspace.write("channels/bundle.toml", "conventions = \"kube\"\n");
    workspace.generate();
    check(&texts, &workspace.path("generated"));
}
