//! Since when everything in a new bundle is in which channel, and what was removed, as its manifest records it.

use crate::commands::reference::releases::of_bundles;
use crate::release::lifecycle::Ancestry;
use crd_channels_compat::Set;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_reference::{Api, Release};
use crd_channels_released::history::KindHistory;

/// Returns the histories of all kinds of a new bundle and of those that it follows.
pub fn kind_histories(past: &Ancestry<'_>, version: &BundleVersion, new: &Set) -> Vec<KindHistory> {
    // What the latest of them records saves looking at those before it.
    let mut bundles = past.bundles.iter();
    let known = bundles.rposition(|bundle| !bundle.manifest.history.is_empty());
    let bundles = past.bundles.iter().skip(known.unwrap_or_default());
    let mut releases = of_bundles(&Ancestry {
        bundles: bundles.copied().collect(),
        ..Ancestry::default()
    });
    releases.push(Release {
        name: version.to_string(),
        set: new.clone(),
        ..Release::default()
    });
    crd_channels_reference::recorded(&Api {
        releases,
        ..Api::default()
    })
}
