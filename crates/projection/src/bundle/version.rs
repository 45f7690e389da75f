//! Bundle versions: `v` and a semantic version, with the same order.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The prefix of pre-releases that are named after a date.
const SNAPSHOT: &str = "snapshot.";

/// The version of a bundle, without build metadata, which takes no part in the order.
#[derive(Clone, Debug, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct BundleVersion(semver::Version);

impl BundleVersion {
    /// `vX.Y.Z`
    #[must_use]
    pub fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self(semver::Version::new(major, minor, patch))
    }

    /// Returns the semantic version.
    #[must_use]
    pub fn semantic(&self) -> &semver::Version {
        &self.0
    }

    /// Returns the requirement that only this version meets.
    #[must_use]
    pub fn alone(&self) -> semver::VersionReq {
        let semver::Version {
            major,
            minor,
            patch,
            pre,
            ..
        } = self.0.clone();
        let exactly = semver::Comparator {
            op: semver::Op::Exact,
            major,
            minor: Some(minor),
            patch: Some(patch),
            pre,
        };
        semver::VersionReq {
            comparators: vec![exactly],
        }
    }

    /// Returns true if this is not a pre-release such as a release candidate or a snapshot, so that it promises compatibility.
    #[must_use]
    pub fn is_final(&self) -> bool {
        self.0.pre.is_empty()
    }

    /// Returns true if this is a snapshot of a day, which gets no tag.
    #[must_use]
    pub fn is_snapshot(&self) -> bool {
        self.0.pre.starts_with(SNAPSHOT)
    }

    /// Returns the same version without its pre-release.
    #[must_use]
    pub fn as_final(&self) -> Self {
        Self::new(self.0.major, self.0.minor, self.0.patch)
    }

    /// Returns the same version with that pre-release, or `None` if `pre` is not a valid one.
    #[must_use]
    pub fn with_pre(&self, pre: &str) -> Option<Self> {
        let pre = semver::Prerelease::new(pre).ok()?;
        let version = self.as_final().0;
        Some(Self(semver::Version { pre, ..version }))
    }

    /// Returns the snapshot of a day, such as `v0.4.0-snapshot.20261121`, or `None` if `date` is not written as `2026-11-21`.
    #[must_use]
    pub fn snapshot(&self, date: &str) -> Option<Self> {
        let parts: Vec<&str> = date.split('-').collect();
        let [year, month, day] = parts.as_slice() else {
            return None;
        };
        let number = |text: &str, digits: usize| -> Option<u32> {
            let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| text.parse().ok()).flatten()
        };
        let (year_number, month_number) = (number(year, 4)?, number(month, 2)?);
        let leap = year_number.is_multiple_of(4)
            && (!year_number.is_multiple_of(100) || year_number.is_multiple_of(400));
        let days = match month_number {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => return None,
        };
        let known = year_number > 0 && (1..=days).contains(&number(day, 2)?);
        known
            .then(|| self.with_pre(&format!("{SNAPSHOT}{year}{month}{day}")))
            .flatten()
    }
}

impl fmt::Display for BundleVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// Parses `v0.4.0`, or the same without the `v`.
impl FromStr for BundleVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bare = text.strip_prefix('v').unwrap_or(text);
        match semver::Version::parse(bare) {
            Ok(version) if version.build.is_empty() => Ok(Self(version)),
            Ok(_) => Err(format!(
                "`{text}` has build metadata, which bundle versions cannot have"
            )),
            Err(_) => Err(format!(
                "`{text}` is not a version of a bundle, such as `v0.4.0`"
            )),
        }
    }
}

impl TryFrom<String> for BundleVersion {
    type Error = String;

    /// Accepts only the canonical form, with the `v`.
    fn try_from(text: String) -> Result<Self, String> {
        if text.starts_with('v') {
            text.parse()
        } else {
            Err(format!(
                "`{text}` is not a version of a bundle, such as `v0.4.0`"
            ))
        }
    }
}

impl From<BundleVersion> for String {
    fn from(version: BundleVersion) -> Self {
        version.to_string()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::BundleVersion;

    #[test]
    fn versions_are_ordered_as_semantic_versions_are() {
        let ordered = [
            "v0.2.0",
            "v0.10.0-dev",
            "v0.10.0-rc.2",
            "v0.10.0-rc.10",
            "v0.10.0-snapshot.20261121",
            "v0.10.0",
            "v0.10.1",
            "v10.0.0",
        ];
        let mut versions: Vec<BundleVersion> = ordered
            .iter()
            .map(|version| version.parse().unwrap())
            .collect();
        versions.reverse();
        versions.sort();
        let shown: Vec<String> = versions.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ordered);
    }

    #[test]
    fn what_is_no_version_is_refused() {
        for text in [
            "", "v", "v1", "v1.2", "v1.02.3", "vv1.2.3", "v1.2.3+4", "1.2.3.4",
        ] {
            assert!(text.parse::<BundleVersion>().is_err(), "{text}");
        }
        assert!(BundleVersion::try_from("1.2.3".to_owned()).is_err());
    }

    #[test]
    fn snapshots_are_days_that_exist() {
        let version = BundleVersion::new(0, 4, 0);
        for (date, expected) in [
            ("2026-11-21", Some("v0.4.0-snapshot.20261121")),
            ("2028-02-29", Some("v0.4.0-snapshot.20280229")),
            ("2026-02-29", None),
            ("2100-02-29", None),
            ("2026-13-01", None),
            ("2026-1-01", None),
            ("2026-11-31", None),
            ("2026-11-00", None),
            ("26-11-01", None),
            ("2026-11-21-1", None),
            ("+026-11-21", None),
            ("today", None),
        ] {
            let snapshot = version.snapshot(date).map(|version| version.to_string());
            assert_eq!(snapshot.as_deref(), expected, "{date}");
        }
    }
}
