//! What became of everything that a feature gates or gated, bundle by bundle.

use crate::commands::graduate::verdict::Worktree;
use crate::commands::manifest;
use crate::commands::reference::releases;
use crate::commands::reference::show::json::{field, life};
use crate::release::lifecycle::Ancestry;
use crd_channels_reference::{
    Api, FeatureHistory, GateHistory, GatePlace, Release, UNRELEASED, feature_history, status,
};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Returns the features of the bundles before the working tree, and its own.
pub(super) fn read(worktree: &Worktree, past: &Ancestry<'_>) -> Vec<FeatureHistory> {
    let mut releases = releases::of_bundles(past);
    releases.push(Release {
        name: releases::name_of_tree(Some(&worktree.setup), &worktree.now),
        set: worktree.now.clone(),
        features: manifest::features(&worktree.setup, &worktree.kinds),
        ..Release::default()
    });
    feature_history(&Api {
        releases,
        ..Api::default()
    })
}

pub(super) fn human(all: &[FeatureHistory]) -> String {
    let mut text = String::new();
    for feature in all {
        let since = feature.since.as_ref();
        let since = since.map(|since| format!("since {since}"));
        let ended = feature.ended.as_deref().map(|ended| match ended {
            UNRELEASED => "ended, not released yet".to_owned(),
            ended => format!("ended in {ended}"),
        });
        let when: Vec<String> = since.into_iter().chain(ended).collect();
        let when = match when.is_empty() {
            true => String::new(),
            false => format!(" ({})", when.join(", ")),
        };
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{}{when}\n  {}", feature.name, feature.summary);
        match &feature.gates {
            Some(gates) => gates.iter().for_each(|gate| add_gate(&mut text, gate)),
            None => text.push_str("  what it gates is not recorded\n"),
        }
        text.push('\n');
    }
    match text.is_empty() {
        true => "no features\n".to_owned(),
        false => text,
    }
}

fn add_gate(text: &mut String, gate: &GateHistory) {
    for part in [
        "  -",
        &*gate.what,
        &*gate.kind,
        &*gate.version,
        &*gate.path,
        &*gate.detail,
    ] {
        if !part.is_empty() {
            text.push_str(part);
            text.push(' ');
        }
    }
    text.truncate(text.trim_end().len());
    if gate.without {
        text.push_str(", only without the feature");
    }
    let has_groups = gate.places.len() > 1;
    for place in &gate.places {
        if has_groups {
            // Writing into a string cannot fail.
            let _ = write!(text, "\n      {}", place.group);
        }
        if let Some(state) = status(&place.life) {
            let _ = write!(text, ": {state}");
        }
        if let Some(reason) = &place.reason {
            let _ = write!(text, " — {reason}");
        }
    }
    text.push('\n');
}

pub(super) fn json(all: &[FeatureHistory]) -> Value {
    let places = |place: &GatePlace| {
        json!({
            "group": place.group,
            "life": life(&place.life),
            "reason": place.reason,
        })
    };
    let gates = |gate: &GateHistory| {
        json!({
            "what": gate.what,
            "kind": gate.kind,
            "version": gate.version,
            "field": field(&gate.path),
            "detail": gate.detail,
            "with": !gate.without,
            "groups": gate.places.iter().map(places).collect::<Vec<_>>(),
        })
    };
    let all = all.iter().map(|feature| {
        json!({
            "name": feature.name,
            "summary": feature.summary,
            "since": feature.since,
            "ended": feature.ended,
            "gates": feature.gates.as_ref().map(|all| all.iter().map(gates).collect::<Vec<_>>()),
        })
    });
    all.collect()
}
