//! A set of CRDs: all channels of one bundle, as they are published.

pub(crate) mod channel_pair;
pub(crate) mod names_in_use;
pub(crate) mod oldest_kubernetes;
pub mod read;

use super::components::Components;
use super::findings::verdict::Channel;
use super::schemas::normalize::normalize;
use crd_channels_cel::Text;
use crd_channels_released::manifest::{ConditionList, Tombstones};
use crd_channels_schema::{Conversion, Crd};
use crd_channels_validation::proof::{Proof, of_versions};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// A CRD as it is published.
#[derive(Clone, Debug)]
pub struct Published {
    /// The fields that are known, in their normal form: what means the same is equal.
    pub crd: Crd,
    /// The same as they are written.
    pub written: Crd,
    /// The unknown fields, by path.
    pub unknown: BTreeMap<String, Value>,
    /// The conditions that its lists declare, if a manifest or the source records them.
    pub conditions: Option<Vec<ConditionList>>,
    /// The digests of the schemas between which a webhook converts, by the names of their versions.
    pub(crate) converted: BTreeMap<String, String>,
}

/// The CRDs of one channel, by name.
pub type Crds = BTreeMap<String, Published>;

/// A set of CRDs.
#[derive(Clone, Debug, Default)]
pub struct Set {
    /// Its channels.
    pub channels: BTreeMap<Channel, Crds>,
    /// Additional channels by name: each has some of the experimental features.
    pub others: BTreeMap<Text, Crds>,
    /// The oldest Kubernetes that it declares, as the minor version of 1.
    pub kubernetes: Option<u32>,
    /// Whether the channels were derived from folders rather than annotations.
    pub by_folder: bool,
    /// Removed names, if a manifest or the source records them.
    pub tombstones: Option<Tombstones>,
    /// Its objects besides CRDs, if known.
    pub components: Option<Components>,
    /// The recorded proofs that conversions lose nothing, by the names of the CRDs, or why a record is none.
    pub proofs: BTreeMap<String, Result<Proof, String>>,
}

/// Metadata that servers add to every object.
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
    /// Wraps a generated CRD.
    #[must_use]
    pub fn new(mut crd: Crd) -> Self {
        let converted = match (&crd.conversion, crd.versions.len()) {
            // Types and maps with string keys are always JSON.
            (Conversion::Webhook(_), 2..) => serde_json::to_value(&crd).unwrap_or_default(),
            _ => Value::Null,
        };
        let written = crd.clone();
        normalize(&mut crd);
        Self {
            crd,
            written,
            unknown: BTreeMap::new(),
            conditions: None,
            converted: of_versions(&converted),
        }
    }

    /// Adds those of a channel's conditions that are its own; `None` if they are unknown.
    #[must_use]
    pub fn declaring(self, of_channel: Option<&[ConditionList]>) -> Self {
        let is_own = |list: &&ConditionList| {
            (&*list.group, &*list.kind) == (&*self.crd.group, &*self.crd.names.kind)
        };
        let own = of_channel.map(|lists| lists.iter().filter(is_own).cloned().collect());
        Self {
            conditions: own,
            ..self
        }
    }

    /// Reads a document; `None` if it is not a CRD.
    ///
    /// # Errors
    /// The reason in one line, if a CRD cannot be decoded.
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

    /// The annotation whose name has this suffix, with any prefix.
    #[must_use]
    pub fn annotation(&self, suffix: &str) -> Option<(&Text, &Text)> {
        let mut annotations = self.crd.annotations.iter();
        annotations.find(|(name, _)| name.ends_with(suffix))
    }

    /// The channel that its annotation names.
    #[must_use]
    pub fn channel(&self) -> Option<Channel> {
        Channel::from_name(self.annotation("/channel")?.1)
    }

    /// The bundle version that its annotation names.
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

    /// Adds a CRD to a channel.
    ///
    /// # Errors
    /// If the channel has a different CRD of that name.
    pub fn insert(&mut self, channel: Channel, published: Published) -> Result<(), String> {
        let crds = self.channels.entry(channel).or_default();
        take(crds, published).map_err(|name| twice(&name, &channel))
    }

    /// Adds a CRD to an additional channel.
    ///
    /// # Errors
    /// If the channel has a different CRD of that name.
    pub fn insert_other(&mut self, channel: &Text, published: Published) -> Result<(), String> {
        let crds = self.others.entry(channel.clone()).or_default();
        take(crds, published).map_err(|name| twice(&name, channel))
    }

    /// Adds a CRD to the channel of that name: stable, experimental, or an additional one.
    ///
    /// # Errors
    /// If the channel has a different CRD of that name.
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

    /// Adds CRDs of unknown channel: their annotations decide. A set without duplicates is one channel.
    ///
    /// # Errors
    /// If a channel would have two different CRDs of one name.
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

    /// Whether the declared conditions of its CRDs are known.
    #[must_use]
    pub fn records_conditions(&self) -> bool {
        let mut all = self.channels.values().flat_map(Crds::values);
        all.all(|published| published.conditions.is_some())
    }

    /// Whether a CRD is known to declare conditions.
    pub(crate) fn declares_conditions(&self) -> bool {
        let all = self.channels.values().flat_map(Crds::values);
        let mut known = all.filter_map(|published| published.conditions.as_ref());
        known.any(|lists| !lists.is_empty())
    }

    /// The bundle version of a channel: the one that most of its CRDs have.
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

/// Adds a CRD. Fails with its name if there is a different one of that name.
fn take(crds: &mut Crds, published: Published) -> Result<(), String> {
    let name = published.crd.name();
    let differs = |known: &Published| {
        let Published {
            crd,
            written: _,
            unknown,
            conditions,
            converted: _,
        } = known;
        (crd, unknown, conditions) != (&published.crd, &published.unknown, &published.conditions)
    };
    if crds.get(&name).is_some_and(differs) {
        return Err(name);
    }
    crds.insert(name, published);
    Ok(())
}

fn twice(name: &str, channel: &impl fmt::Display) -> String {
    format!("duplicate `{name}` in the {channel} channel")
}
