//! Validates the texts that keys take, and words the messages about invalid ones.

use crate::suggest::{alternatives, nearest};
use std::fmt::Write;

/// The feature of gates without a name. No gate can name it.
pub const RESERVED_FEATURE: &str = "unnamed";

/// The format of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Check {
    /// Any text.
    Any,
    /// Not empty.
    NonEmpty,
    /// A feature's name: a capital letter, then letters and digits.
    Feature,
    /// A bundle's version: `v` and a semantic version.
    Release,
    /// The version of a minor or major bundle: a semantic version without patch and pre-release. The word says what only such
    /// bundles remove.
    Minor(&'static str),
    /// A kind: a capital letter, then letters and digits.
    Kind,
    /// An address: `https://..`
    Url,
    /// A domain: lowercase words with dots between.
    Domain,
    /// One of these texts.
    OneOf(&'static [&'static str]),
}

impl Check {
    /// Validates a text.
    ///
    /// # Errors
    /// The message, and what to write instead.
    pub fn check(self, key: &str, text: &str) -> Result<(), (String, String)> {
        match self {
            Check::Any => Ok(()),
            Check::NonEmpty if !text.trim().is_empty() => Ok(()),
            Check::NonEmpty => Err((
                format!("`{key}` is empty"),
                format!("write a string: `{key} = \"..\"`"),
            )),
            Check::Feature => feature(key, text),
            Check::Release if is_release(text) => Ok(()),
            Check::Release => Err((
                format!("`{text}` is not a bundle version: `v` and a semantic version"),
                format!("write `{key} = \"{}\"`", corrected_release(text)),
            )),
            Check::Minor(what) => minor(key, text, what),
            Check::Kind if is_camel(text) => Ok(()),
            Check::Kind => Err((
                format!("`{text}` is not a kind: a capital letter, then letters and digits"),
                format!("write `{key} = \"{}\"`", upper_camel(text, "RouteList")),
            )),
            Check::Url if is_url(text) => Ok(()),
            Check::Url => Err((
                format!("`{text}` is not an address"),
                format!("write `{key} = \"https://..\"`"),
            )),
            Check::Domain if is_domain(text) => Ok(()),
            Check::Domain => Err((
                format!(
                    "`{text}` is not a domain: lowercase letters, digits and `-`, with dots between"
                ),
                format!("write `{key} = \"example.com\"`"),
            )),
            Check::OneOf(texts) if texts.contains(&text) => Ok(()),
            Check::OneOf(texts) => {
                let shown: Vec<String> = texts.iter().map(|text| format!("`\"{text}\"`")).collect();
                Err((
                    format!("`{text}` is not a valid value of `{key}`"),
                    match nearest(text, texts.iter().copied()) {
                        Some(near) => format!("did you mean `{key} = \"{near}\"`?"),
                        None => format!("it is {}", alternatives(&shown)),
                    },
                ))
            }
        }
    }
}

fn feature(key: &str, text: &str) -> Result<(), (String, String)> {
    if text == RESERVED_FEATURE {
        return Err((
            format!("`{RESERVED_FEATURE}` is reserved for gates that name no feature"),
            format!("remove `{key}`"),
        ));
    }
    if is_camel(text) {
        return Ok(());
    }
    Err((
        format!("`{text}` is not a feature name: a capital letter, then letters and digits"),
        format!("write `{key} = \"{}\"`", feature_name(text)),
    ))
}

/// The feature name closest to a text.
#[must_use]
pub fn feature_name(text: &str) -> String {
    upper_camel(text, "FeatureName")
}

fn minor(key: &str, text: &str, what: &str) -> Result<(), (String, String)> {
    Check::Release.check(key, text)?;
    let next = next_minor(text);
    if next == text {
        return Ok(());
    }
    Err((
        format!("`{text}` is a patch or a pre-release: {what} go in minor and major bundles"),
        format!("write `{key} = \"{next}\"`"),
    ))
}

/// The first minor or major bundle that does not precede a release.
fn next_minor(text: &str) -> String {
    let core = corrected_release(text);
    let numbers: Vec<u64> = core
        .trim_start_matches('v')
        .split('.')
        .filter_map(|number| number.parse().ok())
        .collect();
    match numbers.as_slice() {
        [major, minor, patch] if *patch > 0 => format!("v{major}.{}.0", minor.saturating_add(1)),
        _ => core,
    }
}

/// A capital letter, then letters and digits.
fn is_camel(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_uppercase()) && chars.all(|c| c.is_ascii_alphanumeric())
}

/// The maximum length of a condition type in characters, as API servers validate it in `metav1.Condition`.
const LONGEST_TYPE: usize = 316;

/// The maximum length of a reason.
const LONGEST_REASON: usize = 1024;

/// The maximum length of a domain (RFC 1123).
const LONGEST_DOMAIN: usize = 253;

/// Validates a condition type without its domain: a CamelCase word.
pub(crate) fn condition_word(text: &str) -> Result<(), (String, String)> {
    if is_camel(text) {
        return Ok(());
    }
    let suggested = upper_camel(text, "Accepted");
    Err((
        format!("`{text}` is not a condition type: a capital letter, then letters and digits"),
        format!("call it `{suggested}`, or add `name = \"{suggested}\"`"),
    ))
}

/// Validates the length of a condition type with its domain.
pub(crate) fn condition_type(text: &str) -> Result<(), (String, String)> {
    if text.len() <= LONGEST_TYPE {
        return Ok(());
    }
    let length = text.len();
    Err((
        format!(
            "a condition type has at most {LONGEST_TYPE} characters, and this one has {length}"
        ),
        "write a shorter name".to_owned(),
    ))
}

