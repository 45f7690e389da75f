//! An entry of the lock: one channel of a bundle, with a digest of every file, and the folder that it is written into.

use super::origin::Origin;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::digest::Digest;
use crd_channels_released::folder::Verified;
use crd_channels_released::manifest::Channel;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The folder of components, both in a channel and in the folder of a vendored bundle.
pub const COMPONENTS: &str = "components";

/// The folder of policies, likewise in both.
pub const POLICIES: &str = "policies";

/// A pinned bundle.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pinned {
    /// Its name in the lock: the prefix of its annotations, or a name chosen by the user.
    pub name: String,
    /// The bundle.
    pub version: BundleVersion,
    /// The channel.
    pub channel: String,
    /// The versions that an update may choose, such as `^0.2`.
    pub requirement: String,
    /// The oldest Kubernetes that accepts the CRDs, such as `1.32`.
    pub kubernetes: String,
    /// The part of its annotations before `/bundle-version`; empty in an old lock.
    #[serde(default)]
    pub prefix: String,
    /// The value of the annotation `<prefix>/channel`, if it is not the channel's name.
    #[serde(default)]
    pub annotation: Option<String>,
    /// The digest that the bundle's manifest has of itself.
    pub manifest: Digest,
    /// The folder to write it into, relative to the lock, with `/`.
    pub folder: String,
    /// The parts to write besides its CRDs.
    pub with: BTreeSet<Part>,
    /// The minisign public key that must have signed it and its successors.
    #[serde(default)]
    pub key: Option<String>,
    /// Where the bundle comes from.
    pub source: Origin,
    /// Every file of the channel, by path inside the bundle.
    pub files: BTreeMap<String, Digest>,
    /// The digest over all other fields; `None` in an old lock.
    #[serde(default)]
    pub digest: Option<Digest>,
}

/// A part of a bundle that can be written besides CRDs.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The other objects that belong to the bundle.
    Components,
    /// A `kustomization.yaml` that lists all files.
    Kustomization,
    /// The bundle's policies.
    Policies,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Components, Self::Kustomization, Self::Policies];

    /// Its name on the command line and in locks.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Components => "components",
            Self::Kustomization => "kustomization",
            Self::Policies => "policies",
        }
    }
}

/// The user's decisions about a bundle.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Choice {
    /// [`Pinned::name`]
    pub name: String,
    /// [`Pinned::requirement`]
    pub requirement: String,
    /// [`Pinned::folder`]
    pub folder: String,
    /// [`Pinned::with`]
    pub with: BTreeSet<Part>,
    /// [`Pinned::key`]
    pub key: Option<String>,
}

impl Pinned {
    /// Pins a channel of a bundle.
    #[must_use]
    pub fn of(bundle: &Verified, channel: &Channel, choice: Choice, source: Origin) -> Self {
        let manifest = &bundle.manifest;
        let Choice {
            name,
            requirement,
            folder,
            with,
            key,
        } = choice;
        let annotation = Some(channel.annotation.clone());
        let pinned = Self {
            name,
            version: manifest.version.clone(),
            channel: channel.name.clone(),
            requirement,
            kubernetes: manifest.kubernetes.clone(),
            prefix: manifest.annotation_prefix.clone(),
            annotation: annotation.filter(|annotation| *annotation != channel.name),
            // A verified manifest has a digest.
            manifest: manifest
                .digest
                .clone()
                .unwrap_or_else(|| manifest.to_text().1),
            folder,
            with,
            key,
            source,
            files: channel.files.clone(),
            digest: None,
        };
        pinned.sealed()
    }

    /// Returns the entry with the digest over its other fields.
    #[must_use]
    pub fn sealed(self) -> Self {
        Self {
            digest: Some(self.own_digest()),
            ..self
        }
    }

    /// Computes the digest over all fields but the digest. It is a digest of their values, so that neither white space, line
    /// endings, comments nor the order of keys matter; an absent value does not count, so that locks may get more of them.
    fn own_digest(&self) -> Digest {
        let open = Self {
            digest: None,
            ..self.clone()
        };
        // Serializing strings, lists and maps with string keys cannot fail; keys are sorted.
        let mut value = serde_json::to_value(open).unwrap_or_default();
        drop_absent(&mut value);
        Digest::of(value.to_string().as_bytes())
    }

    /// Whether its digest is the one over its other fields; `None` if it has no digest.
    #[must_use]
    pub fn is_sealed(&self) -> Option<bool> {
        let stated = self.digest.as_ref()?;
        Some(*stated == self.own_digest())
    }

    /// The user's decisions.
    #[must_use]
    pub fn choice(&self) -> Choice {
        Choice {
            name: self.name.clone(),
            requirement: self.requirement.clone(),
            folder: self.folder.clone(),
            with: self.with.clone(),
            key: self.key.clone(),
        }
    }

    /// The value of the annotation `<prefix>/channel`.
    #[must_use]
    pub fn channel_annotation(&self) -> &str {
        self.annotation.as_ref().unwrap_or(&self.channel)
    }

