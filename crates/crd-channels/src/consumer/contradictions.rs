//! What shows, without the bundle, that an entry of the lock was changed after `pin` wrote it: its own digest, its fields, and
//! the vendored CRDs, which name their bundle and channel.

use super::pinned::Pinned;
use crd_channels_files::Read;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::documents;
use crd_channels_released::folder::Verified;
use semver::VersionReq;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Why a field of an entry is wrong.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Contradiction {
    /// The field.
    pub key: &'static str,
    /// What contradicts it.
    pub why: String,
}

/// The bundle and the channel that a CRD names.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Stamp {
    /// The value of `<prefix>/bundle-version`.
    pub version: Option<String>,
    /// The value of `<prefix>/channel`.
    pub channel: Option<String>,
}

impl Pinned {
    /// Returns what is wrong with an entry; empty if it is as `pin` wrote it. `folder` has its vendored files.
    #[must_use]
    pub fn contradictions(&self, folder: &Path, files: &dyn Read) -> Vec<Contradiction> {
        let mut found = self.inner_contradictions();
        found.extend(self.contradicting_crds(folder, files));
        if self.is_sealed() != Some(true) {
            found.extend(self.missing_row(folder, files));
        }
        if self.is_sealed() == Some(false) && found.is_empty() {
            found.push(Contradiction {
                key: "digest",
                why: "its `digest` is not that of its other fields, so that it was edited or merged line by line".to_owned(),
            });
        }
        found
    }

    /// Compares the fields with each other.
    fn inner_contradictions(&self) -> Vec<Contradiction> {
        let mut found = Vec::new();
        let mut wrong = |key, why: String| found.push(Contradiction { key, why });
        let channels: BTreeSet<&str> = self.channels_of_files().collect();
        if let Some(other) = channels.iter().find(|name| **name != self.channel) {
            let why = format!(
                "its `channel` is `{}`, but it has files of `{other}`",
                self.channel
            );
            wrong("channel", why);
        } else if self.part("crds").next().is_none() {
            wrong("files", "it has no CRD".to_owned());
        }
        let requirement = VersionReq::parse(&self.requirement);
        if !requirement.is_ok_and(|requirement| requirement.matches(self.version.semantic())) {
            let why = format!(
                "its `version` is {}, but its `requirement` is `{}`",
                self.version, self.requirement
            );
            wrong("version", why);
        }
        let tag = self.source.tag.as_ref();
        if let Some(tag) = tag.filter(|tag| !tag.ends_with(&self.version.to_string())) {
            let why = format!(
                "its `version` is {}, but its `tag` is `{tag}`",
                self.version
            );
            wrong("version", why);
        }
        found
    }

    /// Compares the entry with what its vendored CRDs say of themselves. Other files may be those of another version.
    #[must_use]
    pub fn contradicting_crds(&self, folder: &Path, files: &dyn Read) -> Option<Contradiction> {
        self.part("crds").find_map(|(name, path)| {
            let bytes = files.read(&folder.join(name)).ok()?;
            let digest = self.files.get(path)?;
            let stamps = match digest.is_of_text(&bytes) {
                true => self.stamps(&bytes),
                false => Vec::new(),
            };
            stamps
                .iter()
                .find_map(|stamp| self.against(stamp, &format!("{}/{name}", self.folder)))
        })
    }

    /// Compares the entry with the annotations of a CRD.
    fn against(&self, stamp: &Stamp, path: &str) -> Option<Contradiction> {
        let version = stamp.version.as_deref();
        let version = version.filter(|version| *version != self.version.to_string());
        let channel = stamp.channel.as_deref();
        let channel = channel.filter(|channel| *channel != self.channel_annotation());
        let (key, own, other) = match (version, channel) {
            (Some(version), _) => ("version", self.version.to_string(), version),
            (None, Some(channel)) => ("channel", self.channel.clone(), channel),
            (None, None) => return None,
        };
        let why = format!("its `{key}` is `{own}`, but `{path}`, which it pins, is of `{other}`");
        Some(Contradiction { key, why })
    }

    /// Returns a CRD of the bundle that names another one, or another channel.
    #[must_use]
    pub fn unlike(&self, bundle: &Verified) -> Option<&str> {
        let mut crds = self.part("crds").map(|(_, path)| path);
        crds.find(|path| {
            let stamps = bundle.files.get(*path).map(|bytes| self.stamps(bytes));
            let stamps = stamps.unwrap_or_default();
            stamps
                .iter()
                .any(|stamp| self.against(stamp, path).is_some())
        })
    }

    /// Returns a vendored CRD of the same bundle and channel that the entry does not have.
    fn missing_row(&self, folder: &Path, files: &dyn Read) -> Option<Contradiction> {
        let known: BTreeSet<&str> = self.part("crds").map(|(name, _)| name).collect();
        let entries = files.list(folder).unwrap_or_default();
        entries.iter().find_map(|path| {
            let name = path.file_name()?.to_str()?;
            if known.contains(name) || !name.ends_with(".yaml") {
                return None;
            }
            let stamps = self.stamps(&files.read(path).ok()?);
            let is_own =
                |stamp: &Stamp| stamp.version.is_some() && self.against(stamp, "").is_none();
            stamps.iter().any(is_own).then(|| Contradiction {
                key: "files",
                why: format!(
                    "`{}/{name}` is of {} {} as well, but `files` lacks it",
                    self.folder, self.version, self.channel
                ),
            })
        })
    }

    /// The channels in whose folders its files are.
    fn channels_of_files(&self) -> impl Iterator<Item = &str> {
        self.files
            .keys()
            .map(|path| path.split('/').next().unwrap_or(path))
    }

    /// Returns what the CRDs in a text say of their bundle and channel.
    #[must_use]
    pub fn stamps(&self, bytes: &[u8]) -> Vec<Stamp> {
        let text = std::str::from_utf8(bytes).ok();
        let all = text.and_then(|text| documents::parse(text).ok());
        let crds = all.into_iter().flatten();
        let crds = crds.filter(|document| document["kind"] == "CustomResourceDefinition");
        crds.map(|document| self.stamp(&document)).collect()
    }

    fn stamp(&self, document: &Value) -> Stamp {
        let annotations = document["metadata"]["annotations"].as_object();
        let value = |end: &str| {
            let (_, value) = annotations?.iter().find(|(key, _)| {
                let prefix = key.strip_suffix(end);
                // The prefix is unknown to an old lock.
                prefix.is_some_and(|prefix| prefix == self.prefix || self.prefix.is_empty())
            })?;
            Some(value.as_str()?.to_owned())
        };
        Stamp {
            version: value("/bundle-version"),
            channel: value("/channel"),
        }
    }

    /// Returns the entry as `pin` wrote it, if only its version, its channel or its requirement were changed since: some
    /// combination of these values has its digest. `versions` are those that it may have had.
    #[must_use]
    pub fn restored(&self, versions: &BTreeSet<BundleVersion>) -> Option<Self> {
        let mut channels: BTreeSet<&str> = self.channels_of_files().collect();
        channels.insert(&self.channel);
        channels.iter().find_map(|channel| {
            versions.iter().find_map(|version| {
                let mut requirements = vec![self.requirement.clone()];
                requirements.push(format!("={}", version.semantic()));
                requirements.into_iter().find_map(|requirement| {
                    let entry = Self {
                        version: version.clone(),
                        channel: (*channel).to_owned(),
                        requirement,
                        ..self.clone()
                    };
                    (entry.is_sealed() == Some(true)).then_some(entry)
                })
            })
        })
    }
}
