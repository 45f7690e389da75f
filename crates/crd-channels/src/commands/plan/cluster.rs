//! The CRDs and the objects of a cluster in place of those before an update.

use crate::commands::cluster::Kubectl;
use crate::commands::cluster::objects;
use crate::commands::object_update::{UpdateCrds, UpdateValidator};
use crate::commands::validate::crds::{CrdSource, Crds};
use crate::commands::validate::files::{FileResult, ValidateObject};
use crd_channels_diagnostics::Diagnostic;
use std::collections::BTreeSet;

/// Puts the CRDs that a cluster has in place of those before the updates, and notes where they are of another bundle.
///
/// # Errors
/// `cluster-failed`, `cluster-forbidden`
pub(super) fn as_installed(
    kubectl: &Kubectl,
    sets: Vec<UpdateCrds>,
    notes: &mut Vec<String>,
) -> Result<Vec<UpdateCrds>, Vec<Diagnostic>> {
    let installed = |set: UpdateCrds| {
        let known = set.before.all().chain(set.after.all());
        let known: BTreeSet<String> = known.map(|crd| crd.document.name().to_owned()).collect();
        let before = Crds::of(vec![CrdSource {
            crds: objects::installed(kubectl, &known)?,
            ..CrdSource::default()
        }]);
        notes.extend(other_bundles(&set.before, &before));
        Ok(UpdateCrds { before, ..set })
    };
    sets.into_iter().map(installed).collect()
}

/// Says which CRDs of a cluster are not as they are pinned.
fn other_bundles(pinned: &Crds, installed: &Crds) -> Vec<String> {
    let differ = pinned.all().filter_map(|pinned| {
        let name = pinned.document.name();
        let found = installed.all().find(|it| it.document.name() == name)?;
        let (wanted, found) = (objects::stamp(pinned)?, objects::stamp(found));
        let has = match &found {
            Some(found) if *found == wanted => return None,
            Some((version, channel)) => format!("{version} {channel}"),
            None => "no bundle".to_owned(),
        };
        let (version, channel) = wanted;
        Some(format!(
            "the cluster has `{name}` of {has}, and {version} {channel} is pinned; the objects are compared with what the cluster has"
        ))
    });
    differ.collect()
}

/// Validates all objects of the kinds that the updates change.
///
/// # Errors
/// `cluster-failed`, `cluster-forbidden`
pub(super) fn validated(
    kubectl: &Kubectl,
    updates: &[UpdateValidator],
    validate: &ValidateObject<'_>,
) -> Result<Vec<FileResult>, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let crds = updates.iter().flat_map(|update| update.before.crds.all());
    for crd in crds.filter(|crd| seen.insert(crd.document.name())) {
        let mut after = updates.iter().flat_map(|update| update.after.crds.all());
        let after = after.find(|it| it.document.name() == crd.document.name());
        found.extend(objects::validated(kubectl, crd, after, validate)?);
    }
    Ok(found)
}
