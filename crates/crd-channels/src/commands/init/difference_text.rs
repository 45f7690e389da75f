//! The texts in which `init --compare` describes differences.

use crd_channels_compat::same_value;
use serde_json::{Number, Value};

/// A difference in words.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DifferenceText {
    /// The text, the same wherever the difference occurs.
    pub text: String,
    /// The text for many differences of this kind: `fields are new`.
    pub many: Option<&'static str>,
    /// Whether it only affects text for people.
    pub prose: bool,
}

impl DifferenceText {
    /// A difference that an API server or a tool notices.
    #[must_use]
    pub fn meaning(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            many: None,
            prose: false,
        }
    }

    /// A difference in text for people.
    #[must_use]
    pub fn prose(text: impl Into<String>) -> Self {
        Self {
            prose: true,
            ..Self::meaning(text)
        }
    }

    /// Adds the text for many differences of this kind.
    #[must_use]
    pub fn of_many(self, many: &'static str) -> Self {
        Self {
            many: Some(many),
            ..self
        }
    }
}

/// The keywords that bound a value.
const LIMITS: [&str; 10] = [
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
];

/// Longer texts are not quoted.
const LONGEST: usize = 80;

/// Describes the difference of one keyword, if there is one.
pub fn keyword(key: &str, old: Option<&Value>, new: Option<&Value>) -> Option<DifferenceText> {
    let quoted = |value: &Value| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => shown(number),
            other => other.to_string(),
        };
        (text.len() <= LONGEST && !text.contains(['`', '\n'])).then_some(text)
    };
    let whole = |value: &Value| match quoted(value) {
        Some(value) => format!("`{key}: {value}`"),
        None => format!("`{key}`"),
    };
    let (text, happened) = match (old, new) {
        (None, None) => return None,
        (None, Some(new)) => (format!("{} is new", whole(new)), 0),
        (Some(old), None) => (format!("{} is removed", whole(old)), 1),
        (Some(old), Some(new)) if same_value(old, new) => return None,
        (Some(old), Some(new)) => match (quoted(old), quoted(new)) {
            (Some(old), Some(new)) => (format!("`{key}: {old}` becomes `{new}`"), 2),
            _ => (format!("`{key}` differs"), 2),
        },
    };
    let what = DifferenceText::meaning(text);
    let many = match key {
        "default" => [
            "defaults are new",
            "defaults are removed",
            "defaults differ",
        ],
        limit if LIMITS.contains(&limit) => {
            ["limits are new", "limits are removed", "limits differ"]
        }
        column if column.starts_with("column ") => {
            ["columns are new", "columns are removed", "columns differ"]
        }
        _ => return Some(what),
    };
    Some(match many.get(happened) {
        Some(many) => what.of_many(many),
        None => what,
    })
}

/// A number without the `.0` that some writers give whole numbers.
fn shown(number: &Number) -> String {
    let text = number.to_string();
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}
