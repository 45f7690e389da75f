//! `manifest.json` of a released bundle: its contents, with digests to verify it offline.

use super::digest::Digest;
use super::history::KindHistory;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::with_unix_line_ends;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_validation::proof::Proof;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

/// The version of the format, raised whenever a field is added or the meaning changes. Older formats are still read.
///
/// - 2 records the declared conditions of each channel, and what each feature gates.
/// - 3 records the proofs of conversions.
/// - 4 records since when everything is in which channel, and the groups of what features gate and of changes.
pub const FORMAT: u64 = 4;

/// The first format with [`Channel::conditions`] and [`Feature::gates`].
const CONTRACTS_SINCE: u64 = 2;

/// The first format with [`Manifest::proofs`].
const PROOFS_SINCE: u64 = 3;

/// The first format with [`Manifest::history`].
const HISTORY_SINCE: u64 = 4;

/// The file's name in a bundle's folder.
pub const FILE: &str = "manifest.json";

/// The name of the file beside it that has its signature, if it is signed.
pub const SIGNATURE: &str = "manifest.json.minisig";

/// The description of a bundle. A plain value, only written by [`Manifest::to_text`] and read by [`Manifest::parse`].
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`FORMAT`]
    pub format: u64,
    /// The digest of this manifest with this field empty; since the manifest has the digests of all files, it covers the whole
    /// bundle. `None` until [`Manifest::to_text`] sets it.
    #[serde(with = "own_digest")]
    pub digest: Option<Digest>,
    /// The bundle.
    pub version: BundleVersion,
    /// The version of the tool that made it.
    pub tool: String,
    /// The bundle that it was compared with; `None` for the first.
    pub baseline: Option<Baseline>,
    /// The oldest Kubernetes that accepts its CRDs, such as `1.32`.
    pub kubernetes: String,
    /// The part of annotations before `/bundle-version` and `/channel`.
    pub annotation_prefix: String,
    /// The channels, in the order of the configuration.
    pub channels: Vec<Channel>,
    /// Files for all channels, by path inside the bundle's folder.
    pub shared: BTreeMap<String, Digest>,
    /// Every declared feature.
    pub features: Vec<Feature>,
    /// The reserved names.
    pub tombstones: Tombstones,
    /// Versions that are deprecated, with the end that their types declare.
    pub deprecated: Vec<Deprecated>,
    /// The changes since the baseline.
    pub changes: Vec<Change>,
    /// The proofs that the conversions of the stable channel lose nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proofs: Vec<Proof>,
    /// Since when everything is in which channel, for each kind of this bundle and of those that it follows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<KindHistory>,
    /// The source files that the types were read from, by package and path.
    pub sources: Vec<Source>,
}

/// A reference to another bundle.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// Its version.
    pub version: BundleVersion,
    /// The digest that its manifest has of itself.
    pub digest: Digest,
}

/// One channel.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Channel {
    /// Its name, which is its folder.
    pub name: String,
    /// The value of the annotation `<prefix>/channel`.
    pub annotation: String,
    /// The features that are on, sorted.
    pub features: Vec<String>,
    /// The declared conditions of its kinds, sorted by their place; [`Manifest::conditions`] says whether they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<ConditionList>,
    /// Its files, by path inside the bundle's folder, with `/`.
    pub files: BTreeMap<String, Digest>,
}

/// The conditions that are declared for a list in objects.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionList {
    /// The group of the kind.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The version.
    pub version: String,
    /// The path of the list, such as `status.conditions`.
    pub path: String,
    /// The condition types, in the order of their declaration.
    pub types: Vec<ConditionType>,
}

/// A declared condition type, as the channel has it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionType {
    /// The type, with its domain if it has one.
    pub name: String,
    /// The status on a healthy object.
    pub polarity: Polarity,
    /// Whether a positive condition is present only if the controller uses it.
    pub optional: bool,
    /// The replacement of a deprecated type, if the channel has it.
    pub replaced_by: Option<String>,
    /// The bundle that will remove a deprecated type.
    pub until: Option<String>,
    /// The reasons that objects can show, in the order of their declaration.
    pub reasons: Vec<Reason>,
}

/// The status of a condition on a healthy object.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Polarity {
    /// `True`
    Positive,
    /// `False`
    Negative,
}

/// A declared reason.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// The reason; `None` if it is made of an error code.
    pub name: Option<String>,
    /// The condition's status with this reason: `True`, `False` or `Unknown`.
    pub status: String,
}

/// A declared feature.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub summary: String,
    /// The owner, who decides about it.
    pub owner: Option<String>,
    /// The URL of its description.
    pub link: Option<String>,
    /// The bundle that it appeared in.
    pub since: Option<String>,
    /// What it gates; `None` if the bundle does not record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gates: Option<Vec<Gate>>,
}

