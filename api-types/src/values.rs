//! Values that several kinds share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A length of time: one to four whole numbers, each with its unit (`h`, `m`, `s` or `ms`), such as `10s` or `1h30m`.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub struct Duration(
    #[schemars(
        length(min = 2, max = 28),
        regex(pattern = r"^([0-9]{1,5}(h|m|s|ms)){1,4}$")
    )]
    pub String,
);

/// A host name in lower case, such as `www.example.com`.
pub(crate) const HOSTNAME: &str =
    r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/// A host name whose first label may be `*`.
pub(crate) const WILDCARD_HOSTNAME: &str =
    r"^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/// The name of an object that is also a DNS label.
pub(crate) const LABEL: &str = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
