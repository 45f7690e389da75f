//! The syntaxes of names: DNS labels and subdomains, qualified names, label values. Each returns the errors.

/// The longest DNS label.
const LONGEST_LABEL: usize = 63;
/// The longest DNS subdomain.
const LONGEST_SUBDOMAIN: usize = 253;

/// `[a-z]([-a-z0-9]*[a-z0-9])?`, at most 63 characters.
#[must_use]
pub fn dns1035_label(text: &str) -> Vec<String> {
    let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
    let shaped = begins && is_label(text);
    faults(
        text,
        LONGEST_LABEL,
        shaped,
        "must consist of lower case letters, digits and dashes, begin with a letter and end with a letter or digit",
    )
}

/// `[a-z0-9]([-a-z0-9]*[a-z0-9])?`, at most 63 characters.
#[must_use]
pub fn dns1123_label(text: &str) -> Vec<String> {
    faults(
        text,
        LONGEST_LABEL,
        is_label(text),
        "must consist of lower case letters, digits and dashes, begin and end with a letter or digit",
    )
}

/// Parts `[a-z0-9]([-a-z0-9]*[a-z0-9])?` with dots between them, at most 253 characters.
#[must_use]
pub fn dns1123_subdomain(text: &str) -> Vec<String> {
    faults(
        text,
        LONGEST_SUBDOMAIN,
        text.split('.').all(is_label),
        "must consist of lower case letters, digits, dashes and dots, each part beginning and ending with a letter or digit",
    )
}

/// A name of at most 63 characters, with an optional subdomain and a slash before it.
#[must_use]
pub fn qualified_name(text: &str) -> Vec<String> {
    let mut parts = text.split('/');
    let (prefix, name) = match (parts.next(), parts.next(), parts.next()) {
        (Some(name), None, None) => (None, name),
        (Some(prefix), Some(name), None) => (Some(prefix), name),
        _ => return vec![format!("`{text}` has more than one slash")],
    };
    let mut found = match prefix {
        Some("") => vec![format!("`{text}` has no prefix before its slash")],
        Some(prefix) => dns1123_subdomain(prefix),
        None => Vec::new(),
    };
    if name.is_empty() {
        found.push(format!("`{text}` has no name"));
    }
    found.extend(faults(
        name,
        LONGEST_LABEL,
        is_name(name),
        "must consist of letters, digits, dashes, underscores and dots, beginning and ending with a letter or digit",
    ));
    found
}

/// The value of a label: empty or a name.
#[must_use]
pub fn label_value(text: &str) -> Vec<String> {
    faults(
        text,
        LONGEST_LABEL,
        text.is_empty() || is_name(text),
        "must be empty, or consist of letters, digits, dashes, underscores and dots, beginning and ending with a letter or digit",
    )
}

fn faults(text: &str, longest: usize, shaped: bool, shape: &str) -> Vec<String> {
    let long =
        (text.len() > longest).then(|| format!("`{text}` has more than {longest} characters"));
    let misshaped = (!shaped).then(|| format!("`{text}` {shape}"));
    long.into_iter().chain(misshaped).collect()
}

/// `[a-z0-9]([-a-z0-9]*[a-z0-9])?`, a label of any length.
#[must_use]
pub fn is_label(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.starts_with(inner) && text.ends_with(inner) && text.chars().all(|c| inner(c) || c == '-')
}

fn is_name(text: &str) -> bool {
    let outer = |c: char| c.is_ascii_alphanumeric();
    text.starts_with(outer)
        && text.ends_with(outer)
        && text
            .chars()
            .all(|c| outer(c) || matches!(c, '-' | '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::{dns1035_label, dns1123_subdomain, label_value, qualified_name};

    #[test]
    fn each_syntax_takes_its_own() {
        let long = "a".repeat(64);
        let good = |faults: Vec<String>| assert_eq!(faults, Vec::<String>::new());
        let bad = |faults: Vec<String>| assert!(!faults.is_empty());
        good(dns1035_label("v1-alpha"));
        for text in ["", "V1", "1", "v1.0", "a-", &long] {
            bad(dns1035_label(text));
        }
        good(dns1123_subdomain("1a.b-c"));
        good(dns1123_subdomain(&long));
        for text in ["", ".a", "a.", "a..b", "A.b", &"a".repeat(254)] {
            bad(dns1123_subdomain(text));
        }
        good(qualified_name("example.com/My_name.x"));
        for text in ["", "/a", "a/", "a/b/c", "A.b/c", "-a", &long] {
            bad(qualified_name(text));
        }
        good(label_value(""));
        good(label_value("A_b.c"));
        for text in ["a b", "-a", &long] {
            bad(label_value(text));
        }
    }
}
