//! Compares the folder of a pinned bundle with the lock alone, which has every file and every digest.

use super::parts::sides;
use super::pinned::{COMPONENTS, POLICIES, Part, Pinned};
use crd_channels_files::{Read, is_left_out, with_unix_line_ends};
use crd_channels_projection::bundle::{layout, yaml};
use crd_channels_released::digest::Digest;
use crd_channels_released::documents;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The content of a file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Content<'a> {
    /// The content of the bundle's file at that path.
    OfBundle(&'a str, &'a Digest),
    /// This text.
    Text(String),
}

/// How a file differs from the lock.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stale {
    /// It does not exist.
    Missing,
    /// It has another content, or cannot be read.
    Differs,
}

/// The file of policies in bundles from before the folder.
const POLICIES_FILE: &str = "policies.yaml";
const KUSTOMIZATION: &str = "kustomization.yaml";
const KUSTOMIZATION_HEAD: &str = "# Written by `crd-channels vendor`.\n";

impl Pinned {
    /// Returns the files to write, by path inside the folder.
    #[must_use]
    pub fn vendored(&self) -> BTreeMap<String, Content<'_>> {
        let mut files = BTreeMap::new();
        let of_bundle = |path: &str| {
            let (path, digest) = self.files.get_key_value(path)?;
            Some(Content::OfBundle(path, digest))
        };
        for (name, path) in self.part("crds") {
            files.extend(of_bundle(path).map(|content| (name.to_owned(), content)));
        }
        if self.with.contains(&Part::Components) {
            for (name, path) in self.part(COMPONENTS) {
                let name = format!("{COMPONENTS}/{name}");
                files.extend(of_bundle(path).map(|content| (name, content)));
            }
        }
        if self.with.contains(&Part::Policies) {
            // The list of only the policies is for users who vendor no CRDs with them.
            let listed = self
                .part(POLICIES)
                .filter(|(name, _)| *name != KUSTOMIZATION);
            for (name, path) in listed {
                let name = format!("{POLICIES}/{name}");
                files.extend(of_bundle(path).map(|content| (name, content)));
            }
            let content = of_bundle(&format!("{}/{POLICIES_FILE}", self.channel));
            files.extend(content.map(|content| (POLICIES_FILE.to_owned(), content)));
        }
        if self.with.contains(&Part::Kustomization) && !files.is_empty() {
            let text = kustomization(files.keys().map(String::as_str));
            files.insert(KUSTOMIZATION.to_owned(), Content::Text(text));
        }
        files
    }

    /// Returns the files in a folder that differ from the lock. Windows line endings are ignored: git may convert them.
    #[must_use]
    pub fn stale(&self, folder: &Path, files: &dyn Read) -> BTreeMap<String, Stale> {
        let mut stale = BTreeMap::new();
        for (path, content) in self.vendored() {
            let is_pinned = |bytes: &[u8]| match &content {
                Content::OfBundle(_, digest) => digest.is_of_text(bytes),
                Content::Text(text) => {
                    [bytes, &with_unix_line_ends(bytes)].contains(&text.as_bytes())
                }
            };
            match files.read(&folder.join(&path)) {
                Ok(bytes) if is_pinned(&bytes) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    stale.insert(path, Stale::Missing);
                }
                Ok(_) | Err(_) => {
                    stale.insert(path, Stale::Differs);
                }
            }
        }
        stale
    }

    /// The names of its CRDs.
    fn crds(&self) -> impl Iterator<Item = String> {
        let files = self.part("crds").map(|(name, _)| name);
        let names = files.filter_map(|file| file.strip_suffix(".yaml")?.split_once('_'));
        names.map(|(group, plural)| format!("{plural}.{group}"))
    }

    /// Returns other files in a folder and its subfolders that contain a pinned CRD, with its name. `known` are files of
    /// bundles there.
    #[must_use]
    pub fn strays(
        &self,
        folder: &Path,
        known: &BTreeSet<PathBuf>,
        files: &dyn Read,
    ) -> Vec<(PathBuf, String)> {
        let crds: BTreeSet<String> = self.crds().collect();
        let mut strays = Vec::new();
        for path in documents::yaml_and_json_files(folder, files) {
            if known.contains(&path) {
                continue;
            }
            let text = files.read(&path).ok();
            let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
            // A file that cannot be parsed, such as a template of a chart, has no CRD that could be applied.
            let all = text.and_then(|text| documents::parse(&text).ok());
            let names = all.into_iter().flatten().filter_map(|document| {
                let name = document["metadata"]["name"].as_str()?.to_owned();
                is_crd(&document).then_some(name)
            });
            let mut held = names.filter(|name| crds.contains(name));
            strays.extend(held.next().map(|name| (path.clone(), name)));
        }
        strays
    }
}

fn is_crd(document: &Value) -> bool {
    document["kind"] == "CustomResourceDefinition"
}

fn kustomization<'p>(paths: impl Iterator<Item = &'p str>) -> String {
    let list = json!({
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": paths.collect::<Vec<_>>(),
    });
    // The list is not nested too deeply to be written.
    let text = yaml::to_string(&list).unwrap_or_default();
    format!("{KUSTOMIZATION_HEAD}{text}")
}

