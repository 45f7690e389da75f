//! One draft for each version of a kind: where its parts are written, and which features gate them. What is published is the
//! CRDs themselves.

use crate::features::{Features, Part, presence};
use crate::folders::{Folder, Located};
use crate::nodes::Nodes;
use crate::tombstones::Fields;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span, Spanned, Text};
use crd_channels_schema::draft::{Conditional, Deprecation, Draft, Gate, KindFacets, NameSpans};
use crd_channels_schema::{Crd, Version};
use crd_channels_validation::path::FieldPath;
use std::collections::{BTreeMap, BTreeSet};

/// A version in each channel, with its place; `None` in channels without it.
type Each<'a> = [Option<(&'a Located, usize, &'a Version)>];

/// Makes the drafts of all versions of all CRDs.
pub(crate) fn drafts<'f>(
    folders: &[Folder],
    features: &mut Features<'f>,
    tombstones: &mut Fields<'f>,
    sink: &mut Sink,
) -> Vec<Draft> {
    let names: BTreeSet<&String> = folders.iter().flat_map(|it| it.crds.keys()).collect();
    let mut drafts = Vec::new();
    let mut kinds: BTreeMap<(Text, Text), &Located> = BTreeMap::new();
    for name in names {
        let crds: Vec<Option<&Located>> =
            folders.iter().map(|folder| folder.crds.get(name)).collect();
        names_agree(&crds, sink);
        if let Some(first) = crds.iter().flatten().next()
            && let Some(other) = kinds.insert(
                (first.crd.group.clone(), first.crd.names.kind.clone()),
                first,
            )
        {
            let message = format!(
                "`{name}` and `{}` are both the CRD of `{}`",
                other.crd.name(),
                first.crd.names.kind
            );
            let plural = in_names("plural");
            let finding = Diagnostic::new(Code::ChannelsDiffer, first.span(&plural), message)
                .with_label(other.span(&plural), "the other one")
                .with_help("keep one of them, with one plural name in all channels");
            sink.push(finding);
            continue;
        }
        let versions = crds.iter().flatten().flat_map(|it| &it.crd.versions);
        let versions: BTreeSet<&Text> = versions.map(|version| &version.name).collect();
        for version in versions {
            let each: Vec<_> = crds
                .iter()
                .map(|crd| crd.and_then(|it| version_named(it, version)))
                .collect();
            drafts.extend(draft(&each, features, tombstones, sink));
        }
    }
    drafts
}

/// Reports names and a scope that are not the same in all channels: objects could not move from one to another.
fn names_agree(crds: &[Option<&Located>], sink: &mut Sink) {
    let mut all = crds.iter().flatten();
    let Some(first) = all.next() else {
        return;
    };
    let settings = |crd: &Crd| {
        let names = &crd.names;
        [
            ("kind", names.kind.to_string()),
            ("singular", names.singular.to_string()),
            (
                "listKind",
                names.list_kind.as_deref().unwrap_or_default().to_owned(),
            ),
            ("scope", crd.scope.name().to_owned()),
        ]
    };
    let field = |name: &str| match name {
        "scope" => FieldPath::default().child("spec").child(name),
        name => in_names(name),
    };
    for other in all {
        for ((name, one), (_, two)) in settings(&first.crd).into_iter().zip(settings(&other.crd)) {
            if one == two {
                continue;
            }
            let message = format!(
                "`{name}` of `{}` is `{two}` in this channel and `{one}` in another",
                first.crd.name()
            );
            let finding = Diagnostic::new(Code::ChannelsDiffer, other.span(&field(name)), message)
                .with_label(first.span(&field(name)), "the other channel")
                .with_help("make it the same in all channels: no feature can change it");
            sink.push(finding);
        }
    }
}

/// The version of a CRD with this name.
fn version_named<'a>(
    located: &'a Located,
    name: &str,
) -> Option<(&'a Located, usize, &'a Version)> {
    let mut versions = located.crd.versions.iter().enumerate();
    let (nth, version) = versions.find(|(_, version)| *version.name == *name)?;
    Some((located, nth, version))
}

fn draft<'f>(
    each: &Each<'_>,
    features: &mut Features<'f>,
    tombstones: &mut Fields<'f>,
    sink: &mut Sink,
) -> Option<Draft> {
    let (located, nth, version) = each.iter().flatten().next()?;
    let Crd {
        group,
        names,
        scope,
        ..
    } = &located.crd;
    let of_name = |name: &str| located.span(&in_names(name));
    let span = located.span(&in_version(*nth, "name"));
    let part = Part {
        group,
        kind: &names.kind,
        version: &version.name,
        path: "",
    };
    let mut gated = Gated {
        part,
        features,
        sink,
    };
    let has_version: Vec<Option<bool>> = each.iter().map(|it| Some(it.is_some())).collect();
    let gate = gated.gate(&has_version, span);
    let subresources = located.span(&in_version(*nth, "subresources"));
    let with_status = presence(each, |(_, _, version)| has_status(version));
    let status = with_status.contains(&Some(true));
    let status_gate = status
        .then(|| gated.gate(&with_status, subresources))
        .flatten();
    let facets = facets(each, &mut gated);
    let schemas: Vec<_> = each
        .iter()
        .map(|it| it.and_then(|(_, _, version)| version.schema.as_deref()))
        .collect();
    let has_schema = schemas.iter().any(Option::is_some);
    let mut nodes = Nodes {
        part,
        features,
        tombstones,
        sink,
    };
    let root = has_schema.then(|| nodes.ty(&names.kind, "", &schemas, span));
    let any = |is: fn(&Version) -> bool| each.iter().flatten().any(|(_, _, it)| is(it));
    Some(Draft {
        span,
        spec_name: names.kind.clone(),
        module: Text::default(),
        root_name: names.kind.clone(),
        group: group.clone(),
        version: version.name.clone(),
        kind: names.kind.clone(),
        plural: names.plural.clone(),
        singular: names.singular.clone(),
        list_kind: names.list_kind.clone(),
        spans: NameSpans {
            group: Some(located.span(&FieldPath::default().child("spec").child("group"))),
            version: Some(span),
            kind: Some(of_name("kind")),
            plural: Some(of_name("plural")),
            singular: names_singular(located).then(|| of_name("singular")),
            list_kind: names.list_kind.is_some().then(|| of_name("listKind")),
        },
        scope: *scope,
        served: any(|version| version.served),
        storage: any(|version| version.storage),
        gate,
        annotations: Default::default(),
        labels: Default::default(),
        status,
        status_gate,
        conversion: None,
        facets,
        deprecated_in: None,
        removed_in: None,
        replaced_by: None,
        written_object: true,
        more_doc: None,
        root,
    })
}

