//! The status of a condition.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use std::fmt;

/// The status of a condition.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Status {
    /// The condition holds.
    True,
    /// It does not hold.
    False,
    /// The controller cannot tell.
    Unknown,
}

impl Status {
    /// The status of a condition. Any value other than `True` and `False` is unknown, including the empty one, by GEP-1364,
    /// background 3: readers must tolerate unknown values.
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
