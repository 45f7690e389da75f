//! Asks rustc whether it accepts the packages that were read: everything else of a run works on source that does not compile.

use super::kinds::kubernetes;
use super::setup::Setup;
use crd_channels_workspace::{self as workspace, CheckOrder, Checked};

/// Runs `cargo check` for the packages with types, with the features and the lock file of the project. CRDs have no packages.
#[must_use]
pub fn check(setup: &Setup) -> Checked {
    if setup.config.is_of_crds() {
        return Checked::Accepted;
    }
    workspace::check(CheckOrder {
        workspace: &setup.workspace,
        packages: &setup.packages,
        features: &setup.config.bundle.cargo_features,
        kubernetes: kubernetes(setup).as_deref(),
    })
}
