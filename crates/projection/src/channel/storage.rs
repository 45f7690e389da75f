//! Checks that every channel stores exactly one version of a kind.

use super::config::Channel;
use super::kinds::Kind;
use super::serving::present;
use crd_channels_diagnostics::{Code, Diagnostic, Sink};
use crd_channels_schema::draft::Draft;
use std::collections::BTreeMap;

/// Checks the versions of a kind in each channel. Channels with the same versions share a finding.
pub fn check(kind: &Kind, kinds: &[Kind], channels: &[Channel], sink: &mut Sink) {
    let mut left: BTreeMap<Vec<usize>, Vec<&str>> = BTreeMap::new();
    for channel in channels {
        let versions = kind.versions.iter().enumerate();
        let versions = versions.filter(|(_, draft)| present(draft, channel));
        let versions: Vec<_> = versions.map(|(place, _)| place).collect();
        left.entry(versions).or_default().push(&channel.name);
    }
    for (versions, channels) in left {
        let versions: Vec<_> = versions
            .iter()
            .filter_map(|place| kind.versions.get(*place))
            .collect();
        let stored: Vec<_> = versions
            .iter()
            .copied()
            .filter(|draft| draft.storage)
            .collect();
        match (versions.as_slice(), stored.as_slice()) {
            ([], _) | (_, [_]) => {}
            ([first, ..], []) => sink.push(none(kind, kinds, first, &versions, &channels)),
            (_, [first, ..]) => sink.push(several(kind, first, &stored, &channels)),
        }
    }
}

fn quote_channels(channels: &[&str]) -> String {
    let names: Vec<_> = channels.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [one] => format!("channel {one}"),
        names => format!("channels {}", names.join(", ")),
    }
}

fn listed(versions: &[&Draft]) -> String {
    let names: Vec<_> = versions
        .iter()
        .map(|draft| format!("`{}`", draft.version))
        .collect();
    names.join(", ")
}

fn none(
    kind: &Kind,
    kinds: &[Kind],
    first: &Draft,
    versions: &[&Draft],
    channels: &[&str],
) -> Diagnostic {
    let mut finding = Diagnostic::new(
        Code::NoStorageVersion,
        first.span,
        format!(
            "`{}` has no storage version in {}: its versions are {}",
            kind.kind,
            quote_channels(channels),
            listed(versions)
        ),
    );
    let elsewhere = kind.versions.iter().find(|draft| draft.storage);
    for draft in versions {
        finding = finding.with_label(
            draft.span,
            format!("{} has `storage = false`", draft.version),
        );
    }
    if let Some(draft) = elsewhere {
        let text = format!(
            "{} is the storage version, but not in {}",
            draft.version,
            quote_channels(channels)
        );
        finding = finding.with_label(draft.span, text);
    }
    let keep = match elsewhere {
        Some(draft) => format!(" and `storage = false` on `{}`", kind.type_name(draft)),
        None => String::new(),
    };
    let stored = format!(
        "write `#[kube(storage = true)]` on `{}`{keep}",
        kind.type_name(first)
    );
    // A version with a misspelt group forms a kind of its own.
    let others = kinds.iter().filter(|other| other.kind == kind.kind);
    let mut groups = others.map(|other| &other.group);
    finding.with_help(match groups.find(|group| **group != kind.group) {
        Some(group) => format!(
            "`{}` is in `{group}` too: write `group = \"{group}\"` on `{}` if it is a version of that kind; else {stored}",
            kind.kind,
            kind.type_name(first)
        ),
        None => stored,
    })
}

fn several(kind: &Kind, first: &Draft, stored: &[&Draft], channels: &[&str]) -> Diagnostic {
    let mut finding = Diagnostic::new(
        Code::SeveralStorageVersions,
        first.span,
        format!(
            "`{}` has several storage versions in {}: {}",
            kind.kind,
            quote_channels(channels),
            listed(stored)
        ),
    );
    for draft in stored {
        finding = finding.with_label(
            draft.span,
            format!("{} is a storage version", draft.version),
        );
    }
    let others: Vec<_> = stored
        .iter()
        .skip(1)
        .map(|draft| format!("`{}`", kind.type_name(draft)))
        .collect();
    finding.with_help(format!(
        "to store `{}`, write `#[kube(storage = false)]` on {}; by default every version is a storage version; or write `storage = \"{}\"` \
         below `[kinds.\"{}.{}\"]` in `channels/bundle.toml`",
        first.version,
        others.join(", "),
        first.version,
        first.plural,
        first.group
    ))
}

#[cfg(test)]
mod tests {
    use super::super::builders::*;
    use super::super::config::Serving;
    use super::check;
    use crd_channels_schema::draft::Gate;

    /// Asserts the errors about versions, given as (name, gate, stored).
    fn case(versions: Vec<(&str, Option<Gate>, bool)>, alpha: Serving, expected: &[&str]) {
        let drafts = versions.into_iter().map(|(version, gate, storage)| {
            let mut draft = draft("example.com", version, "Gateway");
            draft.gate = gate;
            draft.storage = storage;
            draft
        });
        let kind = kind(drafts.collect());
        let mut stable = channel("stable", &[]);
        stable.alpha = alpha;
        let channels = [stable, channel("experimental", &["A"])];
        let ((), found) = findings(|sink| check(&kind, &[], &channels, sink));
        assert_eq!(found, expected);
    }

    #[test]
    fn every_channel_stores_one_version() {
        let written = Serving::AsWritten;
        case(vec![("v1", None, true)], written, &[]);
        case(
            vec![("v1", None, false)],
            written,
            &[
                "no-storage-version: `Gateway` has no storage version in channels `stable`, `experimental`: its versions are `v1`",
            ],
        );
        case(
            vec![("v1", None, true), ("v1beta1", None, false)],
            written,
            &[],
        );
        case(
            vec![("v1", None, true), ("v1beta1", None, true)],
            written,
            &[
                "several-storage-versions: `Gateway` has several storage versions in channels `stable`, `experimental`: `v1`, `v1beta1`",
            ],
        );
        case(
            vec![("v2", Some(gate("A")), true), ("v1", None, false)],
            written,
            &[
                "no-storage-version: `Gateway` has no storage version in channel `stable`: its versions are `v1`",
            ],
        );
        case(
            vec![("v2", Some(gate("A")), true), ("v1", None, true)],
            written,
            &[
                "several-storage-versions: `Gateway` has several storage versions in channel `experimental`: `v2`, `v1`",
            ],
        );
        case(vec![("v1", Some(gate("A")), true)], written, &[]);
        case(
            vec![
                ("v1", Some(gate("A")), true),
                ("v1beta1", Some(not("A")), true),
            ],
            written,
            &[],
        );
    }

    #[test]
    fn a_policy_may_take_the_stored_version_away() {
        case(vec![("v1alpha1", None, true)], Serving::Omitted, &[]);
        case(
            vec![("v1beta1", None, false), ("v1alpha1", None, true)],
            Serving::Omitted,
            &[
                "no-storage-version: `Gateway` has no storage version in channel `stable`: its versions are `v1beta1`",
            ],
        );
        case(
            vec![("v1beta1", None, false), ("v1alpha1", None, true)],
            Serving::Unserved,
            &[],
        );
    }
}
