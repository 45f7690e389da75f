//! Conversion between the versions of a kind, as a webhook of an API server does it.
//!
//! One version is the *hub*, usually the storage version. Each other version is a *spoke*: it converts to the hub and back, and
//! to other spokes through the hub. [`Convert`] says how the JSON of one type becomes that of another, in both directions;
//! `#[derive(Convert)]` (feature `derive`) implements it. A [`Kind`] holds the versions of a kind, and a [`Converter`] answers
//! the `ConversionReview`s of all kinds of a webhook.
//!
//! Nothing is lost on the way. Annotations of the object, `<group>/conversion-kept..`, preserve what a version cannot represent,
//! and it is restored when the object is converted back, unless the visible part was changed in the narrower version.
//!
//! ```
//! use crd_channels_runtime::conversion::{Convert, Converter, Kind, convert_root};
//! use kube::CustomResource;
//! use serde::{Deserialize, Serialize};
//! use serde_json::json;
//!
//! mod v1 {
//!     # use crd_channels_runtime::conversion::Convert;
//!     # use kube::CustomResource;
//!     # use serde::{Deserialize, Serialize};
//!     #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
//!     #[kube(group = "example.com", version = "v1", kind = "Route", schema = "disabled")]
//!     pub struct RouteSpec { pub hosts: Vec<String>, pub retries: Option<u32> }
//! }
//!
//! #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
//! #[convert(hub = v1::RouteSpec, hub_only(retries))]
//! #[kube(group = "example.com", version = "v1beta1", kind = "Route", schema = "disabled")]
//! struct RouteSpec {
//!     #[convert(rename = hosts)]
//!     hostnames: Vec<String>,
//! }
//!
//! convert_root!(Route => v1::Route { spec });
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let version = |name: &str| json!({ "name": name, "served": true, "storage": name == "v1" });
//! # let crd = serde_json::from_value(json!({ "metadata": {}, "spec": {
//! #     "group": "example.com", "names": { "kind": "Route", "plural": "routes" }, "scope": "Namespaced",
//! #     "versions": [version("v1"), version("v1beta1")],
//! # } }))?;
//! // `crd` is the CRD that is installed, compiled into the program.
//! let routes = Kind::with_hub::<v1::Route>(&crd).spoke::<Route>().build()?;
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

mod describe;
mod fields;
mod kept;
mod kind;
mod plan;
mod review;
#[cfg(feature = "round-trip")]
pub mod round_trip;
mod same;
mod variants;

#[cfg(feature = "derive")]
pub use crd_channels_derive::Convert;
pub use kind::{Converted, Kind, Unrestored, VersionMismatch, Versions};
pub use plan::Plan;
pub use review::{Converter, Malformed};

use std::fmt;

