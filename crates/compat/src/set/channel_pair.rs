//! One channel of two sets, the input of every part of a comparison.

use super::Crds;
use crate::findings::verdict::Channel;
use crd_channels_validation::proof::Proof;
use std::collections::BTreeMap;

/// One channel of two bundles, with the other channels.
#[derive(Clone, Copy)]
pub(crate) struct ChannelPair<'a> {
    pub(crate) channel: Channel,
    pub(crate) old: &'a Crds,
    pub(crate) new: &'a Crds,
    /// The other channel of the old bundle.
    pub(crate) beside_old: Option<&'a Crds>,
    /// The other channel of the new bundle.
    pub(crate) beside_new: Option<&'a Crds>,
    /// The recorded proofs of the new bundle.
    pub(crate) proofs: &'a BTreeMap<String, Result<Proof, String>>,
    /// The channel in every earlier bundle, oldest first.
    pub(crate) past: &'a [&'a Crds],
    /// Whether all earlier bundles are known.
    pub(crate) whole_past: bool,
}
