//! `remove FEATURE`: removes the parts that a feature gates from the source, and leaves tombstones.

mod columns;
mod next_steps;
mod tombstones;
mod uses;

use super::edited_tree::{Edited, Writing, editing, of_types};
use super::features::ended;
use super::graduate::edits::{self, Edits};
use super::graduate::verdict::{Verdict, Worktree};
use super::{Outcome, root};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, terminal};
use crd_channels_projection::channel::gated;
use crd_channels_ungate::FeatureEnd;
use std::path::Path;

/// The arguments of `remove`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The feature.
    pub feature: String,
    /// The reason, for the tombstones.
    pub reason: String,
    /// Write nothing; show all that would change.
    pub dry_run: bool,
}

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    editing(|sources, sink| remove(request, sources, sink))
}

/// Returns `None` if the command could not run.
fn remove(request: &Request, sources: &Sources, sink: &mut Sink) -> Option<Outcome> {
    let root = root(sink)?;
    let worktree = Worktree::read(&root, sources, sink)?;
    of_types(&worktree.setup, sink)?;
    let feature = &*request.feature;
    if let Some(outcome) = unknown(&root, &worktree, request, sources, sink) {
        return Some(outcome);
    }
    let verdict = worktree.verdict(feature, FeatureEnd::Goes, sources);
    for reason in &verdict.reasons {
        let (message, help) = reason.message_and_help();
        sink.push(rejection(feature, &message, &help).at(reason.span));
    }
    if sink.has_errors() {
        return Some(Outcome::Findings);
    }
    let Some((edited, left)) = edited(&root, &worktree, request, &verdict, sources, sink) else {
        return Some(Outcome::Findings);
    };
    let writing = Writing {
        root: &root,
        worktree: &worktree,
        dry_run: request.dry_run,
    };
    let outcome = writing.write(edited, sources, sink)?;
    if outcome == Outcome::Clean && (request.dry_run || !terminal::is_quiet()) {
        print!("{}", next_steps::format_next_steps(&left));
    }
    Some(outcome)
}

/// Returns the outcome for a feature that does not exist or gates nothing; `None` for one that can be removed.
fn unknown(
    root: &Path,
    worktree: &Worktree,
    request: &Request,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Outcome> {
    let feature = &*request.feature;
    let features = &worktree.setup.config.features;
    if features.has(feature) {
        if gated(&worktree.kinds, feature).is_empty() {
            let help = "remove it from `channels/features.toml`";
            sink.push(rejection(feature, "it gates nothing", help));
            return Some(Outcome::Findings);
        }
        return None;
    }
    let (why, help) = match ended::fate(root, worktree, feature, sources) {
        Some("graduated") => (
            "it graduated, and what it gated is stable",
            "leave it out of a new API version, and deprecate the old one: `crd-channels deprecate KIND VERSION`",
        ),
        Some(_) => (
            "it is already removed",
            "`crd-channels features` shows since when",
        ),
        None => {
            sink.push(features.nobody_declares(feature));
            return Some(Outcome::CouldNotRun);
        }
    };
    sink.push(rejection(feature, why, help));
    Some(Outcome::Findings)
}

/// Returns the working tree without the gated parts and with tombstones, and the steps left to a person. `None`, with an error
/// reported, if the edit would change anything else.
fn edited(
    root: &Path,
    worktree: &Worktree,
    request: &Request,
    verdict: &Verdict,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<(Edited, Vec<String>)> {
    let feature = &*request.feature;
    let Edits { mut overlay, gone } =
        edits::edit(root, worktree, feature, FeatureEnd::Goes, sources, sink)?;
    uses::check(worktree, feature, &gone, sources, sink);
    if sink.has_errors() {
        return None;
    }
    let mut edited = edits::read_edited(root, &overlay, feature, sources, sink)?;
    columns::check(&verdict.after, &edited, feature, sink);
    let reserved_names = tombstones::reserved_names(worktree, &edited, feature, sources, sink);
    if sink.has_errors() {
        return None;
    }
    if !reserved_names.is_empty() {
        reserved_names.dig(root, worktree, request, sources, &mut overlay, sink)?;
        edited = edits::read_edited(root, &overlay, feature, sources, sink)?;
        if let Some(name) = tombstones::lacking(worktree, &edited) {
            let why = format!("the tombstone of {name} cannot be written where it belongs");
            sink.push(rejection(feature, &why, "remove the gated code by hand"));
            return None;
        }
    }
    if let Some(place) = edits::difference(&verdict.after, &edited.after) {
        let message = format!(
            "without the code that `{feature}` gates, {place} would differ from what it is without the feature"
        );
        let finding = Diagnostic::new(Code::EditUnclear, None, message);
        sink.push(finding.with_help(
            "another feature or another attribute affects the same place; change that by hand first",
        ));
        return None;
    }
    let mut left = next_steps::in_code(worktree, &edited, &overlay, &gone, sources);
    left.extend(next_steps::in_examples(&edited, sources));
    Some((edited, left))
}

fn rejection(feature: &str, why: &str, help: &str) -> Diagnostic {
    let message = format!("`{feature}` may not be removed: {why}");
    Diagnostic::new(Code::RemovalRefused, None, message).with_help(help)
}
