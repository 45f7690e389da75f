//! The decisions of `init`, made from the kinds that it found.

use crd_channels_diagnostics::{Diagnostic, FileId, Text};
use crd_channels_projection::render::Convention;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A type that defines a kind, or was meant to but could not be read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Definition<'a> {
    /// The package that defines it.
    pub package: &'a str,
    /// That package's version.
    pub version: &'a str,
    /// The kind's group; `None` if it could not be read.
    pub group: Option<&'a str>,
}

/// The settings of `channels/bundle.toml`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Choice {
    /// `conventions`
    pub convention: Convention,
    /// `packages`, sorted; empty if there are no kinds yet.
    pub packages: Vec<String>,
    /// `cargo-packages`, if some were requested, or if types compile only as part of a program.
    pub built: Vec<String>,
    /// `cargo-features`, if kinds need more than the default features.
    pub features: Vec<Text>,
    /// `version`, if the packages have different versions.
    pub version: Option<String>,
    /// `annotation-prefix`, if there are several groups.
    pub annotation_prefix: Option<String>,
    /// `cfgs`, if something depends on a cfg that nothing decides.
    pub cfgs: BTreeSet<String>,
    /// `exclude`, and `pending` for the types with a finding.
    pub exclude: Vec<LeftOut>,
    /// `[kinds."plural.group"]`
    pub kinds: BTreeMap<String, KindChoice>,
}

/// A type to leave out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LeftOut {
    /// Its full path.
    pub path: String,
    /// The kind that it defines a version of.
    pub kind: String,
    /// The file that defines it.
    pub file: FileId,
    /// The reason, in one line.
    pub why: String,
    /// The error in its kind, if that is the reason.
    pub finding: Option<Diagnostic>,
}

/// The settings of one kind.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct KindChoice {
    /// `storage`, if several types claim to be the storage version.
    pub storage: Option<String>,
    /// `short-names`, if another kind uses one of them.
    pub short_names: Option<Vec<String>>,
    /// `annotations` with the approval that a protected group needs, if the types do not say it.
    pub unapproved: bool,
}

impl Choice {
    /// Decides. Existing kinds keep their convention; a project without kinds starts with the better one.
    #[must_use]
    pub fn from_kinds(found: &[Definition<'_>]) -> Self {
        let packages: BTreeMap<&str, &str> = found
            .iter()
            .map(|found| (found.package, found.version))
            .collect();
        let versions: BTreeSet<&str> = packages.values().copied().collect();
        let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
        for group in found.iter().filter_map(|found| found.group) {
            *groups.entry(group).or_default() += 1;
        }
        let several = versions.len() > 1;
        let latest = versions
            .into_iter()
            .max_by(|one, other| precedence(one, other));
        let prefix = common(&groups).filter(|_| groups.len() > 1);
        let convention = if found.is_empty() {
            Convention::default()
        } else {
            Convention::OF_COMPILED
        };
        Self {
            convention,
            packages: packages.into_keys().map(str::to_owned).collect(),
            version: latest.filter(|_| several).map(str::to_owned),
            annotation_prefix: prefix.map(str::to_owned),
            ..Self::default()
        }
    }
}

/// Returns the domain for annotations: the group that all others end in, or else the domain above all of them, or else the
/// group with the most types, or else the first. `groups` counts the types of each group.
pub(super) fn common<'a>(groups: &BTreeMap<&'a str, usize>) -> Option<&'a str> {
    let most = groups.iter().rev().max_by_key(|(_, types)| **types);
    let first = groups.keys().next()?;
    let above = first.match_indices('.').map(|(at, _)| &first[at + 1..]);
    let mut domains = std::iter::once(*first).chain(above);
    domains
        .find(|domain| {
            let is_above = |group: &&str| is_in(group, domain);
            groups.keys().all(is_above) && is_own(domain, groups)
        })
        .or_else(|| most.map(|(group, _)| *group))
}

