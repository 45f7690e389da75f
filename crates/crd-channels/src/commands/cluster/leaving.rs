//! The versions in which nothing is to be stored or recorded any more.

use super::kubectl::Kubectl;
use super::usage;
use crate::commands::crd_document::CrdDocument;
use crd_channels_diagnostics::Diagnostic;

/// A CRD of the cluster, and the one that is pinned.
pub(super) struct Migrated {
    pub(super) crd: CrdDocument,
    pub(super) pinned: Option<CrdDocument>,
}

impl Migrated {
    /// Whether records in a version do not stay: it is on its way out, or gone once the pinned CRD is installed.
    pub(super) fn is_leaving(&self, version: &str) -> bool {
        let is_pinned = |pinned: &CrdDocument| pinned.version_names().any(|name| name == version);
        self.crd.is_leaving(version)
            || version != self.crd.storage() && !self.pinned.as_ref().is_none_or(is_pinned)
    }

    /// Whether nothing is stored or recorded in a version that does not stay.
    pub(super) fn is_done(&self, kubectl: &Kubectl) -> Result<bool, Vec<Diagnostic>> {
        if self.crd.stored() != [self.crd.storage()] {
            return Ok(false);
        }
        if self.crd.has_webhook() {
            return Ok(true);
        }
        let counts = usage::count(kubectl, &self.crd, None)?;
        let mut versions = counts.written_in.keys();
        Ok(!versions.any(|version| self.is_leaving(version)))
    }
}
