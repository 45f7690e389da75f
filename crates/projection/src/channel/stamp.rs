//! The stamp of a bundle: its version, and the prefix of the annotations that every CRD carries.

use super::config::{Bundle, Channel};
use super::deprecation::next_end;
use super::kinds::Kind;
use super::serving::{present, served};
use super::walk;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Spanned, Text};
use crd_channels_workspace::Package;
use semver::Version;
use std::collections::BTreeSet;

/// The values of the two annotations, without the channel.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Stamp {
    /// The bundle's version, without the `v` that the annotation adds.
    pub version: Text,
    /// The prefix of `/bundle-version` and `/channel`.
    pub prefix: Text,
}

impl Stamp {
    /// Returns the key of the version's annotation.
    #[must_use]
    pub fn version_key(&self) -> Text {
        format!("{}/bundle-version", self.prefix).into()
    }

    /// Returns the key of the channel's annotation.
    #[must_use]
    pub fn channel_key(&self) -> Text {
        format!("{}/channel", self.prefix).into()
    }
}

/// Determines the stamp: from the configuration, else from the packages and groups of the kinds.
///
/// Returns `None` if these do not decide it, and reports what to write as `prefix-needed` or `config-invalid`.
pub fn stamp(
    bundle: &Bundle,
    packages: &[&Package],
    groups: &BTreeSet<Text>,
    sink: &mut Sink,
) -> Option<Stamp> {
    let version = version(bundle, packages, sink);
    let prefix = match &bundle.annotation_prefix {
        Some(prefix) => Some(prefix.value.clone()),
        None => only_group(groups, sink),
    };
    Some(Stamp {
        version: version?,
        prefix: prefix?,
    })
}

/// Returns the version of the bundle: the configured one, else the one that all packages share.
///
/// Returns `None` if these do not decide it, and reports `config-invalid`.
pub fn version(bundle: &Bundle, packages: &[&Package], sink: &mut Sink) -> Option<Text> {
    match &bundle.version {
        Some(version) => Some(version.value.clone()),
        None => only_version(packages, sink),
    }
}

/// Reports kinds that set an annotation of the stamp themselves, versions and conditions that should be removed by now, and
/// versions deprecated as of a later bundle.
pub fn check_stamp(stamp: &Stamp, kinds: &[Kind], channels: &[Channel], sink: &mut Sink) {
    removed_conditions(stamp, kinds, sink);
    removed_versions(stamp, kinds, channels, sink);
    deprecated_later(stamp, kinds, sink);
    for draft in kinds.iter().flat_map(|kind| &kind.versions) {
        for key in [stamp.version_key(), stamp.channel_key()] {
            if draft.annotations.contains_key(&key) {
                sink.push(
                    Diagnostic::new(
                        Code::InvalidAttribute,
                        draft.span,
                        format!("the annotation `{key}` is reserved for the bundle"),
                    )
                    .with_help(format!(
                        "remove `annotation(\"{key}\", ..)` from `#[kube(..)]`"
                    )),
                );
            }
        }
    }
}

/// Returns the release that a version leads to: `0.7.0-dev` becomes `v0.7.0`.
fn core(version: &str) -> Option<(u64, u64, u64)> {
    let version = parsed(version)?;
    Some((version.major, version.minor, version.patch))
}

fn parsed(version: &str) -> Option<Version> {
    Version::parse(version.strip_prefix('v').unwrap_or(version)).ok()
}

/// `removal-due`
fn removed_versions(stamp: &Stamp, kinds: &[Kind], channels: &[Channel], sink: &mut Sink) {
    let Some(now) = core(&stamp.version) else {
        return;
    };
    for draft in kinds.iter().flat_map(|kind| &kind.versions) {
        let Some(Spanned {
            value: removed_in,
            span,
        }) = &draft.removed_in
        else {
            continue;
        };
        let is_served = |channel: &Channel| present(draft, channel) && served(draft, channel);
        let has_come = core(removed_in).is_some_and(|removed_in| removed_in <= now);
        if has_come && channels.iter().any(is_served) {
            let message = format!(
                "`{}` of `{}` is still served, but its removal was announced for {removed_in}; the bundle is v{}",
                draft.version, draft.kind, stamp.version
            );
            let (major, minor, _) = now;
            let next = next_end(&draft.version, major, minor);
            let finding = Diagnostic::new(Code::RemovalDue, *span, message);
            sink.push(finding.with_help(format!(
                "name a later bundle: `removed_in = \"{next}\"`; or, if a released bundle already deprecates the version, write `served = false` in `#[kube(..)]`"
            )));
        }
    }
}

/// Reports versions deprecated as of a later bundle. A tree between two releases may become the next minor or major bundle.
fn deprecated_later(stamp: &Stamp, kinds: &[Kind], sink: &mut Sink) {
    let (Some(version), Some(now)) = (parsed(&stamp.version), core(&stamp.version)) else {
        return;
    };
    let (major, minor, patch) = now;
    let next = match patch {
        0 => now,
        _ => (major, minor.saturating_add(1), 0),
    };
    let is_tree = version.pre.as_str() == "dev";
    let possible = |named| match is_tree {
        true => named <= next || named == (major.saturating_add(1), 0, 0),
        false => named <= now,
    };
    for draft in kinds.iter().flat_map(|kind| &kind.versions) {
        let Some(Spanned {
            value: deprecated_in,
            span,
        }) = &draft.deprecated_in
        else {
            continue;
        };
        if core(deprecated_in).is_some_and(|named| !possible(named)) {
            let message = format!(
                "`{}` of `{}` is already deprecated, but {deprecated_in} is later than v{}",
                draft.version, draft.kind, stamp.version
            );
            let (major, minor, patch) = if is_tree { next } else { now };
            let finding = Diagnostic::new(Code::InvalidAttribute, *span, message);
            sink.push(finding.with_help(format!(
                "name the bundle that deprecates it: `deprecated_in = \"v{major}.{minor}.{patch}\"`"
            )));
        }
    }
}

