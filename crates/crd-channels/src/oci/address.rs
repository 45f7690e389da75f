//! Addresses of repositories in registries: `oci://REGISTRY/REPOSITORY`, with a tag or a digest.

use crd_channels_released::digest::Digest;
use std::fmt;

/// The start of every address.
pub const SCHEME: &str = "oci://";

/// What to write, for the help of errors.
pub const FORM: &str =
    "write `oci://REGISTRY/REPOSITORY`, with `:TAG` or `@sha256:DIGEST` after it for one artifact";

/// A repository of a registry.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Address {
    /// The registry: a host, with a port if it has one.
    pub registry: String,
    /// The name of the repository in it.
    pub repository: String,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}/{}", self.registry, self.repository)
    }
}

impl Address {
    /// Whether the registry is on this machine; only then it may be without TLS.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let port = self.registry.rsplit_once(':').map(|(host, _)| host);
        let host = match self.registry.ends_with(']') {
            true => &self.registry,
            false => port.unwrap_or(&self.registry),
        };
        host == "localhost"
            || host == "[::1]"
            || host
                .parse()
                .is_ok_and(|it: std::net::Ipv4Addr| it.is_loopback())
    }
}

/// Writes an address with a tag or a digest.
#[must_use]
pub fn with_reference(address: &str, reference: &str) -> String {
    match is_digest(reference) {
        true => format!("{address}@{reference}"),
        false => format!("{address}:{reference}"),
    }
}

/// Parses an address. Returns it with the tag or the digest in it.
///
/// # Errors
/// Returns the message in one line.
pub fn parse(text: &str) -> Result<(Address, Option<String>), String> {
    let rest = text.strip_prefix(SCHEME).unwrap_or(text);
    let (place, digest) = match rest.split_once('@') {
        Some((place, digest)) => (place, Some(digest)),
        None => (rest, None),
    };
    let wrong = |what: &str| format!("`{}` {what}", text.escape_debug());
    let Some((registry, repository)) = place.split_once('/') else {
        return Err(wrong("names no repository of its registry"));
    };
    let (repository, tag) = match repository.split_once(':') {
        Some((repository, tag)) => (repository, Some(tag)),
        None => (repository, None),
    };
    let in_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':' | '[' | ']');
    if registry.is_empty() || !registry.chars().all(in_host) {
        return Err(wrong("does not begin with the host of a registry"));
    }
    if !repository.split('/').all(is_path_component) {
        return Err(wrong(
            "names no repository: its parts are lower-case letters and digits, with `.`, `_` or `-` between them",
        ));
    }
    let reference = match (tag, digest) {
        (Some(_), Some(_)) => return Err(wrong("has a tag and a digest; name one of them")),
        (tag, digest) => digest.or(tag),
    };
    if let Some(reference) = reference {
        let is_valid = match digest {
            Some(_) => is_digest(reference),
            None => is_tag(reference),
        };
        if !is_valid {
            return Err(wrong("has neither a tag nor a digest `sha256:..`"));
        }
    }
    let address = Address {
        registry: registry.to_owned(),
        repository: repository.to_owned(),
    };
    Ok((address, reference.map(str::to_owned)))
}

/// Whether a reference is a digest rather than a tag.
#[must_use]
pub fn is_digest(reference: &str) -> bool {
    Digest::try_from(reference.to_owned()).is_ok()
}

/// Whether a text can be a tag.
#[must_use]
pub fn is_tag(text: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let first = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (1..=128).contains(&text.len()) && text.starts_with(first) && text.chars().all(inside)
}

fn is_path_component(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let inside = |c: char| plain(c) || matches!(c, '.' | '_' | '-');
    text.starts_with(plain) && text.ends_with(plain) && text.chars().all(inside)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{SCHEME, parse, with_reference};

    #[test]
    fn an_address_comes_back_as_it_was_written() {
        let digest = format!("sha256:{}", "0a".repeat(32));
        for place in [
            "ghcr.io/edge/crds",
            "localhost:5000/a",
            "[::1]:5000/a/b-c.d",
        ] {
            let place = format!("{SCHEME}{place}");
            let (address, reference) = parse(&place).unwrap();
            assert_eq!((address.to_string(), reference), (place.clone(), None));
            for reference in ["v0.1.0-rc.1", "latest", &digest] {
                let text = with_reference(&place, reference);
                let (address, found) = parse(&text).unwrap();
                assert_eq!(address.to_string(), place);
                assert_eq!(found.as_deref(), Some(reference));
            }
        }
        for text in [
            "oci://",
            "oci://ghcr.io",
            "oci://ghcr.io/",
            "oci:///edge",
            "oci://user@ghcr.io/edge",
            "oci://ghcr.io/Edge/crds",
            "oci://ghcr.io/edge//crds",
            "oci://ghcr.io/../crds",
            "oci://ghcr.io/edge:",
            "oci://ghcr.io/edge:v1/x",
            "oci://ghcr.io/edge:a?b",
            "oci://ghcr.io/edge@v1",
            "oci://ghcr.io/edge@sha512:00",
            "oci://ghcr.io/edge#v1",
            &with_reference("oci://ghcr.io/edge:v1", &digest),
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_loopback_goes_without_tls() {
        for (registry, expected) in [
            ("localhost", true),
            ("localhost:5000", true),
            ("127.0.0.1:5000", true),
            ("127.8.0.1", true),
            ("[::1]", true),
            ("[::1]:5000", true),
            ("localhost.example.com", false),
            ("127.0.0.1.example.com", false),
            ("10.0.0.1:5000", false),
            ("[::2]:5000", false),
        ] {
            let (address, _) = parse(&format!("{SCHEME}{registry}/a")).unwrap();
            assert_eq!(address.is_loopback(), expected, "{registry}");
        }
    }
}
