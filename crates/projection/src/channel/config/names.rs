//! The names that API servers accept.

use crd_channels_check::names::{dns1035_label, dns1123_subdomain};

/// `[a-z]([-a-z0-9]*[a-z0-9])?`, at most 63 bytes: plurals, version names.
pub(super) fn is_dns1035(name: &str) -> bool {
    dns1035_label(name).is_empty()
}

/// Labels with dots between them, at most 253 bytes: groups, prefixes.
pub(super) fn is_subdomain(name: &str) -> bool {
    dns1123_subdomain(name).is_empty()
}

/// `1.2.3`, optionally with a pre-release or build metadata: a semantic version without a leading `v`.
pub(super) fn is_semantic_version(version: &str) -> bool {
    semver::Version::parse(version).is_ok()
}

#[cfg(test)]
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
            ("18446744073709551615.0.0", true),
            ("18446744073709551616.0.0", false),
            ("", false),
        ] {
            assert_eq!(is_semantic_version(version), expected, "`{version}`");
        }
    }
}