    /// Returns the files of a part of the channel, such as `crds`: the name and the path inside the bundle.
    pub fn part<'s>(&'s self, part: &str) -> impl Iterator<Item = (&'s str, &'s str)> + use<'s> {
        let prefix = format!("{}/{part}/", self.channel);
        let paths = self.files.keys();
        paths.filter_map(move |path| Some((path.strip_prefix(&prefix)?, path.as_str())))
    }

    /// Returns a file that no real bundle has. Only names of YAML and JSON files may be written into a user's folder.
    #[must_use]
    pub fn odd_file(&self) -> Option<&str> {
        let is_plain = |name: &str| {
            let ends = [".yaml", ".yml", ".json"];
            !name.starts_with('.')
                && !name.contains(['/', '\\'])
                && ends.iter().any(|end| name.ends_with(end))
        };
        let is_of_crd = |name: &str| is_plain(name) && name.contains('_');
        let crds = self.part("crds").filter(move |(name, _)| !is_of_crd(name));
        let others = [COMPONENTS, POLICIES].into_iter();
        let others = others.flat_map(|part| self.part(part));
        let others = others.filter(move |(name, _)| !is_plain(name));
        crds.chain(others).map(|(_, path)| path).next()
    }

    /// Whether a channel has one of the pinned CRDs.
    #[must_use]
    pub fn shares_a_crd(&self, channel: &Channel) -> bool {
        self.part("crds").any(|(name, _)| {
            let path = format!("{}/crds/{name}", channel.name);
            channel.files.contains_key(&path)
        })
    }

    /// Checks that a bundle is the pinned one. `source` is where it was found.
    ///
    /// # Errors
    /// `lock-inconsistent` if the entry does not fit its own bundle, `bundle-tampered` if the bundle is not that one.
    pub fn check(&self, bundle: &Verified, source: &Origin) -> Result<(), Box<Diagnostic>> {
        let manifest = &bundle.manifest;
        let mut channels = manifest.channels.iter();
        let channel = channels.find(|channel| channel.name == self.channel);
        let files = channel.map(|channel| &channel.files);
        let annotation = channel.map(|channel| &*channel.annotation);
        let is_old = self.digest.is_none();
        let wrong: Vec<&str> = [
            ("version", manifest.version == self.version),
            ("channel", channel.is_some()),
            ("kubernetes", manifest.kubernetes == self.kubernetes),
            (
                "prefix",
                is_old && self.prefix.is_empty() || manifest.annotation_prefix == self.prefix,
            ),
            (
                "annotation",
                is_old
                    || annotation.is_none_or(|annotation| annotation == self.channel_annotation()),
            ),
            ("manifest", manifest.digest.as_ref() == Some(&self.manifest)),
            ("files", files.is_none_or(|files| *files == self.files)),
        ]
        .into_iter()
        .filter_map(|(key, fits)| (!fits).then_some(key))
        .collect();
        if wrong.is_empty() {
            return Ok(());
        }
        // The digest of a manifest covers everything, so that a bundle with the pinned one is the pinned bundle.
        if !wrong.contains(&"manifest") {
            let verb = if wrong.len() == 1 {
                "is not that"
            } else {
                "are not those"
            };
            let why = format!(
                "`{}` {verb} of the bundle {}",
                wrong.join("`, `"),
                manifest.version
            );
            return Err(self.inconsistent(&why));
        }
        let message = format!(
            "the bundle {} is not the one that was pinned{}",
            self.version,
            self.moved(source)
        );
        let help = format!(
            "ask its publisher: a released bundle never changes. To trust the new one run `crd-channels pin --remove {}` and pin again",
            self.name
        );
        Err(Box::new(
            Diagnostic::new(Code::BundleTampered, None, message).with_help(help),
        ))
    }

    /// The diagnostic for an entry that nothing but `pin` can have written, or that somebody changed afterwards.
    #[must_use]
    pub fn inconsistent(&self, why: &str) -> Box<Diagnostic> {
        let message = format!("the entry `{}` of `bundle.lock` is wrong: {why}", self.name);
        let help = format!(
            "run `{}`, which pins {} {} from its source again",
            repair(&self.name),
            self.version,
            self.channel
        );
        Box::new(Diagnostic::new(Code::LockInconsistent, None, message).with_help(help))
    }

    /// Describes how the bundle changed, if the source now has it at another commit or in another artifact.
    fn moved(&self, now: &Origin) -> String {
        let places = self.source.read_at().zip(now.read_at());
        let Some((old, new)) = places.filter(|(old, new)| old != new) else {
            return String::new();
        };
        let place = match (&now.tag, &now.revision) {
            (Some(tag), _) => format!("the tag `{tag}`"),
            (None, Some(revision)) => format!("`{revision}`"),
            (None, None) => "`HEAD`".to_owned(),
        };
        format!(
            ": {place} of `{}` was at {} and is at {} now, where the bundle has a different digest",
            now.display_name(),
            short(old),
            short(new)
        )
    }
}

/// The command that repairs an entry.
#[must_use]
pub fn repair(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    match name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(plain) {
        true => format!("crd-channels pin --repair {name}"),
        false => "crd-channels pin --repair".to_owned(),
    }
}

/// Removes all nulls from a JSON value.
fn drop_absent(value: &mut Value) {
    if let Value::Object(fields) = value {
        fields.retain(|_, value| !value.is_null());
        fields.values_mut().for_each(drop_absent);
    }
}

/// Returns a commit or a digest in the form that messages show.
#[must_use]
pub fn short(name: &str) -> &str {
    let digits = name.strip_prefix("sha256:").unwrap_or(name);
    digits.get(..12).unwrap_or(digits)
}
