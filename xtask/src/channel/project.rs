//! What a kind becomes in one channel: the one way from drafts to a CRD.

use super::closure::Closure;
use super::config::{Channel, Config, StabilityPolicy};
use super::deprecation::{LONGEST_WARNING, warning};
use super::kinds::Kind;
use super::priority::{Stability, priority};
use crate::Text;
use crate::diag::{Code, Diagnostic, Sink};
use crate::render::{Cache, Convention, Renderer, Selection};
use crate::schema::draft::{Draft, KindFacets};
use crate::schema::{Column, Crd, Names, Subresources, Version};
use std::collections::{BTreeMap, BTreeSet};

/// What every CRD of a bundle is stamped with.
#[derive(Clone, Debug)]
pub struct Stamp {
    /// Before `/bundle-version` and `/channel`.
    pub prefix: Text,
    /// The bundle's version, without `v`.
    pub version: Text,
}

impl Stamp {
    /// The stamp of a bundle of these kinds, whose types' package has the version `package_version`. Reports when the
    /// prefix cannot be told.
    pub fn new(kinds: &[Kind], config: &Config, package_version: &str, sink: &mut Sink) -> Self {
        let groups: BTreeSet<&Text> = kinds
            .iter()
            .filter_map(Kind::first)
            .map(|draft| &draft.group)
            .collect();
        let prefix = match (
            &config.bundle.annotation_prefix,
            groups.iter().next(),
            groups.len(),
        ) {
            (Some(prefix), _, _) => prefix.value.clone(),
            (None, Some(only), 1) => (*only).clone(),
            (None, first, _) => {
                let names: Vec<String> = groups.iter().map(|group| format!("`{group}`")).collect();
                if let Some(first) = first {
                    let message = format!(
                        "{} groups and no annotation prefix: {}",
                        groups.len(),
                        names.join(", ")
                    );
                    let help = format!(
                        "write `annotation-prefix = \"{first}\"` into `channels/bundle.toml`"
                    );
                    sink.push(Diagnostic::new(Code::PrefixNeeded, None, message).with_help(help));
                }
                Text::default()
            }
        };
        let version = config
            .bundle
            .version
            .as_ref()
            .map_or_else(|| package_version.into(), |at| at.value.clone());
        Self { prefix, version }
    }

    fn annotations(&self, channel: &Channel) -> [(Text, Text); 2] {
        [
            (
                format!("{}/bundle-version", self.prefix).into(),
                format!("v{}", self.version).into(),
            ),
            (
                format!("{}/channel", self.prefix).into(),
                channel.annotation.clone(),
            ),
        ]
    }
}

/// A channel with what projecting into it needs.
#[derive(Debug)]
pub struct Projector<'a> {
    channel: &'a Channel,
    features: BTreeSet<Text>,
    stamp: &'a Stamp,
    convention: Convention,
    cache: &'a Cache,
}

impl<'a> Projector<'a> {
    /// A projector into `channel`.
    #[must_use]
    pub fn new(channel: &'a Channel, config: &Config, stamp: &'a Stamp, cache: &'a Cache) -> Self {
        Self {
            channel,
            features: channel.features.on(&config.features),
            stamp,
            convention: config.bundle.convention,
            cache,
        }
    }

    /// The kind's CRD in the channel; none where the channel has no version of it.
    pub fn project(&self, kind: &Kind, sink: &mut Sink) -> Option<Crd> {
        let selection = Selection::Features(&self.features);
        let kept: Vec<(&Draft, bool)> = kind
            .versions
            .iter()
            .filter(|draft| selection.keeps(draft.gate.as_ref()))
            .filter_map(|draft| Some((draft, self.served(draft)?)))
            .collect();
        let (first, _) = kept.first()?;
        self.one_storage_version(&kept, sink);
        let facets = selection.resolve(&first.facets);
        let KindFacets {
            short_names,
            categories,
            columns: _,
            selectable_fields: _,
            deprecated: _,
            rules: _,
            doc: _,
        } = &*facets;
        let mut annotations: BTreeMap<Text, Text> = first.annotations.clone();
        annotations.extend(self.stamp.annotations(self.channel));
        Some(Crd {
            annotations,
            labels: first.labels.clone(),
            group: first.group.clone(),
            names: Names {
                plural: first.plural.clone(),
                singular: first.singular.clone(),
                kind: first.kind.clone(),
                list_kind: first.list_kind.clone(),
                short_names: short_names.clone(),
                categories: categories.clone(),
            },
            scope: first.scope,
            conversion: kind.conversion.clone(),
            versions: kept
                .iter()
                .map(|(draft, served)| self.version(draft, *served, sink))
                .collect(),
        })
    }

