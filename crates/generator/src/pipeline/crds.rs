//! From kinds to their CRDs. There is one way: [`crd`] makes whatever is written, released, compared and proved.

use super::kinds::groups;
use super::setup::{Setup, stamp};
use crd_channels_diagnostics::Sink;
use crd_channels_projection::bundle::descriptions;
use crd_channels_projection::channel::config::Channel;
use crd_channels_projection::channel::{self, Kind, Run, Stamp};
use crd_channels_projection::render::Cache;
use crd_channels_schema::Crd;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

/// The CRDs of one channel, ordered by name.
pub struct Projected {
    /// The channel's name.
    pub channel: String,
    /// Its CRDs.
    pub crds: Vec<Crd>,
}

/// The input of a projection.
#[derive(Clone, Copy)]
pub struct Projection<'a> {
    /// The workspace and the configuration of the bundle.
    pub setup: &'a Setup,
    /// The channels.
    pub channels: &'a [&'a Channel],
    /// The version and the annotations that every CRD carries.
    pub stamp: &'a Stamp,
}

/// Returns the published CRD of a kind in a channel, or `None` if the channel has no version of the kind.
pub fn crd_of(kind: &Kind, channel: &Channel, run: Run<'_>, sink: &mut Sink) -> Option<Crd> {
    let mut crd = channel::project_kind(kind, channel, run, sink)?;
    descriptions::shorten(channel, &mut crd, sink);
    Some(crd)
}

/// Builds the CRD of every kind in each channel, in parallel, and passes each to `finish`. Returns the results by kind and
/// channel, or the default if a channel has no version of a kind.
pub(super) fn each<T: Default + Send>(
    projection: Projection<'_>,
    kinds: &[Kind],
    finish: impl Fn(Crd, &Kind, &Channel, &mut Sink) -> T + Sync,
) -> Vec<Vec<(T, Sink)>> {
    let cache = Cache::default();
    let run = Run {
        config: &projection.setup.config,
        stamp: projection.stamp,
        cache: &cache,
    };
    let one = |kind: &Kind, channel: &Channel| {
        let mut sink = Sink::default();
        let crd = crd_of(kind, channel, run, &mut sink);
        let finished = crd.map(|crd| finish(crd, kind, channel, &mut sink));
        (finished.unwrap_or_default(), sink)
    };
    let all = kinds.par_iter().map(|kind| {
        let channels = projection.channels.par_iter();
        channels.map(|channel| one(kind, channel)).collect()
    });
    all.collect()
}

/// Returns the published CRDs of all channels.
pub fn project(setup: &Setup, kinds: &[Kind], sink: &mut Sink) -> Vec<Projected> {
    if kinds.is_empty() {
        // This was reported, and without kinds there is nothing to stamp.
        return Vec::new();
    }
    let Some(stamp) = stamp(setup, groups(kinds), sink) else {
        return Vec::new();
    };
    channel::check_stamp(&stamp, kinds, &setup.config.channels, sink);
    let channels: Vec<&Channel> = setup.config.channels.iter().collect();
    let projection = Projection {
        setup,
        channels: &channels,
        stamp: &stamp,
    };
    let mut projected: Vec<Projected> = channels
        .iter()
        .map(|channel| Projected {
            channel: channel.name.to_string(),
            crds: Vec::new(),
        })
        .collect();
    for of_kind in each(projection, kinds, |crd, _, _, _| Some(crd)) {
        for (channel, (crd, found)) in projected.iter_mut().zip(of_kind) {
            channel.crds.extend(crd);
            sink.append(found);
        }
    }
    projected
}
