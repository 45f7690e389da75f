//! The library that a controller links to keep the promises of its CRDs. Each part works without the others, and without a
//! bundle of crd-channels.
//!
//! - `bundle`, a feature, reads which bundle is installed, and whether a controller supports it.
//! - [`conditions`] reads status conditions, sets them by the rules of Kubernetes' API conventions, and writes them to the server
//!   with the feature `status`.
//! - `conversion`, a feature, converts objects between the versions of a kind, and answers the `ConversionReview`s of an API
//!   server.
//! - `install`, a feature, installs the CRDs embedded in a controller, but never over a newer bundle.
//! - `validation`, a feature, validates objects as a server would.
//! - [`warnings`] reads the warnings that an API server adds to its responses, with the feature `warning-layer` those of every
//!   response.
//! - `webhook`, a feature, serves conversion over TLS, with a certificate that it makes and renews.
//!
//! Without the features `install`, `status` and `webhook`, there is no async runtime and no client: the library works on the values that every client has.
//!
#![doc = include_str!("../README.md")]

#[cfg(feature = "bundle")]
pub mod bundle;
pub mod conditions;
#[cfg(feature = "conversion")]
pub mod conversion;
#[cfg(feature = "install")]
pub mod install;
#[cfg(any(feature = "install", feature = "webhook"))]
mod pem;
pub mod warnings;

#[cfg(feature = "webhook")]
pub mod webhook;

#[cfg(feature = "validation")]
pub use crd_channels_validation as validation;

/// The code on the page for controllers.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/controllers.md")]
pub struct Controllers;
