//! The status of a condition, and the severity of a failure.

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
    /// Reads the word for a status. Any word other than `True` and `False` is unknown, including the empty one, by GEP-1364,
    /// background 3: readers must tolerate unknown values.
    #[must_use]
    pub fn read(word: &str) -> Self {
        match word {
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

    /// The status of a condition that says the opposite.
    pub(crate) const fn opposite(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
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

/// The severity of a failed condition.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Severity {
    /// The controller has given up. It tries again once the user changes something.
    Error,
    /// Something is wrong, and the controller keeps trying. Somebody may have to help.
    Warning,
    /// Everything proceeds as expected.
    Info,
}

impl Severity {
    pub(crate) const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Info];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "Error",
            Self::Warning => "Warning",
            Self::Info => "Info",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}