/// Says how the JSON of this type, which belongs to a spoke, becomes that of the hub's type, and back.
///
/// The plan works on JSON, field by field, because API servers convert parts of objects: a server-side apply sends what is left
/// of an object without the fields of one manager. What is absent stays absent, even if the type requires it.
///
/// `#[derive(Convert)]` on both types implements it for structs and enums; [`same!`](crate::conversion::same) for a type that
/// several versions share. The derived code names every field of both types, so that no field can be forgotten:
///
/// ```compile_fail,E0080
/// # use crd_channels_runtime::conversion::Convert;
/// # use serde::{Deserialize, Serialize};
/// #[derive(Convert, Deserialize, Serialize)]
/// struct Hub { host: String, retries: Option<u32> }
///
/// #[derive(Convert, Deserialize, Serialize)]
/// #[convert(hub = Hub)] // `hub_only(retries)` is missing
/// struct Spoke { host: String }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not converted to `{Hub}`",
    note = "derive `Convert` on both types, with `#[convert(hub = ..)]` on the type of the spoke",
    note = "if both versions have the same type, write `#[convert(same)]` on the field",
    note = "if the types differ, name a module with functions for both directions: `#[convert(with = module)]`"
)]
pub trait Convert<Hub> {
    /// How its JSON becomes that of the hub's type.
    fn plan() -> Plan;
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

/// Implements [`Convert`] between the types of a kind in two versions: each named field is converted, as in
/// `convert_root!(v1beta1::Route => v1::Route { spec, status })`. The types are those that `kube::CustomResource` derives.
#[macro_export]
#[doc(hidden)]
macro_rules! __convert_root {
    ($spoke:ty => $hub:ty { $($field:ident),* $(,)? }) => {
        impl $crate::conversion::Convert<$hub> for $spoke {
            fn plan() -> $crate::conversion::Plan {
                fn plan() -> &'static $crate::conversion::__private::TypePlan {
                    static PLAN: ::std::sync::OnceLock<$crate::conversion::__private::TypePlan> =
                        ::std::sync::OnceLock::new();
                    PLAN.get_or_init(|| {
                        let fields = $crate::conversion::__private::Pairs::<$spoke, $hub>::of_root();
                        $(let fields = fields.field_of_root(
                            ::core::stringify!($field),
                            |spoke| ::core::option::Option::Some(&spoke.$field),
                            |hub| ::core::option::Option::Some(&hub.$field),
                        );)*
                        $crate::conversion::__private::TypePlan::Fields(fields.fields())
                    })
                }
                $crate::conversion::Plan::of_type(plan)
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
/// let plan = <Port as Convert<Port>>::plan();
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! __same {
    ($($shared:ty),+ $(,)?) => {$(
        impl $crate::conversion::Convert<$shared> for $shared {
            fn plan() -> $crate::conversion::Plan {
                $crate::conversion::Plan::same()
            }
        }
    )+};
}

#[doc(inline)]
pub use __same as same;

/// What the code of macros names.
#[doc(hidden)]
pub mod __private {
    pub use super::describe::{
        DescribedField, DescribedVariant, Description, Style, Tagging, is_required,
    };
    pub use super::fields::Pairs;
    pub use super::plan::TypePlan;
    pub use super::variants::VariantPairs;
    pub use serde_json::{Value, from_value, to_value};

    /// The first name of a hub's fields or variants that a spoke does not mention; empty if there is none.
    #[must_use]
    pub const fn forgotten(
        hub: &'static [&'static str],
        named: &'static [&'static str],
    ) -> &'static str {
        let mut index = 0;
        while index < hub.len() {
            let (mut other, mut is_named) = (0, false);
            while other < named.len() {
                is_named = is_named || is_equal(hub[index].as_bytes(), named[other].as_bytes());
                other += 1;
            }
            if !is_named {
                return hub[index];
            }
            index += 1;
        }
        ""
    }

    const fn is_equal(one: &[u8], other: &[u8]) -> bool {
        let mut index = 0;
        while index < one.len() && index < other.len() && one[index] == other[index] {
            index += 1;
        }
        index == one.len() && index == other.len()
    }

    /// The fields of a variant.
    #[must_use]
    pub const fn fields_of(
        variants: &'static [(&'static str, &'static [&'static str])],
        name: &str,
    ) -> &'static [&'static str] {
        let mut index = 0;
        while index < variants.len() {
            if is_equal(variants[index].0.as_bytes(), name.as_bytes()) {
                return variants[index].1;
            }
            index += 1;
        }
        &[]
    }

    /// Writes some texts one after the other, as far as there is room.
    #[must_use]
    pub const fn joined<const LENGTH: usize>(texts: [&str; 3]) -> [u8; LENGTH] {
        let mut all = [b' '; LENGTH];
        let (mut at, mut text) = (0, 0);
        while text < texts.len() {
            let bytes = texts[text].as_bytes();
            let mut index = 0;
            while index < bytes.len() && at < LENGTH {
                all[at] = bytes[index];
                at += 1;
                index += 1;
            }
            text += 1;
        }
        all
    }
}

/// Stops the build if the code of a derive does not mention a field or variant of the hub.
#[macro_export]
#[doc(hidden)]
macro_rules! __assert_named {
    ($hub:expr, [$($named:expr),*], $before:literal, $after:literal) => {
        const _: () = {
            const FORGOTTEN: &str = $crate::conversion::__private::forgotten($hub, &[$($named),*]);
            if !FORGOTTEN.is_empty() {
                const LENGTH: usize = $before.len() + FORGOTTEN.len() + $after.len();
                const TEXT: [u8; LENGTH] =
                    $crate::conversion::__private::joined([$before, FORGOTTEN, $after]);
                match ::core::str::from_utf8(&TEXT) {
                    ::core::result::Result::Ok(text) => ::core::panic!("{}", text),
                    ::core::result::Result::Err(_) => ::core::panic!("a field of the hub is missing"),
                }
            }
        };
    };
}
