//! URLs as Go's `net/url` parses them, as far as their parts are needed.

use std::net::Ipv6Addr;

/// The parts of a URL.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Url<'a> {
    /// The part before the first colon.
    pub scheme: &'a str,
    /// The host with its port.
    pub host: &'a str,
    /// Whether the host is preceded by a user.
    pub has_user: bool,
    /// The path as written.
    pub path: &'a str,
    /// The part after the question mark.
    pub query: &'a str,
    /// The part after the number sign.
    pub fragment: &'a str,
}

/// Whether a text is an absolute URL or an absolute path.
#[must_use]
pub fn is_request_url(text: &str) -> bool {
    Url::parse_request(text).is_some()
}

impl<'a> Url<'a> {
    /// `url.Parse`. `None` if it returns an error.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
        let url = Self::without_fragment(rest, false)?;
        escapes(fragment, |_| true).then_some(Self { fragment, ..url })
    }

    /// `url.ParseRequestURI`: a URL for a request line, absolute or starting with a slash.
    #[must_use]
    pub fn parse_request(text: &'a str) -> Option<Self> {
        Self::without_fragment(text, true)
    }

    fn without_fragment(text: &'a str, request: bool) -> Option<Self> {
        let control = |c: char| c.is_ascii_control();
        if text.contains(control) || (request && text.is_empty()) {
            return None;
        }
        if text == "*" {
            return Some(Self {
                path: text,
                ..Self::default()
            });
        }
        let (scheme, rest) = scheme(text)?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let url = Self {
            scheme,
            query,
            ..Self::default()
        };
        if !rest.starts_with('/') {
            if !scheme.is_empty() {
                // Opaque, as in `mailto:a@b`.
                return Some(url);
            }
            let first = rest.split('/').next().unwrap_or_default();
            if request || first.contains(':') {
                return None;
            }
        }
        let bare = rest.strip_prefix("//");
        let has_authority = match bare {
            Some(bare) => !scheme.is_empty() || (!request && !bare.starts_with('/')),
            None => false,
        };
        let (authority, path) = match bare {
            Some(bare) if has_authority => bare.split_at(bare.find('/').unwrap_or(bare.len())),
            _ => ("", rest),
        };
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        let valid = is_host(scheme, host) && user.is_none_or(is_user) && escapes(path, |_| true);
        valid.then_some(Self {
            host,
            has_user: user.is_some(),
            path,
            ..url
        })
    }
}

/// The scheme, and the part after its colon. `None` if the colon comes first.
fn scheme(text: &str) -> Option<(&str, &str)> {
    for (at, c) in text.char_indices() {
        match c {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if at > 0 => {}
            ':' if at > 0 => {
                let (scheme, rest) = text.split_at(at);
                return Some((scheme, rest.get(1..).unwrap_or_default()));
            }
            ':' => return None,
            _ => break,
        }
    }
    Some(("", text))
}

