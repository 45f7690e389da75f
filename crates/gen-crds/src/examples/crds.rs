//! The CRDs that validate examples.

use super::memory::Memory;
use crate::type_meta::TypeMeta;
use crd_channels_files::{Disk, Read};
use crd_channels_released::documents;
use crd_channels_validation::{NotServed, Validator};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The CRDs of channels. Paths are relative to the output folder and begin with the channel.
#[derive(Clone, Copy)]
pub struct Crds<'m> {
    /// The generated CRDs.
    pub texts: &'m BTreeMap<String, String>,
    /// The paths of unchanged CRDs.
    pub kept: &'m BTreeSet<String>,
    /// The output folder.
    pub output: &'m Path,
    /// The channels.
    pub channels: &'m [&'m str],
    /// The memory of an earlier run; `None` if everything must be validated.
    pub memory: Option<Memory<'m>>,
}

/// A CRD of a channel.
pub struct Crd<'m> {
    channel: &'m str,
    document: Value,
}

impl<'m> Crds<'m> {
    /// Returns the files that may have CRDs for the objects, with their texts. A file that cannot be read also makes the run
    /// fail, so it is skipped here.
    pub fn files(self, named: &BTreeSet<TypeMeta<'_>>) -> Vec<(&'m str, String)> {
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

    /// Returns the CRDs of these files, channel by channel.
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

/// The validator for objects of a version in a channel.
pub struct ChannelValidator<'c> {
    /// The channel.
    pub channel: &'c str,
    /// The name of the CRD.
    pub crd: &'c str,
    /// The objects.
    pub named: TypeMeta<'c>,
    /// The validator, or the reason why there is none.
    pub validator: Result<Validator, NotServed>,
}

/// Returns a validator for each channel of each kind and version.
pub fn validators<'c>(
    crds: &'c [Crd<'c>],
    named: &BTreeSet<TypeMeta<'c>>,
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
