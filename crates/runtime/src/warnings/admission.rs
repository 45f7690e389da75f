//! The warnings of an admission webhook: about fields, and within the limits of an API server.
//!
//! Warn of what the author of a request can change: of a value in a create request, and in an update of a value that the old
//! object did not have. A controller that updates the status of an old object would otherwise receive the warning for ever
//! (KEP-1693, "admission webhooks").

use std::collections::HashSet;
use std::fmt;

/// The maximum number of characters of all warnings in one response.
pub const TOTAL: usize = 4096;

/// The number of characters to which each warning is cut if all together are longer.
pub const EACH: usize = 256;

/// Returns the texts for `warnings` of an `AdmissionResponse`: each on one line, without repetitions, and those that an API
/// server would send, so that the webhook knows what is lost. Write the problem first, within 120 characters if possible.
///
/// If all texts together have more than 4096 characters, each is cut to 256, and those after the one that crosses 4096 are left
/// out.
///
/// Source: KEP-1693, server-side changes; `AdmissionResponse` of `admission.k8s.io/v1`; `WithWarningRecorder` of
/// `k8s.io/apiserver`.
///
/// ```
/// use crd_channels_runtime::warnings::admission::{FieldPath, within_limits};
///
/// let host = FieldPath::new("spec").field("rules").index(0).field("host");
/// let warnings = within_limits([host.warning("a wildcard\nis deprecated"), String::new(), host.warning("a wildcard is deprecated")]);
/// assert_eq!(warnings, ["spec.rules[0].host: a wildcard is deprecated"]);
/// ```
pub fn within_limits<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Vec<String> {
    let texts = texts.into_iter().map(|text| one_line(text.as_ref()));
    let texts = once(texts.filter(|text| !text.is_empty()));
    let length = |text: &String| text.chars().count();
    let mut written = 0;
    let Some(crossing) = texts.iter().position(|text| {
        written += length(text);
        written > TOTAL
    }) else {
        return texts;
    };
    // The server notices when a text does not fit, and cuts what it has sent so far along with it. After that it sends texts as
    // long as there is room for a part of one.
    let mut written = 0;
    let sent = texts.iter().enumerate().filter_map(|(at, text)| {
        if at > crossing && written >= TOTAL {
            return None;
        }
        let cut: String = text.chars().take(EACH).collect();
        written += length(&cut);
        Some(cut)
    });
    once(sent)
}

/// The texts without repetitions.
fn once(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    texts.filter(|text| seen.insert(text.clone())).collect()
}

/// Joins the lines of a text, since a header cannot have control characters and a terminal shows one line.
fn one_line(text: &str) -> String {
    let words = text.split(|found: char| found.is_control() || found.is_whitespace());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// The path of a field in an object, written as API servers write it: `spec.rules[0].host`, `metadata.labels[app]`.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct FieldPath(String);

impl FieldPath {
    /// The path of a field of the object itself: `spec`.
    pub fn new(field: impl Into<String>) -> Self {
        Self(field.into())
    }

    /// The path of a field in it.
    #[must_use]
    pub fn field(&self, name: &str) -> Self {
        Self(format!("{self}.{name}"))
    }

    /// The path of an element of the list.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{self}[{index}]"))
    }

    /// The path of an entry of the map.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        Self(format!("{self}[{key}]"))
    }

    /// A warning about the field.
    #[must_use]
    pub fn warning(&self, message: &str) -> String {
        format!("{self}: {message}")
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
