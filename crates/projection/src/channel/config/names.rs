//! The shapes of names that API servers accept.

/// `[a-z]([-a-z0-9]*[a-z0-9])?`, at most 63 bytes: plurals, version names.
pub(super) fn is_dns1035(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && is_label(name) && name.len() <= 63
}

/// Labels with dots between them, at most 253 bytes: groups, prefixes.
pub(super) fn is_subdomain(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(is_label)
}

/// `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
#[must_use]
pub fn is_label(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    name.starts_with(allowed)
        && name.ends_with(allowed)
        && name.chars().all(|c| allowed(c) || c == '-')
}

/// `1.2.3`, with a pre-release or build metadata behind it: a semantic version without a leading `v`.
pub(super) fn is_semantic_version(version: &str) -> bool {
    let (version, build) = version.split_once('+').unwrap_or((version, "0"));
    let (core, pre) = version.split_once('-').unwrap_or((version, "0"));
    let digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let number = |part: &str| digits(part) && (part == "0" || !part.starts_with('0'));
    let word = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    core.split('.').count() == 3
        && core.split('.').all(number)
        && pre
            .split('.')
            .all(|part| word(part) && (!digits(part) || number(part)))
        && build.split('.').all(word)
}

/// Standard base64 with padding, as JSON carries bytes: the bytes.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let body = text.trim_end_matches('=');
    let padding = text.len() - body.len();
    if !text.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0u32);
    for byte in body.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
    Some(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_shapes_that_servers_accept() {
        for (name, label, domain) in [
            ("v1", true, true),
            ("v1-alpha", true, true),
            ("V1", false, false),
            ("1", false, true),
            ("v1.0", false, true),
            ("", false, false),
            ("a-", false, false),
            ("example.com", false, true),
            ("example..com", false, false),
        ] {
            assert_eq!(is_dns1035(name), label, "`{name}` as a label");
            assert_eq!(is_subdomain(name), domain, "`{name}` as a domain");
        }
        assert!(is_dns1035(&"a".repeat(63)) && !is_dns1035(&"a".repeat(64)));
    }

    #[test]
    fn versions_are_semantic() {
        for (version, expected) in [
            ("0.1.0", true),
            ("1.2.3-rc.1", true),
            ("1.2.3-dev+build.007", true),
            ("v1.2.3", false),
            ("1.2", false),
            ("1.02.3", false),
            ("1.2.3-01", false),
            ("1.2.3-", false),
            ("", false),
        ] {
            assert_eq!(is_semantic_version(version), expected, "`{version}`");
        }
    }

    #[test]
    fn base64_is_decoded() {
        assert_eq!(base64("LS0tLS0=").unwrap(), b"-----");
        assert_eq!(base64("").unwrap(), b"");
        for wrong in ["LS0", "LS0t=", "====", "LS0t!S0=", "LS0=LS0="] {
            assert_eq!(base64(wrong), None, "`{wrong}`");
        }
    }
}
