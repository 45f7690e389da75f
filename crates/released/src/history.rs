//! Since which bundle each version, field and value is in which channel, as a manifest records it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of what is not released yet.
pub const UNRELEASED: &str = "unreleased";

/// Whether and how a release has something.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// Served in the experimental channel only.
    Experimental,
    /// Served in the stable channel.
    Stable,
    /// Served, but not to be used any more.
    Deprecated,
    /// Not served, only kept for objects that may be stored in it.
    Unserved,
    /// In no channel.
    Removed,
}

impl fmt::Display for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Experimental => "experimental",
            Self::Stable => "stable",
            Self::Deprecated => "deprecated",
            Self::Unserved => "unserved",
            Self::Removed => "removed",
        })
    }
}

/// A change of presence.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Transition {
    /// The first release that has it so.
    pub release: String,
    /// How it has it.
    pub presence: Presence,
}

impl fmt::Display for Transition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&*self.release, self.presence) {
            (UNRELEASED, presence) => write!(f, "{presence}, not released yet"),
            (release, Presence::Removed) => write!(f, "removed in {release}"),
            (release, presence) => write!(f, "{presence} since {release}"),
        }
    }
}

/// The history of a kind up to a bundle.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KindHistory {
    /// The name of its CRD, such as `routes.example.com`.
    pub crd: String,
    /// The kind.
    pub kind: String,
    /// What has a history of its own. All else in the bundle has that of what it is inside of: a value that of its field, a
    /// field that of the field or the version around it.
    pub places: Vec<PlaceHistory>,
}

/// The history of a version, a field or a value.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceHistory {
    /// The version.
    pub version: String,
    /// The path, such as `spec.rules[]`; empty for the version itself.
    pub path: String,
    /// A value of the field's enum as JSON, `others` for those that the enum does not list in the
    /// channel that decides, or `unlisted` for those that never were in an enum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Each change of its presence, oldest first; in words, as in `stable since v0.2.0`.
    #[serde(with = "in_words")]
    pub steps: Vec<Transition>,
}

/// A manifest has thousands of steps, so each is one line.
mod in_words {
    use super::{Presence, Transition};
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        steps: &[Transition],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(steps.iter().map(ToString::to_string))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Transition>, D::Error> {
        let all = Vec::<String>::deserialize(deserializer)?.into_iter();
        let all = all.map(|text| read(&text).ok_or(text));
        let all: Result<_, String> = all.collect();
        all.map_err(|text| D::Error::custom(format_args!("`{text}` is no step of a history")))
    }

    fn read(text: &str) -> Option<Transition> {
        let mut words = text.splitn(3, ' ');
        let (presence, _, release) = (words.next()?, words.next()?, words.next()?);
        let all = [
            Presence::Experimental,
            Presence::Stable,
            Presence::Deprecated,
            Presence::Unserved,
            Presence::Removed,
        ];
        let step = Transition {
            release: release.to_owned(),
            presence: all.into_iter().find(|it| it.to_string() == presence)?,
        };
        (!step.release.is_empty() && step.to_string() == text).then_some(step)
    }
}
