//! `features`: lists every feature with its stage, its gates and whether it may graduate, the features that ended, and the
//! history of every API version. `--history` says what became of everything that a feature ever gated.

pub mod ended;
mod declared;
mod history;
mod versions;

use super::format::Format;
use super::graduate::verdict::Worktree;
use super::{Outcome, root, say};
use crate::release::history::History;
use crate::release::lifecycle::Ancestry;
use crate::release::places::Tree;
use crd_channels_compat::union;
use crd_channels_diagnostics::report;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_files::Disk;
use crd_channels_projection::channel::config::FOLDER;
use serde_json::{Value, json};

/// The version of the JSON format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// The arguments of `features`.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// How the list is written.
    pub format: Format,
    /// List what became of everything that a feature gates or gated.
    pub history: bool,
}

/// The formatted list.
enum Listed {
    Text(String),
    Json(Value),
}

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: Request) -> Outcome {
    let format = request.format;
    let sources = Sources::default();
    let mut sink = Sink::default();
    let listed = list_features(request, &sources, &mut sink);
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
pub(crate) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    let mut whole = nothing();
    whole["findings"] = report::json(findings, sources);
    whole
}

fn nothing() -> Value {
    json!({"format": FORMAT, "features": null, "gone": null, "versions": null, "history": null})
}

fn list_features(request: Request, sources: &Sources, sink: &mut Sink) -> Option<Listed> {
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
    let features = declared::statuses(&worktree, &history, sources);
    let tree = Tree {
        kinds: &worktree.kinds,
        sources,
    };
    let report = versions::report(&worktree, &past, tree);
    let declared = worktree.setup.config.features.declared.iter();
    let declared = declared.map(|feature| &*feature.name.value).collect();
    let tombstones = union(worktree.now.tombstones.iter().chain([&past.tombstones()]));
    let gone = ended::ended_features(&past, &declared, &report, &tombstones);
    let lives = versions::statuses(&worktree, &past);
    for finding in versions::rejections(&worktree, &past, &report, tree) {
        sink.push(finding);
    }
    let histories = request.history.then(|| history::read(&worktree, &past));
    Some(match (request.format, histories) {
        (Format::Human, Some(histories)) => Listed::Text(history::human(&histories)),
        (Format::Human, None) => {
            let mut text = declared::human(&features, history.bundles.is_empty(), sources);
            if !gone.is_empty() {
                text.push_str(&format!(
                    "\nremoved features:\n\n{}\n",
                    ended::human(&gone).trim_end()
                ));
            }
            text.push_str(&format!("\nAPI versions:\n\n{}", versions::human(&lives)));
            Listed::Text(text)
        }
        (Format::Json, histories) => Listed::Json(json!({
            "format": FORMAT,
            "features": declared::json(&features, sources),
            "gone": ended::json(&gone),
            "versions": versions::json(&lives),
            "history": histories.map(|histories| history::json(&histories)),
        })),
    })
}
