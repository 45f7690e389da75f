//! Reports what an API server would refuse in the CRDs about to be written, and lints, at the source that causes them.

use super::reasons::{CheckedCrd, Reason};
use crd_channels_check::{
    self as check, Bound, Document, FieldPath, Finding, Level, PathElement, Trail,
};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, Span, Spanned, Subject, Text};
use crd_channels_projection::channel::config::{Bundle, Channel, Lints};
use crd_channels_projection::channel::{Kind, USED};
use crd_channels_schema::draft::{Draft, KindFacets};
use crd_channels_schema::{Crd, Expression, Schema, Version};
use std::collections::BTreeSet;

/// Lints that the source allows, each by its span and code.
#[derive(Clone, Debug, Default)]
pub struct Allowances {
    made: BTreeSet<(Span, &'static str)>,
    used: BTreeSet<(Span, &'static str)>,
}

impl Allowances {
    /// Adds those of another CRD.
    pub fn append(&mut self, other: &Self) {
        self.made.extend(&other.made);
        self.used.extend(&other.used);
    }

    /// Returns those that nothing needs.
    #[must_use]
    pub fn unused(&self) -> Vec<Diagnostic> {
        let unused = self.made.difference(&self.used);
        let findings = unused.map(|(span, code)| {
            let message = format!("`{code}` has no finding here");
            Diagnostic::new(Code::UnusedAllowance, *span, message)
                .with_help(format!("remove `{code}`, or its attribute"))
        });
        findings.collect()
    }
}

/// Validates and lints a CRD of a kind. A finding in several channels, or several uses of a type, has the same wording in each.
pub fn validate_and_lint(
    crd: &Crd,
    kind: &Kind,
    channel: &Channel,
    bundle: &Bundle,
    sources: &Sources,
    sink: &mut Sink,
) -> Allowances {
    let mut allowances = Allowances::default();
    let schemas = crd.versions.iter().filter_map(|it| it.schema.as_deref());
    schemas.for_each(|schema| collect(schema, &mut allowances.made));
    let name = crd.name();
    let document = Document::of_typed_crd(crd, &name);
    let minor = bundle.kubernetes.of_major_1();
    // Sizes have their own diagnostics, which know the file layout.
    let findings = document.validate(minor);
    let refused = findings.iter().filter(|finding| finding.refuses());
    let whole = CheckedCrd {
        crd,
        kind,
        channel,
        minor,
    };
    let refused: Vec<Diagnostic> = refused
        .map(|finding| refusal(whole, finding, sources))
        .collect();
    if !refused.is_empty() {
        refused.into_iter().for_each(|finding| sink.push(finding));
        return allowances;
    }
    let lints = findings.into_iter().chain(document.lint(minor));
    for finding in lints {
        let field = &finding.field.clone().unwrap_or_default();
        let trail = check::trail(crd, field);
        let level = level(&finding, &trail, &bundle.lints, &mut allowances);
        let place = within(&finding, &trail, sources).or_else(|| place(crd, kind, field, &trail));
        let file = place.and_then(|place| sources.get(place.file));
        // Dependencies cannot be changed here.
        if level != Level::Allow && !file.is_some_and(|file| file.foreign) {
            let subject = subject(crd, field);
            sink.push(regret(&finding, kind, level, place).about(subject));
        }
    }
    allowances
}

/// Collects the lints that a schema allows.
fn collect(schema: &Schema, made: &mut BTreeSet<(Span, &'static str)>) {
    let allowed = schema
        .levels
        .0
        .iter()
        .filter(|set| set.level == Level::Allow);
    made.extend(allowed.map(|set| (set.span, set.code)));
    let below = schema.children();
    below.for_each(|schema| collect(schema, made));
}

/// Returns the level of a finding: the innermost one in the source, else the configured one.
fn level(
    finding: &Finding,
    trail: &Trail<'_>,
    lints: &Lints,
    allowances: &mut Allowances,
) -> Level {
    let id = finding.rule.record().id;
    let mut set = trail.levels.iter().rev();
    let Some(set) = set.find(|set| set.code == id) else {
        return lints.level(finding.rule);
    };
    allowances.used.insert((set.span, set.code));
    set.level
}

/// Returns `spec.hosts` for `properties[spec].properties[hosts]`.
fn without_properties(path: &[PathElement]) -> FieldPath {
    let mut plain = FieldPath::default();
    let mut rest = path;
    while let Some((first, below)) = rest.split_first() {
        (plain, rest) = match (first, below) {
            (keyword, [PathElement::Key(name), below @ ..]) if keyword.is_child("properties") => {
                (plain.child(name), below)
            }
            (PathElement::Child(name), _) => (plain.child(name), below),
            (PathElement::Key(name), _) => (plain.key(name), below),
            (PathElement::Index(index), _) => (plain.index(*index), below),
        };
    }
    plain
}

/// Reports what a server refuses, at the expression or the field that causes it, and says which bound would be enough.
fn refusal(checked: CheckedCrd<'_>, finding: &Finding, sources: &Sources) -> Diagnostic {
    let CheckedCrd { crd, kind, .. } = checked;
    let field = &finding.field.clone().unwrap_or_default();
    let trail = check::trail(crd, field);
    let what = match trail.expression {
        Some(expression) => on_node(&expression, crd, field),
        None => {
            let written = check::as_written(field, crd.versions.len());
            format!("`{}` at `{written}`", crd.name())
        }
    };
    let within = within(finding, &trail, sources);
    let told = match within {
        Some(_) => finding.message.clone(),
        None => finding.message_with_part(),
    };
    let reason = checked.reason(finding);
    let because = reason
        .as_ref()
        .map(|reason| format!("; {}", reason.message));
    let message = format!(
        "an API server rejects {what}: {told}{}",
        because.unwrap_or_default()
    );
    let id = finding.rule.record().id;
    let help = format!(
        "{}{} (see `crd-channels explain {id}`)",
        finding.help(),
        attribute(finding, kind)
    );
    let place = within.or_else(|| place(crd, kind, field, &trail));
    let mut refusal = Diagnostic::new(Code::RefusedCrd, place, message).with_help(help);
    let rule = trail.expression;
    if let Some(rule) = rule.and_then(|rule| rule.origin_apart_from(place)) {
        refusal = refusal.with_label(rule, USED);
    }
    if let Some(Reason {
        label: (span, label),
        ..
    }) = reason
    {
        refusal = refusal.with_label(span, label);
    }
    match finding
        .bound
        .as_ref()
        .and_then(|bound| Some((bound, bounded(crd, bound, sources)?)))
    {
        Some((bound, span)) if Some(span) != place => refusal.with_label(span, bound.label()),
        _ => refusal,
    }
}

/// Returns the attribute that sets the bound which would be enough; nothing if the source has no attributes.
fn attribute(finding: &Finding, kind: &Kind) -> String {
    let bound = finding.bound.as_ref().filter(|_| kind.crds.is_none());
    let attribute = bound.and_then(Bound::attribute);
    let attribute = attribute.map(|text| format!(", as in `{text}`"));
    attribute.unwrap_or_default()
}

/// Returns the span of a node without a bound, unless it is in a dependency, which cannot be changed here.
fn bounded(crd: &Crd, bound: &Bound, sources: &Sources) -> Option<Span> {
    let span = check::trail(crd, &bound.field).place?;
    let file = sources.get(span.file)?;
    (!file.foreign).then_some(span)
}

/// Returns the span of the part of an expression that a finding is about, or of the whole expression. Returns `None` if it is
/// not written in one place or cannot be changed here.
fn within(finding: &Finding, trail: &Trail<'_>, sources: &Sources) -> Option<Span> {
    let expression = trail.expression?;
    let part = finding.part.as_ref().map(|part| part.range.clone());
    let part = part.filter(|part| part.len() < expression.text.len());
    let part = part.unwrap_or_else(|| expression.trimmed_range());
    let span = expression.written?.part(part)?;
    let file = sources.get(span.file)?;
    (!file.foreign).then_some(span)
}

/// Formats an expression with its node.
fn on_node(expression: &Expression<'_>, crd: &Crd, field: &FieldPath) -> String {
    let written = check::as_written(field, crd.versions.len());
    let (version, below) = check::in_version(&written).unwrap_or_default();
    // The path ends with the rules, the index of the rule, and the expression.
    let node = match check::below_schema(below).unwrap_or_default() {
        [node @ .., _, _, _] => without_properties(node),
        _ => FieldPath::default(),
    };
    let node = match node {
        node if node.is_empty() => "the root".to_owned(),
        node => format!("`{node}`"),
    };
    let version = version.and_then(|nth| crd.versions.get(nth));
    let version = version.map(|version| format!(" {}", version.name));
    let (key, kind) = (expression.in_words(), &crd.names.kind);
    format!(
        "the {key} on {node} of `{kind}`{}",
        version.unwrap_or_default()
    )
}

fn regret(finding: &Finding, kind: &Kind, level: Level, place: Option<Span>) -> Diagnostic {
    let record = finding.rule.record_at(level);
    let (message, help) = match kind.crds {
        Some(_) => (&*finding.message, finding.help()),
        None => (finding.message_in_rust(), finding.help_in_rust()),
    };
    let help = format!("{help}{}", attribute(finding, kind));
    Diagnostic::of_lint(record, place, message).with_help(help)
}

/// Returns the subject of a finding: the field below the schema of its version, else as a server writes it.
fn subject(crd: &Crd, field: &FieldPath) -> Subject {
    let written = check::as_written(field, crd.versions.len());
    let of_version = check::in_version(&written).and_then(|(nth, below)| {
        let version = crd.versions.get(nth?)?;
        let below = check::below_schema(below).unwrap_or(below);
        Some(format!("{} {}", version.name, without_properties(below)))
    });
    Subject {
        crd: crd.name(),
        field: of_version.unwrap_or_else(|| written.to_string()),
    }
}

/// Returns the span of a field.
pub fn place_of(crd: &Crd, kind: &Kind, field: &FieldPath) -> Option<Span> {
    place(crd, kind, field, &check::trail(crd, field))
}

/// Returns the span of a field: that of its attribute for one of the kind's own fields, else that of its schema.
fn place(crd: &Crd, kind: &Kind, field: &FieldPath, trail: &Trail<'_>) -> Option<Span> {
    let written = check::as_written(field, crd.versions.len());
    let own = match check::in_version(&written) {
        Some((nth, below)) => {
            let version = crd.versions.get(nth.unwrap_or_default());
            version.and_then(|version| {
                let mut drafts = kind.versions.iter();
                let draft = drafts.find(|draft| draft.version == version.name)?;
                of_version(draft, version, below)
            })
        }
        None => {
            let mut drafts = kind.versions.iter();
            let named = drafts.find_map(|draft| of_names(draft, crd, written.elements()));
            // In Rust types, the type of the schema is nearer to the other settings.
            let version = || kind.versions.first().map(|draft| draft.span);
            named.or_else(|| kind.crds.as_ref().and_then(|_| version()))
        }
    };
    let first = || kind.versions.first().map(|draft| draft.span);
    own.or(trail.place).or_else(first)
}

/// Returns the span of one of the names in `spec`, if the attributes of a version have it.
fn of_names(draft: &Draft, crd: &Crd, field: &[PathElement]) -> Option<Span> {
    let (spans, names) = (draft.spans, &crd.names);
    let listed =
        |all: &[Text], of: fn(&KindFacets) -> &Vec<Spanned<Text>>, below: &[PathElement]| {
            let name = match below.first()? {
                PathElement::Index(index) => all.get(*index)?,
                PathElement::Child(_) | PathElement::Key(_) => return None,
            };
            let mut known = draft.facets.all().flat_map(of);
            Some(known.find(|known| known.value == *name)?.span)
        };
    let (last, below) = match field {
        [spec, names, last, below @ ..] if spec.is_child("spec") && names.is_child("names") => {
            (last.name()?, below)
        }
        [spec, group] if spec.is_child("spec") && group.is_child("group") => return spans.group,
        _ => return None,
    };
    match last {
        "kind" => spans.kind,
        "plural" => spans.plural,
        "singular" => spans.singular,
        "listKind" => spans.list_kind,
        "shortNames" => listed(&names.short_names, |facets| &facets.short_names, below),
        "categories" => listed(&names.categories, |facets| &facets.categories, below),
        _ => None,
    }
}

/// Returns the attribute that sets a field of a version; `None` for its schema.
fn of_version(draft: &Draft, version: &Version, field: &[PathElement]) -> Option<Span> {
    let mut facets = draft.facets.all();
    let (name, below) = field.split_first()?;
    let index = match below.first() {
        Some(PathElement::Index(index)) => Some(*index),
        _ => None,
    };
    match name.name()? {
        "additionalPrinterColumns" => {
            let column = version.columns.get(index?)?;
            let mut columns = facets.flat_map(|facets| &facets.columns);
            Some(columns.find(|known| known.value == *column)?.span)
        }
        "selectableFields" => {
            let path = version.selectable_fields.get(index.unwrap_or_default())?;
            let mut paths = facets.flat_map(|facets| &facets.selectable_fields);
            Some(paths.find(|known| known.value == *path)?.span)
        }
        "subresources" if below.first().is_some_and(|below| below.is_child("scale")) => {
            let scale = version.subresources.as_ref()?.scale.as_ref()?;
            let mut scales = facets.filter_map(|facets| facets.scale.as_ref());
            Some(scales.find(|known| known.value == *scale)?.span)
        }
        "deprecated" | "deprecationWarning" => {
            let deprecated = facets.find_map(|facets| facets.deprecated.as_ref())?;
            Some(deprecated.span)
        }
        "schema" => None,
        "name" => draft.spans.version,
        _ => Some(draft.span),
    }
}
