//! Projects one kind for one channel: from drafts with gates to the published CRD.

use super::closure::{self, Closure, View};
use super::config::{Channel, Config};
use super::kinds::Kind;
use super::serving::{present, served};
use super::stamp::Stamp;
use super::{conversion, deprecation, walk};
use crate::render::{Cache, Convention, NO_VARIANTS_LEFT, Renderer, Selection};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Spanned, Text};
use crd_channels_schema::draft::{Draft, KindFacets};
use crd_channels_schema::{Crd, Names, Scale, Schema, Subresources, Version};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::sync::Arc;

/// Shared by all projections of a run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// The version and the annotations that every CRD carries.
    pub stamp: &'a Stamp,
    /// Finished schemas, shared by kinds and channels.
    pub cache: &'a Cache,
}

/// Returns the CRDs of a channel, in the order of the kinds, without kinds that have no version in the channel.
///
/// Kinds are projected in parallel, and findings are reported in their order. [`super::check`] runs first and reports what does
/// not depend on the channel.
pub fn project(kinds: &[Kind], channel: &Channel, run: Run<'_>, sink: &mut Sink) -> Vec<Crd> {
    let projected: Vec<_> = kinds
        .par_iter()
        .map(|kind| {
            let mut found = Sink::default();
            let crd = project_kind(kind, channel, run, &mut found);
            (crd, found)
        })
        .collect();
    let mut crds = Vec::with_capacity(projected.len());
    for (crd, found) in projected {
        crds.extend(crd);
        sink.append(found);
    }
    crds
}

/// Returns the CRD of one kind in a channel, or `None` if the channel has no version of it.
pub fn project_kind(kind: &Kind, channel: &Channel, run: Run<'_>, sink: &mut Sink) -> Option<Crd> {
    if let Some(crds) = &kind.crds {
        let mut crd = crds.get(&channel.name)?.clone();
        crd.annotations.extend(stamped(channel, run.stamp));
        return Some(crd);
    }
    let drafts: Vec<_> = kind
        .versions
        .iter()
        .filter(|draft| present(draft, channel))
        .collect();
    let first = drafts.first()?;
    let selection = Selection::Features(&channel.features);
    let names = selection.resolve(&first.facets);
    let Draft {
        group,
        kind: name,
        plural,
        singular,
        list_kind,
        scope,
        annotations,
        labels,
        ..
    } = first;
    let mut annotations = annotations.clone();
    annotations.extend(stamped(channel, run.stamp));
    let texts = |names: &[Spanned<Text>]| names.iter().map(|name| name.value.clone()).collect();
    let names = Names {
        plural: plural.clone(),
        singular: singular.clone(),
        kind: name.clone(),
        list_kind: list_kind.clone(),
        short_names: texts(&names.short_names),
        categories: texts(&names.categories),
    };
    let versions = drafts
        .iter()
        .map(|draft| project_version(kind, draft, channel, run, sink));
    Some(Crd {
        annotations,
        labels: labels.clone(),
        group: group.clone(),
        names,
        scope: *scope,
        conversion: conversion::conversion_of_kind(kind, &run.config.bundle.webhooks),
        versions: versions.collect(),
    })
}

/// The annotations that every CRD of a channel carries.
fn stamped(channel: &Channel, stamp: &Stamp) -> [(Text, Text); 2] {
    let version = format!("v{}", stamp.version).into();
    [
        (stamp.version_key(), version),
        (stamp.channel_key(), channel.annotation.value.clone()),
    ]
}

fn project_version(
    kind: &Kind,
    draft: &Draft,
    channel: &Channel,
    run: Run<'_>,
    sink: &mut Sink,
) -> Version {
    let selection = Selection::Features(&channel.features);
    let mut facets = selection.resolve(&draft.facets).into_owned();
    let schema = schema(draft, &mut facets, channel, run, sink);
    let KindFacets {
        short_names: _,
        categories: _,
        columns,
        selectable_fields,
        deprecated,
        scale,
        rules: _,
        doc: _,
    } = facets;
    let deprecated = deprecated.as_ref();
    let status = draft.status && selection.keeps(draft.status_gate.as_ref());
    Version {
        name: draft.version.clone(),
        served: served(draft, channel),
        storage: draft.storage,
        deprecated: deprecated.is_some(),
        deprecation_warning: deprecated
            .and_then(|deprecated| deprecation::warning(kind, draft, channel, deprecated)),
        columns: columns.into_iter().map(|column| column.value).collect(),
        selectable_fields: selectable_fields
            .into_iter()
            .map(|path| path.value)
            .collect(),
        subresources: subresources(status, scale, run.config.bundle.convention),
        schema,
    }
}

