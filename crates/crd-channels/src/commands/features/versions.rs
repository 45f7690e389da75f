//! The history of every API version, bundle by bundle, and whether the working tree takes a step that it may not take.

use crate::commands::graduate::verdict::Worktree;
use crate::commands::manifest as stated;
use crate::release::lifecycle::{Ancestry, Key, Lives, State, Transition, keys, state};
use crate::release::places::Tree;
use crate::release::preflight::{self, Candidate};
use crate::release::version_choice::Choice;
use crd_channels_compat::{Report, Set};
use crd_channels_diagnostics::Diagnostic;
use crd_channels_released::manifest::Deprecated;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The status of a version that an earlier bundle or the working tree has.
pub(super) struct VersionStatus {
    key: Key,
    now: State,
    /// The bundles in which its state changed.
    steps: Vec<Transition>,
    /// The end of the version that its types declare.
    end: Option<Deprecated>,
}

/// Compares the last bundle with the working tree.
pub(super) fn report(worktree: &Worktree, past: &Ancestry<'_>, tree: Tree<'_>) -> Report {
    let Some(old) = past.last() else {
        return Report::default();
    };
    let old = Set {
        tombstones: Some(past.tombstones()),
        ..old.clone()
    };
    let mut report = worktree.compare(past.lineage(), &old, &worktree.now);
    tree.place(&mut report.findings);
    report
}

/// Returns the steps of versions that the next minor, or the major that the tree is for, may not take.
pub(super) fn rejections(
    worktree: &Worktree,
    past: &Ancestry<'_>,
    report: &Report,
    tree: Tree<'_>,
) -> Vec<Diagnostic> {
    let Some(bundle) = &worktree.bundle else {
        return Vec::new();
    };
    let choice = Choice {
        version: bundle.clone(),
        baseline: worktree.last().cloned(),
        line: Vec::new(),
        tree: bundle.clone(),
        latest: worktree.latest.clone(),
    };
    preflight::versions(Candidate {
        choice: &choice,
        new: &worktree.now,
        past,
        report,
        line: &[],
        tree,
    })
}

pub(super) fn statuses(worktree: &Worktree, past: &Ancestry<'_>) -> Vec<VersionStatus> {
    let mut lives: Lives = past.lives();
    for key in keys(&worktree.now) {
        lives.entry(key).or_default();
    }
    let ends = stated::deprecated(&worktree.kinds);
    let statuses = lives.into_iter().map(|(key, steps)| VersionStatus {
        now: state(&worktree.now, &key),
        end: ends
            .iter()
            .find(|end| {
                (&*end.group, &*end.kind, &*end.version) == (&*key.group, &*key.kind, &*key.version)
            })
            .cloned(),
        key,
        steps,
    });
    statuses.collect()
}

impl VersionStatus {
    /// The bundle that brought the version into its current state; `None` if that is not released yet.
    fn since(&self) -> Option<&Transition> {
        self.steps.last().filter(|step| step.state == self.now)
    }
}

pub(super) fn human(all: &[VersionStatus]) -> String {
    let mut text = String::new();
    for status in all {
        let Key { kind, version, .. } = &status.key;
        let since = match status.since() {
            Some(step) => format!("since {}", step.bundle),
            None => "not released yet".to_owned(),
        };
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{kind} {version} ({}, {since})", status.now);
        let before = match status.since() {
            Some(_) => status.steps.len() - 1,
            None => status.steps.len(),
        };
        let steps: Vec<String> = status
            .steps
            .iter()
            .take(before)
            .map(|step| format!("{} since {}", step.state, step.bundle))
            .collect();
        if !steps.is_empty() {
            let _ = writeln!(text, "  {}", steps.join(", "));
        }
        if let Some(end) = status
            .end
            .as_ref()
            .filter(|_| status.now == State::Deprecated)
        {
            if let Some(promised) = &end.removed_in {
                let _ = writeln!(text, "  served until {promised}");
            }
            if let Some(successor) = &end.replaced_by {
                let _ = writeln!(text, "  replaced by {successor}");
            }
        }
    }
    text
}

pub(super) fn json(all: &[VersionStatus]) -> Value {
    let all = all.iter().map(|status| {
        let steps = status.steps.iter();
        let end = status.end.as_ref();
        json!({
            "group": &*status.key.group,
            "kind": &*status.key.kind,
            "version": &*status.key.version,
            "state": status.now.to_string(),
            "since": status.since().map(|step| step.bundle.to_string()),
            "steps": steps
                .map(|step| json!({"bundle": step.bundle.to_string(), "state": step.state.to_string()}))
                .collect::<Vec<_>>(),
            "removedIn": end.and_then(|end| end.removed_in.clone()),
            "replacedBy": end.and_then(|end| end.replaced_by.clone()),
        })
    });
    all.collect()
}
