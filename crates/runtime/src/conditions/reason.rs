//! Reasons: single words for programs.

use std::borrow::Cow;
use std::fmt;

/// The maximum length of a reason, in bytes.
const LONGEST: usize = 1024;

/// The maximum number of characters of a message that a server accepts.
const LONGEST_MESSAGE: usize = 32_768;

/// The reason of a condition: one word in CamelCase, a capital letter and then letters and digits, of at most 1024 characters.
/// A server would also accept lowercase words and `_`, `,` and `:` in them; the conventions for conditions do not.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Reason(Cow<'static, str>);

/// The text is not a reason.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct InvalidReason {
    /// The text.
    pub text: String,
}

impl fmt::Display for InvalidReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text } = self;
        match text.len() > LONGEST {
            true => write!(out, "a reason has at most {LONGEST} characters"),
            false => write!(
                out,
                "`{text}` is not a reason: a capital letter, then letters and digits; write `{}`",
                Reason::of_code(text)
            ),
        }
    }
}

impl std::error::Error for InvalidReason {}

impl Reason {
    /// The reason is unknown. Even then a condition has one.
    pub const UNKNOWN: Self = Self::from_static("Unknown");

    /// The controller has not looked yet. Gateway API's word.
    pub const PENDING: Self = Self::from_static("Pending");

    /// A reason from a constant.
    ///
    /// # Panics
    /// The text is not a reason. In a `const`, that is an error of the compiler.
    ///
    /// ```
    /// use crd_channels_runtime::conditions::Reason;
    ///
    /// const NO_RESOURCES: Reason = Reason::from_static("NoResources");
    /// assert_eq!(NO_RESOURCES.as_str(), "NoResources");
    /// ```
    ///
    /// ```compile_fail
    /// # use crd_channels_runtime::conditions::Reason;
    /// const NO_RESOURCES: Reason = Reason::from_static("no_resources");
    /// ```
    #[must_use]
    pub const fn from_static(reason: &'static str) -> Self {
        assert!(
            is_reason(reason),
            "not a reason: a capital letter, then letters and digits"
        );
        Self(Cow::Borrowed(reason))
    }

    /// A reason as given.
    ///
    /// # Errors
    /// The text does not have the form of a reason. [`Reason::of_code`] makes one of any text.
    pub fn new(reason: impl Into<Cow<'static, str>>) -> Result<Self, InvalidReason> {
        let reason = reason.into();
        match is_reason(&reason) {
            true => Ok(Self(reason)),
            false => Err(InvalidReason {
                text: reason.into_owned(),
            }),
        }
    }

    /// A reason made from another system's error code. Keep the code itself in the message, since two codes may give the same
    /// reason.
    ///
    /// A code with the form of a reason is unchanged. Otherwise each run of invalid characters begins a new word, with a
    /// capital letter; `Code` precedes a digit at the start; the result is cut to 1024 characters. If nothing is left, the
    /// result is [`Reason::UNKNOWN`].
    ///
    /// ```
    /// use crd_channels_runtime::conditions::Reason;
    ///
    /// assert_eq!(Reason::of_code("InternalServerError").as_str(), "InternalServerError");
    /// assert_eq!(Reason::of_code("quota exceeded (cpu)").as_str(), "QuotaExceededCpu");
    /// assert_eq!(Reason::of_code("no_resources").as_str(), "NoResources");
    /// assert_eq!(Reason::of_code("404").as_str(), "Code404");
    /// assert_eq!(Reason::of_code("").as_str(), "Unknown");
    /// ```
    #[must_use]
    pub fn of_code(code: &str) -> Self {
        if is_reason(code) {
            return Self(Cow::Owned(code.to_owned()));
        }
        let words = code.split(|found: char| !found.is_ascii_alphanumeric());
        let mut made: String = words.map(capitalized).collect();
        if made.starts_with(|first: char| first.is_ascii_digit()) {
            made.insert_str(0, "Code");
        }
        made.truncate(LONGEST);
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

const fn is_reason(text: &str) -> bool {
    let Some((first, rest)) = text.as_bytes().split_first() else {
        return false;
    };
    first.is_ascii_uppercase() && text.len() <= LONGEST && all_alphanumeric(rest)
}

const fn all_alphanumeric(mut text: &[u8]) -> bool {
    while let Some((first, rest)) = text.split_first() {
        if !first.is_ascii_alphanumeric() {
            return false;
        }
        text = rest;
    }
    true
}

/// Capitalizes a word.
fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
