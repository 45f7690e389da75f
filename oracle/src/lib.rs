//! The twins: for every channel the source of `api-types` and of the fixtures, with gated nodes deleted or kept as the
//! channel has it, compiled by kube-derive. `build.rs` writes them as text, so they share no code with the generator.

#![allow(
    missing_docs,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    unused_imports,
    unused_qualifications,
    dead_code,
    reason = "the twins are other people's source, moved"
)]

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

include!(concat!(env!("OUT_DIR"), "/twins.rs"));

/// The CRDs that kube-derive makes of the kinds of one source set in one channel, one for each version.
#[must_use]
pub fn crds(set: &str, channel: &str) -> Vec<CustomResourceDefinition> {
    twin(set, channel)
}
