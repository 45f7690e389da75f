//! The serialized form of a condition with a severity.

use crate::conditions::{AnyCondition, Condition, Severity, Status};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
    pub severity: Option<SeverityWord>,
}

impl AnyCondition for SeverityCondition {
    fn type_(&self) -> &str {
        &self.condition.type_
    }

    fn status(&self) -> Status {
        self.condition.status()
    }

    fn reason(&self) -> &str {
        &self.condition.reason
    }

    fn message(&self) -> &str {
        &self.condition.message
    }

    fn observed_generation(&self) -> Option<i64> {
        self.condition.observed_generation
    }

    fn severity(&self) -> Option<Severity> {
        self.severity.as_ref().and_then(SeverityWord::known)
    }
}

/// The severity that stands in a condition: one of the three, or a word of another controller or of a later version, which
/// readers must tolerate and this library never writes.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct SeverityWord(Word);

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
enum Word {
    Known(Severity),
    Other(String),
}

impl SeverityWord {
    /// The severity; `None` for another word.
    #[must_use]
    pub fn known(&self) -> Option<Severity> {
        match self.0 {
            Word::Known(severity) => Some(severity),
            Word::Other(_) => None,
        }
    }

    /// The word as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Word::Known(severity) => severity.as_str(),
            Word::Other(word) => word,
        }
    }
}

impl From<Severity> for SeverityWord {
    fn from(severity: Severity) -> Self {
        Self(Word::Known(severity))
    }
}

impl Serialize for SeverityWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

fn not_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SeverityWord>, D::Error> {
    let word = Option::<String>::deserialize(deserializer)?;
    let word = word.filter(|word| !word.is_empty());
    Ok(word.map(|word| {
        let mut known = Severity::ALL.into_iter();
        let known = known.find(|severity| severity.as_str() == word);
        SeverityWord(known.map_or(Word::Other(word), Word::Known))
    }))
}
