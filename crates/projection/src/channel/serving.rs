//! Which versions a channel has, and which of them it serves.

use super::config::{Channel, Serving};
use super::version::{ApiVersion, Stability};
use crate::render::Selection;
use crd_channels_schema::draft::Draft;

/// What the channel does with a version of that name.
fn policy(version: &str, channel: &Channel) -> Serving {
    match ApiVersion::parse(version).map(|version| version.stability) {
        Some(Stability::Alpha) => channel.alpha,
        Some(Stability::Beta) => channel.beta,
        Some(Stability::General) | None => Serving::AsWritten,
    }
}

/// Whether the channel has the version.
pub fn present(draft: &Draft, channel: &Channel) -> bool {
    Selection::Features(&channel.features).keeps(draft.gate.as_ref())
        && policy(&draft.version, channel) != Serving::Omitted
}

/// Whether the channel serves the version, if it has it.
pub fn served(draft: &Draft, channel: &Channel) -> bool {
    match policy(&draft.version, channel) {
        Serving::Served => true,
        Serving::Unserved | Serving::Omitted => false,
        Serving::AsWritten => draft.served,
    }
}
