//! Conversion between the versions of a kind, as a webhook of an API server does it.
//!
//! One version is the *hub*, usually the storage version. Each other version is a *spoke*: it converts to the hub and back, and
//! to other spokes through the hub. [`Convert`] is one direction of one pair; `#[derive(Convert)]` (feature `derive`)
//! implements both directions for fields that map by name. A [`Kind`] holds the versions of a kind, and a [`Converter`] answers
//! the `ConversionReview`s of all kinds of a webhook.
//!
//! Nothing is lost on the way. An annotation of the object, `<group>/conversion-kept`, preserves what a version cannot
//! represent, and it is restored when the object is converted back, unless the visible part was changed in the narrower
//! version.
//!
//! ```
//! use crd_channels_runtime::conversion::{Convert, Converter, Kind, Unconvertible, convert_root};
//! use serde::{Deserialize, Serialize};
//! use serde_json::{Value, json};
//!
//! mod v1 {
//!     use super::*;
//!     #[derive(Deserialize, Serialize)]
//!     pub struct Route { pub metadata: Value, pub spec: RouteSpec }
//!     #[derive(Deserialize, Serialize)]
//!     pub struct RouteSpec { pub hosts: Vec<String>, pub retries: Option<u32> }
//! }
//! mod v1beta1 {
//!     use super::*;
//!     #[derive(Deserialize, Serialize)]
//!     pub struct Route { pub metadata: Value, pub spec: RouteSpec }
//!     #[derive(Deserialize, Serialize)]
//!     pub struct RouteSpec { pub hostnames: Vec<String> }
//! }
//!
//! impl Convert<v1::RouteSpec> for v1beta1::RouteSpec {
//!     fn convert(self) -> Result<v1::RouteSpec, Unconvertible> {
//!         Ok(v1::RouteSpec { hosts: self.hostnames, retries: None })
//!     }
//! }
//! impl Convert<v1beta1::RouteSpec> for v1::RouteSpec {
//!     fn convert(self) -> Result<v1beta1::RouteSpec, Unconvertible> {
//!         Ok(v1beta1::RouteSpec { hostnames: self.hosts })
//!     }
//! }
//! convert_root!(v1beta1::Route => v1::Route { spec });
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let version = |name: &str| json!({ "name": name, "served": true, "storage": name == "v1" });
//! # let crd = serde_json::from_value(json!({ "metadata": {}, "spec": {
//! #     "group": "example.com", "names": { "kind": "Route", "plural": "routes" }, "scope": "Namespaced",
//! #     "versions": [version("v1"), version("v1beta1")],
//! # } }))?;
//! // `crd` is the CRD that is installed, compiled into the program.
//! let routes = Kind::with_hub::<v1::Route>(&crd, "v1").spoke::<v1beta1::Route>("v1beta1").build()?;
//! let converter = Converter::new([routes]);
//! let route = json!({
//!     "apiVersion": "example.com/v1", "kind": "Route", "metadata": { "name": "a" },
//!     "spec": { "hosts": ["a.example"], "retries": 3 },
//! });
//! let old = converter.convert(route.clone(), "v1beta1")?;
//! assert_eq!(old["spec"], json!({ "hostnames": ["a.example"] }));
//! assert_eq!(converter.convert(old, "v1")?, route, "the retries are back");
//! # Ok(())
//! # }
//! ```

mod annotation;
mod preserved;
mod kind;
mod review;
#[cfg(feature = "round-trip")]
pub mod round_trip;
mod same;
mod shapes;

#[cfg(feature = "derive")]
pub use crd_channels_derive::Convert;
pub use kind::{Kind, VersionMismatch, Versions};
pub use review::{Converter, Malformed};

use std::fmt;

/// Converts a value of one version to the corresponding type of another version.
///
/// Implement both directions of a pair: from the spoke's type to the hub's, and back. If a type lacks a value for a field, the
/// field takes its default; a [`Kind`] preserves what is lost by that. `#[derive(Convert)]` implements it for structs and
/// enums; [`same!`](crate::conversion::same) for a type that several versions share.
///
/// The derived code names every field of both types, so that no field can be forgotten:
///
/// ```compile_fail,E0063
/// # use crd_channels_runtime::conversion::Convert;
/// struct Hub { host: String, retries: Option<u32> }
///
/// #[derive(Convert)]
/// #[convert(hub = Hub)] // `hub_only(retries)` is missing
/// struct Spoke { host: String }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not converted to `{To}`",
    note = "derive `Convert` on the type of the spoke, or implement `Convert` for both directions",
    note = "if both versions share the type, write `#[convert(same)]` on the field"
)]
pub trait Convert<To> {
    /// Converts the value to the other version.
    ///
    /// # Errors
    /// The other version cannot represent the value. An API server answers every request for the object with that error, even
    /// reads: convert to the nearest value if there is one.
    fn convert(self) -> Result<To, Unconvertible>;
}

/// Why a value cannot be converted, and its path.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Unconvertible {
    /// The fields of the path, innermost first.
    path: Vec<String>,
    reason: String,
}

impl Unconvertible {
    /// A value that cannot be converted, for a reason that reads well after a field's path: `` `5x` is not a duration``.
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            path: Vec::new(),
            reason: reason.into(),
        }
    }

    /// Adds the field that contains the value.
    #[must_use]
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.path.push(field.into());
        self
    }
}

impl fmt::Display for Unconvertible {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            let path: Vec<&str> = self.path.iter().rev().map(String::as_str).collect();
            write!(out, "`{}`: ", path.join(".").replace(".[", "["))?;
        }
        out.write_str(&self.reason)
    }
}

impl std::error::Error for Unconvertible {}

/// Implements [`Convert`] in both directions between the types of a kind in two versions: the metadata stays, and each named
/// field is converted, as in `convert_root!(v1beta1::Route => v1::Route { spec, status })`. The types are those derived by
/// `kube::CustomResource`, or others with these fields.
#[macro_export]
#[doc(hidden)]
macro_rules! __convert_root {
    ($spoke:ty => $hub:ty { $($field:ident),* $(,)? }) => {
        $crate::__convert_root!(@one $spoke, $hub, $($field),*);
        $crate::__convert_root!(@one $hub, $spoke, $($field),*);
    };
    (@one $from:ty, $to:ty, $($field:ident),*) => {
        impl $crate::conversion::Convert<$to> for $from {
            fn convert(self) -> ::core::result::Result<$to, $crate::conversion::Unconvertible> {
                type To = $to;
                ::core::result::Result::Ok(To {
                    metadata: self.metadata,
                    $($field: $crate::conversion::Convert::convert(self.$field)
                        .map_err(|error: $crate::conversion::Unconvertible| error.at(::core::stringify!($field)))?,)*
                })
            }
        }
    };
}

#[doc(inline)]
pub use __convert_root as convert_root;

/// Implements [`Convert`] for types that several versions share: the value stays as it is.
///
/// ```
/// # use crd_channels_runtime::conversion::{Convert, same};
/// struct Port(u16);
/// same!(Port);
/// assert!(Port(80).convert().is_ok_and(|port: Port| port.0 == 80));
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! __same {
    ($($shared:ty),+ $(,)?) => {$(
        impl $crate::conversion::Convert<$shared> for $shared {
            fn convert(self) -> ::core::result::Result<$shared, $crate::conversion::Unconvertible> {
                ::core::result::Result::Ok(self)
            }
        }
    )+};
}

#[doc(inline)]
pub use __same as same;
