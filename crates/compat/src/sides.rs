//! One channel of two sets, the input of every part of a comparison.

use super::set::Crds;
use super::verdict::Channel;

/// One channel of two bundles, with the other channels.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) channel: Channel,
    pub(super) old: &'a Crds,
    pub(super) new: &'a Crds,
    /// The other channel of the old bundle.
    pub(super) beside_old: Option<&'a Crds>,
    /// The other channel of the new bundle.
    pub(super) beside_new: Option<&'a Crds>,
    /// The channel in every earlier bundle, oldest first.
    pub(super) past: &'a [&'a Crds],
    /// Whether all earlier bundles are known.
    pub(super) whole_past: bool,
}
