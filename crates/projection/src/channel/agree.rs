//! Settings that all versions of a kind share.

use super::kinds::Kind;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span, Spanned, Text};
use crd_channels_schema::Scope;
use crd_channels_schema::draft::{ConversionStrategy, Draft, KindFacets};
use std::collections::BTreeMap;

/// Reports versions of one kind that disagree on scope, names, categories, annotations, labels or conversion.
pub fn check(kind: &Kind, sink: &mut Sink) {
    let Some((first, rest)) = kind.versions.split_first() else {
        return;
    };
    let before = shared(first);
    for other in rest {
        for (one, two) in before.iter().zip(shared(other)) {
            if one.value == two.value {
                continue;
            }
            sink.push(
                Diagnostic::new(
                    Code::VersionsDisagree,
                    two.span.unwrap_or(other.span),
                    format!(
                        "`{}` has {} {} in {} and {} in {}",
                        kind.kind, one.what, two.value, other.version, one.value, first.version
                    ),
                )
                .with_label(
                    one.span.unwrap_or(first.span),
                    format!("{} {} here", first.version, one.value),
                )
                .with_help(format!(
                    "write {} on `{}`, or {} on `{}`",
                    one.attribute,
                    kind.type_name(other),
                    two.attribute,
                    kind.type_name(first)
                )),
            );
        }
    }
    check_conversion(kind, sink);
}

/// A setting that all versions share.
struct Shared {
    what: &'static str,
    /// The value as messages show it.
    value: String,
    /// What to write for it.
    attribute: String,
    /// The span of the value, if the version has it in one place.
    span: Option<Span>,
}

fn shared(draft: &Draft) -> Vec<Shared> {
    // Exhaustive, so that the author of a new field decides whether all versions share it.
    let Draft {
        scope,
        kind,
        plural,
        singular,
        list_kind,
        spans,
        annotations,
        labels,
        // Short names and categories are compared below, with their gates.
        facets: _,
        // A version that does not set the conversion follows the others.
        conversion: _,
        // What each version has for itself, or has been grouped by.
        span: _,
        spec_name: _,
        module: _,
        root_name: _,
        group: _,
        version: _,
        served: _,
        storage: _,
        gate: _,
        status: _,
        status_gate: _,
        deprecated_in: _,
        removed_in: _,
        replaced_by: _,
        written_object: _,
        more_doc: _,
        root: _,
    } = draft;
    let code = |text: &str| format!("`{text}`");
    let key = |key: &str, value: &str| format!("`#[kube({key} = \"{value}\")]`");
    let scope = match scope {
        Scope::Cluster => ("`Cluster`", "no `namespaced`"),
        Scope::Namespaced => ("`Namespaced`", "`#[kube(namespaced)]`"),
    };
    let list_kind = match list_kind {
        Some(name) => name.to_string(),
        None => format!("{}List", kind),
    };
    let each = |key: &str, names: &[String]| {
        let all: Vec<_> = names
            .iter()
            .map(|name| format!("{key} = \"{name}\""))
            .collect();
        match all.as_slice() {
            [] => format!("no `{key}`"),
            all => format!("`#[kube({})]`", all.join(", ")),
        }
    };
    let (short_names, first_short_name) = conditional(draft, |facets| &facets.short_names);
    let (categories, first_category) = conditional(draft, |facets| &facets.categories);
    let pairs = |key: &str, pairs: &BTreeMap<Text, Text>| {
        let all: Vec<_> = pairs
            .iter()
            .map(|(name, value)| format!("{key}({name:?}, {value:?})"))
            .collect();
        match all.as_slice() {
            [] => format!("no `{key}`"),
            all => format!("`#[kube({})]`", all.join(", ")),
        }
    };
    let of = |what, value, attribute, span| Shared {
        what,
        value,
        attribute,
        span,
    };
    let list_kind_attribute = format!("`#[crd(list_kind = \"{list_kind}\")]`");
    vec![
        of("the scope", scope.0.to_owned(), scope.1.to_owned(), None),
        of(
            "the plural",
            code(plural),
            key("plural", plural),
            spans.plural,
        ),
        of(
            "the singular",
            code(singular),
            key("singular", singular),
            spans.singular,
        ),
        of(
            "the list kind",
            code(&list_kind),
            list_kind_attribute,
            spans.list_kind,
        ),
        of(
            "the short names",
            listed(&short_names),
            each("shortname", &short_names),
            first_short_name,
        ),
        of(
            "the categories",
            listed(&categories),
            each("category", &categories),
            first_category,
        ),
        of(
            "the annotations",
            texts(annotations),
            pairs("annotation", annotations),
            None,
        ),
        of("the labels", texts(labels), pairs("label", labels), None),
    ]
}

/// Returns the names with their gates, sorted and deduplicated, and the span of the first one.
fn conditional(
    draft: &Draft,
    names: impl Fn(&KindFacets) -> &Vec<Spanned<Text>>,
) -> (Vec<String>, Option<Span>) {
    let always = names(&draft.facets.always).iter();
    let always = always.map(|name| (name.value.to_string(), name.span));
    let gated = draft.facets.when.iter().flat_map(|(gate, facets)| {
        let word = if gate.on { "with" } else { "without" };
        let under = format!("{word} {}", gate.feature);
        let names = names(facets).iter();
        names.map(move |name| (format!("{} ({under})", name.value), name.span))
    });
    let (mut all, spans): (Vec<_>, Vec<_>) = always.chain(gated).unzip();
    all.sort();
    all.dedup();
    (all, spans.into_iter().next())
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "(none)".to_owned(),
        names => {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        }
    }
}

