//! The serialized form of a condition with a severity.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A condition with the severity of a failure. It has the fields of [`Condition`] and `severity`, which is omitted if there is
/// none.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct SeverityCondition {
    /// All fields except the severity.
    #[serde(flatten)]
    pub condition: Condition,
    /// The severity. Some writers use an empty string for none.
    #[serde(
        default,
        deserialize_with = "not_empty",
        skip_serializing_if = "Option::is_none"
    )]
    pub severity: Option<Severity>,
}

/// The severity of a failed condition.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Severity {
    /// The controller has given up. It tries again once the user changes something.
    Error,
    /// Something is wrong, and the controller keeps trying. Somebody may have to help.
    Warning,
    /// Everything proceeds as expected.
    Info,
    /// A word of another controller, or of a later version. Readers must tolerate it.
    Other(String),
}

impl Severity {
    /// The word for it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Error => "Error",
            Self::Warning => "Warning",
            Self::Info => "Info",
            Self::Other(word) => word,
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl From<String> for Severity {
    fn from(word: String) -> Self {
        match &*word {
            "Error" => Self::Error,
            "Warning" => Self::Warning,
            "Info" => Self::Info,
            _ => Self::Other(word),
        }
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

fn not_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Severity>, D::Error> {
    let word = Option::<String>::deserialize(deserializer)?;
    Ok(word.filter(|word| !word.is_empty()).map(Severity::from))
}
