//! The licences of everything that is linked into the program, with their texts.

use super::build::features;
use super::{PROGRAM, failed, files_in, printed, read};
use crd_channels_envtest::Failure;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The file in each archive.
pub(super) const FILE: &str = "THIRD-PARTY-LICENSES";

/// The beginnings of the names of files with licences.
const NAMES: [&str; 4] = ["COPYING", "COPYRIGHT", "LICEN", "NOTICE"];

/// The texts, each once, below the packages that have it.
///
/// # Errors
/// cargo fails, or a package has no text.
pub fn of_dependencies(triple: &str) -> Result<String, Failure> {
    let features = features(triple).iter();
    let features: Vec<String> = features
        .map(|feature| format!("{PROGRAM}/{feature}"))
        .collect();
    let metadata = printed(
        Path::new("cargo"),
        &[
            "metadata",
            "--locked",
            "--format-version",
            "1",
            "--filter-platform",
            triple,
            "--features",
            &features.join(","),
        ],
    )?;
    let metadata: Value = serde_json::from_slice(&metadata)
        .map_err(|error| failed(Path::new("cargo metadata"), &error))?;
    let linked = linked(&metadata);
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in list(&metadata["packages"]) {
        // What has no source is ours.
        if package["source"].is_null() || !linked.contains(text(&package["id"])) {
            continue;
        }
        let name = format!("{} {}", text(&package["name"]), text(&package["version"]));
        let manifest = Path::new(text(&package["manifest_path"]));
        let own = texts_in(manifest.parent().unwrap_or(manifest))?;
        if own.is_empty() {
            return Err(Failure::new(format!("{name} has no file with its licence")));
        }
        for text in own {
            texts.entry(text).or_default().insert(name.clone());
        }
    }
    let mut sections: Vec<String> = texts
        .into_iter()
        .map(|(text, packages)| {
            let packages: Vec<String> = packages.into_iter().collect();
            format!("{}\n\n{}\n", packages.join(", "), text.trim_end())
        })
        .collect();
    sections.sort();
    let rule = format!("\n{}\n\n", "=".repeat(80));
    Ok(sections.join(&rule))
}

/// The texts of the licences in the folder of a package.
fn texts_in(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut texts = Vec::new();
    for path in files_in(folder)? {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let file = file.to_uppercase();
        if path.is_file() && NAMES.iter().any(|start| file.starts_with(start)) {
            texts.push(String::from_utf8_lossy(&read(&path)?).replace("\r\n", "\n"));
        }
    }
    Ok(texts)
}

/// The packages that the program needs at run time, by their ids.
fn linked(metadata: &Value) -> BTreeSet<&str> {
    let nodes = list(&metadata["resolve"]["nodes"]);
    let needs: BTreeMap<&str, &Value> = nodes
        .iter()
        .map(|node| (text(&node["id"]), &node["deps"]))
        .collect();
    let packages = list(&metadata["packages"]).iter();
    let mut next: Vec<&str> = packages
        .filter(|package| package["name"] == PROGRAM)
        .map(|package| text(&package["id"]))
        .collect();
    let mut linked = BTreeSet::new();
    while let Some(id) = next.pop() {
        if !linked.insert(id) {
            continue;
        }
        for needed in needs.get(id).map_or(&[][..], |needs| list(needs)) {
            let kinds = list(&needed["dep_kinds"]);
            if kinds.iter().any(|kind| kind["kind"].is_null()) {
                next.push(text(&needed["pkg"]));
            }
        }
    }
    linked
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
