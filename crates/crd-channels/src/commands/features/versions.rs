//! Every API version: how far it has come, bundle by bundle, and whether the working tree takes a step that it may not.

use crate::commands::graduate::verdict::Ground;
use crate::commands::manifest as stated;
use crate::commands::program::Program;
use crate::release::choice::Choice;
use crate::release::lifecycle::{Key, Lives, Past, State, Transition, keys, state};
use crate::release::places::Tree;
use crate::release::preflight::{self, Candidate};
use crd_channels_compat::{Report, Set};
use crd_channels_diagnostics::Diagnostic;
use crd_channels_released::manifest::Deprecated;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A version of the past or of the working tree.
pub(super) struct Told {
    key: Key,
    now: State,
    /// The bundles in which its state changed.
    steps: Vec<Transition>,
    /// What its types say of its end.
    end: Option<Deprecated>,
}

/// What the next bundle would change.
pub(super) fn report(ground: &Ground, past: &Past<'_>, tree: Tree<'_>) -> Report {
    let Some(old) = past.last() else {
        return Report::default();
    };
    let old = Set {
        tombstones: Some(past.tombstones()),
        ..old.clone()
    };
    let mut report = ground.compare(past.lineage(), &old, &ground.now);
    tree.place(&mut report.findings);
    report
}

/// The steps of versions that the next minor may not take, or the major that the tree is for.
pub(super) fn refused(
    ground: &Ground,
    past: &Past<'_>,
    report: &Report,
    tree: Tree<'_>,
    program: Program,
) -> Vec<Diagnostic> {
    let Some(bundle) = &ground.bundle else {
        return Vec::new();
    };
    let choice = Choice {
        version: bundle.clone(),
        baseline: ground.last().cloned(),
        line: Vec::new(),
        tree: bundle.clone(),
        latest: ground.latest.clone(),
    };
    preflight::versions(Candidate {
        choice: &choice,
        new: &ground.now,
        past,
        report,
        line: &[],
        tree,
        program: program.name(),
    })
}

pub(super) fn told(ground: &Ground, past: &Past<'_>) -> Vec<Told> {
    let mut lives: Lives = past.lives();
    for key in keys(&ground.now) {
        lives.entry(key).or_default();
    }
    let ends = stated::deprecated(&ground.kinds);
    let told = lives.into_iter().map(|(key, steps)| Told {
        now: state(&ground.now, &key),
        end: ends
            .iter()
            .find(|end| {
                (&*end.group, &*end.kind, &*end.version) == (&*key.group, &*key.kind, &*key.version)
            })
            .cloned(),
        key,
        steps,
    });
    told.collect()
}

impl Told {
    /// The bundle since which it is as it is; none while that is not released.
    fn since(&self) -> Option<&Transition> {
        self.steps.last().filter(|step| step.state == self.now)
    }
}

pub(super) fn human(all: &[Told]) -> String {
    let mut text = String::new();
    for told in all {
        let Key { kind, version, .. } = &told.key;
        let since = match told.since() {
            Some(step) => format!("since {}", step.bundle),
            None => "not released yet".to_owned(),
        };
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{kind} {version} ({}, {since})", told.now);
        let before = match told.since() {
            Some(_) => told.steps.len() - 1,
            None => told.steps.len(),
        };
        let steps: Vec<String> = told
            .steps
            .iter()
            .take(before)
            .map(|step| format!("{} since {}", step.state, step.bundle))
            .collect();
        if !steps.is_empty() {
            let _ = writeln!(text, "  {}", steps.join(", "));
        }
        if let Some(end) = told.end.as_ref().filter(|_| told.now == State::Deprecated) {
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

pub(super) fn json(all: &[Told]) -> Value {
    let all = all.iter().map(|told| {
        let steps = told.steps.iter();
        let end = told.end.as_ref();
        json!({
            "group": &*told.key.group,
            "kind": &*told.key.kind,
            "version": &*told.key.version,
            "state": told.now.to_string(),
            "since": told.since().map(|step| step.bundle.to_string()),
            "steps": steps
                .map(|step| json!({"bundle": step.bundle.to_string(), "state": step.state.to_string()}))
                .collect::<Vec<_>>(),
            "removedIn": end.and_then(|end| end.removed_in.clone()),
            "replacedBy": end.and_then(|end| end.replaced_by.clone()),
        })
    });
    all.collect()
}
