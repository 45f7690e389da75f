//! One channel of two sets, as every part of a comparison is shown it.

use super::set::Crds;
use super::verdict::Channel;

/// One channel of two bundles, and what stands beside it.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) channel: Channel,
    pub(super) old: &'a Crds,
    pub(super) new: &'a Crds,
    /// The other channel of the old bundle.
    pub(super) beside_old: Option<&'a Crds>,
    /// The other channel of the new bundle.
    pub(super) beside_new: Option<&'a Crds>,
    /// The channel in every bundle before the new one, oldest first.
    pub(super) past: &'a [&'a Crds],
    /// Whether no bundle before the new one is unknown.
    pub(super) whole_past: bool,
}
