//! What a controller links to keep what its CRDs promise. Every part works without the others, and without a bundle of
//! crd-channels.
//!
//! - `bundle`, a feature, tells which bundle is installed, and whether a controller supports it.
//! - [`conditions`] sets status conditions by the rules of Kubernetes' API conventions.
//! - `conversion`, a feature, converts objects between the versions of a kind, and answers the `ConversionReview`s of an API
//!   server.
//! - `install`, with the feature `kube`, installs the CRDs that a controller brings, and never over a newer bundle.
//! - `validation`, a feature, says what a server would make of an object.
//! - [`warnings`] reads the warnings that an API server adds to its responses.
//!
//! Without the feature `kube` there is no async runtime and no client in it: it works on the values that every client has.
//!
#![doc = include_str!("../README.md")]

#[cfg(feature = "bundle")]
pub mod bundle;
pub mod conditions;
#[cfg(feature = "conversion")]
pub mod conversion;
#[cfg(feature = "kube")]
pub mod install;
pub mod warnings;

#[cfg(feature = "validation")]
pub use crd_channels_validation as validation;

/// The code of the page for controllers.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/controllers.md")]
pub struct Controllers;
