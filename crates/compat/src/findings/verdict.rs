//! The meaning of a change for stored objects, for writers and for readers, and the lowest bump that covers it.

use std::fmt;

/// The effect of a change on an audience.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub enum Verdict {
    /// Unchanged, or better.
    #[default]
    Ok,
    /// It cannot be determined.
    Unknown,
    /// Something that worked no longer does.
    No,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ok => "ok",
            Self::No => "no",
            Self::Unknown => "unknown",
        })
    }
}

/// The required increment of a bundle's version.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub enum Bump {
    /// Nothing changed.
    #[default]
    None,
    /// `0.1.0` to `0.1.1`.
    Patch,
    /// `0.1.0` to `0.2.0`.
    Minor,
    /// A new API version beside the old one, or a major bundle for a change in place.
    NewApiVersion,
    /// No bundle may make the change.
    Never,
}

impl Bump {
    /// The bump of that name in manifests.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [
            Self::None,
            Self::Patch,
            Self::Minor,
            Self::NewApiVersion,
            Self::Never,
        ];
        all.into_iter().find(|bump| bump.to_string() == name)
    }

    /// The bundle that a change needs, as the end of a message.
    #[must_use]
    pub const fn requirement(self) -> &'static str {
        match self {
            Self::None | Self::Patch => "needs a patch bundle",
            Self::Minor => "needs a minor bundle",
            Self::NewApiVersion => "needs a new API version, or a major bundle if changed in place",
            Self::Never => "not allowed in any bundle",
        }
    }
}

impl fmt::Display for Bump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::NewApiVersion => "new-api-version",
            Self::Never => "never",
        })
    }
}

/// The requirement of one finding: a bump, or a decision by a person.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Need {
    /// At least this bump.
    Bump(Bump),
    /// It is unknown whether old values stay valid.
    Unknown,
    /// No rule covers the change.
    Unclassified,
}

impl Need {
    pub(crate) const NONE: Self = Self::Bump(Bump::None);
    pub(crate) const PATCH: Self = Self::Bump(Bump::Patch);
    pub(crate) const MINOR: Self = Self::Bump(Bump::Minor);
    pub(crate) const VERSION: Self = Self::Bump(Bump::NewApiVersion);
    pub(crate) const NEVER: Self = Self::Bump(Bump::Never);

    /// The bump that it counts as until a waiver lowers it.
    #[must_use]
    pub fn counts_as(self) -> Bump {
        match self {
            Self::Bump(bump) => bump,
            Self::Unknown | Self::Unclassified => Bump::NewApiVersion,
        }
    }

    /// The same, but at most a minor: for experimental nodes.
    pub(crate) fn at_most_minor(self) -> Self {
        if self.counts_as() > Bump::Minor {
            Self::MINOR
        } else {
            self
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bump(bump) => bump.fmt(f),
            Self::Unknown => f.write_str("unknown"),
            Self::Unclassified => f.write_str("unclassified"),
        }
    }
}

/// A three-valued answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Answer {
    /// Proven.
    Yes,
    /// Disproven.
    No,
    /// Neither.
    Unknown,
}

impl Answer {
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }

    pub(crate) fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    pub(crate) fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
        }
    }

    /// Whether any of them is.
    pub(crate) fn any(answers: impl IntoIterator<Item = Self>) -> Self {
        // The rest is not asked once it is decided.
        let found =
            answers
                .into_iter()
                .try_fold(Self::No, |known, answer| match known.or(answer) {
                    Self::Yes => Err(Self::Yes),
                    known => Ok(known),
                });
        found.unwrap_or_else(|decided| decided)
    }

    /// Whether all of them are.
    pub(crate) fn all(answers: impl IntoIterator<Item = Self>) -> Self {
        Self::any(answers.into_iter().map(Self::not)).not()
    }

    /// The verdict if yes is harmful.
    pub(crate) fn harm(self) -> Verdict {
        match self {
            Self::Yes => Verdict::No,
            Self::No => Verdict::Ok,
            Self::Unknown => Verdict::Unknown,
        }
    }
}

impl From<bool> for Answer {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// The promise that a set of CRDs makes.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Channel {
    /// Can be relied on; Gateway API calls it `standard`.
    Stable,
    /// May change or be removed in the next minor bundle.
    Experimental,
}

impl Channel {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Experimental => "experimental",
        }
    }

    /// The channel that a folder or an annotation names.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "stable" | "standard" => Some(Self::Stable),
            "experimental" => Some(Self::Experimental),
            _ => None,
        }
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
