//! Writes the twins of `api-types` and of the fixtures, one for each channel.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a build script of a test"
)]

#[path = "build/edit.rs"]
mod edit;
#[path = "build/twin.rs"]
mod twin;

use std::fmt::Write;
use std::path::{Path, PathBuf};

const SETS: [(&str, &str); 2] = [
    ("api_types", "../api-types/src"),
    ("fixtures", "fixtures/src"),
];
const CHANNELS: [(&str, bool); 2] = [("stable", false), ("experimental", true)];

fn main() {
    let out = PathBuf::from(std::env::var("OUT_DIR").unwrap());
    println!("cargo::rerun-if-changed=build");
    let mut index = String::new();
    let mut arms = String::new();
    for (set, folder) in SETS {
        println!("cargo::rerun-if-changed={folder}");
        for (channel, features_on) in CHANNELS {
            let name = format!("{set}_{channel}");
            let target = out.join(&name);
            let _ = std::fs::remove_dir_all(&target);
            let root = write_twin(Path::new(folder), &target, &name, features_on);
            writeln!(index, "#[path = {root:?}]\npub mod {name};").unwrap();
            writeln!(arms, "        ({set:?}, {channel:?}) => {name}::crds(),").unwrap();
        }
    }
    write!(
        index,
        "fn twin(set: &str, channel: &str) -> Vec<CustomResourceDefinition> {{\n    match (set, channel) {{\n{arms}        _ => Vec::new(),\n    }}\n}}\n"
    )
    .unwrap();
    std::fs::write(out.join("twins.rs"), index).unwrap();
}

/// Writes one twin and returns its root file.
fn write_twin(source: &Path, target: &Path, name: &str, features_on: bool) -> String {
    let mut roots = Vec::new();
    let mut files = Vec::new();
    rust_files(source, &mut files);
    for file in files {
        let relative = file.strip_prefix(source).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let twin = twin::twin_of_file(&text, name, features_on)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let module = module_path(relative);
        roots.extend(twin.roots.iter().map(|root| format!("{module}{root}")));
        let place = if relative == Path::new("lib.rs") {
            target.join("mod.rs")
        } else {
            target.join(relative)
        };
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(&place, twin.text).unwrap();
    }
    let root = target.join("mod.rs");
    let calls: String = roots
        .iter()
        .map(|path| format!("        <self::{path} as kube::CustomResourceExt>::crd(),\n"))
        .collect();
    let list = format!(
        "\npub fn crds() -> Vec<k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition> {{\n    vec![\n{calls}    ]\n}}\n"
    );
    let mut text = std::fs::read_to_string(&root).unwrap();
    text.push_str(&list);
    std::fs::write(&root, text).unwrap();
    root.to_str().unwrap().to_owned()
}

/// `a/b.rs` is `a::b::`, `lib.rs` is nothing.
fn module_path(relative: &Path) -> String {
    let mut parts: Vec<&str> = relative
        .iter()
        .map(|part| part.to_str().unwrap().trim_end_matches(".rs"))
        .collect();
    if matches!(parts.last(), Some(&("lib" | "mod"))) {
        parts.pop();
    }
    parts.iter().map(|part| format!("{part}::")).collect()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
