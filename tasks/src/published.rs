//! CRDs read from their files.

use crd_channels_envtest::{Failure, io};
use crd_channels_released::documents;
use crd_channels_schema::{Crd, Scope, Version};
use serde_json::Value;
use std::path::Path;

/// A CRD from a file.
#[derive(Clone, Debug)]
pub struct Published {
    /// The original document, which is sent to servers.
    pub document: Value,
    /// The same, decoded.
    pub crd: Crd,
}

/// Reads the CRDs in the files of a folder, sorted by name; other documents, such as a `Kustomization`, are skipped.
///
/// # Errors
/// A file cannot be read, or a CRD in it is invalid.
pub fn read_published(folder: &Path) -> Result<Vec<Published>, Failure> {
    let help = "`cargo xtask gen-crds` writes it";
    let entries =
        std::fs::read_dir(folder).map_err(|error| io("read", folder, &error).with_help(help))?;
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "yaml")
    });
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(|error| io("read", &path, &error))?;
        let crds =
            parse(&text).map_err(|why| Failure::new(format!("`{}`: {why}", path.display())))?;
        all.extend(crds);
    }
    Ok(all)
}

/// Reads the CRDs in a text.
///
/// # Errors
/// Returns why the text or a CRD in it is invalid.
pub fn parse(text: &str) -> Result<Vec<Published>, String> {
    let documents = documents::parse(text)?.into_iter();
    let crds = documents.filter(|document| document["kind"] == "CustomResourceDefinition");
    crds.map(|document| {
        let crd = Crd::from_json(&without_servers_fields(&document)).map_err(|misreads| {
            let misreads: Vec<String> = misreads.iter().map(ToString::to_string).collect();
            misreads.join("; ")
        })?;
        Ok(Published { document, crd })
    })
    .collect()
}

/// Returns the document without the fields that a server fills, which some generators write empty.
fn without_servers_fields(document: &Value) -> Value {
    let mut document = document.clone();
    if let Some(fields) = document.as_object_mut() {
        fields.remove("status");
    }
    if let Some(metadata) = document.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("creationTimestamp");
    }
    document
}

/// The namespace for namespaced objects.
pub const NAMESPACE: &str = "crd-channels";

/// The path of a version's objects in the API.
#[must_use]
pub fn path(crd: &Crd, version: &Version) -> String {
    let (group, version, plural) = (&crd.group, &version.name, &crd.names.plural);
    match crd.scope {
        Scope::Cluster => format!("/apis/{group}/{version}/{plural}"),
        Scope::Namespaced => format!("/apis/{group}/{version}/namespaces/{NAMESPACE}/{plural}"),
    }
}
