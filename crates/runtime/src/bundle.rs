//! Reads which bundle of an API is installed, and whether a controller supports it.
//!
//! ```
//! use crd_channels_runtime::bundle::{BundleInfo, Support};
//! use crd_channels_runtime::conditions::Status;
//! use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
//! use semver::Version;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let crd: CustomResourceDefinition = serde_json::from_value(serde_json::json!({
//!     "metadata": { "annotations": {
//!         "edge.example.com/bundle-version": "v0.4.1",
//!         "edge.example.com/channel": "stable",
//!     } },
//!     "spec": { "group": "edge.example.com", "names": { "kind": "Route", "plural": "routes" }, "scope": "Namespaced", "versions": [] },
//! }))?;
//! let installed = BundleInfo::of(&crd)?;
//! assert_eq!((installed.version.minor, &*installed.channel), (4, "stable"));
//!
//! let support = Support::new(Version::new(0, 3, 0)..Version::new(0, 5, 0), &["stable"]);
//! assert_eq!(support.decide([Ok(installed)]).status, Status::True);
//! # Ok(())
//! # }
//! ```

use crate::conditions::{ConditionType, Reason, State, Status};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use semver::{Prerelease, Version};
use std::fmt;
use std::ops::RangeBounds;

/// The part of the annotation with a bundle's version after the prefix.
const VERSION: &str = "/bundle-version";

/// The part of the annotation with a bundle's channel after the prefix.
const CHANNEL: &str = "/channel";

/// The type of condition that says whether a controller supports the installed bundle, as in Gateway API's GatewayClass.
pub const SUPPORTED_VERSION: ConditionType = ConditionType::positive("SupportedVersion");

/// The bundle that a CRD comes from, by its annotations `<prefix>/bundle-version` and `<prefix>/channel`.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub struct BundleInfo {
    /// The domain before both, usually the group of the CRD.
    pub prefix: String,
    /// The bundle's version, without the `v` before it.
    pub version: Version,
    /// The channel, `stable` or `experimental` unless the API has others.
    pub channel: String,
}

/// Why the bundle of a CRD is unknown.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum NotABundle {
    /// It has no annotation with a version.
    NoVersion,
    /// It has several, and none of them has its group as prefix.
    Several,
    /// The value is not `v` followed by a semantic version.
    Malformed(String),
    /// It has no annotation with a channel.
    NoChannel,
}

impl fmt::Display for NotABundle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoVersion => write!(out, "it has no annotation `<domain>{VERSION}`"),
            Self::Several => write!(
                out,
                "it has several annotations `<domain>{VERSION}`, none with its own group"
            ),
            Self::Malformed(text) => {
                write!(
                    out,
                    "its version is `{text}`, not `v` and a semantic version"
                )
            }
            Self::NoChannel => write!(out, "it has no annotation `<domain>{CHANNEL}`"),
        }
    }
}

impl std::error::Error for NotABundle {}

impl BundleInfo {
    /// Reads the bundle that a CRD comes from.
    ///
    /// # Errors
    /// The annotations are missing, malformed or those of several bundles.
    pub fn of(crd: &CustomResourceDefinition) -> Result<Self, NotABundle> {
        let annotations = crd.metadata.annotations.iter().flatten();
        let found: Vec<(&str, &str)> = annotations
            .filter_map(|(key, value)| Some((key.strip_suffix(VERSION)?, &**value)))
            .collect();
        let own = found.iter().find(|(prefix, _)| *prefix == crd.spec.group);
        let (prefix, written) = match (own, &found[..]) {
            (Some(own), _) | (None, [own]) => *own,
            (None, []) => return Err(NotABundle::NoVersion),
            (None, _) => return Err(NotABundle::Several),
        };
        let version = written
            .strip_prefix('v')
            .and_then(|version| Version::parse(version).ok());
        let version = version.ok_or_else(|| NotABundle::Malformed(written.to_owned()))?;
        let mut annotations = crd.metadata.annotations.iter().flatten();
        let channel = annotations.find(|(key, _)| key.strip_suffix(CHANNEL) == Some(prefix));
        let (_, channel) = channel.ok_or(NotABundle::NoChannel)?;
        Ok(Self {
            prefix: prefix.to_owned(),
            version,
            channel: channel.clone(),
        })
    }
}

/// The bundles of an API that a controller supports.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Support<'a, R> {
    versions: R,
    channels: &'a [&'a str],
}

impl<'a, R: RangeBounds<Version>> Support<'a, R> {
    /// The versions of bundles, of which a pre-release counts as the release that it becomes, and the channels.
    #[must_use]
    pub const fn new(versions: R, channels: &'a [&'a str]) -> Self {
        Self { versions, channels }
    }
}

impl<R: RangeBounds<Version>> Support<'_, R> {
    /// Decides about the CRDs of one API, for [`SUPPORTED_VERSION`]: whether all are supported; unknown without any, and if
    /// their version cannot be compared. All must come from one bundle: a mixture is an incomplete installation. The reason is
    /// `SupportedVersion`, `UnsupportedVersion`, `UnknownVersion` or `Pending`.
    ///
    /// A version that is not semantic, such as `monthly-2026.06` of Gateway API, cannot be compared: whether it is supported is
    /// unknown, see [`Support::decide_with`].
    pub fn decide(&self, crds: impl IntoIterator<Item = Result<BundleInfo, NotABundle>>) -> State {
        self.decide_with(&[], crds)
    }

    /// Decides as [`Support::decide`] does, and supports the given versions that are not semantic, in any channel.
    pub fn decide_with(
        &self,
        others: &[&str],
        crds: impl IntoIterator<Item = Result<BundleInfo, NotABundle>>,
    ) -> State {
        let mut first: Option<String> = None;
        let mut is_known = true;
        for crd in crds {
            let version = match crd {
                Ok(crd) => {
                    let version = format!("version {} of channel `{}`", crd.version, crd.channel);
                    if !self.has(&crd) {
                        return unsupported(format!("The installed {version} is not supported."));
                    }
                    version
                }
                Err(NotABundle::Malformed(version)) => {
                    is_known &= others.contains(&&*version);
                    format!("version `{version}`")
                }
                Err(why) => {
                    return unsupported(format!("The bundle of a CRD is not known: {why}."));
                }
            };
            match &first {
                Some(first) if *first != version => {
                    return unsupported(format!(
                        "CRDs of two bundles are installed: {first}, and {version}."
                    ));
                }
                Some(_) => {}
                None => first = Some(version),
            }
        }
        let (status, reason, message) = match first {
            Some(version) if is_known => (
                Status::True,
                Reason::from_static("SupportedVersion"),
                format!("The installed {version} is supported."),
            ),
            Some(version) => (
                Status::Unknown,
                Reason::from_static("UnknownVersion"),
                format!(
                    "The installed {version} cannot be compared with the supported ones: it is not `v` and a semantic version."
                ),
            ),
            None => (
                Status::Unknown,
                Reason::from_static("Pending"),
                "None of the CRDs has been seen.".to_owned(),
            ),
        };
        State::new(status, reason, message)
    }

    fn has(&self, found: &BundleInfo) -> bool {
        let release = Version {
            pre: Prerelease::EMPTY,
            ..found.version.clone()
        };
        self.versions.contains(&release) && self.channels.contains(&&*found.channel)
    }
}

fn unsupported(message: String) -> State {
    const UNSUPPORTED: Reason = Reason::from_static("UnsupportedVersion");
    State::new(Status::False, UNSUPPORTED, message)
}
