//! `graduate FEATURE`: makes the parts that a feature gates stable, in the source.

mod configuration;
pub mod edits;
pub mod verdict;

use super::edited_tree::{Writing, editing, of_types};
use super::{Outcome, root};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_ungate::FeatureEnd;
use edits::Edits;
use verdict::Worktree;

/// The arguments of `graduate`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The feature.
    pub feature: String,
    /// Write nothing; show all that would change.
    pub dry_run: bool,
}

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    editing(|sources, sink| graduate(request, sources, sink))
}

/// Returns `None` if the command could not run.
fn graduate(request: &Request, sources: &Sources, sink: &mut Sink) -> Option<Outcome> {
    let root = root(sink)?;
    let worktree = Worktree::read(&root, sources, sink)?;
    of_types(&worktree.setup, sink)?;
    let feature = &*request.feature;
    let features = &worktree.setup.config.features;
    if !features.has(feature) {
        sink.push(features.nobody_declares(feature));
        return Some(Outcome::CouldNotRun);
    }
    if crd_channels_projection::channel::gated(&worktree.kinds, feature).is_empty() {
        sink.push(rejection(
            feature,
            "it gates nothing",
            "remove it from `channels/features.toml`",
        ));
        return Some(Outcome::Findings);
    }
    let verdict = worktree.verdict(feature, FeatureEnd::Graduates, sources);
    if !verdict.reasons.is_empty() {
        for reason in verdict.reasons {
            let (message, help) = reason.message_and_help();
            sink.push(rejection(feature, &message, &help).at(reason.span));
        }
        return Some(Outcome::Findings);
    }
    let edits = edits::edit(
        &root,
        &worktree,
        feature,
        FeatureEnd::Graduates,
        sources,
        sink,
    );
    let read = |edits: Edits, sink: &mut Sink| {
        edits::read_edited(&root, &edits.overlay, feature, sources, sink)
    };
    let Some(edited) = edits.and_then(|edits| read(edits, sink)) else {
        return Some(Outcome::Findings);
    };
    if let Some(place) = edits::difference(&verdict.after, &edited.after) {
        let message = format!(
            "without `{feature}` in the source, {place} would differ from what the feature produces"
        );
        let finding = Diagnostic::new(Code::EditUnclear, None, message);
        sink.push(finding.with_help(
            "another feature or another attribute affects the same place; merge these by hand first",
        ));
        return Some(Outcome::Findings);
    }
    let writing = Writing {
        root: &root,
        worktree: &worktree,
        dry_run: request.dry_run,
    };
    writing.write(edited, sources, sink)
}

fn rejection(feature: &str, why: &str, help: &str) -> Diagnostic {
    let message = format!("`{feature}` may not graduate: {why}");
    Diagnostic::new(Code::GraduationRefused, None, message).with_help(help)
}
