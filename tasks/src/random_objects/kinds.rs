//! The CRDs whose objects are tried.

use super::folders;
use crate::e2e::install::{CRDS, wait_until_established, wait_until_served};
use crate::tried_server::skipped;
use crd_channels_envtest::http::Api;
use crd_channels_files::Disk;
use crd_channels_released::documents;
use crd_channels_validation::Validator;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The version that is added to every CRD, of which any object is valid: objects that were invalid before an update are stored
/// through it.
pub const LAX: &str = "lax";

/// The most bytes of a file that is read.
const LARGEST: u64 = 4 << 20;

/// An installed CRD.
pub struct Kind {
    /// The name of the CRD.
    pub name: String,
    /// The CRD as it is on the server.
    pub document: Value,
    /// The served versions, without the one that was added.
    pub versions: Vec<Version>,
    pub is_namespaced: bool,
}

/// A version of a CRD.
pub struct Version {
    pub name: String,
    /// Whether objects are stored in it. Those of other versions lose what it does not have.
    pub is_storage: bool,
    pub schema: Value,
    pub validator: Validator,
}

/// Returns the CRDs by name: those that `OBJECTS_CRDS` names, or those of this repository.
pub fn documents() -> Vec<Value> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = folders("OBJECTS_CRDS").unwrap_or_else(|| {
        let corpus = repository.join("../shared/corpus/gateway-api/v1.3.0/experimental");
        if !corpus.is_dir() {
            skipped("no objects of Gateway API are tried: `../shared/corpus` is absent");
        }
        vec![
            repository.join("tasks/src/random_objects/crds"),
            repository.join("generated/experimental"),
            corpus,
        ]
    });
    let mut found = BTreeMap::new();
    for file in folders.iter().flat_map(|folder| files(folder)) {
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        // Files that are not YAML, such as templates, have no CRDs.
        for document in documents::parse(&text).unwrap_or_default() {
            if document["kind"] == "CustomResourceDefinition" {
                let name = document["metadata"]["name"].to_string();
                found.entry(name).or_insert(document);
            }
        }
    }
    found.into_values().collect()
}

/// The files that may have CRDs, without those that other tests expect to be refused.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = documents::yaml_and_json_files(folder, &Disk);
    files.retain(|file| {
        let is_small = file.metadata().is_ok_and(|found| found.len() <= LARGEST);
        is_small && file.iter().all(|part| part != "testdata")
    });
    files
}

impl Kind {
    /// Installs CRDs. Those that the server refuses are left out.
    pub fn install_all(api: Api, documents: Vec<Value>) -> Vec<Self> {
        let mut kinds = Vec::new();
        for mut document in documents {
            prepare(&mut document);
            let name = &document["metadata"]["name"];
            let answer = api.post(CRDS, &document).unwrap();
            match answer.status {
                201 => kinds.extend(Self::of(document)),
                status => println!("{name} is refused: {status} {}", answer.json()["message"]),
            }
        }
        for kind in &kinds {
            wait_until_established(api, &kind.name).unwrap();
            for version in &kind.versions {
                wait_until_served(api, &kind.path(&version.name), true).unwrap();
            }
            wait_until_served(api, &kind.path(LAX), true).unwrap();
        }
        kinds
    }

    fn of(document: Value) -> Option<Self> {
        let served = document["spec"]["versions"].as_array()?.iter();
        let served = served.filter(|version| version["served"] == true && version["name"] != LAX);
        let versions: Vec<Version> = served
            .map(|version| {
                let name = version["name"].as_str().unwrap().to_owned();
                Version {
                    is_storage: version["storage"] == true,
                    schema: version["schema"]["openAPIV3Schema"].clone(),
                    validator: Validator::new(&document, &name).unwrap(),
                    name,
                }
            })
            .collect();
        (!versions.is_empty()).then(|| Self {
            name: document["metadata"]["name"].as_str().unwrap().to_owned(),
            is_namespaced: document["spec"]["scope"] == "Namespaced",
            versions,
            document,
        })
    }

    /// The path of the objects of a version.
    pub fn path(&self, version: &str) -> String {
        let (plural, group) = self.name.split_once('.').unwrap();
        let space = match self.is_namespaced {
            true => "namespaces/default/",
            false => "",
        };
        format!("/apis/{group}/{version}/{space}{plural}")
    }

    /// The `apiVersion` of a version.
    pub fn api_version(&self, version: &str) -> String {
        let (_, group) = self.name.split_once('.').unwrap();
        format!("{group}/{version}")
    }
}

/// Adds the version for invalid objects, and removes what needs other servers.
fn prepare(document: &mut Value) {
    let name = document["metadata"]["name"].take();
    document["metadata"] = json!({
        "name": name,
        "annotations": {"api-approved.kubernetes.io": "unapproved, only for tests"},
    });
    let fields = document.as_object_mut().unwrap();
    fields.remove("status");
    let Some(spec) = fields.get_mut("spec").and_then(Value::as_object_mut) else {
        return;
    };
    spec.remove("conversion");
    let Some(versions) = spec.get_mut("versions").and_then(Value::as_array_mut) else {
        return;
    };
    versions.push(json!({
        "name": LAX,
        "served": true,
        "storage": false,
        "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
    }));
}