    /// Whether the channel serves the version; none where it leaves it out.
    fn served(&self, draft: &Draft) -> Option<bool> {
        let policy = match priority(&draft.version).map(|priority| priority.stability) {
            Some(Stability::Alpha) => self.channel.alpha,
            Some(Stability::Beta) => self.channel.beta,
            Some(Stability::Ga) | None => StabilityPolicy::AsWritten,
        };
        match policy {
            StabilityPolicy::AsWritten => Some(draft.served),
            StabilityPolicy::Served => Some(true),
            StabilityPolicy::Unserved => Some(false),
            StabilityPolicy::Omitted => None,
        }
    }

    fn version(&self, draft: &Draft, served: bool, sink: &mut Sink) -> Version {
        let selection = Selection::Features(&self.features);
        let facets = selection.resolve(&draft.facets);
        let schema = Renderer::new(self.convention, selection, self.cache).root(draft, sink);
        let closure = Closure::new(
            draft,
            &self.channel.name,
            selection,
            self.convention,
            self.cache,
            sink,
        );
        let schema = schema.map(|schema| closure.schema(schema, sink));
        let removed = |path: &str| {
            schema
                .as_deref()
                .is_some_and(|schema| closure.removes(path, schema))
        };
        let columns: Vec<Column> = facets
            .columns
            .iter()
            .filter(|(column, _)| !removed(&column.json_path))
            .map(|(column, _)| column.clone())
            .collect();
        let selectable_fields: Vec<Text> = facets
            .selectable_fields
            .iter()
            .filter(|(path, _)| !removed(path))
            .map(|(path, _)| path.clone())
            .collect();
        if let (Some((scale, span)), Some(schema)) = (&draft.scale, &schema) {
            closure.scale(scale, *span, schema, sink);
        }
        let deprecation_warning = match &facets.deprecated {
            None => None,
            Some(deprecation) => {
                let text = deprecation.warning.clone().or_else(|| warning(draft));
                if let Some(long) = text.as_ref().filter(|text| text.len() > LONGEST_WARNING) {
                    let message = format!(
                        "the deprecation warning has {} bytes; {LONGEST_WARNING} are allowed",
                        long.len()
                    );
                    sink.push(
                        Diagnostic::new(Code::InvalidAttribute, deprecation.span, message)
                            .with_help("shorten the text"),
                    );
                }
                text
            }
        };
        Version {
            name: draft.version.clone(),
            served,
            storage: draft.storage,
            deprecated: facets.deprecated.is_some(),
            deprecation_warning,
            columns,
            selectable_fields,
            subresources: self.subresources(draft),
            schema,
        }
    }

    /// kube drops a scale subresource where there is no status; a server takes it, so only that convention does.
    fn subresources(&self, draft: &Draft) -> Option<Subresources> {
        let scale = draft.scale.as_ref().map(|(scale, _)| scale.clone());
        let scale = scale.filter(|_| draft.status || self.convention == Convention::Kubernetes);
        (draft.status || scale.is_some()).then_some(Subresources {
            status: draft.status,
            scale,
        })
    }

    /// Every channel has exactly one storage version of a kind.
    fn one_storage_version(&self, kept: &[(&Draft, bool)], sink: &mut Sink) {
        let stored: Vec<&Draft> = kept
            .iter()
            .map(|(draft, _)| *draft)
            .filter(|draft| draft.storage)
            .collect();
        let Some((first, _)) = kept.first() else {
            return;
        };
        let (kind, channel) = (&first.kind, &self.channel.name);
        match stored.as_slice() {
            [_] => {}
            [] => {
                let message = format!("channel `{channel}` has no storage version of `{kind}`");
                let help = format!("remove `storage = false` from version `{}`", first.version);
                sink.push(
                    Diagnostic::new(Code::NoStorageVersion, first.span, message).with_help(help),
                );
            }
            [one, others @ ..] => {
                let names: Vec<String> = stored
                    .iter()
                    .map(|draft| format!("`{}`", draft.version))
                    .collect();
                let message = format!(
                    "channel `{channel}` has several storage versions of `{kind}`: {}",
                    names.join(", ")
                );
                let mut finding = Diagnostic::new(Code::SeveralStorageVersions, one.span, message);
                for other in others {
                    finding = finding.with_label(
                        other.span,
                        format!("`{}` is a storage version too", other.version),
                    );
                }
                let help = "write `#[kube(storage = false)]` on all but one; without it a version is a storage version";
                sink.push(finding.with_help(help));
            }
        }
    }
}