/// Reports scale subresources that the convention leaves out.
pub fn check_scale(kind: &Kind, convention: Convention, sink: &mut Sink) {
    if !convention.choices().drops_scale_without_status {
        return;
    }
    let without_status = kind.versions.iter().filter(|draft| !draft.status);
    for (draft, scale) in without_status.flat_map(scales) {
        let message = format!(
            "`{}` {} has no scale subresource: kube ignores `scale(..)` without `status`",
            draft.kind, draft.version
        );
        let finding = Diagnostic::new(Code::IgnoredAttribute, scale.span, message);
        sink.push(finding.with_help(
            "add `status = \"..\"` to `#[kube(..)]`, remove `scale(..)`, or write `conventions = \"kubernetes\"` in \
             `channels/bundle.toml`",
        ));
    }
}

/// Returns the scale subresources of a version, for all channels.
fn scales(draft: &Draft) -> impl Iterator<Item = (&Draft, &Spanned<Scale>)> {
    let all = draft.facets.all();
    all.filter_map(move |facets| Some((draft, facets.scale.as_ref()?)))
}

fn subresources(
    status: bool,
    scale: Option<Spanned<Scale>>,
    convention: Convention,
) -> Option<Subresources> {
    let is_kept = status || !convention.choices().drops_scale_without_status;
    let scale = scale.filter(|_| is_kept).map(|scale| scale.value);
    let any = status || scale.is_some();
    any.then_some(Subresources { status, scale })
}

/// Returns the schema of a version, closed over what the channel lacks; removes columns and selectable fields with removed
/// paths from `facets`.
fn schema(
    draft: &Draft,
    facets: &mut KindFacets,
    channel: &Channel,
    run: Run<'_>,
    sink: &mut Sink,
) -> Option<Arc<Schema>> {
    let convention = run.config.bundle.convention;
    let selection = Selection::Features(&channel.features);
    // If every gate holds, nothing is missing, and the full schema is the channel's.
    if walk::gates(draft).iter().all(|gate| selection.holds(gate)) {
        return Renderer::new(convention, Selection::Everything, run.cache).root(draft, sink);
    }
    let mut found = Sink::default();
    let mut schema = Renderer::new(convention, selection, run.cache).root(draft, &mut found)?;
    for finding in found.into_diagnostics() {
        sink.push(of_channel(finding, channel));
    }
    // The full schema may combine nodes that no channel combines, so its findings are dropped.
    let mut discarded = Sink::default();
    let full =
        Renderer::new(convention, Selection::Everything, run.cache).root(draft, &mut discarded)?;
    let left = schema.clone();
    let mut views = vec![View {
        full: &full,
        left: &left,
    }];
    // Attributes set keywords over what gates leave of a type.
    let types = walk::is_written_over(draft).then(|| {
        let mut of = |selection| {
            Renderer::of_types_alone(convention, selection, run.cache).root(draft, &mut discarded)
        };
        Some((of(Selection::Everything)?, of(selection)?))
    });
    if let Some(Some((full, left))) = &types {
        views.push(View { full, left });
    }
    closure::keep_columns(&mut facets.columns, &views);
    closure::keep_selectable(&mut facets.selectable_fields, &views);
    Closure::new(draft, channel, sink).close(&views, &mut schema, facets);
    Some(schema)
}

/// Names the channel in a finding about an enum that is empty only there.
fn of_channel(finding: Diagnostic, channel: &Channel) -> Diagnostic {
    if finding.message != NO_VARIANTS_LEFT {
        return finding;
    }
    Diagnostic {
        message: format!("{} in channel `{}`", finding.message, channel.name),
        ..finding
    }
}