/// An item that a feature gates, in one version of a kind.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The group of the kind; empty if the bundle does not record it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The version.
    pub version: String,
    /// The path, such as `spec.rules[].timeouts`; `.` for the root.
    pub path: String,
    /// What it is: `field`, `value`, `version`, `rule` or another word of `features`.
    pub what: String,
    /// The value, the rule or the like, if the path does not identify it.
    pub detail: String,
    /// Whether the item exists without the feature, rather than with it.
    pub without: bool,
}

impl Gate {
    /// Whether it may be on a kind of a group: older bundles do not record which one it is on.
    #[must_use]
    pub fn is_of_group(&self, group: &str) -> bool {
        self.group.is_empty() || self.group == group
    }
}

/// A version that is deprecated.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Deprecated {
    /// The group of the kind.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The version.
    pub version: String,
    /// The first bundle that may lack it.
    pub removed_in: Option<String>,
    /// Its replacement.
    pub replaced_by: Option<String>,
}

/// Names that must not be used again.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tombstones {
    /// Whole kinds.
    pub kinds: Vec<KindTombstone>,
    /// Versions of kinds.
    pub versions: Vec<VersionTombstone>,
    /// Types in Rust.
    pub types: Vec<TypeTombstone>,
    /// Properties and enum values.
    pub names: Vec<NameTombstone>,
}

/// A removed kind.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KindTombstone {
    /// Its group.
    pub group: String,
    /// Its name.
    pub kind: String,
    /// The bundle that removed it, in the form of the tombstone.
    pub removed: String,
    /// The reason.
    pub reason: String,
}

/// A removed version of a kind.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
pub struct VersionTombstone {
    /// Its group.
    pub group: String,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub version: String,
    /// The bundle that removed it, in the form of the tombstone.
    pub removed: String,
    /// The reason.
    pub reason: String,
}

/// A removed Rust type.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TypeTombstone {
    /// Its name.
    pub name: String,
    /// The bundle that removed it, in the form of the tombstone.
    pub removed: String,
    /// The reason.
    pub reason: String,
}

/// A property or an enum value that was removed from one place. A type that is used in several places has one for each.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NameTombstone {
    /// The group of the kind.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// Its place in any version: the path of the object or the value, such as `spec.rules[]`; `.` for the root.
    pub path: String,
    /// The name, as it is serialized.
    pub name: String,
    /// The bundle that removed it, in the form of the tombstone.
    pub removed: String,
    /// The reason.
    pub reason: String,
}

/// One change, as `diff` reports it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The rule's code.
    pub code: String,
    /// The group of the kind; empty if the bundle does not record it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The kind; empty if the change concerns the whole bundle.
    pub kind: String,
    /// The API version; empty if the change concerns all versions.
    pub version: String,
    /// The place.
    pub path: String,
    /// The channel.
    pub channel: String,
    /// The verdict for objects in etcd: `ok`, `no`, `unknown`.
    pub stored: String,
    /// The verdict for manifests and clients that write.
    pub writers: String,
    /// The verdict for controllers and clients that read.
    pub readers: String,
    /// The bump that it requires.
    pub bump: String,
    /// The change in words.
    pub message: String,
    /// The reason of the waiver, if a person waived it.
    pub waived: Option<String>,
}

impl Change {
    /// The rule and the place, comparable with those of a finding.
    #[must_use]
    pub fn place(&self) -> (&str, &str, &str, &str) {
        (&self.code, &self.kind, &self.version, &self.path)
    }
}

/// A source file that was read.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The package, as `name` for members of the workspace, `name-version` for others.
    pub package: String,
    /// The path inside the package, with `/`.
    pub path: String,
    /// The digest of its bytes.
    pub digest: Digest,
}

/// The part of the file that tells a newer manifest from a broken one.
#[derive(Deserialize)]
struct Head {
    format: u64,
}

/// The help if git has converted line endings.
pub const CHECKED_OUT: &str = "commit `channels/.gitattributes` with the line `v*/** -text`, then check the bundles out again: `git rm -r -q --cached channels` and `git reset -q --hard`";

impl Manifest {
    /// Returns the text of the file, including its own digest, and that digest.
    #[must_use]
    pub fn to_text(&self) -> (String, Digest) {
        let open = Self {
            digest: None,
            ..self.clone()
        };
        let digest = Digest::of(open.text().as_bytes());
        let sealed = Self {
            digest: Some(digest.clone()),
            ..open
        };
        (sealed.text(), digest)
    }

