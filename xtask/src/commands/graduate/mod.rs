//! `graduate FEATURE`: what a feature gates becomes stable, in the source.

mod edited;
pub mod verdict;

use super::program::Program;
use super::release::output::Output;
use super::{Outcome, root, say};
use crate::compat::report;
use crate::diag::{Code, Diagnostic, Sink, Span};
use crate::files::{Disk, Plan, Sources, diff};
use edited::Edited;
use std::path::Path;
use verdict::{Ground, Reason, changes};

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The feature.
    pub feature: String,
    /// Write nothing; show all that would change.
    pub dry_run: bool,
    /// How the user calls the tool.
    pub program: Program,
}

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let outcome = graduate(request, &sources, &mut sink);
    let findings = sink.into_diagnostics();
    say(&findings, &sources);
    outcome.unwrap_or(Outcome::CouldNotRun)
}

/// None where it could not be tried.
fn graduate(request: &Request, sources: &Sources, sink: &mut Sink) -> Option<Outcome> {
    let root = root(sink)?;
    let ground = Ground::read(&root, sources, sink)?;
    let feature = &*request.feature;
    let features = &ground.setup.config.features;
    if !features.has(feature) {
        sink.push(features.nobody_declares(feature));
        return None;
    }
    if crate::channel::gated(&ground.kinds, feature).is_empty() {
        sink.push(refused(
            feature,
            "it gates nothing",
            "remove it from `channels/features.toml`",
        ));
        return Some(Outcome::Findings);
    }
    let verdict = ground.judge(feature);
    if !verdict.reasons.is_empty() {
        for Reason { code, message } in &verdict.reasons {
            let help = format!(
                "`{} explain {code}` says why; fix it, release it as experimental, or write a waiver",
                request.program
            );
            sink.push(refused(feature, &format!("[{code}] {message}"), &help));
        }
        return Some(Outcome::Findings);
    }
    let Some(edited) = edited::edit(&root, &ground, feature, sources, sink) else {
        return Some(Outcome::Findings);
    };
    let Edited {
        mut files,
        after,
        generated,
        constants,
        setup,
    } = edited;
    if let Some(place) = edited::difference(&verdict.after, &after) {
        let message = format!(
            "without `{feature}` in the source, {place} would not be what the feature makes of it"
        );
        let finding = Diagnostic::new(Code::GraduationUnclear, None, message);
        sink.push(finding.with_help(
            "another feature or another attribute says something of the same place; merge these by hand first",
        ));
        return Some(Outcome::Findings);
    }
    let state = ground.setup.workspace.target_dir.join("crd-channels");
    let output = Output {
        root: &root,
        state: &state,
        setup: &setup,
    };
    // Without generated files no folder is looked at for what is left over.
    let mut made = output.generated(&generated);
    made.extend(constants);
    let plan = if generated.is_empty() {
        Plan::new(root.clone(), state.clone(), files, Vec::new())
    } else {
        files.extend(made.clone());
        output.plan(files)
    };
    let edits = match plan.compare(&Disk) {
        Ok(edits) => edits,
        Err(finding) => {
            sink.push(*finding);
            return None;
        }
    };
    if request.dry_run {
        for change in &edits {
            if made.contains_key(&change.path) {
                println!("would change {}", change.path);
            } else {
                print!("{}", diff(change, None));
            }
        }
    } else {
        if let Err(finding) = plan.apply(&Disk) {
            sink.push(*finding);
            return None;
        }
        for change in &edits {
            println!("changed {}", change.path);
        }
    }
    println!();
    let place = |span: Span| {
        let file = sources.get(span.file)?;
        Some(format!("{}:{}", file.shown, file.line(span.start)?))
    };
    print!("{}", report::human(&changes(&ground.now, &after), place));
    if !request.dry_run && generated.is_empty() {
        eprintln!("help: run `{} gen-crds`", request.program);
    }
    Some(Outcome::Clean)
}

fn refused(feature: &str, why: &str, help: &str) -> Diagnostic {
    let message = format!("`{feature}` may not graduate: {why}");
    Diagnostic::new(Code::GraduationRefused, None, message).with_help(help)
}

/// A path below the workspace, with `/`.
fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.iter();
    let parts: Option<Vec<&str>> = parts.map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}
