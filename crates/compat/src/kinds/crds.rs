//! The rules on whole CRDs, apart from their versions.

use crate::findings::verdict::{Need, Verdict};
use crate::findings::{Change, Gate, Record, Topic};
use crate::set::Published;
use crd_channels_cel::Text;
use crd_channels_schema::{Conversion, Crd, Names, Scope, WebhookConversion};
use serde_json::Value;

/// A CRD in two bundles.
#[derive(Clone, Copy)]
pub(crate) struct CrdPair<'a> {
    pub(crate) old: &'a Published,
    pub(crate) new: &'a Published,
}

/// A rule on a CRD.
pub(crate) struct CrdRule {
    pub(crate) record: Record,
    pub(crate) decide: fn(CrdPair<'_>) -> Vec<Change>,
}

const fn absolute(record: Record) -> Record {
    Record {
        gate: Gate::Absolute,
        ..record
    }
}

/// All rules on CRDs.
pub(crate) const CRD_RULES: &[CrdRule] = &[
    CrdRule {
        record: absolute(Record::new(
            "scope-changed",
            Topic::Breaking,
            "A kind became namespaced or cluster-scoped.",
            "API servers reject this. Create a new kind instead.",
        )),
        decide: scope,
    },
    CrdRule {
        record: Record::new(
            "list-kind-changed",
            Topic::Breaking,
            "The list kind changed.",
            "Typed clients cannot decode lists.",
        ),
        decide: list_kind,
    },
    CrdRule {
        record: Record::new(
            "alias-removed",
            Topic::Removed,
            "A singular name, a short name or a category was removed.",
            "Scripts may use it.",
        ),
        decide: alias_removed,
    },
    CrdRule {
        record: Record::new(
            "alias-added",
            Topic::Added,
            "A short name or a category was added.",
            "If another CRD has the short name, the CRD is not established.",
        ),
        decide: alias_added,
    },
    CrdRule {
        record: Record::new(
            "conversion-added",
            Topic::Changed,
            "Versions are converted by a webhook.",
            "Reads and writes now depend on the webhook.",
        ),
        decide: conversion_added,
    },
    CrdRule {
        record: Record::new(
            "conversion-removed",
            Topic::Breaking,
            "Versions are no longer converted by a webhook.",
            "Fields that only the webhook converted are pruned, unless the versions share one schema.",
        ),
        decide: conversion_removed,
    },
    CrdRule {
        record: Record::new(
            "conversion-client-changed",
            Topic::Fixed,
            "The address of the conversion webhook changed.",
            "It must be available before the CRD is applied.",
        ),
        decide: conversion_changed,
    },
    CrdRule {
        record: Record::new(
            "pruning-enabled",
            Topic::Breaking,
            "Unknown fields of the whole kind are pruned.",
            "They are lost at the next write of each object.",
        ),
        decide: pruning,
    },
    CrdRule {
        record: absolute(Record::new(
            "channel-flipped",
            Topic::Breaking,
            "A CRD moved from one channel to the other in the same tree.",
            "Users of one channel would get the other. Compare each channel with itself.",
        )),
        decide: channel,
    },
    CrdRule {
        record: Record::new(
            "metadata-changed",
            Topic::Fixed,
            "An annotation or a label changed.",
            "API servers do not read it, except for `api-approved.kubernetes.io` of protected groups.",
        ),
        decide: metadata,
    },
    CrdRule {
        record: absolute(Record::new(
            "unique-items",
            Topic::Breaking,
            "`uniqueItems` is set.",
            "API servers reject it. Use `x-kubernetes-list-type: set`.",
        )),
        decide: unique_items,
    },
    CrdRule {
        record: Record::new(
            "identifier-changed",
            Topic::Fixed,
            "A schema's `id` changed.",
            "It does not affect validation.",
        ),
        decide: identifiers,
    },
    CrdRule {
        record: Record::new(
            "unknown-keyword-changed",
            Topic::Breaking,
            "An unknown keyword changed.",
            "It counts as a new API version until a waiver accepts it.",
        ),
        decide: unclassified,
    },
];

fn scope(pair: CrdPair<'_>) -> Vec<Change> {
    let (old, new) = (pair.old.crd.scope, pair.new.crd.scope);
    if old == new {
        return Vec::new();
    }
    let shown = |scope| match scope {
        Scope::Cluster => "Cluster",
        Scope::Namespaced => "Namespaced",
    };
    let message = format!("scope was `{}` and is `{}`", shown(old), shown(new));
    vec![Change::new([Verdict::No; 3], Need::NEVER, message).below_path("spec.scope")]
}

fn list_kind(pair: CrdPair<'_>) -> Vec<Change> {
    let list_kind = |crd: &Crd| {
        let own = crd.names.list_kind.as_deref().map(str::to_owned);
        own.unwrap_or_else(|| format!("{}List", crd.names.kind))
    };
    let (old, new) = (list_kind(&pair.old.crd), list_kind(&pair.new.crd));
    if old == new {
        return Vec::new();
    }
    let verdicts = [Verdict::Ok, Verdict::Ok, Verdict::No];
    let message = format!("list kind was `{old}` and is `{new}`");
    vec![Change::new(verdicts, Need::VERSION, message).below_path("spec.names.listKind")]
}

/// Every name besides kind and plural, with its path.
fn aliases(names: &Names) -> Vec<(&'static str, &Text)> {
    let Names {
        plural: _,
        singular,
        kind: _,
        list_kind: _,
        short_names,
        categories,
    } = names;
    let mut all = vec![("spec.names.singular", singular)];
    all.extend(
        short_names
            .iter()
            .map(|name| ("spec.names.shortNames", name)),
    );
    all.extend(
        categories
            .iter()
            .map(|name| ("spec.names.categories", name)),
    );
    all
}

fn alias_removed(pair: CrdPair<'_>) -> Vec<Change> {
    let new = aliases(&pair.new.crd.names);
    let gone = aliases(&pair.old.crd.names)
        .into_iter()
        .filter(|alias| !new.contains(alias));
    let verdicts = [Verdict::Ok, Verdict::Ok, Verdict::Unknown];
    gone.map(|(path, name)| {
        Change::new(verdicts, Need::MINOR, format!("`{name}` removed")).below_path(path)
    })
    .collect()
}

fn alias_added(pair: CrdPair<'_>) -> Vec<Change> {
    let old = aliases(&pair.old.crd.names);
    let only_new = aliases(&pair.new.crd.names).into_iter().filter(|alias| {
        // Another singular is one change, reported where the old one was removed.
        !old.contains(alias) && alias.0 != "spec.names.singular"
    });
    only_new
        .map(|(path, name)| {
            Change::harmless(Need::MINOR, format!("`{name}` added")).below_path(path)
        })
        .collect()
}

fn conversion_added(pair: CrdPair<'_>) -> Vec<Change> {
    match (&pair.old.crd.conversion, &pair.new.crd.conversion) {
        (Conversion::None, Conversion::Webhook(_)) => vec![
            Change::new(
                [Verdict::Unknown; 3],
                Need::MINOR,
                "versions are converted by a webhook, which must be running",
            )
            .below_path("spec.conversion"),
        ],
        _ => Vec::new(),
    }
}

fn conversion_removed(pair: CrdPair<'_>) -> Vec<Change> {
    let (Conversion::Webhook(_), Conversion::None) =
        (&pair.old.crd.conversion, &pair.new.crd.conversion)
    else {
        return Vec::new();
    };
    let mut schemas = pair.new.crd.versions.iter().map(|version| &version.schema);
    let first = schemas.next();
    let alike = schemas.all(|schema| Some(schema) == first);
    let change = if alike {
        Change::harmless(
            Need::MINOR,
            "conversion webhook removed; all versions have one schema",
        )
    } else {
        Change::new(
            [Verdict::No; 3],
            Need::VERSION,
            "conversion webhook removed, and the versions have different schemas",
        )
    };
    vec![change.below_path("spec.conversion")]
}

fn conversion_changed(pair: CrdPair<'_>) -> Vec<Change> {
    let (Conversion::Webhook(old), Conversion::Webhook(new)) =
        (&pair.old.crd.conversion, &pair.new.crd.conversion)
    else {
        return Vec::new();
    };
    let WebhookConversion {
        review_versions,
        client,
    } = old;
    let mut changes = Vec::new();
    let dropped = review_versions
        .iter()
        .any(|version| !new.review_versions.contains(version));
    if *review_versions != new.review_versions {
        let bump = if dropped { Need::MINOR } else { Need::PATCH };
        changes.push(
            Change::new([Verdict::Unknown; 3], bump, "review versions changed")
                .below_path("spec.conversion.webhook.conversionReviewVersions"),
        );
    }
    if *client != new.client {
        changes.push(
            Change::new(
                [Verdict::Unknown; 3],
                Need::PATCH,
                "client configuration changed",
            )
            .below_path("spec.conversion.webhook.clientConfig"),
        );
    }
    changes
}

/// The unknown keys of both sides whose values differ.
fn unknown<'a>(
    pair: CrdPair<'a>,
) -> impl Iterator<Item = (&'a str, Option<&'a Value>, Option<&'a Value>)> {
    let (old, new) = (&pair.old.unknown, &pair.new.unknown);
    let mut paths: Vec<&String> = old.keys().chain(new.keys()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
        .into_iter()
        .map(|path| (path.as_str(), old.get(path), new.get(path)))
        .filter(|(_, old, new)| old != new)
}

const PRUNING: &str = "spec.preserveUnknownFields";

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn pruning(pair: CrdPair<'_>) -> Vec<Change> {
    let on = |published: &Published| published.unknown.get(PRUNING) == Some(&Value::Bool(true));
    let change = match (on(pair.old), on(pair.new)) {
        (true, false) => Change::new(
            [Verdict::No; 3],
            Need::VERSION,
            "unknown fields of the whole kind are pruned from now on",
        ),
        (false, true) => Change::new(
            [Verdict::Unknown; 3],
            Need::NEVER,
            "`preserveUnknownFields: true`, which API servers reject",
        ),
        (true, true) | (false, false) => return Vec::new(),
    };
    vec![change.below_path(PRUNING)]
}

fn channel(pair: CrdPair<'_>) -> Vec<Change> {
    match (
        pair.old.channel(),
        pair.new.annotation("/channel"),
        pair.new.channel(),
    ) {
        (Some(old), Some((name, _)), Some(new)) if old != new => {
            let message = format!("channel was `{old}` and is `{new}` in the same tree");
            let path = format!("metadata.annotations[{name}]");
            vec![Change::new([Verdict::Unknown; 3], Need::NEVER, message).below_path(path)]
        }
        _ => Vec::new(),
    }
}

fn metadata(pair: CrdPair<'_>) -> Vec<Change> {
    let sides = [pair.old, pair.new];
    let both = sides
        .iter()
        .all(|published| published.annotation("/channel").is_some());
    let is_stamp = |published: &Published, name: &Text| {
        let own = |suffix| {
            published
                .annotation(suffix)
                .is_some_and(|(known, _)| known == name)
        };
        own("/bundle-version") || (own("/channel") && (both || published.channel().is_some()))
    };
    let mut changes = Vec::new();
    for (path, old, new) in [
        (
            "metadata.annotations",
            &pair.old.crd.annotations,
            &pair.new.crd.annotations,
        ),
        (
            "metadata.labels",
            &pair.old.crd.labels,
            &pair.new.crd.labels,
        ),
    ] {
        let mut names: Vec<&Text> = old.keys().chain(new.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let stamp = is_stamp(pair.old, name) || is_stamp(pair.new, name);
            if old.get(name) != new.get(name) && !stamp {
                let place = format!("{path}[{name}]");
                let message = match (old.get(name), new.get(name)) {
                    (Some(old), Some(new)) => format!("was `{old}` and is `{new}`"),
                    (None, Some(new)) => format!("`{new}` added"),
                    (Some(old), None) => format!("`{old}` removed"),
                    (None, None) => continue,
                };
                changes.push(Change::harmless(Need::PATCH, message).below_path(place));
            }
        }
    }
    changes
}

fn unique_items(pair: CrdPair<'_>) -> Vec<Change> {
    unknown(pair)
        .filter(|(path, _, new)| last(path) == "uniqueItems" && *new == Some(&Value::Bool(true)))
        .map(|(path, _, _)| {
            let message = "`uniqueItems: true`, which API servers reject";
            Change::new([Verdict::Unknown; 3], Need::NEVER, message).below_path(path)
        })
        .collect()
}

fn identifiers(pair: CrdPair<'_>) -> Vec<Change> {
    unknown(pair)
        .filter(|(path, _, _)| last(path) == "id")
        .map(|(path, _, _)| Change::harmless(Need::PATCH, "`id` changed").below_path(path))
        .collect()
}

fn unclassified(pair: CrdPair<'_>) -> Vec<Change> {
    let off = |value: Option<&Value>| {
        value.is_none_or(|value| *value == Value::Bool(false) || value.is_null())
    };
    unknown(pair)
        .filter(|(path, old, new)| {
            let known = ["id", "uniqueItems"].contains(&last(path)) || *path == PRUNING;
            let is_set = !off(*old) || !off(*new);
            is_set && !known
        })
        .map(|(path, _, _)| {
            let message = format!("`{}` changed, which no rule covers", last(path));
            Change::new([Verdict::Unknown; 3], Need::Unclassified, message).below_path(path)
        })
        .collect()
}
