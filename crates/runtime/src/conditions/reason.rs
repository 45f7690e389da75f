//! Reasons: single words for programs.

use std::borrow::Cow;
use std::fmt;

/// The maximum length of a reason, in bytes.
const LONGEST: usize = 1024;

/// The maximum number of characters of a message that a server accepts.
const LONGEST_MESSAGE: usize = 32_768;

/// The reason of a condition: never empty, at most 1024 characters, and of the form that an API server requires for
/// `metav1.Condition`, `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Reason(Cow<'static, str>);

impl Reason {
    /// The reason is unknown. Even then a condition has one.
    pub const UNKNOWN: Self = Self::from_static("Unknown");

    /// A reason from a constant, which must have the form of a reason.
    pub(crate) const fn from_static(reason: &'static str) -> Self {
        Self(Cow::Borrowed(reason))
    }

    /// A reason as given; `None` if it does not have the form of one.
    pub fn new(reason: impl Into<Cow<'static, str>>) -> Option<Self> {
        let reason = reason.into();
        is_reason(&reason).then_some(Self(reason))
    }

    /// A reason made from another system's error code. Keep the code itself in the message, since two codes may give the same
    /// reason.
    ///
    /// A code with the form of a reason is unchanged. Otherwise each run of invalid characters begins a new word, with a
    /// capital letter; `Code` precedes a digit or an underscore at the start; invalid characters at the end are removed; the
    /// result is cut to 1024 characters. If nothing is left, the result is [`Reason::UNKNOWN`].
    ///
    /// ```
    /// use crd_channels_runtime::conditions::Reason;
    ///
    /// assert_eq!(Reason::of_code("InternalServerError").as_str(), "InternalServerError");
    /// assert_eq!(Reason::of_code("quota exceeded (cpu)").as_str(), "QuotaExceededCpu");
    /// assert_eq!(Reason::of_code("404").as_str(), "Code404");
    /// assert_eq!(Reason::of_code("").as_str(), "Unknown");
    /// ```
    #[must_use]
    pub fn of_code(code: &str) -> Self {
        if is_reason(code) {
            return Self(Cow::Owned(code.to_owned()));
        }
        let words = code.split(|found: char| !is_inner(found));
        let mut made: String = words.map(capitalized).collect();
        made = made.trim_start_matches([',', ':']).to_owned();
        if made.starts_with(|first: char| !first.is_ascii_alphabetic()) {
            made.insert_str(0, "Code");
        }
        made.truncate(LONGEST);
        let end = made.trim_end_matches([',', ':']).len();
        made.truncate(end);
        match made.is_empty() {
            true => Self::UNKNOWN,
            false => Self(Cow::Owned(made)),
        }
    }

    /// Returns a message that contains the code from which this reason was made: before the text, unless the reason is the
    /// code. It is truncated to what a server accepts.
    pub(crate) fn with_code<'m>(&self, code: &str, message: Cow<'m, str>) -> Cow<'m, str> {
        let whole = match (self.as_str() == code || code.is_empty(), &*message) {
            (true, _) => message,
            (false, "") => Cow::Owned(code.to_owned()),
            (false, text) => Cow::Owned(format!("{code}: {text}")),
        };
        truncate(whole)
    }

    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Truncates a message to what a server accepts.
pub(crate) fn truncate(message: Cow<'_, str>) -> Cow<'_, str> {
    let end = message
        .char_indices()
        .nth(LONGEST_MESSAGE)
        .map(|(at, _)| at);
    match (end, message) {
        (None, message) => message,
        (Some(end), Cow::Borrowed(text)) => Cow::Borrowed(text.get(..end).unwrap_or(text)),
        (Some(end), Cow::Owned(mut text)) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}

fn is_reason(text: &str) -> bool {
    text.len() <= LONGEST
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(is_inner)
        && !text.ends_with([',', ':'])
}

fn is_inner(found: char) -> bool {
    found.is_ascii_alphanumeric() || matches!(found, '_' | ',' | ':')
}

/// Capitalizes a word.
fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
