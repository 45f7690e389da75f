//! Tags that are named like bundles: `v0.2.0`, or in repositories of several projects, `crds-v0.2.0` or `api/v0.2.0`.

use super::Repository;
use crd_channels_diagnostics::Diagnostic;
use crd_channels_projection::bundle::version::BundleVersion;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A tag that is named like a bundle. Its commit need not have that bundle.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct VersionTag {
    /// Its full name.
    pub name: String,
    /// The version at the end of the name.
    pub version: BundleVersion,
}

impl VersionTag {
    /// Parses a name that is a version, or ends with one after `-`, `/` or `_`; `None` for other names.
    fn parse(name: &str) -> Option<Self> {
        let mut starts = name.match_indices('v').map(|(at, _)| at).filter(|at| {
            let before = name.get(..*at).unwrap_or_default();
            before.is_empty() || before.ends_with(['-', '/', '_'])
        });
        let version = starts.find_map(|at| {
            let version = name.get(at..)?.to_owned();
            BundleVersion::try_from(version).ok()
        })?;
        let name = name.to_owned();
        Some(Self { name, version })
    }

    /// Returns those of some names that are just a version, newest first.
    #[must_use]
    pub fn bare(names: Vec<String>) -> Vec<Self> {
        let all = names.into_iter().filter_map(|name| {
            let version = BundleVersion::try_from(name.clone()).ok()?;
            Some(Self { name, version })
        });
        let mut all: Vec<Self> = all.collect();
        all.sort_by(|one, other| other.version.cmp(&one.version));
        all
    }

    /// Returns the part before the version; empty if the tag is just the version.
    #[must_use]
    pub fn prefix(&self) -> &str {
        let version = self.version.to_string();
        self.name.strip_suffix(&version).unwrap_or_default()
    }
}

impl Repository {
    /// Returns the tags that are named like bundles, on any branch; for a fetched repository, those of its remote. Newest
    /// version first; among tags of one version, the tag without a prefix first.
    ///
    /// # Errors
    /// `git-failed`
    pub fn version_tags(&self) -> Result<Vec<VersionTag>, Box<Diagnostic>> {
        let names = self.tags()?;
        let all = names.iter().filter_map(|name| VersionTag::parse(name));
        let mut all: Vec<VersionTag> = all.collect();
        all.sort_by_cached_key(|tag| (Reverse(tag.version.clone()), tag.prefix().to_owned()));
        Ok(all)
    }
}

/// Returns the tags that may belong to a project with these bundles: tags without a prefix, and tags with a prefix that some
/// tag of these bundles has. If no bundle has a tag, all tags.
#[must_use]
pub fn of_project<'b>(
    mut tags: Vec<VersionTag>,
    bundles: impl Iterator<Item = &'b BundleVersion>,
) -> Vec<VersionTag> {
    let bundles: BTreeSet<&BundleVersion> = bundles.collect();
    let own = tags.iter().filter(|tag| bundles.contains(&tag.version));
    let prefixes: BTreeSet<String> = own.map(|tag| tag.prefix().to_owned()).collect();
    let is_own = |prefix: &str| prefix.is_empty() || prefixes.contains(prefix);
    tags.retain(|tag| prefixes.is_empty() || is_own(tag.prefix()));
    tags
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{VersionTag, of_project};

    #[test]
    fn a_tag_ends_with_a_version() {
        for (name, expected) in [
            ("v0.2.0", Some(("", "v0.2.0"))),
            ("crds-v0.2.0", Some(("crds-", "v0.2.0"))),
            ("my-api-v0.2.0-rc.1", Some(("my-api-", "v0.2.0-rc.1"))),
            ("api/v0.2.0", Some(("api/", "v0.2.0"))),
            ("some_v_api_v10.0.0", Some(("some_v_api_", "v10.0.0"))),
            ("v1.0.0-v2.0.0", Some(("", "v1.0.0-v2.0.0"))),
            ("crdsv0.2.0", None),
            ("crds-0.2.0", None),
            ("crds-v0.2", None),
            ("crds-v0.2.0+linux", None),
            ("v0.2.0/docs", None),
            ("", None),
        ] {
            let tag = VersionTag::parse(name);
            let is = tag
                .as_ref()
                .map(|tag| (tag.prefix(), tag.version.to_string()));
            let expected = expected.map(|(prefix, version)| (prefix, version.to_owned()));
            assert_eq!(is, expected, "{name}");
        }
    }

    #[test]
    fn a_project_is_known_by_the_tags_of_its_bundles() {
        for (bundles, expected) in [
            (
                &["v0.1.0"][..],
                &["crds-v0.1.0", "crds-v0.2.0", "v9.0.0"][..],
            ),
            (
                &["v0.3.0"],
                &["crds-v0.1.0", "crds-v0.2.0", "cli-v5.0.0", "v9.0.0"],
            ),
        ] {
            let all = ["crds-v0.1.0", "crds-v0.2.0", "cli-v5.0.0", "v9.0.0"];
            let all = all
                .iter()
                .filter_map(|name| VersionTag::parse(name))
                .collect();
            let bundles: Vec<_> = bundles.iter().map(|it| it.parse().unwrap()).collect();
            let left = of_project(all, bundles.iter());
            let left: Vec<&str> = left.iter().map(|tag| &*tag.name).collect();
            assert_eq!(left, expected);
        }
    }
}