/// Whether a group equals a domain or is below it.
fn is_in(group: &str, domain: &str) -> bool {
    let start = group.strip_suffix(domain);
    start.is_some_and(|start| start.is_empty() || start.ends_with('.'))
}

/// Whether a domain can belong to one owner: a group can, public suffixes such as `io` and `co.uk` cannot.
fn is_own(domain: &str, groups: &BTreeMap<&str, usize>) -> bool {
    let labels: Vec<&str> = domain.split('.').collect();
    let is_public = match labels.as_slice() {
        [] | [_] => true,
        [second, top] => second.len() <= 3 && top.len() == 2,
        [_, _, ..] => false,
    };
    groups.contains_key(domain) || !is_public
}

/// Compares two semantic versions; pre-releases of one version are compared alphabetically.
fn precedence(one: &str, other: &str) -> Ordering {
    let parts = |version: &str| {
        let version = version.split('+').next().unwrap_or_default();
        let (numbers, pre) = version.split_once('-').unwrap_or((version, ""));
        let numbers: Vec<u64> = numbers
            .split('.')
            .map(|number| number.parse().unwrap_or(0))
            .collect();
        (numbers, pre.is_empty(), pre.to_owned())
    };
    parts(one).cmp(&parts(other))
}

#[cfg(test)]
mod tests {
    use super::{Choice, Definition};
    use crd_channels_projection::render::Convention;

    fn choice(found: &[(&str, &str, Option<&str>)]) -> Choice {
        let found: Vec<Definition<'_>> = found
            .iter()
            .map(|(package, version, group)| Definition {
                package,
                version,
                group: *group,
            })
            .collect();
        Choice::from_kinds(&found)
    }

    #[test]
    fn kinds_in_use_keep_their_shape() {
        assert_eq!(choice(&[]), Choice::default());
        assert_eq!(choice(&[]).convention, Convention::Kubernetes);
        let one = [("b", "0.1.0", Some("b.example.com")), ("a", "0.1.0", None)];
        let expected = Choice {
            convention: Convention::Kube,
            packages: vec!["a".to_owned(), "b".to_owned()],
            ..Choice::default()
        };
        assert_eq!(choice(&one), expected);
    }

    #[test]
    fn several_groups_have_a_prefix() {
        let prefix = |groups: &[&str]| {
            let found: Vec<_> = groups
                .iter()
                .map(|group| ("a", "0.1.0", Some(*group)))
                .collect();
            choice(&found).annotation_prefix
        };
        assert_eq!(prefix(&["a.com", "a.com"]), None);
        for (groups, expected) in [
            (&["infra.a.com", "a.com", "b.infra.a.com"][..], "a.com"),
            (&["b.com", "a.com"], "a.com"),
            (&["b.com", "a.com", "c.com", "b.com", "c.com"], "b.com"),
            (&["aa.com", "a.com"], "a.com"),
            (&["z.bb.com", "y.bb.com"], "bb.com"),
            (&["cache.acme.io", "backup.acme.io"], "acme.io"),
            (
                &["z.team.acme.io", "team.acme.io", "x.y.acme.io"],
                "acme.io",
            ),
            // A public suffix.
            (&["b.co.uk", "a.co.uk"], "a.co.uk"),
        ] {
            assert_eq!(prefix(groups).as_deref(), Some(expected), "{groups:?}");
        }
    }

    #[test]
    fn several_versions_are_decided() {
        let version = |versions: &[&'static str]| {
            let found: Vec<_> = versions
                .iter()
                .map(|version| (*version, *version, None))
                .collect();
            choice(&found).version
        };
        assert_eq!(version(&["0.1.0"]), None);
        for (versions, expected) in [
            (&["0.9.0", "0.10.0"][..], "0.10.0"),
            (&["1.0.0-rc.1", "1.0.0", "0.1.0"], "1.0.0"),
            (&["1.0.0-rc.1", "1.0.0-rc.2"], "1.0.0-rc.2"),
        ] {
            assert_eq!(version(versions).as_deref(), Some(expected), "{versions:?}");
        }
    }
}
