//! The records of a proof: what compiling tells about holes, and which records still hold.

use crate::facts::cut_short;
use crate::fill::{self, Answer, Name};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span};
use crd_channels_files::Read;
use crd_channels_generator::pipeline::reach::{Items, Reached};
use crd_channels_generator::pipeline::recorded::Entry;
use crd_channels_generator::pipeline::{Hole, Missing, Setup};
use crd_channels_workspace::Workspace;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

/// What to do about a hole that is not recorded.
const READ_OR_STATE: &str = "make the source readable, or state the value in `[schemas]` or `[values]` of \
                             `channels/bundle.toml`";

/// Returns the entries to record. Leaves holes that cannot be filled, and reports those that have a place.
pub(crate) fn entries(
    setup: &Setup,
    holes: &[Hole],
    answers: &BTreeMap<Name, Result<Answer, String>>,
    files: &dyn Read,
    sink: &mut Sink,
) -> Vec<Entry> {
    let workspace = &setup.workspace;
    let items = Items::of(workspace, files);
    let entries = holes.iter().filter_map(|hole| {
        let answer = answers.get(&(hole.missing, hole.place.to_string()));
        let reached = items.behind(workspace, &hole.place);
        // Gated parts of other defaults are removed in each channel.
        let is_whole = hole.missing != Missing::Default
            || matches!(answer, Some(Ok(answer)) if answer.untyped);
        if let Some(finding) = gated(hole, reached.gated.as_deref().filter(|_| is_whole)) {
            sink.push(finding);
            return None;
        }
        match answer? {
            Ok(answer) => Some(entry(workspace, hole, answer, &items, &reached)),
            Err(why) => {
                sink.push(unfilled(hole, why));
                None
            }
        }
    });
    entries.collect()
}

fn entry(
    workspace: &Workspace,
    hole: &Hole,
    answer: &Answer,
    items: &Items<'_>,
    reached: &Reached,
) -> Entry {
    let why = hole.findings.first().map(|finding| {
        let id = finding.record().id;
        format!("{id}: {}", finding.message)
    });
    let packages = workspace.packages.iter().enumerate();
    let used = packages.filter(|(index, package)| {
        let is_named = || package.built && reached.words.contains(&package.name.replace('-', "_"));
        !package.local && (reached.packages.contains(index) || is_named())
    });
    let versions = used.map(|(_, it)| (it.name.clone(), it.version.clone()));
    Entry {
        place: hole.place.to_string(),
        missing: hole.missing.word().to_owned(),
        why: why.unwrap_or_default(),
        schema: answer.schema.clone(),
        required: answer.required,
        default: answer.default.clone(),
        code: Some(items.digest(reached, hole.missing)),
        files: IgnoredAny,
        packages: versions.collect(),
        stale: None,
    }
}

/// Returns the valid records. Reports invalid and unused ones.
pub(crate) fn holding(
    setup: &Setup,
    holes: &[Hole],
    answers: &BTreeMap<Name, Result<Answer, String>>,
    sink: &mut Sink,
) -> (Vec<Entry>, usize) {
    let mut holding = 0;
    let known = setup.recorded.iter().filter_map(|entry| {
        let is_open =
            |hole: &&Hole| hole.missing.word() == entry.missing && *hole.place == *entry.place;
        let Some(hole) = holes.iter().find(is_open) else {
            sink.push(not_needed(entry));
            return None;
        };
        let mut known = Entry {
            stale: None,
            ..entry.clone()
        };
        match answers.get(&(hole.missing, entry.place.clone())) {
            Some(Ok(answer)) if answer.is_in(entry) => {
                entry.warning().into_iter().for_each(|it| sink.push(it));
                holding += 1;
            }
            Some(Ok(answer)) => {
                sink.push(out_of_date(entry, answer, hole.span));
                // What else differs is compared with what is true.
                known.schema.clone_from(&answer.schema);
                known.required = answer.required;
                known.default.clone_from(&answer.default);
            }
            Some(Err(why)) => sink.push(unfilled(hole, why)),
            None => sink.push(unfilled(hole, fill::NO_PLACE)),
        }
        Some(known)
    });
    (known.collect(), holding)
}

fn not_needed(entry: &Entry) -> Diagnostic {
    let message = format!(
        "the record of `{}` is not needed: its {} can be read from source now, or it was removed",
        entry.place,
        entry.missing().map_or("schema", in_words)
    );
    let finding = Diagnostic::new(Code::RecordUnused, None, message);
    finding.with_help("run `crd-channels gen-crds --record` to remove it")
}

fn out_of_date(entry: &Entry, answer: &Answer, span: Span) -> Diagnostic {
    let message = format!(
        "the record of `{}` is out of date: {} is recorded, {} is compiled",
        entry.place,
        cut_short(entry.schema.as_ref().or(entry.default.as_ref())),
        cut_short(answer.schema.as_ref().or(answer.default.as_ref())),
    );
    let finding = Diagnostic::new(Code::ProofDiffers, span, message);
    finding.with_help("run `crd-channels gen-crds --record` to record it again")
}

/// `record-gated`, if something in a hole is not in every channel: at its gate, or in a type that the code of the hole leads to.
fn gated(hole: &Hole, reached: Option<&str>) -> Option<Diagnostic> {
    let inside = match (hole.gate, reached) {
        (Some(_), _) => "something in it".to_owned(),
        (None, Some(ty)) => format!("something in `{ty}`, which its code mentions,"),
        (None, None) => return None,
    };
    let place = &hole.place;
    let message = format!("`{place}` cannot be recorded: {inside} is not in every channel");
    let finding = Diagnostic::new(Code::RecordGated, hole.span, message).with_help(READ_OR_STATE);
    Some(match hole.gate {
        Some(gate) => finding.with_label(gate, "this gate"),
        None => finding,
    })
}

fn in_words(missing: Missing) -> &'static str {
    match missing {
        Missing::Default => "default",
        Missing::Type | Missing::Field => "schema",
    }
}

/// `record-failed`, with the line that states what cannot be recorded, if it is known.
pub(crate) fn unfilled(hole: &Hole, why: &str) -> Diagnostic {
    let message = format!(
        "the {} of `{}` cannot be taken from the compiled types: {why}",
        in_words(hole.missing),
        hole.place
    );
    let help = match hole.missing {
        Missing::Default => hole
            .findings
            .first()
            .and_then(|finding| finding.help.clone()),
        Missing::Type | Missing::Field => {
            let owner = hole.place.rsplit_once('.').map(|(owner, _)| owner);
            let path = owner.unwrap_or(&hole.place);
            Some(format!(
                "make the source readable, or state the whole type: `[schemas.\"{path}\"]` with `json = '{{ .. }}'` in `channels/bundle.toml`"
            ))
        }
    };
    let help = help.unwrap_or_else(|| READ_OR_STATE.to_owned());
    Diagnostic::new(Code::RecordFailed, hole.span, message).with_help(help)
}
