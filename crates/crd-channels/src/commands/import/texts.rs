//! The files beside the types: the package's manifest and the configuration of the bundle.

use super::{Channel, kept};
use crd_channels_import::Imported;
use crd_channels_projection::channel::config::{FOLDER, ca_bundle_fault};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The manifest of the package.
pub(super) fn manifest(name: &str, imported: &Imported, is_client: bool, more: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let uses = |what: &str| imported.files.values().any(|text| text.contains(what));
    let mut out = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nexclude = [\"{}\"]\n\n[dependencies]\n",
        kept::FILE
    );
    if uses("crd_channels_derive") {
        let _ = writeln!(out, "crd-channels-derive = \"{version}\"");
    }
    // What kube's derive writes names these packages, whether the types do or not.
    let (features, schemars) = match is_client {
        true => ("\"latest\"", ""),
        false => ("\"latest\", \"schemars\"", "schemars = \"1\"\n"),
    };
    out + &format!(
        "k8s-openapi = {{ version = \"0.29\", default-features = false, features = [{features}] }}\n\
         kube = {{ version = \"5\", default-features = false, features = [\"derive\"] }}\n\
         {schemars}\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = \"1\"\n{}",
        more.trim_start_matches('\n')
    )
}

/// The files of the configuration, by their paths below the workspace.
pub(super) fn configuration(
    package: &str,
    channels: &[Channel],
    imported: &Imported,
) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut bundle = format!(
        "conventions = \"kubernetes\"\npackages = [{}]\n",
        quoted(package)
    );
    let crds: Vec<&Value> = channels.iter().flat_map(|channel| &channel.crds).collect();
    if let Some(prefix) = prefix(&crds) {
        let _ = writeln!(bundle, "annotation-prefix = {}", quoted(&prefix));
    }
    let mut converted = BTreeSet::new();
    for crd in &crds {
        let name = crd["metadata"]["name"].as_str().unwrap_or_default();
        if let Some(webhook) = crd.pointer("/spec/conversion/webhook")
            && converted.insert(name)
        {
            conversion(&mut bundle, name, webhook);
        }
    }
    files.insert(format!("{FOLDER}/bundle.toml"), bundle);
    for (index, channel) in channels.iter().enumerate() {
        let mut text = match index {
            0 => "features = \"none\"\n".to_owned(),
            _ => "features = \"all\"\n".to_owned(),
        };
        if index == 0 {
            for (stage, served) in &imported.served {
                let _ = writeln!(text, "{stage} = {}", quoted(served));
            }
        }
        files.insert(format!("{FOLDER}/{}.toml", channel.name), text);
    }
    if !imported.features.is_empty() {
        files.insert(
            format!("{FOLDER}/features.toml"),
            features("", &imported.features),
        );
    }
    files
}

/// The text of `features.toml` with all of these features.
pub(super) fn features(text: &str, names: &[String]) -> String {
    // What is not TOML is reported when it is read.
    let Ok(known) = text.parse::<toml::Table>() else {
        return text.to_owned();
    };
    let mut text = text.to_owned();
    for name in names.iter().filter(|name| !known.contains_key(*name)) {
        let separator = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(
            text,
            "{separator}[{name}]\nsummary = \"Imported with its CRDs.\""
        );
    }
    text
}

/// The prefix of the annotations that say which bundle and channel a CRD is of: the one that the CRDs have, or, if there are
/// several groups, the shortest of them.
fn prefix(crds: &[&Value]) -> Option<String> {
    let annotations = crds
        .iter()
        .filter_map(|crd| crd["metadata"]["annotations"].as_object());
    let mut stamped = annotations
        .flat_map(|annotations| annotations.keys())
        .filter_map(|key| key.strip_suffix("/bundle-version"));
    if let Some(prefix) = stamped.next() {
        return Some(prefix.to_owned());
    }
    let groups: BTreeSet<&str> = crds
        .iter()
        .filter_map(|crd| crd["spec"]["group"].as_str())
        .collect();
    let several = groups.len() > 1;
    let shortest = groups.into_iter().min_by_key(|group| group.len());
    shortest.filter(|_| several).map(str::to_owned)
}

/// The webhook of a kind.
fn conversion(out: &mut String, name: &str, webhook: &Value) {
    let _ = writeln!(out, "\n[conversion.kinds.{}]", quoted(name));
    let client = &webhook["clientConfig"];
    if let Some(url) = client["url"].as_str() {
        let _ = writeln!(out, "url = {}", quoted(url));
    }
    if let Some(service) = client["service"].as_object() {
        let text = |key: &str| {
            service
                .get(key)
                .and_then(Value::as_str)
                .map(|it| format!("{key} = {}", quoted(it)))
        };
        let port = service
            .get("port")
            .and_then(Value::as_i64)
            .map(|port| format!("port = {port}"));
        let parts: Vec<String> = ["namespace", "name", "path"]
            .into_iter()
            .filter_map(text)
            .chain(port)
            .collect();
        let _ = writeln!(out, "service = {{ {} }}", parts.join(", "));
    }
    if let Some(bundle) = client["caBundle"].as_str() {
        match ca_bundle_fault(bundle) {
            Some(fault) => note!("`caBundle` of `{name}` is left out: it {fault}"),
            None => {
                let _ = writeln!(out, "ca-bundle = {}", quoted(bundle));
            }
        }
    }
    let versions = webhook["conversionReviewVersions"]
        .as_array()
        .into_iter()
        .flatten();
    let versions: Vec<String> = versions.filter_map(Value::as_str).map(quoted).collect();
    if !versions.is_empty() {
        let _ = writeln!(out, "review-versions = [{}]", versions.join(", "));
    }
}

/// A basic string of TOML, whose escapes are those of JSON.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