/// `condition-removed`
fn removed_conditions(stamp: &Stamp, kinds: &[Kind], sink: &mut Sink) {
    let Some(now) = core(&stamp.version) else {
        return;
    };
    let mut told = BTreeSet::new();
    for ty in walk::types(kinds.iter().flat_map(|kind| &kind.versions)) {
        let members = walk::members(ty);
        let facets = walk::facets(ty, &members);
        let conditions = facets.filter_map(|(_, facets)| facets.always.conditions());
        for of in conditions.flat_map(|conditions| &conditions.types) {
            let Some(replaced) = &of.replaced else {
                continue;
            };
            let has_come = core(&replaced.until).is_some_and(|until| until <= now);
            if has_come && told.insert((replaced.span.file, replaced.span.start)) {
                let message = format!(
                    "the removal of `{}` was announced for {}; the bundle is v{}",
                    of.name, replaced.until, stamp.version
                );
                let finding = Diagnostic::new(Code::ConditionRemoved, replaced.span, message);
                sink.push(finding.with_help("remove the variant, or name a later bundle"));
            }
        }
    }
}

fn only_version(packages: &[&Package], sink: &mut Sink) -> Option<Text> {
    let versions: BTreeSet<_> = packages.iter().map(|package| &*package.version).collect();
    let mut all = versions.iter();
    if let (Some(version), None) = (all.next(), all.next()) {
        return Some((*version).into());
    }
    let each: Vec<_> = packages
        .iter()
        .map(|package| format!("`{}` {}", package.name, package.version))
        .collect();
    let message = match each.as_slice() {
        [] => "the bundle has no version, because no package has one".to_owned(),
        each => format!("the packages have different versions: {}", each.join(", ")),
    };
    sink.push(
        Diagnostic::new(Code::ConfigInvalid, None, message)
            .with_help("add `version = \"0.1.0\"` to `channels/bundle.toml`"),
    );
    None
}

fn only_group(groups: &BTreeSet<Text>, sink: &mut Sink) -> Option<Text> {
    let mut all = groups.iter();
    let first = all.next()?;
    if all.next().is_none() {
        return Some(Text::clone(first));
    }
    let each: Vec<_> = groups.iter().map(|group| format!("`{group}`")).collect();
    sink.push(
        Diagnostic::new(
            Code::PrefixNeeded,
            None,
            format!(
                "the annotation prefix is ambiguous between the groups {}",
                each.join(", ")
            ),
        )
        .with_help(format!(
            "add `annotation-prefix = \"{first}\"` to `channels/bundle.toml`"
        )),
    );
    None
}

#[cfg(test)]
mod tests {
    use super::super::builders::*;
    use super::super::config::Bundle;
    use super::{Stamp, check_stamp, stamp};
    use crd_channels_diagnostics::Spanned;
    use crd_channels_workspace::Package;

    fn case(bundle: &Bundle, versions: &[&str], groups: &[&str]) -> (Option<Stamp>, Vec<String>) {
        let packages: Vec<_> = versions
            .iter()
            .map(|version| Package {
                name: "api".into(),
                version: (*version).into(),
                ..Package::default()
            })
            .collect();
        let packages: Vec<_> = packages.iter().collect();
        let kinds: Vec<_> = groups
            .iter()
            .map(|group| {
                let mut draft = draft(group, "v1", "Gateway");
                draft.annotations.insert("a.com/channel".into(), "x".into());
                kind(vec![draft])
            })
            .collect();
        findings(|sink| {
            let groups = kinds.iter().map(|kind| kind.group.clone()).collect();
            let stamp = stamp(bundle, &packages, &groups, sink)?;
            check_stamp(&stamp, &kinds, &[], sink);
            Some(stamp)
        })
    }

    fn made(version: &str, prefix: &str) -> Option<Stamp> {
        Some(Stamp {
            version: version.into(),
            prefix: prefix.into(),
        })
    }

    #[test]
    fn the_stamp_is_derived_or_said() {
        let plain = Bundle::default();
        let placed = |value: &str| {
            Some(Spanned {
                value: value.into(),
                span: somewhere(),
            })
        };
        let said = Bundle {
            version: placed("1.0.0"),
            annotation_prefix: placed("p.com"),
            ..Bundle::default()
        };
        let none = Vec::<String>::new;
        assert_eq!(
            case(&plain, &["0.1.0", "0.1.0"], &["b.com", "b.com"]),
            (made("0.1.0", "b.com"), none())
        );
        assert_eq!(
            case(&said, &[], &["a.com", "b.com"]),
            (made("1.0.0", "p.com"), none())
        );
        let (stamp, found) = case(&plain, &["0.1.0", "0.2.0"], &["a.com", "b.com"]);
        assert_eq!(stamp, None);
        assert_eq!(
            found,
            [
                "config-invalid: the packages have different versions: `api` 0.1.0, `api` 0.2.0",
                "prefix-needed: the annotation prefix is ambiguous between the groups `a.com`, `b.com`",
            ]
        );
        let (_, found) = case(&plain, &["0.1.0"], &["a.com"]);
        assert_eq!(
            found,
            ["invalid-attribute: the annotation `a.com/channel` is reserved for the bundle"]
        );
    }
}
