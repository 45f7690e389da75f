//! Escaping of property names in expressions: characters that identifiers cannot contain are escaped between double
//! underscores.

use super::lexer::KEYWORDS;
use super::operand::RESERVED;
use std::borrow::Cow;

const CHARACTERS: [(&str, &str); 4] = [
    ("__underscores__", "__"),
    ("__dot__", "."),
    ("__dash__", "-"),
    ("__slash__", "/"),
];

/// The property that an identifier refers to; `None` if it cannot refer to any: a double underscore is always an escape.
#[must_use]
pub fn unescape(name: &str) -> Option<Cow<'_, str>> {
    if !name.contains("__") {
        return Some(Cow::Borrowed(name));
    }
    let inner = name
        .strip_prefix("__")
        .and_then(|rest| rest.strip_suffix("__"));
    // API servers require this only for reserved words, but accept it for all.
    if let Some(word) = KEYWORDS
        .into_iter()
        .chain(RESERVED)
        .find(|word| inner == Some(*word))
    {
        return Some(Cow::Borrowed(word));
    }
    let mut found = String::with_capacity(name.len());
    let mut left = name;
    while let Some(at) = left.find("__") {
        found.push_str(left.get(..at)?);
        left = left.get(at..)?;
        let escape_in = |text: &str| {
            CHARACTERS.into_iter().find_map(|(escape, character)| {
                Some((character, text.len() - text.strip_prefix(escape)?.len()))
            })
        };
        // An underscore of the name itself may precede the escape.
        let own = usize::from(escape_in(left).is_none());
        found.push_str(left.get(..own)?);
        left = left.get(own..)?;
        let (character, length) = escape_in(left)?;
        let rest = left.get(length..)?;
        found.push_str(character);
        left = rest;
    }
    found.push_str(left);
    Some(Cow::Owned(found))
}

/// The name after `self.`; `None` if expressions cannot read the property.
#[must_use]
pub fn escaped(name: &str) -> Option<Cow<'_, str>> {
    if KEYWORDS.contains(&name) || RESERVED.contains(&name) {
        return Some(Cow::Owned(format!("__{name}__")));
    }
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-/".contains(&byte);
    if name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
        || !name.bytes().all(allowed)
    {
        return None;
    }
    // Nearly all names have nothing to escape.
    if !name.contains("__") && !name.contains(['.', '-', '/']) {
        return Some(Cow::Borrowed(name));
    }
    let mut found = String::with_capacity(name.len());
    let mut left = name;
    while let Some(first) = left.chars().next() {
        let special = CHARACTERS
            .into_iter()
            .find_map(|(escape, character)| Some((left.strip_prefix(character)?, escape)));
        left = match special {
            Some((rest, escape)) => {
                found.push_str(escape);
                rest
            }
            None => {
                found.push(first);
                left.get(first.len_utf8()..).unwrap_or_default()
            }
        };
    }
    Some(Cow::Owned(found))
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]
mod tests {
    use super::super::lexer::KEYWORDS;
    use super::super::operand::RESERVED;
    use super::{escaped, unescape};

    #[test]
    fn what_is_escaped_comes_back() {
        let words = KEYWORDS.into_iter().chain(RESERVED);
        for word in words.clone() {
            assert_eq!(escaped(word), Some(format!("__{word}__").into()));
        }
        let names = [
            "a", "a_b", "a-b", "a.b/c", "a__b", "___", "-a", "._-/", "A1", "self",
        ];
        for name in names.into_iter().chain(words) {
            let written = escaped(name).unwrap();
            assert_eq!(unescape(&written).as_deref(), Some(name), "{written}");
        }
        for name in ["", "1a", "a b", "$a", "ä"] {
            assert_eq!(escaped(name), None, "{name}");
        }
    }

    #[test]
    fn names_come_back() {
        for (written, property) in [
            ("a", Some("a")),
            ("a_b", Some("a_b")),
            ("if", Some("if")),
            ("__if__", Some("if")),
            ("__in__", Some("in")),
            ("__namespace__", Some("namespace")),
            ("a__dash__b", Some("a-b")),
            ("a__dot____dash__b", Some("a.-b")),
            ("a__slash__b__dot__c", Some("a/b.c")),
            ("a___dash__b", Some("a_-b")),
            ("a__underscores__b", Some("a__b")),
            ("__underscores__if__underscores__", Some("__if__")),
            ("a_____dash__", None),
            ("__x", None),
            ("a__b", None),
            ("__int__", None),
        ] {
            assert_eq!(unescape(written).as_deref(), property, "{written}");
        }
    }
}
