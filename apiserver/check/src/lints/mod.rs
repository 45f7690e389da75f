//! Lints: schemas that a server accepts and users regret.

mod context;
mod versions;
mod paths;
mod scale;
mod schemas;
mod lists;
mod rules;
mod clashes;
mod names;
mod kept;
mod newer;
mod regret;

pub use clashes::{ClaimedNames, name_clashes};
pub(super) use lists::one_per_version;

use super::document::Document;
use super::finding::Finding;
use crd_channels_validation::path::Path;

impl Document<'_> {
    /// Lints a CRD that servers of a minor and newer ones accept.
    #[must_use]
    pub fn lint(&self, minor: u32) -> Vec<Finding> {
        let mut found = Vec::new();
        let Some(crd) = &self.crd else {
            return found;
        };
        let spec = Path::root("spec");
        newer::lint(crd, minor, &mut found);
        names::lint(&crd.spec.names, spec.child("names"), &mut found);
        kept::lint(crd, &mut found);
        let at = spec.child("versions");
        for (index, version) in crd.spec.versions.iter().enumerate() {
            let at = at.index(index);
            versions::lint(version, at, &mut found);
            if let Some(schema) = version.schema() {
                let at = at.child("schema");
                schemas::lint(schema, minor, at.child("openAPIV3Schema"), &mut found);
            }
        }
        found
    }

    /// The largest size of the annotations that keep what another version of the kind lacks, in bytes, if a webhook converts
    /// between several versions; `None` also if no schema bounds it.
    #[must_use]
    pub fn most_kept(&self) -> Option<u64> {
        let kept = kept::Kept::of_crd(self.crd.as_ref()?)?;
        kept.unbounded.is_empty().then_some(kept.bytes)
    }
}

#[cfg(test)]
mod tests;
