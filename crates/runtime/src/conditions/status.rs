//! The status of a condition.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use std::fmt;

/// The status of a condition.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Status {
    /// It is so.
    True,
    /// It is not so.
    False,
    /// The controller cannot tell.
    Unknown,
}

impl Status {
    /// The status that a condition has. Whatever is neither `True` nor `False` is unknown, as the empty status is by
    /// GEP-1364, background 3: a reader does not fail for a word that it has never seen.
    #[must_use]
    pub fn of(condition: &Condition) -> Self {
        match &*condition.status {
            "True" => Self::True,
            "False" => Self::False,
            _ => Self::Unknown,
        }
    }

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl From<bool> for Status {
    fn from(is_so: bool) -> Self {
        match is_so {
            true => Self::True,
            false => Self::False,
        }
    }
}
