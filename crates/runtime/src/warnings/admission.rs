//! The warnings of an admission webhook, within the limits of an API server.

use std::collections::BTreeSet;

/// The maximum number of characters of all warnings in one response.
pub const TOTAL: usize = 4096;

/// The number of characters to which each warning is cut if all together are longer.
pub const EACH: usize = 256;

/// Returns the texts for `warnings` of an `AdmissionResponse`: each text once, on one line, cut as an API server would cut it,
/// so that the webhook knows what is lost. Write the problem first, within 120 characters if possible.
///
/// If all texts together have more than 4096 characters, each is cut to 256, and the last ones are left out if they still do
/// not fit.
///
/// Source: KEP-1693, server-side changes, and `AdmissionResponse` of `admission.k8s.io/v1`.
///
/// ```
/// use crd_channels_runtime::warnings::admission::within_limits;
///
/// let warnings = within_limits(["spec.host: a wildcard\nis deprecated", "", "spec.host: a wildcard\nis deprecated"]);
/// assert_eq!(warnings, ["spec.host: a wildcard is deprecated"]);
/// ```
pub fn within_limits<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let texts = texts.into_iter().map(|text| one_line(text.as_ref()));
    let mut texts: Vec<String> = texts
        .filter(|text| !text.is_empty() && seen.insert(text.clone()))
        .collect();
    let length = |text: &String| text.chars().count();
    if texts.iter().map(length).sum::<usize>() <= TOTAL {
        return texts;
    }
    for text in &mut texts {
        *text = text.chars().take(EACH).collect();
    }
    let mut left = TOTAL;
    let fits = |text: &String| match left.checked_sub(length(text)) {
        Some(less) => {
            left = less;
            true
        }
        None => false,
    };
    texts.into_iter().take_while(fits).collect()
}

/// Joins the lines of a text, since a header cannot have control characters and a terminal shows one line.
fn one_line(text: &str) -> String {
    let words = text.split(|found: char| found.is_control() || found.is_whitespace());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
