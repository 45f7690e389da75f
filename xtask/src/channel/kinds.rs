//! From drafts to kinds: the versions of one kind together, and names that do not clash.

use super::config::Config;
use super::priority::preferred_first;
use crate::Text;
use crate::diag::{Code, Diagnostic, Sink};
use crate::schema::draft::{ConversionStrategy, Draft};
use crate::schema::{Conversion, Scope};
use std::collections::BTreeMap;

/// One kind: all its versions, in Kubernetes' priority order.
#[derive(Clone, Debug)]
pub struct Kind {
    /// At least one.
    pub versions: Vec<Draft>,
    /// How objects are converted between them.
    pub conversion: Conversion,
}

impl Kind {
    /// The version that is preferred over all others.
    #[must_use]
    pub fn first(&self) -> Option<&Draft> {
        self.versions.first()
    }
}

/// Groups drafts into kinds, in the order of their CRDs' names, and reports versions and names that do not fit together.
#[must_use]
pub fn kinds(drafts: Vec<Draft>, config: &Config, sink: &mut Sink) -> Vec<Kind> {
    let mut grouped: BTreeMap<(Text, Text), Vec<Draft>> = BTreeMap::new();
    for draft in drafts {
        grouped
            .entry((draft.group.clone(), draft.kind.clone()))
            .or_default()
            .push(draft);
    }
    let mut kinds: Vec<Kind> = grouped
        .into_values()
        .map(|mut versions| {
            versions.sort_by(|left, right| preferred_first(&left.version, &right.version));
            unique_versions(&versions, sink);
            agreement(&versions, sink);
            let conversion = conversion(&versions, config, sink);
            Kind {
                versions,
                conversion,
            }
        })
        .collect();
    kinds.sort_by(|left, right| key(left).cmp(&key(right)));
    unique_names(&kinds, sink);
    kinds
}

fn key(kind: &Kind) -> Option<(&Text, &Text, &Text)> {
    kind.first()
        .map(|draft| (&draft.group, &draft.plural, &draft.kind))
}

fn unique_versions(versions: &[Draft], sink: &mut Sink) {
    for pair in versions.windows(2) {
        if let [first, second] = pair
            && first.version == second.version
        {
            let message = format!(
                "version `{}` of `{}` is claimed by `{}` and `{}`",
                second.version, second.kind, first.spec_name, second.spec_name
            );
            sink.push(
                Diagnostic::new(Code::DuplicateVersion, second.span, message)
                    .with_label(first.span, "first claimed here")
                    .with_help("give one of them another `version`"),
            );
        }
    }
}

/// Scope, names, categories and metadata belong to the CRD, so all versions must say the same. Conditional names are
/// compared as written.
fn agreement(versions: &[Draft], sink: &mut Sink) {
    let Some((first, others)) = versions.split_first() else {
        return;
    };
    for other in others {
        let mut disagree = |what: &str, one: String, another: String| {
            if one != another {
                let message = format!(
                    "version `{}` of `{}` has {what} {another}, version `{}` has {one}",
                    other.version, other.kind, first.version
                );
                sink.push(
                    Diagnostic::new(Code::VersionsDisagree, other.span, message)
                        .with_label(first.span, format!("{what} {one} here"))
                        .with_help(format!(
                            "write the same {what} on all versions of `{}`",
                            other.kind
                        )),
                );
            }
        };
        let scope = |draft: &Draft| match draft.scope {
            Scope::Cluster => "`Cluster`".to_owned(),
            Scope::Namespaced => "`Namespaced`".to_owned(),
        };
        disagree("scope", scope(first), scope(other));
        disagree("plural", tick(&first.plural), tick(&other.plural));
        disagree("singular", tick(&first.singular), tick(&other.singular));
        let list_kind = |draft: &Draft| tick(draft.list_kind.as_deref().unwrap_or("none"));
        disagree("list kind", list_kind(first), list_kind(other));
        disagree("short names", short_names(first), short_names(other));
        disagree("categories", categories(first), categories(other));
        disagree(
            "annotations",
            format!("{:?}", first.annotations),
            format!("{:?}", other.annotations),
        );
        disagree(
            "labels",
            format!("{:?}", first.labels),
            format!("{:?}", other.labels),
        );
    }
}

fn tick(text: &str) -> String {
    format!("`{text}`")
}

fn short_names(draft: &Draft) -> String {
    conditional_names(draft, |facets| &facets.short_names)
}