fn names_singular(located: &Located) -> bool {
    let names = &located.crd.names;
    *names.singular != *names.kind.to_lowercase()
}

fn has_status(version: &Version) -> bool {
    let subresources = version.subresources.as_ref();
    subresources.is_some_and(|subresources| subresources.status)
}

/// The features, and the version whose settings they gate.
struct Gated<'a, 'f> {
    part: Part<'a>,
    features: &'a mut Features<'f>,
    sink: &'a mut Sink,
}

impl Gated<'_, '_> {
    fn gate(&mut self, has: &[Option<bool>], span: Span) -> Option<Gate> {
        self.features.gate(self.part, has, span, self.sink)
    }

    /// Adds each value of a setting: in all channels, or under its gate.
    fn add<T: Clone + PartialEq>(
        &mut self,
        each: &Each<'_>,
        facets: &mut Conditional<KindFacets>,
        field: impl Fn(usize) -> FieldPath,
        values: impl Fn(&Crd, &Version) -> Vec<T>,
        set: impl Fn(&mut KindFacets, Spanned<T>),
    ) {
        let of: Vec<Option<Vec<T>>> = each
            .iter()
            .map(|it| it.map(|(located, _, version)| values(&located.crd, version)))
            .collect();
        let mut told: Vec<&T> = Vec::new();
        for (here, own) in each.iter().zip(&of) {
            let (Some((located, nth, _)), Some(own)) = (here, own) else {
                continue;
            };
            for value in own {
                if told.contains(&value) {
                    continue;
                }
                told.push(value);
                let has = of.iter().map(|it| it.as_ref().map(|it| it.contains(value)));
                let has: Vec<Option<bool>> = has.collect();
                let span = located.span(&field(*nth));
                let gate = self
                    .features
                    .gate_of_setting(self.part, &has, span, self.sink);
                let value = value.clone();
                set(under(gate, facets), Spanned { value, span });
            }
        }
    }
}

/// The facets of all channels, or new ones under a gate.
fn under(gate: Option<Gate>, facets: &mut Conditional<KindFacets>) -> &mut KindFacets {
    match gate {
        None => &mut facets.always,
        Some(gate) => {
            facets.when.push((gate, KindFacets::default()));
            let last = facets.when.last_mut();
            last.map_or(&mut facets.always, |(_, facets)| facets)
        }
    }
}

/// The settings of a version, those that only some channels have under gates.
fn facets(each: &Each<'_>, gated: &mut Gated<'_, '_>) -> Conditional<KindFacets> {
    let mut facets = Conditional::default();
    let all = &mut facets;
    let names = |name: &'static str| move |_| in_names(name);
    let version = |name: &'static str| move |nth| in_version(nth, name);
    gated.add(
        each,
        all,
        names("shortNames"),
        |crd, _| crd.names.short_names.clone(),
        |facets, name| facets.short_names.push(name),
    );
    gated.add(
        each,
        all,
        names("categories"),
        |crd, _| crd.names.categories.clone(),
        |facets, name| facets.categories.push(name),
    );
    gated.add(
        each,
        all,
        version("additionalPrinterColumns"),
        |_, version| version.columns.clone(),
        |facets, column| facets.columns.push(column),
    );
    gated.add(
        each,
        all,
        version("selectableFields"),
        |_, version| version.selectable_fields.clone(),
        |facets, path| facets.selectable_fields.push(path),
    );
    gated.add(
        each,
        all,
        version("subresources"),
        |_, version| {
            let scale = version
                .subresources
                .as_ref()
                .and_then(|it| it.scale.clone());
            scale.into_iter().collect()
        },
        |facets, scale| facets.scale = Some(scale),
    );
    gated.add(
        each,
        all,
        version("deprecated"),
        |_, version| {
            let warning = version
                .deprecated
                .then(|| version.deprecation_warning.clone());
            warning.into_iter().collect()
        },
        |facets, Spanned { value, span }| {
            let warning = value;
            facets.deprecated = Some(Deprecation { warning, span });
        },
    );
    facets
}

/// The field with a setting of a version.
fn in_version(nth: usize, name: &str) -> FieldPath {
    let versions = FieldPath::default().child("spec").child("versions");
    versions.index(nth).child(name)
}

/// The field with one of the names.
fn in_names(name: &str) -> FieldPath {
    FieldPath::default()
        .child("spec")
        .child("names")
        .child(name)
}
