//! The versions, fields and values of a kind, each of which has a life of its own.

use crate::anchor::above;

/// What has a life of its own, in a kind.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Place {
    /// The version.
    pub version: String,
    /// The path, such as `spec.rules[]`; empty for the version itself.
    pub path: String,
    /// A value of its enum, as JSON, or [`OTHERS`].
    pub value: Option<String>,
}

/// What stands in [`Place::value`] for the values that no enum lists. They live where the channel that decides has the field
/// without an enum. No value has this name, since the name is not JSON.
pub const OTHERS: &str = "others";

/// What stands in [`Place::value`] for values that were in no enum yet, while lives are computed and recorded. They live where any
/// channel has the field without an enum.
pub(crate) const UNLISTED: &str = "unlisted";

impl Place {
    /// The field or the version that it is directly inside of; `None` for a version.
    pub(crate) fn around(&self) -> Option<Self> {
        let path = match self.value {
            Some(_) => &*self.path,
            None => above(&self.path)?,
        };
        Some(self.beside(path, None))
    }

    /// Another place of the version.
    pub(crate) fn beside(&self, path: &str, value: Option<&str>) -> Self {
        Self {
            version: self.version.clone(),
            path: path.to_owned(),
            value: value.map(ToOwned::to_owned),
        }
    }

    /// Whether it is a value that an enum lists.
    pub(crate) fn is_listed(&self) -> bool {
        let value = self.value.as_deref();
        value.is_some_and(|value| ![OTHERS, UNLISTED].contains(&value))
    }
}