    fn text(&self) -> String {
        // Serializing strings, numbers, lists and maps with string keys cannot fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Parses the bytes of the file and verifies its own digest, so that the result is exactly what was written. All paths in
    /// it stay inside the bundle's folder.
    ///
    /// # Errors
    /// `bundle-newer` if a newer version of this tool wrote it, `bundle-invalid` if it is not a manifest, `bundle-tampered` if
    /// it was changed.
    pub fn parse(bytes: &[u8]) -> Result<Self, Box<Diagnostic>> {
        if let Ok(Head { format }) = serde_json::from_slice(bytes)
            && format > FORMAT
        {
            let message =
                format!("the manifest has format {format}, but this tool supports up to {FORMAT}");
            return Err(failed(
                Code::BundleNewer,
                message,
                "use the version of `crd-channels` that made the bundle, or a newer one",
            ));
        }
        let manifest: Self = serde_json::from_slice(bytes)
            .map_err(|error| invalid(format!("the manifest cannot be read: {error}")))?;
        manifest.check()?;
        let (text, digest) = manifest.to_text();
        if manifest.digest.as_ref() == Some(&digest) {
            if text.as_bytes() == bytes {
                return Ok(manifest);
            }
            if text.as_bytes() == with_unix_line_ends(bytes) {
                let message =
                    "the manifest has Windows line endings (CRLF), but was released with LF";
                return Err(failed(Code::BundleTampered, message, CHECKED_OUT));
            }
        }
        Err(failed(
            Code::BundleTampered,
            "the manifest was changed after it was written: its digest differs",
            RESTORE,
        ))
    }

    /// Whether a file is meant to be a manifest of a bundle, even if broken: other tools use the same file name.
    #[must_use]
    pub fn is_ours(bytes: &[u8]) -> bool {
        let read = serde_json::from_slice::<serde_json::Value>(bytes);
        read.map_or(true, |value| value.get("format").is_some())
    }

    /// Returns every file of the bundle except the manifest, by path inside its folder.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Digest)> {
        let channels = self.channels.iter().flat_map(|channel| &channel.files);
        let all = channels.chain(&self.shared);
        all.map(|(path, digest)| (path.as_str(), digest))
    }

    /// Returns the declared conditions of a channel; `None` if the bundle does not record them.
    #[must_use]
    pub fn conditions(&self, channel: &str) -> Option<&[ConditionList]> {
        let mut channels = self.channels.iter();
        let channel = channels.find(|known| known.name == channel)?;
        (self.format >= CONTRACTS_SINCE).then_some(&channel.conditions)
    }

    /// Checks the invariants that readers rely on: no path leads outside, and no file is listed twice.
    fn check(&self) -> Result<(), Box<Diagnostic>> {
        if !(1..=FORMAT).contains(&self.format) {
            return Err(invalid(format!("there is no format {}", self.format)));
        }
        let has_conditions = |channel: &Channel| !channel.conditions.is_empty();
        let has_gates = |feature: &Feature| feature.gates.is_some();
        if self.format < CONTRACTS_SINCE
            && (self.channels.iter().any(has_conditions) || self.features.iter().any(has_gates))
        {
            let message = format!(
                "a manifest of format {} has neither conditions nor gates",
                self.format
            );
            return Err(invalid(message));
        }
        if self.format < PROOFS_SINCE && !self.proofs.is_empty() {
            let message = format!("a manifest of format {} has no proofs", self.format);
            return Err(invalid(message));
        }
        if self.format < HISTORY_SINCE && !self.history.is_empty() {
            let message = format!("a manifest of format {} has no history", self.format);
            return Err(invalid(message));
        }
        let mut seen = BTreeSet::from([FILE]);
        for (path, _) in self.files() {
            if !is_inside(path) {
                return Err(invalid(format!("`{path}` is not a path inside the bundle")));
            }
            if !seen.insert(path) {
                return Err(invalid(format!("`{path}` is listed twice")));
            }
        }
        for channel in &self.channels {
            let prefix = format!("{}/", channel.name);
            let own = |path: &String| path.starts_with(&prefix);
            if !is_inside(&channel.name) || !channel.files.keys().all(own) {
                let message = format!(
                    "the files of the channel `{}` are not in its folder",
                    channel.name
                );
                return Err(invalid(message));
            }
        }
        Ok(())
    }
}

/// The help for a bundle that differs from its release.
pub const RESTORE: &str =
    "get the bundle again from where it was released; with git: `git checkout HEAD -- channels`";

fn invalid(message: String) -> Box<Diagnostic> {
    failed(Code::BundleInvalid, message, RESTORE)
}

pub(super) fn failed(code: Code, message: impl Into<String>, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(code, None, message).with_help(help))
}

/// Whether a path with `/` is normalized and stays inside the folder that it is relative to.
fn is_inside(path: &str) -> bool {
    let normal = Path::new(path)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let plain = |part: &str| !part.is_empty() && part != "." && !part.contains(['\\', '\0', ':']);
    normal && path.split('/').all(plain)
}

/// Serializes the manifest's own digest; `None` is the empty string.
mod own_digest {
    use super::Digest;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(
        digest: &Option<Digest>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text = digest.as_ref().map(ToString::to_string);
        serializer.serialize_str(&text.unwrap_or_default())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Digest>, D::Error> {
        match String::deserialize(deserializer)? {
            text if text.is_empty() => Ok(None),
            text => Digest::try_from(text).map(Some).map_err(D::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests;
