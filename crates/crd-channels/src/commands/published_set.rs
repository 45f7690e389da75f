//! The set of CRDs that kinds are published as.

use super::manifest;
use crd_channels_compat::read::{self, NamedChannel};
use crd_channels_compat::{Published, Set};
use crd_channels_diagnostics::{Sink, Text};
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::channel::Kind;

/// Returns the set that kinds are published as.
pub fn published_set(setup: &Setup, kinds: &[Kind], sink: &mut Sink) -> Set {
    let channels = pipeline::project(setup, kinds, sink);
    let mut set = Set {
        by_folder: true,
        kubernetes: Some(setup.config.bundle.kubernetes.minor),
        tombstones: Some(manifest::tombstones(setup, kinds)),
        ..Set::default()
    };
    let configured = setup.config.channels.iter();
    let known: Vec<NamedChannel<'_>> = configured
        .map(|channel| NamedChannel {
            name: &channel.name,
            annotation: &channel.annotation.value,
            bare: channel.features.is_empty(),
        })
        .collect();
    let promises = read::promises(&known);
    for (projected, channel) in channels.into_iter().zip(&setup.config.channels) {
        let promise = promises.get(&projected.channel).copied();
        let name = Text::from(projected.channel);
        let conditions = manifest::conditions(kinds, channel);
        for crd in projected.crds {
            let published = Published::new(crd).declaring(Some(&conditions));
            // Duplicate names were reported for the kinds.
            let _ = set.insert_into(&name, promise, published);
        }
    }
    set
}
