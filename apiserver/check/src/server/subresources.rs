//! `subresources`: the paths of the scale subresource.

use super::findings::Findings;
use crate::document::model::{Scale, Subresources};
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_validation::path::Path;

pub(super) fn validate(subresources: &Subresources<'_>, path: Path<'_>, found: &mut Findings) {
    let Some(scale) = &subresources.scale else {
        return;
    };
    let Scale {
        spec_replicas,
        status_replicas,
        label_selector,
    } = scale;
    let at = path.child("scale");
    let mut required = |field, path: &str, below: &[&str]| {
        if path.is_empty() {
            let message = format!("`{field}` is missing");
            found.refuse(Rule::ScalePath, Reason::Required, at.child(field), message);
        } else {
            below_one_of(path, below, at.child(field), found);
        }
    };
    required("specReplicasPath", spec_replicas, &[".spec."]);
    required("statusReplicasPath", status_replicas, &[".status."]);
    if let Some(path) = label_selector.filter(|path| !path.is_empty()) {
        let at = at.child("labelSelectorPath");
        below_one_of(path, &[".spec.", ".status."], at, found);
    }
}

fn below_one_of(path: &str, roots: &[&str], at: Path<'_>, found: &mut Findings) {
    if !roots.iter().any(|root| path.starts_with(root)) {
        let roots = roots.join("` or `");
        let message = format!("`{path}` does not begin with `{roots}`");
        found.refuse(Rule::ScalePath, Reason::Invalid, at, message);
    }
}
