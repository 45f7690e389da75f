//! The CRDs that examples are judged by.

use crate::commands::served::Named;
use crate::files::{Disk, Read};
use crate::released::documents;
use crd_channels_validation::{NotServed, Validator};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The CRDs of channels. Paths are below the output folder and begin with the channel.
#[derive(Clone, Copy)]
pub struct Crds<'m> {
    /// Those that were made.
    pub texts: &'m BTreeMap<String, String>,
    /// Those that are as they were.
    pub kept: &'m BTreeSet<String>,
    /// The output folder.
    pub output: &'m Path,
    /// The channels.
    pub channels: &'m [&'m str],
}

/// A CRD.
pub struct Crd<'m> {
    channel: &'m str,
    document: Value,
}

impl<'m> Crds<'m> {
    /// The CRDs that serve what is named, channel by channel.
    pub fn documents(self, named: &BTreeSet<Named<'_>>) -> Vec<Crd<'m>> {
        let groups: BTreeSet<&str> = named.iter().map(|named| named.group()).collect();
        let is_of = |path: &&String| {
            let name = path.rsplit('/').next();
            let parts = name.and_then(|name| name.split_once('_'));
            parts.is_some_and(|(group, _)| groups.contains(group))
        };
        let paths: Vec<&String> = self.texts.keys().chain(self.kept).filter(is_of).collect();
        let of_path = |path: &&'m String| {
            let channel = path.split('/').next().unwrap_or_default();
            let documents = self.read(path, named).into_iter();
            documents.map(move |document| Crd { channel, document })
        };
        let mut found: Vec<Crd<'_>> = paths.par_iter().flat_map_iter(of_path).collect();
        found.retain(|crd| named.iter().any(|named| named.is_served_by(&crd.document)));
        let place = |crd: &Crd<'_>| self.channels.iter().position(|name| *name == crd.channel);
        found.sort_by_key(place);
        found
    }

    /// The documents of a file, if it has one of the kinds. What keeps it from being read keeps the run from its end, too.
    fn read(self, path: &str, named: &BTreeSet<Named<'_>>) -> Vec<Value> {
        let known = self.texts.get(path).cloned();
        let text = known.or_else(|| Disk.read_text(&self.output.join(path)).ok());
        let mentions = |text: &String| named.iter().any(|named| text.contains(named.kind));
        let parsed = text
            .filter(mentions)
            .and_then(|text| documents::parse(&text).ok());
        parsed.unwrap_or_default()
    }
}

/// What judges the objects of a version in a channel.
pub struct Judge<'c> {
    /// The channel.
    pub channel: &'c str,
    /// The name of the CRD.
    pub crd: &'c str,
    /// The objects.
    pub named: Named<'c>,
    /// The validator, or why there is none.
    pub validator: Result<Validator<'c>, NotServed>,
}

/// A judge for each channel of what is named.
pub fn judges<'c>(crds: &'c [Crd<'c>], named: &BTreeSet<Named<'c>>) -> Vec<Judge<'c>> {
    let of_crd = |crd: &'c Crd<'c>| {
        let name = crd.document.pointer("/metadata/name");
        let serving = named
            .iter()
            .filter(|named| named.is_served_by(&crd.document));
        serving.map(move |named| Judge {
            channel: crd.channel,
            crd: name.and_then(Value::as_str).unwrap_or_default(),
            named: *named,
            validator: Validator::new(&crd.document, named.version()),
        })
    };
    crds.par_iter().flat_map_iter(of_crd).collect()
}
