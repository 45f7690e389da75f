//! Names that two kinds of one group claim. An API server accepts both CRDs, and then serves only one of them.

use super::kinds::Kind;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span, Text};
use crd_channels_schema::draft::{Draft, Gate};
use std::collections::{BTreeMap, BTreeSet};

/// A set of names that must be unique: plurals, singulars and short names share one, kinds and list kinds another.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Set {
    Resources,
    Kinds,
}

/// A version that claims a name.
struct Claim<'k> {
    draft: &'k Draft,
    what: &'static str,
    key: &'static str,
    /// The span of the name, or of the type whose name it follows from.
    span: Span,
    gates: Vec<&'k Gate>,
}

/// Reports every name that two kinds claim, once for each pair of kinds.
pub fn check(kinds: &[Kind], sink: &mut Sink) {
    let mut claims: BTreeMap<(&str, Set, Text), Vec<Claim<'_>>> = BTreeMap::new();
    for draft in kinds.iter().flat_map(|kind| &kind.versions) {
        for (set, name, claim) in wanted(draft) {
            let place = (&*draft.group, set, name);
            claims.entry(place).or_default().push(claim);
        }
    }
    for ((group, _, name), claims) in &claims {
        let mut told = BTreeSet::new();
        for (place, second) in claims.iter().enumerate() {
            let earlier = claims.iter().take(place);
            let clash = earlier
                .filter(|first| first.draft.kind != second.draft.kind)
                .find(|first| can_meet(&first.gates, &second.gates));
            if let Some(first) = clash
                && told.insert((&*first.draft.kind, &*second.draft.kind))
            {
                sink.push(clash_of(group, name, first, second));
            }
        }
    }
}

fn wanted<'k>(draft: &'k Draft) -> Vec<(Set, Text, Claim<'k>)> {
    let claim = |what, key, span: Option<Span>, gate: Option<&'k Gate>| {
        let gates = draft.gate.iter().chain(gate).collect();
        Claim {
            draft,
            what,
            key,
            span: span.unwrap_or(draft.span),
            gates,
        }
    };
    let spans = draft.spans;
    let list_kind = draft.list_kind.clone();
    let list_kind = list_kind.unwrap_or_else(|| format!("{}List", draft.kind).into());
    let mut all = vec![
        (
            Set::Resources,
            draft.plural.clone(),
            claim("plural", "plural", spans.plural, None),
        ),
        (
            Set::Resources,
            draft.singular.clone(),
            claim("singular", "singular", spans.singular, None),
        ),
        (
            Set::Kinds,
            draft.kind.clone(),
            claim("kind", "kind", spans.kind, None),
        ),
        (
            Set::Kinds,
            list_kind,
            claim("list kind", "list_kind", spans.list_kind, None),
        ),
    ];
    let always = (None, &draft.facets.always);
    let gated = draft.facets.when.iter();
    let gated = gated.map(|(gate, facets)| (Some(gate), facets));
    for (gate, facets) in std::iter::once(always).chain(gated) {
        for name in &facets.short_names {
            let claim = claim("short name", "shortname", Some(name.span), gate);
            all.push((Set::Resources, name.value.clone(), claim));
        }
    }
    all
}

/// Returns true if a channel can contain both.
fn can_meet(one: &[&Gate], other: &[&Gate]) -> bool {
    let all = || one.iter().chain(other);
    !all().any(|gate| all().any(|other| gate.feature == other.feature && gate.on != other.on))
}

fn clash_of(group: &str, name: &str, first: &Claim<'_>, second: &Claim<'_>) -> Diagnostic {
    let (one, two) = (&first.draft.kind, &second.draft.kind);
    let attribute = match second.key {
        "list_kind" => "crd",
        _ => "kube",
    };
    Diagnostic::new(
        Code::PluralClash,
        second.span,
        format!(
            "`{name}` is the {} of `{two}` and the {} of `{one}` in the group `{group}`",
            second.what, first.what
        ),
    )
    .with_label(first.span, format!("`{one}` already has it"))
    .with_help(format!(
        "give `{two}` another name: `#[{attribute}({} = \"..\")]`{}",
        second.key,
        in_configuration(second)
    ))
}

/// Returns the setting that helps if the source cannot be changed.
fn in_configuration(claim: &Claim<'_>) -> String {
    match claim.key {
        "shortname" => format!(
            ", or write `short-names = [..]` below `[kinds.\"{}\"]` in `channels/bundle.toml`",
            claim.draft.crd_name()
        ),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::builders::{draft, findings, gate, kind, not, spanned};
    use super::check;
    use crd_channels_schema::draft::{Draft, KindFacets};

    fn case(change: impl Fn(&mut Draft), expected: &[&str]) {
        let mut other = draft("example.com", "v1", "Route");
        change(&mut other);
        let gateways = kind(vec![
            draft("example.com", "v1", "Gateway"),
            draft("example.com", "v1beta1", "Gateway"),
        ]);
        let ((), found) = findings(|sink| check(&[gateways, kind(vec![other])], sink));
        assert_eq!(found, expected);
    }

    #[test]
    fn kinds_of_one_group_have_names_of_their_own() {
        case(|_| {}, &[]);
        case(
            |draft| draft.plural = "gateways".into(),
            &[
                "plural-clash: `gateways` is the plural of `Route` and the plural of `Gateway` in the group `example.com`",
            ],
        );
        case(
            |draft| draft.singular = "gateways".into(),
            &[
                "plural-clash: `gateways` is the singular of `Route` and the plural of `Gateway` in the group `example.com`",
            ],
        );
        case(
            |draft| draft.facets.always.short_names.push(spanned("gateway")),
            &[
                "plural-clash: `gateway` is the short name of `Route` and the singular of `Gateway` in the group `example.com`",
            ],
        );
        case(
            |draft| draft.list_kind = Some("Gateway".into()),
            &[
                "plural-clash: `Gateway` is the list kind of `Route` and the kind of `Gateway` in the group `example.com`",
            ],
        );
        // The two sets are independent, a kind may repeat its own names, and groups are separate.
        case(|draft| draft.list_kind = Some("gateways".into()), &[]);
        case(
            |draft| draft.facets.always.short_names.push(spanned("route")),
            &[],
        );
        case(
            |draft| {
                draft.plural = "gateways".into();
                draft.group = "other.com".into();
            },
            &[],
        );
    }

    #[test]
    fn names_that_no_channel_has_together_do_not_clash() {
        let short = |gate, name: &str| {
            let facets = KindFacets {
                short_names: vec![spanned(name)],
                ..KindFacets::default()
            };
            (gate, facets)
        };
        case(
            |draft| draft.facets.when.push(short(gate("A"), "gateway")),
            &[
                "plural-clash: `gateway` is the short name of `Route` and the singular of `Gateway` in the group `example.com`",
            ],
        );
        let mut one = draft("example.com", "v1", "Gateway");
        let mut two = draft("example.com", "v1", "Route");
        one.facets.when.push(short(gate("A"), "x"));
        two.facets.when.push(short(not("A"), "x"));
        let ((), found) = findings(|sink| check(&[kind(vec![one]), kind(vec![two])], sink));
        assert_eq!(found, Vec::<String>::new());
    }
}
