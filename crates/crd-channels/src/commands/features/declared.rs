//! The declared features, each with its stage, its gates and whether it may graduate.

use crate::commands::graduate::verdict::{Reason, Worktree};
use crate::release::history::History;
use crd_channels_diagnostics::report::{self, counted};
use crd_channels_diagnostics::{Sources, Span, Text};
use crd_channels_projection::channel::config::{Channel, Feature, UNNAMED};
use crd_channels_projection::channel::{Gated, gated};
use crd_channels_ungate::FeatureEnd;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The status of a feature.
pub(super) struct FeatureStatus<'a> {
    name: &'a str,
    declared: Option<&'a Feature>,
    stage: &'static str,
    channels: Vec<&'a str>,
    /// The first bundle that has it, or else the declared one.
    since: Option<String>,
    /// Whether a bundle has it.
    is_released: bool,
    gates: Vec<Gated>,
    reasons: Vec<Reason>,
}

/// Returns the status of every declared feature, and of the gates without a feature if there are any, sorted by name.
pub(super) fn statuses<'a>(
    worktree: &'a Worktree,
    history: &History,
    sources: &Sources,
) -> Vec<FeatureStatus<'a>> {
    let since = first_bundles(history);
    let declared = worktree.setup.config.features.declared.iter();
    let mut all: Vec<FeatureStatus<'_>> = declared
        .map(|feature| {
            let name = &feature.name.value;
            feature_status(worktree, name, Some(feature), &since, sources)
        })
        .collect();
    let mut unnamed = feature_status(worktree, UNNAMED, None, &since, sources);
    // Manifests list it in the channels alone, and never say since when, since every gate without a name is part of it.
    unnamed.is_released = is_in_a_channel(history, UNNAMED);
    if !unnamed.gates.is_empty() {
        all.push(unnamed);
    }
    all.sort_by_key(|status| status.name);
    all
}

/// Whether a feature is on in a channel of a bundle.
fn is_in_a_channel(history: &History, feature: &str) -> bool {
    let mut manifests = history.bundles.values().map(|bundle| &bundle.manifest);
    manifests.any(|manifest| {
        let mut channels = manifest.channels.iter();
        channels.any(|channel| channel.features.iter().any(|name| name == feature))
    })
}

/// Returns the first bundle that has each feature.
fn first_bundles(history: &History) -> BTreeMap<String, String> {
    let mut since: BTreeMap<String, String> = BTreeMap::new();
    for (version, bundle) in &history.bundles {
        for feature in &bundle.manifest.features {
            since
                .entry(feature.name.clone())
                .or_insert_with(|| version.to_string());
        }
    }
    since
}

fn feature_status<'a>(
    worktree: &'a Worktree,
    name: &'a str,
    declared: Option<&'a Feature>,
    since: &BTreeMap<String, String>,
    sources: &Sources,
) -> FeatureStatus<'a> {
    let gates = gated(&worktree.kinds, name);
    let configured = worktree.setup.config.channels.iter();
    let on: Vec<&Channel> = configured
        .filter(|channel| channel.features.contains(name))
        .collect();
    let all = worktree.setup.config.features.names().count();
    let stage = if gates.is_empty() {
        "unused"
    } else if on.iter().any(|channel| channel.features.len() < all) {
        // A channel with only some of the features is closer to stable than one with all of them.
        "preview"
    } else if on.is_empty() {
        "off"
    } else {
        "experimental"
    };
    let reasons = if gates.is_empty() {
        vec![Reason {
            code: "unused-feature",
            message: "it gates nothing".to_owned(),
            span: None,
            help: None,
        }]
    } else {
        worktree
            .verdict(name, FeatureEnd::Graduates, sources)
            .reasons
    };
    let written = declared.and_then(|feature| feature.since.as_ref());
    FeatureStatus {
        name,
        declared,
        stage,
        channels: on.iter().map(|channel| &*channel.name).collect(),
        since: since
            .get(name)
            .cloned()
            .or_else(|| written.map(|since| since.value.to_string())),
        is_released: since.contains_key(name),
        gates,
        reasons,
    }
}

/// Describes what a gate applies to.
fn words(gate: &Gated) -> String {
    let without = if gate.on {
        ""
    } else {
        ", only without the feature"
    };
    let detail = match gate.detail.as_str() {
        "" => String::new(),
        detail => format!(" `{detail}`"),
    };
    let path = match gate.path.as_str() {
        "." => String::new(),
        path => format!(" {path}"),
    };
    format!(
        "{} {} {}{path}{detail}{without}",
        gate.what, gate.kind, gate.version
    )
}

/// Formats the list for people. `is_first` means that no bundle exists yet.
pub(super) fn human(all: &[FeatureStatus<'_>], is_first: bool, sources: &Sources) -> String {
    let place = |span: Span| {
        let file = sources.get(span.file)?;
        Some(format!(" ({}:{})", file.shown, file.line(span.start)?))
    };
    let mut text = String::new();
    for feature in all {
        let since = feature.since.as_deref();
        let since = since.map_or_else(String::new, |since| format!(", since {since}"));
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{} ({}{since})", feature.name, feature.stage);
        if let Some(declared) = feature.declared {
            let _ = writeln!(text, "  {}", declared.summary);
        }
        for gate in &feature.gates {
            let at = place(gate.span).unwrap_or_default();
            let _ = writeln!(text, "  - {}{at}", words(gate));
        }
        if feature.reasons.is_empty() {
            let why = match (feature.is_released, is_first) {
                (true, _) => "",
                (false, true) => ": there is no bundle yet, so nobody relies on it",
                (false, false) => ", although no bundle has it yet",
            };
            let _ = writeln!(text, "  may graduate{why}");
        }
        for Reason { code, message, .. } in &feature.reasons {
            let _ = writeln!(text, "  may not graduate: [{code}] {message}");
        }
        text.push('\n');
    }
    let may = all
        .iter()
        .filter(|feature| feature.reasons.is_empty())
        .count();
    let _ = writeln!(
        text,
        "{}, {may} may graduate",
        counted(all.len(), "feature")
    );
    text
}

pub(super) fn json(all: &[FeatureStatus<'_>], sources: &Sources) -> Value {
    let gates = |gate: &Gated| {
        json!({
            "what": gate.what.to_string(),
            "kind": &*gate.kind,
            "version": &*gate.version,
            "field": gate.path,
            "detail": gate.detail,
            "with": gate.on,
            "place": report::json_place(gate.span, sources),
        })
    };
    let features = all.iter().map(|status| {
        let text = |of: fn(&Feature) -> Option<Text>| {
            let value = status.declared.and_then(of);
            value.map(|value| value.to_string())
        };
        let reasons = status.reasons.iter();
        json!({
            "name": status.name,
            "stage": status.stage,
            "since": status.since,
            "released": status.is_released,
            "channels": status.channels,
            "summary": text(|feature| Some(feature.summary.clone())),
            "owner": text(|feature| feature.owner.clone()),
            "link": text(|feature| feature.link.clone()),
            "gates": status.gates.iter().map(gates).collect::<Vec<_>>(),
            "mayGraduate": status.reasons.is_empty(),
            "reasons": reasons
                .map(|reason| json!({"code": reason.code, "message": reason.message}))
                .collect::<Vec<_>>(),
        })
    });
    features.collect()
}
