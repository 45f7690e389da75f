//! The CRDs that examples are judged by.

use super::memory::Memory;
use crate::served::Named;
use crd_channels_files::{Disk, Read};
use crd_channels_released::documents;
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
    /// What an earlier run left; none where everything is to be judged anew.
    pub memory: Option<Memory<'m>>,
}

/// A CRD.
pub struct Crd<'m> {
    channel: &'m str,
    document: Value,
}

impl<'m> Crds<'m> {
    /// The files that may have CRDs of what is named, with their texts. What keeps one from being read keeps the run from
    /// its end, too.
    pub fn files(self, named: &BTreeSet<Named<'_>>) -> Vec<(&'m str, String)> {
        let groups: BTreeSet<&str> = named.iter().map(|named| named.group()).collect();
        let is_of = |path: &&String| {
            let name = path.rsplit('/').next();
            let parts = name.and_then(|name| name.split_once('_'));
            parts.is_some_and(|(group, _)| groups.contains(group))
        };
        let mentions = |text: &String| named.iter().any(|named| text.contains(named.kind));
        let paths = self.texts.keys().chain(self.kept).filter(is_of);
        let files = paths.filter_map(|path| {
            let known = self.texts.get(path).cloned();
            let text = known.or_else(|| Disk.read_text(&self.output.join(path)).ok());
            Some((path.as_str(), text.filter(mentions)?))
        });
        files.collect()
    }

    /// The CRDs of these files, channel by channel.
    pub fn documents(self, files: &[(&'m str, String)]) -> Vec<Crd<'m>> {
        let of_file = |(path, text): &(&'m str, String)| {
            let channel = path.split('/').next().unwrap_or_default();
            let documents = documents::parse(text).unwrap_or_default().into_iter();
            documents.map(move |document| Crd { channel, document })
        };
        let mut found: Vec<Crd<'_>> = files.par_iter().flat_map_iter(of_file).collect();
        let place = |crd: &Crd<'_>| self.channels.iter().position(|name| *name == crd.channel);
        found.sort_by_key(place);
        found
    }
}

/// What judges the objects of a version in a channel.
pub struct ChannelValidator<'c> {
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
pub fn validators<'c>(
    crds: &'c [Crd<'c>],
    named: &BTreeSet<Named<'c>>,
) -> Vec<ChannelValidator<'c>> {
    let of_crd = |crd: &'c Crd<'c>| {
        let name = crd.document.pointer("/metadata/name");
        let serving = named
            .iter()
            .filter(|named| named.is_served_by(&crd.document));
        serving.map(move |named| ChannelValidator {
            channel: crd.channel,
            crd: name.and_then(Value::as_str).unwrap_or_default(),
            named: *named,
            validator: Validator::new(&crd.document, named.version()),
        })
    };
    crds.par_iter().flat_map_iter(of_crd).collect()
}
