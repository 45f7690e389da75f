//! Notes about features that could not graduate from a bundle, shown at its release: an experiment is cheap to change before
//! users try it.

use crate::commands::graduate::verdict::{Reason, Worktree};
use crd_channels_diagnostics::Sources;
use crd_channels_generator::pipeline::Setup;
use crd_channels_projection::channel::{Kind, gated};
use crd_channels_ungate::FeatureEnd;

/// Returns one note for each feature of a bundle that cannot graduate as it is.
pub fn notes(setup: &Setup, kinds: &[Kind], sources: &Sources) -> Vec<String> {
    let worktree = Worktree::after_release(setup, kinds);
    let names = setup.config.features.names();
    let gating = names.filter(|name| !gated(kinds, name).is_empty());
    let notes = gating.filter_map(|name| {
        let reasons = worktree
            .verdict(name, FeatureEnd::Graduates, sources)
            .reasons;
        let Reason { code, message, .. } = reasons.first()?;
        Some(format!(
            "the feature `{name}` may not graduate as it is: {message} ({code})"
        ))
    });
    notes.collect()
}