/// Whether every percent sign starts an escape of an allowed byte.
fn escapes(text: &str, may_be: impl Fn(u8) -> bool) -> bool {
    let mut parts = text.split('%');
    parts.next();
    parts.all(|part| {
        let byte = part
            .get(..2)
            .filter(|digits| digits.bytes().all(|c| c.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        byte.is_some_and(&may_be)
    })
}

fn is_user(text: &str) -> bool {
    let allowed = |c: char| {
        c.is_ascii_alphanumeric()
            || matches!(
                c,
                '-' | '.'
                    | '_'
                    | ':'
                    | '~'
                    | '!'
                    | '$'
                    | '&'
                    | '\''
                    | '('
                    | ')'
                    | '*'
                    | '+'
                    | ','
                    | ';'
                    | '='
                    | '%'
                    | '@'
            )
    };
    text.chars().all(allowed) && escapes(text, |_| true)
}

/// Whether a text is a host with an optional port.
fn is_host(scheme: &str, text: &str) -> bool {
    if let Some(literal) = text.strip_prefix('[') {
        let parts = literal.rsplit_once(']');
        return parts.is_some_and(|(address, port)| is_address(address) && is_port(port));
    }
    // For these schemes Go starts the port at the first colon, for others at the last one.
    let is_web = ["http", "https"]
        .iter()
        .any(|web| scheme.eq_ignore_ascii_case(web));
    let colon = if is_web {
        text.find(':')
    } else {
        text.rfind(':')
    };
    let port = colon.and_then(|at| text.get(at..)).unwrap_or_default();
    let may_be = |c: char| is_of_host(c) && c != '[' || c == '%';
    // In hosts only percent signs and non-ASCII bytes can be escaped.
    is_port(port) && text.chars().all(may_be) && escapes(text, |byte| byte >= 0x80 || byte == b'%')
}

/// Whether a text is empty or a colon and digits.
fn is_port(text: &str) -> bool {
    let digits = text.strip_prefix(':').unwrap_or(text);
    (text.is_empty() || text.starts_with(':')) && digits.bytes().all(|c| c.is_ascii_digit())
}

/// Whether a text is an IPv6 address, with or without a zone as in `fe80::1%25en0`.
fn is_address(text: &str) -> bool {
    let (address, zone) = match text.split_once("%25") {
        Some((address, zone)) => (address, Some(zone)),
        None => (text, None),
    };
    let may_be =
        |byte: u8| byte == b' ' || byte == b'%' || is_of_host(char::from(byte)) && byte < 0x80;
    let is_zone = |zone: &str| {
        let mut chars = zone.chars();
        !zone.is_empty() && chars.all(|c| is_of_host(c) || c == '%') && escapes(zone, may_be)
    };
    address.parse::<Ipv6Addr>().is_ok() && zone.is_none_or(is_zone)
}

/// Whether a character can be unescaped in a host.
fn is_of_host(c: char) -> bool {
    !c.is_ascii()
        || c.is_ascii_alphanumeric()
        || matches!(
            c,
            '-' | '_'
                | '.'
                | '~'
                | '!'
                | '$'
                | '&'
                | '\''
                | '('
                | ')'
                | '*'
                | '+'
                | ','
                | ';'
                | '='
                | ':'
                | '['
                | ']'
                | '<'
                | '>'
                | '"'
        )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::Url;

    #[test]
    fn urls_are_taken_apart() {
        let url = Url::parse("https://u:p@h:1/a?q#f").unwrap();
        assert_eq!((url.scheme, url.host), ("https", "h:1"));
        assert!(url.has_user && url.query == "q" && url.fragment == "f");
        assert_eq!(url.path, "/a");
        assert_eq!(Url::parse("mailto:a@b").unwrap().host, "");
        assert_eq!(Url::parse("//h/a").unwrap().host, "h");
        for host in ["[::1]:1", "[fe80::1%25en0]", "[::ffff:1.2.3.4]:", "h:"] {
            let text = format!("https://{host}/");
            assert_eq!(Url::parse(&text).unwrap().host, host);
        }
        assert_eq!(Url::parse("x://h:1:2/").unwrap().host, "h:1:2");
        for bad in [
            ":a",
            "a b:c",
            "https://a b/",
            "https://h:x/",
            "https://h:1:2/",
            "https://[::1/",
            "https://[:::1]/",
            "https://[1.2.3.4]/",
            "https://[::1%25]/",
            "https://a[::1]/",
            "https://h/%zz",
            "\n",
        ] {
            assert_eq!(Url::parse(bad), None, "{bad}");
        }
        for bad in ["", "a", "a/b"] {
            assert_eq!(Url::parse_request(bad), None, "{bad}");
        }
        assert_eq!(Url::parse_request("/x").unwrap().host, "");
        assert_eq!(Url::parse_request("http://").unwrap().host, "");
    }
}
