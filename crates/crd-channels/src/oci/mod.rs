//! Bundles as artifacts in OCI registries: addresses and manifests as plain values, and the registry behind them.

pub mod address;
pub mod manifest;
#[cfg(feature = "oci")]
mod mirrors;
#[cfg(feature = "oci")]
mod client;
#[cfg(feature = "oci")]
mod registry;
#[cfg(not(feature = "oci"))]
mod without;

#[cfg(feature = "oci")]
pub use registry::Registry;
#[cfg(not(feature = "oci"))]
pub use without::Registry;