/// Whether a file, by its path and content, was written for some bundle. This must be certain: such a file is removed once the
/// lock no longer has it.
#[must_use]
pub fn is_ours(path: &str, bytes: &[u8]) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if name == KUSTOMIZATION {
        // Git may have converted the line ends.
        return with_unix_line_ends(bytes).starts_with(KUSTOMIZATION_HEAD.as_bytes());
    }
    let of_a_part = matches!(folder.rsplit('/').next(), Some(COMPONENTS | POLICIES));
    if name == POLICIES_FILE || of_a_part {
        return is_of_a_bundle(bytes);
    }
    layout::is_generated(name, bytes)
}

/// Whether every object has the annotations of a bundle and its channel, and none is a CRD.
fn is_of_a_bundle(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).ok();
    // With the markers of a merge, both sides are.
    let sides = text.map(sides).unwrap_or_default();
    !sides.is_empty() && sides.iter().all(|side| is_all_of_a_bundle(side))
}

fn is_all_of_a_bundle(text: &str) -> bool {
    let Ok(all) = documents::parse(text) else {
        return false;
    };
    let is_stamped = |document: &Value| {
        let annotations = document["metadata"]["annotations"].as_object();
        annotations.is_some_and(|all| {
            let has = |end: &str| all.keys().any(|key| key.ends_with(end));
            has("/bundle-version") && has("/channel")
        })
    };
    let ours = |document: &Value| is_stamped(document) && !is_crd(document);
    !all.is_empty() && all.iter().all(ours)
}

/// Returns the annotation prefixes of a file's objects, before `/bundle-version`.
#[must_use]
pub fn prefixes(bytes: &[u8]) -> BTreeSet<String> {
    let text = std::str::from_utf8(bytes).ok();
    let all = text.and_then(|text| documents::parse(text).ok());
    let mut prefixes = BTreeSet::new();
    for document in all.into_iter().flatten() {
        let annotations = document["metadata"]["annotations"].as_object();
        let keys = annotations.into_iter().flat_map(|all| all.keys());
        let own = keys.filter_map(|key| key.strip_suffix("/bundle-version"));
        prefixes.extend(own.map(str::to_owned));
    }
    prefixes
}

/// Returns the CRDs of released bundles that lie directly in a folder's subfolders, except those in `known` folders: what stays
/// when a bundle is no longer pinned, or is written elsewhere.
#[must_use]
pub fn leftovers(folder: &Path, known: &BTreeSet<PathBuf>, files: &dyn Read) -> Vec<PathBuf> {
    let here = files.canonical(folder).unwrap_or_default();
    let is_own = |entry: &PathBuf| {
        let own = entry.file_name().map(|name| here.join(name));
        // What a link leads to is elsewhere.
        own.is_some() && files.canonical(entry).ok() == own
    };
    let below = files.list(folder).unwrap_or_default().into_iter();
    let below =
        below.filter(|entry| !is_left_out(entry) && !known.contains(entry) && is_own(entry));
    let inside = below.flat_map(|entry| files.list(&entry).unwrap_or_default());
    let crds = inside.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        // Only these names are written, so that other files are not read.
        let name = name.filter(|name| name.contains('_') && name.ends_with(".yaml"));
        name.is_some_and(|name| {
            let bytes = files.read(path);
            bytes.is_ok_and(|bytes| layout::is_generated(name, &bytes))
        })
    });
    crds.collect()
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn only_what_was_written_is_taken_for_it() {
        let stamped = |kind: &str| {
            format!(
                "---\nkind: {kind}\nmetadata:\n  annotations:\n    a.b/bundle-version: v0.1.0\n    a.b/channel: stable\n"
            )
        };
        let merged = |ours: &str, theirs: &str| {
            format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> theirs\n")
        };
        let webhook = stamped("ValidatingWebhookConfiguration");
        let bare = "---\nkind: ValidatingWebhookConfiguration\n";
        let own = "# Written by `crd-channels vendor`.\n---\nresources: []\n";
        for (path, text, expected) in [
            ("crds/components/webhook.yaml", &*webhook, true),
            ("crds/policies.yaml", &webhook, true),
            ("crds/policies/safe-upgrades.yaml", &webhook, true),
            ("crds/webhook.yaml", &webhook, false),
            ("webhook.yaml", &webhook, false),
            ("crds/components/webhook.yaml", bare, false),
            (
                "crds/components/webhook.yaml",
                &format!("{webhook}{bare}"),
                false,
            ),
            ("crds/components/webhook.yaml", "", false),
            (
                "components/a.yaml",
                &stamped("CustomResourceDefinition"),
                false,
            ),
            (
                "crds/components/webhook.yaml",
                &merged(&webhook, &webhook.replace("0.1", "0.2")),
                true,
            ),
            (
                "crds/components/webhook.yaml",
                &merged(&webhook, bare),
                false,
            ),
            ("crds/kustomization.yaml", own, true),
            ("crds/kustomization.yaml", &own.replace('\n', "\r\n"), true),
            ("crds/kustomization.yaml", "---\nresources: []\n", false),
        ] {
            assert_eq!(is_ours(path, text.as_bytes()), expected, "{path}: {text}");
        }
    }
}
