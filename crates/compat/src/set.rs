//! A set of CRDs: all channels of one bundle, as they are published.

use super::components::Components;
use super::normal::normalise;
use super::verdict::Channel;
use crd_channels_cel::Text;
use crd_channels_released::manifest::Tombstones;
use crd_channels_schema::Crd;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// A CRD as it is published.
#[derive(Clone, Debug)]
pub struct Published {
    /// What is known of it.
    pub crd: Crd,
    /// What is not, by path.
    pub unknown: BTreeMap<String, Value>,
}

/// The CRDs of one channel, by name.
pub type Crds = BTreeMap<String, Published>;

/// A set of CRDs.
#[derive(Clone, Debug, Default)]
pub struct Set {
    /// Its channels.
    pub channels: BTreeMap<Channel, Crds>,
    /// Further channels by name: each has some of what is experimental.
    pub others: BTreeMap<Text, Crds>,
    /// The oldest Kubernetes that it says it is for, as the minor version of 1.
    pub kubernetes: Option<u32>,
    /// Whether folders told the channels; otherwise annotations did.
    pub by_folder: bool,
    /// Names that are gone, where a manifest or source tells of them.
    pub tombstones: Option<Tombstones>,
    /// What it has besides CRDs, where that is known.
    pub components: Option<Components>,
}

/// What a server adds to every object, and no bundle decides.
const OF_SERVERS: [&str; 7] = [
    "status",
    "metadata.creationTimestamp",
    "metadata.generation",
    "metadata.managedFields",
    "metadata.resourceVersion",
    "metadata.selfLink",
    "metadata.uid",
];

impl Published {
    /// A CRD that was just made.
    #[must_use]
    pub fn new(mut crd: Crd) -> Self {
        normalise(&mut crd);
        Self {
            crd,
            unknown: BTreeMap::new(),
        }
    }

    /// Reads a document; `None` if it is not a CRD.
    ///
    /// # Errors
    /// What is not understood of a CRD, in one line.
    pub fn read(document: &Value) -> Result<Option<Self>, String> {
        if document.get("kind").and_then(Value::as_str) != Some("CustomResourceDefinition") {
            return Ok(None);
        }
        match Crd::from_foreign_json(document) {
            Ok((crd, mut unknown)) => {
                unknown.retain(|path, _| !OF_SERVERS.contains(&path.as_str()));
                Ok(Some(Self {
                    unknown,
                    ..Self::new(crd)
                }))
            }
            Err(misreads) => Err(misreads
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("; ")),
        }
    }

    /// The annotation whose name ends so, whatever its prefix.
    #[must_use]
    pub fn annotation(&self, suffix: &str) -> Option<(&Text, &Text)> {
        let mut annotations = self.crd.annotations.iter();
        annotations.find(|(name, _)| name.ends_with(suffix))
    }

    /// The channel that it says it belongs to.
    #[must_use]
    pub fn channel(&self) -> Option<Channel> {
        Channel::from_name(self.annotation("/channel")?.1)
    }

    /// The bundle that it says it belongs to.
    #[must_use]
    pub fn bundle_version(&self) -> Option<&Text> {
        Some(self.annotation("/bundle-version")?.1)
    }
}

impl Set {
    /// The CRDs of a channel.
    #[must_use]
    pub fn channel(&self, channel: Channel) -> Option<&Crds> {
        self.channels.get(&channel)
    }

    /// Takes a CRD into a channel.
    ///
    /// # Errors
    /// When the channel has another CRD of that name.
    pub fn insert(&mut self, channel: Channel, published: Published) -> Result<(), String> {
        let crds = self.channels.entry(channel).or_default();
        take(crds, published).map_err(|name| twice(&name, &channel))
    }

    /// The same for a further channel.
    ///
    /// # Errors
    /// When the channel has another CRD of that name.
    pub fn insert_other(&mut self, channel: &Text, published: Published) -> Result<(), String> {
        let crds = self.others.entry(channel.clone()).or_default();
        take(crds, published).map_err(|name| twice(&name, channel))
    }

    /// Takes a CRD into the channel of that name: the one of the two that it is, where it is one of them.
    ///
    /// # Errors
    /// When the channel has another CRD of that name.
    pub fn insert_into(
        &mut self,
        name: &Text,
        promise: Option<Channel>,
        published: Published,
    ) -> Result<(), String> {
        match promise {
            Some(channel) => self.insert(channel, published),
            None => self.insert_other(name, published),
        }
    }

    /// Takes CRDs whose channel nobody told: the annotations decide. A set without the same CRD twice is one channel.
    ///
    /// # Errors
    /// When a channel would have two CRDs of one name.
    pub fn insert_flat(&mut self, all: Vec<Published>) -> Result<(), String> {
        let mut names: Vec<String> = all.iter().map(|published| published.crd.name()).collect();
        names.sort_unstable();
        let twice = names.windows(2).any(|pair| pair.first() == pair.last());
        let first = all.iter().find_map(Published::channel);
        for published in all {
            let own = published.channel().filter(|_| twice);
            self.insert(own.or(first).unwrap_or(Channel::Stable), published)?;
        }
        Ok(())
    }

    /// The bundle version of a channel, as most of its CRDs tell it.
    #[must_use]
    pub fn bundle_version(&self) -> Option<Text> {
        let mut counts: BTreeMap<&Text, usize> = BTreeMap::new();
        for version in self
            .channels
            .values()
            .flat_map(BTreeMap::values)
            .filter_map(Published::bundle_version)
        {
            *counts.entry(version).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count)?;
        Some(most.0.clone())
    }
}

/// Adds a CRD. Fails with its name where there is another of that name.
fn take(crds: &mut Crds, published: Published) -> Result<(), String> {
    let name = published.crd.name();
    let known = crds.get(&name);
    if known.is_some_and(|known| known.crd != published.crd || known.unknown != published.unknown) {
        return Err(name);
    }
    crds.insert(name, published);
    Ok(())
}

fn twice(name: &str, channel: &impl fmt::Display) -> String {
    format!("duplicate `{name}` in the {channel} channel")
}