fn texts(pairs: &BTreeMap<Text, Text>) -> String {
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(key, value)| format!("{key}: {value}"))
        .collect();
    listed(&pairs)
}

/// Checks the conversion. A version that does not set it follows those that do.
fn check_conversion(kind: &Kind, sink: &mut Sink) {
    let said = kind.versions.iter();
    let mut said = said.filter_map(|draft| Some((draft, draft.conversion.as_ref()?)));
    let Some((first, asked)) = said.next() else {
        return;
    };
    for (other, second) in said {
        if second.value != asked.value {
            let (one, two) = (word(asked.value), word(second.value));
            sink.push(
                Diagnostic::new(
                    Code::VersionsDisagree,
                    second.span,
                    format!(
                        "`{}` has the conversion `{two}` in {} and `{one}` in {}",
                        kind.kind, other.version, first.version
                    ),
                )
                .with_label(asked.span, format!("`{one}` here"))
                .with_help(format!("write `#[crd(conversion = \"{one}\")]` on both")),
            );
        }
    }
}

fn word(strategy: ConversionStrategy) -> &'static str {
    match strategy {
        ConversionStrategy::None => "none",
        ConversionStrategy::Webhook => "webhook",
    }
}

#[cfg(test)]
mod tests {
    use super::super::builders::{draft, findings, gate, kind, span_at, spanned};
    use super::check;
    use crd_channels_diagnostics::Spanned;
    use crd_channels_schema::Scope;
    use crd_channels_schema::draft::{ConversionStrategy, Draft, KindFacets};

    fn case(change: impl Fn(&mut Draft), expected: &[&str]) {
        let mut older = draft("example.com", "v1beta1", "Gateway");
        change(&mut older);
        let kind = kind(vec![older, draft("example.com", "v1", "Gateway")]);
        let ((), found) = findings(|sink| check(&kind, sink));
        assert_eq!(found, expected);
    }

    #[test]
    fn versions_share_what_belongs_to_the_kind() {
        case(|_| {}, &[]);
        case(
            |draft| draft.scope = Scope::Cluster,
            &[
                "versions-disagree: `Gateway` has the scope `Cluster` in v1beta1 and `Namespaced` in v1",
            ],
        );
        case(
            |draft| draft.plural = "gws".into(),
            &["versions-disagree: `Gateway` has the plural `gws` in v1beta1 and `gateways` in v1"],
        );
        case(
            |draft| draft.singular = "gw".into(),
            &["versions-disagree: `Gateway` has the singular `gw` in v1beta1 and `gateway` in v1"],
        );
        case(
            |draft| draft.list_kind = Some("Gateways".into()),
            &[
                "versions-disagree: `Gateway` has the list kind `Gateways` in v1beta1 and `GatewayList` in v1",
            ],
        );
        case(|draft| draft.list_kind = Some("GatewayList".into()), &[]);
        case(
            |draft| draft.facets.always.short_names.push(spanned("gw")),
            &["versions-disagree: `Gateway` has the short names `gw` in v1beta1 and (none) in v1"],
        );
        case(
            |draft| {
                let facets = KindFacets {
                    categories: vec![spanned("edge")],
                    ..KindFacets::default()
                };
                draft.facets.when.push((gate("A"), facets));
            },
            &[
                "versions-disagree: `Gateway` has the categories `edge (with A)` in v1beta1 and (none) in v1",
            ],
        );
        case(
            |draft| {
                let facets = KindFacets {
                    doc: Some("more".into()),
                    ..KindFacets::default()
                };
                draft.facets.when.push((gate("A"), facets));
            },
            &[],
        );
        case(
            |draft| drop(draft.labels.insert("a".into(), "b".into())),
            &["versions-disagree: `Gateway` has the labels `a: b` in v1beta1 and (none) in v1"],
        );
        case(
            |draft| drop(draft.annotations.insert("a".into(), "b".into())),
            &[
                "versions-disagree: `Gateway` has the annotations `a: b` in v1beta1 and (none) in v1",
            ],
        );
        case(|draft| draft.served = false, &[]);
    }

    #[test]
    fn conversion_is_said_alike_or_once() {
        case(
            |draft| draft.conversion = Some(spanned(ConversionStrategy::Webhook)),
            &[],
        );
        let with = |version, value, place| {
            let mut draft = draft("example.com", version, "Gateway");
            draft.conversion = Some(Spanned {
                value,
                span: span_at(place),
            });
            draft
        };
        let kind = kind(vec![
            with("v1", ConversionStrategy::Webhook, 1),
            with("v1beta1", ConversionStrategy::None, 2),
        ]);
        let ((), found) = findings(|sink| check(&kind, sink));
        assert_eq!(
            found,
            [
                "versions-disagree: `Gateway` has the conversion `none` in v1beta1 and `webhook` in v1"
            ]
        );
    }
}
