//! One bundle of a lock: a channel of it, to the byte, and what is written of it into which folder.

use super::origin::Origin;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::digest::Digest;
use crd_channels_released::folder::Verified;
use crd_channels_released::manifest::Channel;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The folder of components, in a channel and in the folder that a bundle is written into.
pub const COMPONENTS: &str = "components";

/// The folder of policies, as well in both.
pub const POLICIES: &str = "policies";

/// What is pinned of a bundle.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pinned {
    /// Its name in the lock: the prefix of its annotations, or what the user said.
    pub name: String,
    /// The bundle.
    pub version: BundleVersion,
    /// The channel.
    pub channel: String,
    /// Which bundles an update may choose from, as in `^0.2`.
    pub requirement: String,
    /// The oldest Kubernetes that the CRDs can be installed on, as `1.32`.
    pub kubernetes: String,
    /// What stands before `/bundle-version` in its annotations; empty where an old lock does not say.
    #[serde(default)]
    pub prefix: String,
    /// The digest that the bundle's manifest states of itself.
    pub manifest: Digest,
    /// The folder that it is written into, relative to the lock, with `/`.
    pub folder: String,
    /// What is written beside its CRDs.
    pub with: BTreeSet<Part>,
    /// The public key of minisign that it is signed with, and every bundle that takes its place.
    #[serde(default)]
    pub key: Option<String>,
    /// Where the bundle comes from.
    pub source: Origin,
    /// Every file of the channel, by path inside the bundle.
    pub files: BTreeMap<String, Digest>,
}

/// What can be written beside CRDs.
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

/// What the user decides about a bundle.
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
        Self {
            name,
            version: manifest.version.clone(),
            channel: channel.name.clone(),
            requirement,
            kubernetes: manifest.kubernetes.clone(),
            prefix: manifest.annotation_prefix.clone(),
            // What was verified has one.
            manifest: manifest
                .digest
                .clone()
                .unwrap_or_else(|| manifest.to_text().1),
            folder,
            with,
            key,
            source,
            files: channel.files.clone(),
        }
    }

    /// The files of a part of the channel, such as `crds`: the path inside the bundle by the name.
    pub fn part<'s>(&'s self, part: &str) -> impl Iterator<Item = (&'s str, &'s str)> + use<'s> {
        let prefix = format!("{}/{part}/", self.channel);
        let paths = self.files.keys();
        paths.filter_map(move |path| Some((path.strip_prefix(&prefix)?, path.as_str())))
    }

    /// A file that no bundle has: what is written into somebody's folder has the name of an object's file, and no other.
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

    /// Whether a channel has one of the CRDs that are pinned.
    #[must_use]
    pub fn shares_a_crd(&self, channel: &Channel) -> bool {
        self.part("crds").any(|(name, _)| {
            let path = format!("{}/crds/{name}", channel.name);
            channel.files.contains_key(&path)
        })
    }

    /// Reports where a bundle is not the one that was pinned. `source` is where it was found.
    ///
    /// # Errors
    /// `bundle-tampered`
    pub fn check(&self, bundle: &Verified, source: &Origin) -> Result<(), Box<Diagnostic>> {
        let manifest = &bundle.manifest;
        let channels = manifest.channels.iter();
        let mut pinned = channels.filter(|channel| channel.name == self.channel);
        let same = manifest.version == self.version
            && manifest.digest.as_ref() == Some(&self.manifest)
            && manifest.kubernetes == self.kubernetes
            && pinned
                .next()
                .is_some_and(|channel| channel.files == self.files);
        if same {
            return Ok(());
        }
        let message = format!(
            "the bundle {} is not the one that was pinned{}",
            self.version,
            self.moved(source)
        );
        Err(Box::new(Diagnostic::new(Code::BundleTampered, None, message).with_help(format!(
            "ask its publisher: a released bundle never changes. To trust the new one run `crd-channels pin --remove {}` and pin again",
            self.name
        ))))
    }

    /// How it came to be another one, where the source has it at another commit now.
    fn moved(&self, now: &Origin) -> String {
        let commits = self.source.commit.as_deref().zip(now.commit.as_deref());
        let Some((old, new)) = commits.filter(|(old, new)| old != new) else {
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

/// A commit as messages have it.
#[must_use]
pub fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}