fn categories(draft: &Draft) -> String {
    conditional_names(draft, |facets| &facets.categories)
}

fn conditional_names(
    draft: &Draft,
    names: impl Fn(&crate::schema::draft::KindFacets) -> &Vec<Text>,
) -> String {
    let mut written: Vec<String> = names(&draft.facets.always)
        .iter()
        .map(|name| tick(name))
        .collect();
    for (gate, facets) in &draft.facets.when {
        let mode = if gate.on { "with" } else { "without" };
        written.extend(
            names(facets)
                .iter()
                .map(|name| format!("`{name}` ({mode} `{}`)", gate.feature)),
        );
    }
    if written.is_empty() {
        "none".to_owned()
    } else {
        written.join(", ")
    }
}

fn conversion(versions: &[Draft], config: &Config, sink: &mut Sink) -> Conversion {
    let asked: Vec<_> = versions
        .iter()
        .filter_map(|draft| draft.conversion.map(|asked| (draft, asked)))
        .collect();
    let Some((draft, (strategy, span))) = asked.first() else {
        return Conversion::None;
    };
    for (other, (another, place)) in &asked {
        if another != strategy {
            let message = format!(
                "versions `{}` and `{}` ask for different conversions",
                draft.version, other.version
            );
            sink.push(
                Diagnostic::new(Code::ConversionConfig, *place, message)
                    .with_label(*span, "the other one")
                    .with_help("write the same `conversion` on both, or on one of them only"),
            );
        }
    }
    match strategy {
        ConversionStrategy::None => Conversion::None,
        ConversionStrategy::Webhook => {
            let name = format!("{}.{}", draft.plural, draft.group);
            if let Some(webhook) = config.bundle.webhooks.of(&name) {
                return Conversion::Webhook(webhook.clone());
            }
            let message = format!(
                "`{}` asks for a conversion webhook, and none is configured",
                draft.kind
            );
            let help = "add to `channels/bundle.toml`: `[conversion.webhook.service]` with `namespace` and `name`";
            sink.push(Diagnostic::new(Code::ConversionConfig, *span, message).with_help(help));
            Conversion::None
        }
    }
}

/// The two sets of names that an API server keeps unique in a group: plurals, singulars and short names in one, kinds and
/// list kinds in the other.
fn unique_names(kinds: &[Kind], sink: &mut Sink) {
    let mut resources: BTreeMap<(&str, String), (&Draft, &str)> = BTreeMap::new();
    let mut types: BTreeMap<(&str, String), (&Draft, &str)> = BTreeMap::new();
    for draft in kinds.iter().filter_map(Kind::first) {
        let short = draft.facets.always.short_names.iter();
        let gated = draft
            .facets
            .when
            .iter()
            .flat_map(|(_, facets)| &facets.short_names);
        let names = [(&draft.plural, "plural"), (&draft.singular, "singular")]
            .into_iter()
            .chain(short.chain(gated).map(|name| (name, "short name")));
        for (name, role) in names {
            claim(&mut resources, draft, name.to_string(), role, sink);
        }
        let list_kind = draft
            .list_kind
            .as_deref()
            .map_or_else(|| format!("{}List", draft.kind), str::to_owned);
        claim(&mut types, draft, draft.kind.to_string(), "kind", sink);
        claim(&mut types, draft, list_kind, "list kind", sink);
    }
}

fn claim<'a>(
    claimed: &mut BTreeMap<(&'a str, String), (&'a Draft, &'static str)>,
    draft: &'a Draft,
    name: String,
    role: &'static str,
    sink: &mut Sink,
) {
    let key = (&*draft.group, name);
    match claimed.get(&key) {
        None => {
            claimed.insert(key, (draft, role));
        }
        Some((other, _)) if other.kind == draft.kind => {}
        Some((other, other_role)) => {
            let message = format!(
                "the {role} `{}` of `{}` is the {other_role} of `{}` in the same group",
                key.1, draft.kind, other.kind
            );
            sink.push(
                Diagnostic::new(Code::PluralClash, draft.span, message)
                    .with_label(other.span, format!("`{}` is defined here", other.kind))
                    .with_help(format!(
                        "set another {role} on one of them, for example `#[kube({})]`",
                        example(role)
                    )),
            );
        }
    }
}

fn example(role: &str) -> &'static str {
    match role {
        "plural" => "plural = \"..\"",
        "singular" => "singular = \"..\"",
        "short name" => "shortname = \"..\"",
        _ => "kind = \"..\"",
    }
}
