//! What serde writes for a value that is parsed from a text.

use super::Value;
use std::fmt::Display;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// Returns the value of a type that a text says; `None` if it says none, or one that is not read.
pub(super) fn parsed(of: &str, text: &str) -> Option<Value> {
    let shown = match of {
        "std::net::IpAddr" => shown_again::<IpAddr>(text),
        "std::net::Ipv4Addr" => shown_again::<Ipv4Addr>(text),
        "std::net::Ipv6Addr" => shown_again::<Ipv6Addr>(text),
        "std::net::SocketAddr" => shown_again::<SocketAddr>(text),
        "url::Url" => url(text),
        "std::string::String" => Some(text.to_owned()),
        "semver::Version" => release(text),
        _ => None,
    }?;
    Some(Value::Json(shown.into()))
}

fn shown_again<T: FromStr + Display>(text: &str) -> Option<String> {
    text.parse().ok().map(|value: T| value.to_string())
}

/// Returns a version without a pre-release, as semver shows it.
fn release(text: &str) -> Option<String> {
    let is_number = |part: &str| part.parse().is_ok_and(|it: u64| it.to_string() == part);
    let is_one = text.split('.').count() == 3 && text.split('.').all(is_number);
    is_one.then(|| text.to_owned())
}

/// Returns a URL as the crate `url` shows it: with `/` for an empty path. Of the rest only what it keeps is read: small letters,
/// no port that the scheme has anyway, no path with `..`, and nothing that would be encoded.
fn url(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    let usual = match scheme {
        "http" => "80",
        "https" => "443",
        _ => return None,
    };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at_checked(end)?;
    let (path, query) = rest
        .split_once('?')
        .map_or((rest, None), |(path, query)| (path, Some(query)));
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    };
    let is_port = |port: &str| {
        let number: Option<u16> = port.parse().ok();
        number.is_some_and(|number| number.to_string() == port) && port != usual
    };
    let kept = |text: &str, signs: &str| {
        text.chars()
            .all(|c| c.is_ascii_alphanumeric() || signs.contains(c))
    };
    let is_kept = is_host(host)
        && port.is_none_or(is_port)
        && kept(path, "/-_.~")
        && !path.split('/').any(|part| matches!(part, "." | ".."))
        && query.is_none_or(|query| kept(query, "/-_.~=&"));
    let path = if path.is_empty() { "/" } else { path };
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    is_kept.then(|| format!("{scheme}://{authority}{path}{query}"))
}

/// Returns true for an address, and for names whose last part cannot be taken for a number.
fn is_host(host: &str) -> bool {
    let is_part = |part: &str| {
        let inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        !part.is_empty()
            && part.chars().all(inside)
            && !part.starts_with('-')
            && !part.ends_with('-')
            && !part.contains("--")
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_name =
        host.split('.').all(is_part) && last.starts_with(|c: char| c.is_ascii_lowercase());
    is_name || shown_again::<Ipv4Addr>(host).is_some()
}

#[cfg(test)]
mod tests {
    use super::url;

    /// The right sides are what version 2.5.8 of the crate shows.
    #[test]
    fn urls_are_shown_as_the_crate_shows_them() {
        for (text, shown) in [
            ("https://example.org", "https://example.org/"),
            ("https://example.org?x=1", "https://example.org/?x=1"),
            ("https://example.org/?", "https://example.org/?"),
            ("http://localhost:8080", "http://localhost:8080/"),
            ("http://10.0.0.1:9000/minio", "http://10.0.0.1:9000/minio"),
            ("https://example.org//a//", "https://example.org//a//"),
            ("https://a.org/a/.b/..c/d.", "https://a.org/a/.b/..c/d."),
            (
                "https://a-b.1c.org:6443/~u/v1.2?a=b&c=d-e",
                "https://a-b.1c.org:6443/~u/v1.2?a=b&c=d-e",
            ),
        ] {
            assert_eq!(url(text).as_deref(), Some(shown), "{text}");
        }
    }

    #[test]
    fn urls_that_the_crate_would_rewrite_or_refuse_are_not_read() {
        for text in [
            "HTTPS://example.org/",
            "https://EXAMPLE.org/",
            "https://example.org:443/a",
            "http://example.org:80",
            "https://example.org:08080/",
            "https://example.org:/a",
            "https://example.org:70000/",
            "https://example.org/a/../b",
            "https://example.org/./a",
            "https://example.org/%2e%2e/b",
            "https://example.org/a b",
            "https://example.org/a'b",
            "https://example.org/a^b",
            "https://example.org/a|b",
            "https://example.org/\\a",
            "https://example.org/a#b",
            "https://example.org?a=`b`",
            "https://b\u{fc}cher.example/",
            "https://xn--bcher-kva.example/",
            "https://a_b.example.org/",
            "https://-a.example.org/",
            "https://example.org./a",
            "https://user:word@example.org/",
            "https://[::1]:80/a",
            "https://",
            "http://127.1/",
            "http://0x7f.1/",
            "http://010.0.0.1/",
            "http://example.3/",
            "http://example.0x1/",
            "  https://example.org/a",
            "postgres://u@h:5432/db",
            "mailto:a@example.org",
        ] {
            assert_eq!(url(text), None, "{text}");
        }
    }
}
