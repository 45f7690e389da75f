//! The policy for the annotations of a conversion webhook: it refuses a forged one, and nothing that the other checks do.

use super::Written;
use crate::e2e::policies::{BINDINGS, MERGE, POLICIES, wait_until_refused};
use crate::published::Published;
use crd_channels::release::policies::{self, KEPT};
use crd_channels::release::policy::{Bundle, Channel};
use crd_channels_compat::{self as compat, Set, read};
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
use crd_channels_projection::bundle::version::BundleVersion;
use serde_json::json;
use std::collections::BTreeSet;

const PREFIX: &str = "conversion.crd-channels.dev";

/// Returns the policy of a bundle with these CRDs.
pub fn policy(crds: &[&Published]) -> Result<Vec<(&'static str, String)>, Failure> {
    let mut set = Set::default();
    for published in crds {
        for published in read::texts(&published.document.to_string()).map_err(Failure::new)? {
            set.insert(compat::Channel::Stable, published)
                .map_err(Failure::new)?;
        }
    }
    let channels = [Channel {
        name: "stable".to_owned(),
        annotation: "stable".to_owned(),
        features: BTreeSet::new(),
    }];
    let [stable] = &channels;
    let bundle = Bundle {
        version: &BundleVersion::new(0, 1, 0),
        prefix: PREFIX,
        channels: &channels,
        set: &set,
    };
    let mut written = policies::write(bundle, stable)
        .map_err(|error| Failure::new(format!("a policy is {error}")))?;
    written.retain(|(file, _)| *file == KEPT);
    Ok(written)
}

/// Waits until a forged annotation is refused.
pub fn check(api: Api, written: &[Written<'_>]) -> Result<(), Failure> {
    let Some(object) = written.first() else {
        return Ok(());
    };
    let name = format!("{}/conversion-kept.v1.spec.forged", object.kind.crd.group);
    let body = json!({"metadata": {"annotations": {name: "{}"}}}).to_string();
    let place = format!("{}/{}?dryRun=All", object.kind.path(), object.name);
    wait_until_refused(|| api.send("PATCH", &place, &MERGE, &body))
}

/// Removes the policy.
pub fn remove(api: Api) -> Result<(), Failure> {
    for all in [POLICIES, BINDINGS] {
        api.delete(&format!("{all}/conversion-kept.{PREFIX}"))?;
    }
    Ok(())
}
