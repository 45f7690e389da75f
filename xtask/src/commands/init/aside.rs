//! Kinds that cannot be written: each would keep all others from being written, so they are left out.

use super::survey::Survey;
use crate::channel::{Kind, Stamp};
use crate::diag::{Diagnostic, Severity, Sink};
use crate::files::{Disk, Sources};
use crate::pipeline::build::Order;
use crate::pipeline::{self, publish::publish};
use crate::source::{Graph, TypeRef};
use crate::{Text, lower};
use std::collections::BTreeMap;
use std::slice;
use std::time::SystemTime;

/// A type that is left out.
pub struct Aside {
    /// Its full path.
    pub path: String,
    /// The first thing that is wrong with its kind.
    pub finding: Diagnostic,
}

impl Aside {
    /// Why it is left out, in one line.
    #[must_use]
    pub fn why(&self) -> String {
        format!(
            "{}: {}",
            self.finding.code.record().id,
            self.finding.message
        )
    }
}

/// The types of all kinds that cannot be read, or that an API server would refuse. None where no kind would be left: then
/// `gen-crds` says why.
#[must_use]
pub fn find(survey: &Survey, sources: &Sources) -> Vec<Aside> {
    let mut unsaid = Sink::default();
    let setup = &survey.setup;
    let Some(graph) = pipeline::graph(setup, &Disk, sources, &mut unsaid) else {
        return Vec::new();
    };
    graph.load(&setup.packages, &mut unsaid);
    let types = graph.kinds();
    let mut wrong: BTreeMap<(Text, Text), Diagnostic> = BTreeMap::new();
    for ty in &types {
        let drafts = survey.kinds.iter().flat_map(|kind| &kind.versions);
        if drafts.clone().all(|draft| draft.span != ty.def.span)
            && let Some(finding) = unreadable(survey, &graph, ty)
        {
            wrong.entry(key(ty)).or_insert(finding);
        }
    }
    for kind in &survey.kinds {
        let found = reported(survey, kind).or_else(|| refused(survey, kind, sources));
        if let Some(finding) = found {
            let key = (kind.group.clone(), kind.kind.clone());
            wrong.entry(key).or_insert(finding);
        }
    }
    if types.iter().all(|ty| wrong.contains_key(&key(ty))) {
        return Vec::new();
    }
    let aside = types.iter().filter_map(|ty| {
        let name = graph.name_of(ty);
        Some(Aside {
            path: format!("{}::{}", name.module, name.name),
            finding: wrong.get(&key(ty))?.clone(),
        })
    });
    aside.collect()
}

/// Which kind a type is a version of: its group and its name, as far as they are there.
fn key(ty: &TypeRef) -> (Text, Text) {
    let kube = ty.def.attrs.kube.as_ref();
    let text =
        |text: Option<&crate::source::attrs::Spanned<Text>>| text.map(|text| text.value.clone());
    let group = kube.and_then(|kube| text(kube.group.as_ref()));
    let kind = kube.and_then(|kube| text(kube.kind.as_ref()));
    (
        group.unwrap_or_default(),
        kind.unwrap_or_else(|| ty.def.name.clone()),
    )
}

/// What keeps a type from being read.
fn unreadable(survey: &Survey, graph: &Graph<'_>, ty: &TypeRef) -> Option<Diagnostic> {
    let mut sink = Sink::default();
    lower::drafts_of(
        graph,
        slice::from_ref(ty),
        &survey.setup.overrides,
        &mut sink,
    );
    first_error(sink)
}

/// What was found wrong with a kind beside others.
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

/// What an API server would say of its CRDs, or what keeps them from being made.
fn refused(survey: &Survey, kind: &Kind, sources: &Sources) -> Option<Diagnostic> {
    let stamp = Stamp {
        version: "0.0.0".into(),
        prefix: kind.group.clone(),
    };
    let channels: Vec<_> = survey.setup.config.channels.iter().collect();
    let order = Order {
        setup: &survey.setup,
        channels: &channels,
        measure: false,
        key: 0,
        began: SystemTime::UNIX_EPOCH,
    };
    let mut sink = Sink::default();
    publish(order, slice::from_ref(kind), &stamp, sources, &mut sink);
    first_error(sink)
}

fn first_error(sink: Sink) -> Option<Diagnostic> {
    let mut findings = sink.into_diagnostics().into_iter();
    findings.find(|finding| finding.severity() == Severity::Error)
}
