//! Finds kinds that cannot be written: each would keep all others from being written, so they are left out.

use super::choice::LeftOut;
use super::survey::Survey;
use crd_channels_diagnostics::{Diagnostic, Severity, Sink, Sources, Text};
use crd_channels_files::Disk;
use crd_channels_generator::pipeline::publish::{Options, publish};
use crd_channels_generator::pipeline::{self, Projection, is_recordable};
use crd_channels_projection::channel::{Kind, Stamp};
use crd_channels_source::tree::TypeDef;
use std::collections::BTreeMap;
use std::slice;

/// Returns the types of all kinds that can neither be read nor recorded, or that an API server would refuse.
#[must_use]
pub fn find(survey: &Survey, sources: &Sources) -> Vec<LeftOut> {
    let mut wrong: BTreeMap<(Text, Text), Diagnostic> = BTreeMap::new();
    for (key, finding) in unreadable(survey, sources) {
        wrong.entry(key).or_insert(finding);
    }
    for kind in &survey.kinds {
        let found = reported(survey, kind).or_else(|| rejection(survey, kind, sources));
        if let Some(finding) = found {
            let key = (kind.group.clone(), kind.kind.clone());
            wrong.entry(key).or_insert(finding);
        }
    }
    let left_out = survey.types.iter().filter_map(|ty| {
        let finding = wrong.get(&key(&ty.def))?;
        let why = format!("{}: {}", finding.code.record().id, finding.message);
        Some(LeftOut {
            finding: Some(finding.clone()),
            ..ty.left_out(why)
        })
    });
    left_out.collect()
}

/// Returns the group and the name of the kind that a type defines, as far as they are given.
fn key(def: &TypeDef) -> (Text, Text) {
    let kube = def.attrs.kube.as_ref();
    let group = kube.and_then(|kube| kube.group.as_ref());
    let kind = kube.and_then(|kube| kube.kind.as_ref());
    (
        group.map(|group| group.value.clone()).unwrap_or_default(),
        kind.map_or_else(|| def.name.clone(), |kind| kind.value.clone()),
    )
}

/// Returns the errors of each type on its own, by kind.
fn unreadable(survey: &Survey, sources: &Sources) -> Vec<((Text, Text), Diagnostic)> {
    if survey.errors() == 0 {
        return Vec::new();
    }
    let mut discarded = Sink::default();
    let setup = &survey.setup;
    let Some(graph) = pipeline::graph(setup, &Disk, sources, &mut discarded) else {
        return Vec::new();
    };
    graph.load(&setup.packages, &mut discarded);
    let found = graph.kinds().into_iter().filter_map(|ty| {
        let mut sink = Sink::default();
        pipeline::drafts_of(&graph, slice::from_ref(&ty), &setup.overrides, &mut sink);
        Some((key(&ty.def), first_fault(sink)?))
    });
    found.collect()
}

/// Returns an error that was reported for a kind when all were read together.
fn reported(survey: &Survey, kind: &Kind) -> Option<Diagnostic> {
    let is_here = |finding: &&Diagnostic| {
        finding.severity() == Severity::Error
            && kind
                .versions
                .iter()
                .any(|draft| finding.span == Some(draft.span))
    };
    survey.findings.iter().find(is_here).cloned()
}

/// Returns why an API server would refuse the kind's CRDs, or why they cannot be made.
fn rejection(survey: &Survey, kind: &Kind, sources: &Sources) -> Option<Diagnostic> {
    let stamp = Stamp {
        version: "0.0.0".into(),
        prefix: kind.group.clone(),
    };
    let channels: Vec<_> = survey.setup.config.channels.iter().collect();
    let projection = Projection {
        setup: &survey.setup,
        channels: &channels,
        stamp: &stamp,
    };
    let mut sink = Sink::default();
    let kinds = slice::from_ref(kind);
    publish(projection, kinds, Options::texts(sources), &mut sink);
    first_error(sink)
}

/// Returns the first error that compiling the types does not resolve.
fn first_fault(sink: Sink) -> Option<Diagnostic> {
    let mut findings = sink.into_diagnostics().into_iter();
    findings.find(|finding| finding.severity() == Severity::Error && !is_recordable(finding))
}

fn first_error(sink: Sink) -> Option<Diagnostic> {
    let mut findings = sink.into_diagnostics().into_iter();
    findings.find(|finding| finding.severity() == Severity::Error)
}
