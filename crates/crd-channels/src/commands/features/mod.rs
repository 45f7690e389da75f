//! `features`: lists every feature with its stage, its gates and whether it may graduate, the features that ended, and the
//! history of every API version.

pub mod ended;
mod versions;

use super::format::Format;
use super::graduate::verdict::{Reason, Worktree};
use super::{Outcome, root, say};
use crate::release::history::History;
use crate::release::lifecycle::Ancestry;
use crate::release::places::Tree;
use crd_channels_diagnostics::report::{self, counted};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, Span, Text};
use crd_channels_files::Disk;
use crd_channels_projection::channel::config::{FOLDER, Feature, UNNAMED};
use crd_channels_projection::channel::{self, Gated, gated};
use crd_channels_source::FeatureEnd;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The version of the JSON format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// The status of a feature.
struct FeatureStatus<'a> {
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

/// The formatted list.
enum Listed {
    Text(String),
    Json(Value),
}

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(format: Format) -> Outcome {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let listed = list(format, &sources, &mut sink);
    let findings = sink.into_diagnostics();
    let outcome = match listed {
        Some(_) => Outcome::of(&findings),
        None => Outcome::of_failed(&findings),
    };
    if format == Format::Human {
        say(&findings, &sources);
    }
    match listed {
        Some(Listed::Text(text)) => print!("{text}"),
        None if format == Format::Human => {}
        listed => {
            let mut whole = match listed {
                Some(Listed::Json(whole)) => whole,
                _ => nothing(),
            };
            whole["findings"] = report::json(&findings, &sources);
            println!("{whole:#}");
        }
    }
    outcome
}

/// The JSON document of a run that could not read the workspace.
pub(super) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    let mut whole = nothing();
    whole["findings"] = report::json(findings, sources);
    whole
}

fn nothing() -> Value {
    json!({"format": FORMAT, "features": null, "gone": null, "versions": null})
}

fn list(format: Format, sources: &Sources, sink: &mut Sink) -> Option<Listed> {
    let root = root(sink)?;
    let worktree = Worktree::read(&root, sources, sink)?;
    let history = match History::read(&root.join(FOLDER), &Disk) {
        Ok(history) => history,
        Err(findings) => {
            findings.into_iter().for_each(|finding| sink.push(finding));
            return None;
        }
    };
    let sets = match history.sets() {
        Ok(sets) => sets,
        Err(why) => {
            let finding = Diagnostic::new(Code::BundleInvalid, None, why);
            sink.push(finding.with_help("get the bundle again from where it was released"));
            return None;
        }
    };
    let past = Ancestry::of(&history, &sets, worktree.last());
    let past = match &worktree.bundle {
        Some(bundle) => past.with_other_lines(&history, &sets, bundle),
        None => past,
    };
    let mut since: BTreeMap<String, String> = BTreeMap::new();
    for (version, bundle) in &history.bundles {
        for feature in &bundle.manifest.features {
            since
                .entry(feature.name.clone())
                .or_insert_with(|| version.to_string());
        }
    }
    let declared = worktree.setup.config.features.declared.iter();
    let mut all: Vec<FeatureStatus<'_>> = declared
        .map(|feature| {
            feature_status(
                &worktree,
                &feature.name.value,
                Some(feature),
                &since,
                sources,
            )
        })
        .collect();
    let unnamed = feature_status(&worktree, UNNAMED, None, &since, sources);
    if !unnamed.gates.is_empty() {
        all.push(unnamed);
    }
    all.sort_by_key(|status| status.name);
    let line = |span: Span| {
        let file = sources.get(span.file)?;
        Some((file.shown.clone(), file.line(span.start)?))
    };
    let tree = Tree {
        kinds: &worktree.kinds,
        sources,
    };
    let report = versions::report(&worktree, &past, tree);
    let declared = worktree.setup.config.features.declared.iter();
    let declared = declared.map(|feature| &*feature.name.value).collect();
    let gone = ended::ended_features(&past, &declared, &report);
    let lives = versions::statuses(&worktree, &past);
    for finding in versions::rejections(&worktree, &past, &report, tree) {
        sink.push(finding);
    }
    Some(match format {
        Format::Human => Listed::Text({
            let mut text = human(&all, history.bundles.is_empty(), line);
            if !gone.is_empty() {
                text.push_str(&format!(
                    "\nremoved features:\n\n{}\n",
                    ended::human(&gone).trim_end()
                ));
            }
            text.push_str(&format!("\nAPI versions:\n\n{}", versions::human(&lives)));
            text
        }),
        Format::Json => Listed::Json(json!({
            "format": FORMAT,
            "features": json(&all, sources),
            "gone": ended::json(&gone),
            "versions": versions::json(&lives),
        })),
    })
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
    let on: Vec<&channel::config::Channel> = configured
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
            .or_else(|| written.map(ToString::to_string)),
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
fn human(
    all: &[FeatureStatus<'_>],
    is_first: bool,
    place: impl Fn(Span) -> Option<(Text, usize)>,
) -> String {
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
            let at = place(gate.span)
                .map_or_else(String::new, |(file, line)| format!(" ({file}:{line})"));
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

fn json(all: &[FeatureStatus<'_>], sources: &Sources) -> Value {
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
