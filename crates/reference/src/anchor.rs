//! The names of places in pages: ids, links to them, and the form that `kubectl explain` takes.

use std::fmt::Write as _;

/// Returns the id of a place in a page: its version, a dot and its path, as in `v1.spec.rules[].name`; the version alone is the
/// object itself. Letters, digits and `._-[]` stay, `{}` as a pair, and so do those that are not ASCII and neither space nor control; of any
/// other character each byte becomes `~` and two digits, as do the dots of a version's name. So different places have different ids, no id has
/// a space, and ids that begin with `_` are left for the page itself.
#[must_use]
pub fn id(version: &str, path: &str) -> String {
    let mut id = String::with_capacity(version.len() + path.len() + 1);
    push(&mut id, version, "-");
    if !path.is_empty() {
        if !path.starts_with('[') && !path.starts_with('{') {
            id.push('.');
        }
        for (number, part) in path.split("{}").enumerate() {
            // Two of them would begin an expression of a template.
            id.push_str(if number == 0 { "" } else { "{}" });
            push(&mut id, part, "._-[]");
        }
    }
    id
}

fn push(id: &mut String, text: &str, kept: &str) {
    for c in text.chars() {
        let is_plain = match c.is_ascii() {
            true => c.is_ascii_alphanumeric() || kept.contains(c),
            false => !c.is_whitespace() && !is_unseen(c),
        };
        if is_plain {
            id.push(c);
            continue;
        }
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            // Writing into a string cannot fail.
            let _ = write!(id, "~{byte:02x}");
        }
    }
}

/// Returns a link to an id in the same page. Brackets and what is not ASCII are percent-encoded, since not every reader of
/// Markdown takes them; browsers decode them.
#[must_use]
pub fn href(id: &str) -> String {
    let mut href = String::with_capacity(id.len() + 1);
    href.push('#');
    for byte in id.bytes() {
        match byte {
            b'.' | b'_' | b'-' | b'~' => href.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => href.push(char::from(byte)),
            _ => {
                let _ = write!(href, "%{byte:02X}");
            }
        }
    }
    href
}

/// Returns a path as `kubectl explain` takes it, such as `routes.spec.rules.name`; `None` if a name on the way has characters
/// that kubectl does not read.
#[must_use]
pub fn explained(resource: &str, path: &str) -> Option<String> {
    if path.contains("['") {
        return None;
    }
    let path = path.replace("[]", "").replace("{}", "");
    Some(match path.is_empty() {
        true => resource.to_owned(),
        false => format!("{resource}.{path}"),
    })
}

/// Returns the path of what a place is directly inside of; `None` for the object itself.
pub(crate) fn above(path: &str) -> Option<&str> {
    if path.is_empty() {
        return None;
    }
    if let Some(list) = path.strip_suffix("[]").or_else(|| path.strip_suffix("{}")) {
        return Some(list);
    }
    let end = match path.ends_with("']") {
        true => path.rfind("['"),
        false => path.rfind('.'),
    };
    Some(path.split_at(end.unwrap_or_default()).0)
}

/// Whether a character shows nothing by itself, or changes the order in which others are shown.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Writes invisible characters as `\u{202e}`, except for line ends and tabs.
#[must_use]
pub fn visible(text: &str) -> std::borrow::Cow<'_, str> {
    let is_odd = |c: char| is_unseen(c) && c != '\n' && c != '\t';
    let text = match text.contains('\r') {
        true => text.replace("\r\n", "\n").into(),
        false => std::borrow::Cow::Borrowed(text),
    };
    if !text.contains(is_odd) {
        return text;
    }
    let mut seen = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_odd(c) {
            true => {
                let _ = write!(seen, "\\u{{{:x}}}", u32::from(c));
            }
            false => seen.push(c),
        }
    }
    seen.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_links_and_paths() {
        for (path, expected, link) in [
            ("", "v1", "#v1"),
            (
                "spec.rules[].name",
                "v1.spec.rules[].name",
                "#v1.spec.rules%5B%5D.name",
            ),
            ("spec.labels{}", "v1.spec.labels{}", "#v1.spec.labels%7B%7D"),
            (
                "spec['a b\"<é']",
                "v1.spec[~27a~20b~22~3cé~27]",
                "#v1.spec%5B~27a~20b~22~3c%C3%A9~27%5D",
            ),
        ] {
            let id = id("v1", path);
            assert_eq!((&*id, &*href(&id)), (expected, link), "{path}");
        }
        assert_ne!(id("v1.a", "b"), id("v1", "a.b"));
        assert_eq!(id("v1", "['{{}}']"), "v1[~27~7b{}~7d~27]");
    }

    #[test]
    fn places_are_inside_of_others() {
        for (path, expected) in [
            ("", None),
            ("spec", Some("")),
            ("spec.rules[]", Some("spec.rules")),
            ("spec.rules[].a", Some("spec.rules[]")),
            ("spec['a.b']", Some("spec")),
            ("spec['a.b'].c", Some("spec['a.b']")),
            ("['a']", Some("")),
        ] {
            assert_eq!(above(path), expected, "{path}");
        }
    }

    #[test]
    fn kubectl_knows_no_brackets() {
        assert_eq!(
            explained("routes", "spec.rules[].a{}.b").as_deref(),
            Some("routes.spec.rules.a.b")
        );
        assert_eq!(explained("routes", "spec['a b']"), None);
    }

    #[test]
    fn what_is_not_seen_is_written_out() {
        assert_eq!(visible("a\0b\u{202e}c\r\n\td"), "a\\u{0}b\\u{202e}c\n\td");
    }
}