/// Validates a reason: a CamelCase word, as the conventions for conditions require. API servers accept more.
pub(crate) fn reason_word(text: &str) -> Result<(), (String, String)> {
    if !is_camel(text) {
        let suggested = upper_camel(text, "Invalid");
        return Err((
            format!("`{text}` is not a reason: a capital letter, then letters and digits"),
            format!("call it `{suggested}`, or add `name = \"{suggested}\"`"),
        ));
    }
    if text.len() > LONGEST_REASON {
        let length = text.len();
        return Err((
            format!("a reason has at most {LONGEST_REASON} characters, and this one has {length}"),
            "write a shorter name".to_owned(),
        ));
    }
    Ok(())
}

/// Words of lowercase letters, digits and hyphens, separated by dots.
fn is_domain(text: &str) -> bool {
    let is_end = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_label = |label: &str| {
        label.starts_with(is_end)
            && label.ends_with(is_end)
            && label.chars().all(|c| is_end(c) || c == '-')
    };
    text.len() <= LONGEST_DOMAIN && text.split('.').all(is_label)
}

fn is_url(text: &str) -> bool {
    let rest = ["https://", "http://"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    rest.is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_alphanumeric() || c == '[')
            && !rest.contains(char::is_whitespace)
    })
}

/// Converts `route-timeouts` to `RouteTimeouts`; returns the placeholder if that leaves no name.
fn upper_camel(text: &str, placeholder: &str) -> String {
    let mut name = String::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        let mut chars = word.chars();
        if let Some(first) = chars.next() {
            name.push(first.to_ascii_uppercase());
            name.extend(chars);
        }
    }
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        name
    } else {
        placeholder.to_owned()
    }
}

fn is_release(text: &str) -> bool {
    let Some(version) = text.strip_prefix('v') else {
        return false;
    };
    let (core, pre) = match version.split_once('-') {
        Some((core, pre)) => (core, Some(pre)),
        None => (version, None),
    };
    let numbers: Vec<&str> = core.split('.').collect();
    numbers.len() == 3
        && numbers.iter().all(|number| is_number(number))
        && pre.is_none_or(|pre| pre.split('.').all(is_identifier))
}

/// Digits without a leading zero.
fn is_number(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

/// One part of a pre-release: letters, digits and hyphens; a number if it only has digits.
fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        && (is_number(text) || !text.chars().all(|c| c.is_ascii_digit()))
}

/// The version that was probably meant: the numbers in the text, with zeros for missing ones.
fn corrected_release(text: &str) -> String {
    let core = text.trim_start_matches(['v', 'V', ' ']);
    let mut numbers = core
        .split(['.', '-', '+'])
        .map_while(|part| part.parse::<u64>().ok());
    let mut fixed = String::from("v");
    for separator in ["", ".", "."] {
        let number = numbers.next().unwrap_or(0);
        // Writing to a string cannot fail.
        let _ = write!(fixed, "{separator}{number}");
    }
    fixed
}

#[cfg(test)]
mod tests {
    use super::Check;

    #[test]
    fn texts_are_checked() {
        let colours = Check::OneOf(&["none", "webhook"]);
        for (check, text, help) in [
            (Check::Any, "", None),
            (Check::NonEmpty, "a", None),
            (Check::NonEmpty, " ", Some("write a string: `key = \"..\"`")),
            (Check::Feature, "RouteTimeouts", None),
            (Check::Feature, "X", None),
            (Check::Feature, "TLS13", None),
            (Check::Feature, "unnamed", Some("remove `key`")),
            (
                Check::Feature,
                "route_timeouts",
                Some("write `key = \"RouteTimeouts\"`"),
            ),
            (
                Check::Feature,
                "routeTimeouts",
                Some("write `key = \"RouteTimeouts\"`"),
            ),
            (Check::Feature, "", Some("write `key = \"FeatureName\"`")),
            (Check::Feature, "1a", Some("write `key = \"FeatureName\"`")),
            (Check::Feature, "Ä", Some("write `key = \"FeatureName\"`")),
            (Check::Release, "v0.4.0", None),
            (Check::Release, "v10.4.0-rc.1", None),
            (Check::Release, "0.4.0", Some("write `key = \"v0.4.0\"`")),
            (Check::Release, "v0.4", Some("write `key = \"v0.4.0\"`")),
            (Check::Release, "v01.4.0", Some("write `key = \"v1.4.0\"`")),
            (Check::Release, "v1.0.0-", Some("write `key = \"v1.0.0\"`")),
            (
                Check::Release,
                "v1.0.0-01",
                Some("write `key = \"v1.0.0\"`"),
            ),
            (Check::Release, "soon", Some("write `key = \"v0.0.0\"`")),
            (Check::Minor("versions"), "v0.4.0", None),
            (Check::Minor("versions"), "v1.0.0", None),
            (
                Check::Minor("versions"),
                "v0.4.1",
                Some("write `key = \"v0.5.0\"`"),
            ),
            (
                Check::Minor("versions"),
                "v1.0.0-rc.1",
                Some("write `key = \"v1.0.0\"`"),
            ),
            (
                Check::Minor("versions"),
                "0.4.1",
                Some("write `key = \"v0.4.1\"`"),
            ),
            (colours, "none", None),
            (colours, "webhok", Some("did you mean `key = \"webhook\"`?")),
            (colours, "red", Some("it is `\"none\"` or `\"webhook\"`")),
        ] {
            let found = check.check("key", text).err().map(|(_, help)| help);
            assert_eq!(found.as_deref(), help, "{check:?} {text:?}");
        }
    }
}
