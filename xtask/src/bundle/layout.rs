//! Which file holds what: one for each CRD, and a kustomization beside them.

use super::yaml::{self, Unwritable};
use crate::schema::Crd;
use rayon::prelude::*;
use serde_json::json;

/// The files of one channel, relative to the output folder, in the order of their names.
///
/// # Errors
/// When a CRD holds something that YAML has no form for.
pub fn files(channel: &str, crds: &[Crd]) -> Result<Vec<(String, String)>, Unwritable> {
    let mut files: Vec<(String, String)> = crds
        .par_iter()
        .map(|crd| {
            Ok((
                format!("{channel}/{}", file_name(crd)),
                yaml::document(crd)?,
            ))
        })
        .collect::<Result<_, Unwritable>>()?;
    files.push((
        format!("{channel}/kustomization.yaml"),
        kustomization(crds)?,
    ));
    files.sort();
    Ok(files)
}

/// `<group>_<plural>.yaml`, as controller-gen calls it.
fn file_name(crd: &Crd) -> String {
    format!("{}_{}.yaml", crd.group, crd.names.plural)
}

fn kustomization(crds: &[Crd]) -> Result<String, Unwritable> {
    let mut resources: Vec<String> = crds.iter().map(file_name).collect();
    resources.sort();
    yaml::document(&json!({
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": resources,
    }))
}
