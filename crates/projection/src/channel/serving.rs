//! The versions of a kind that a channel has, and those that it serves.

use super::config::{Channel, Serving};
use super::version::{ApiVersion, Stability};
use crate::render::Selection;
use crd_channels_schema::draft::Draft;

/// Returns how the channel serves a version of that name.
fn policy(version: &str, channel: &Channel) -> Serving {
    match ApiVersion::parse(version).map(|version| version.stability) {
        Some(Stability::Alpha) => channel.alpha,
        Some(Stability::Beta) => channel.beta,
        Some(Stability::General) | None => Serving::AsWritten,
    }
}

/// Returns true if the channel has the version.
pub fn present(draft: &Draft, channel: &Channel) -> bool {
    Selection::Features(&channel.features).keeps(draft.gate.as_ref())
        && policy(&draft.version, channel) != Serving::Omitted
}

/// Returns true if the channel serves the version, provided that it has it.
pub fn served(draft: &Draft, channel: &Channel) -> bool {
    match policy(&draft.version, channel) {
        Serving::Served => true,
        Serving::Unserved | Serving::Omitted => false,
        Serving::AsWritten => draft.served,
    }
}
