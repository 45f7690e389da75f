//! URLs as Go's `net/url` takes them apart, as far as their parts are asked for.

/// The parts of a URL.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Url<'a> {
    /// What stands before the first colon.
    pub scheme: &'a str,
    /// The host with its port.
    pub host: &'a str,
    /// Whether a user stands before the host.
    pub has_user: bool,
    /// The path as it is written.
    pub path: &'a str,
    /// What follows the question mark.
    pub query: &'a str,
    /// What follows the number sign.
    pub fragment: &'a str,
}

/// Whether a text is an absolute URL or an absolute path.
#[must_use]
pub fn is_request_url(text: &str) -> bool {
    Url::parse_request(text).is_some()
}

impl<'a> Url<'a> {
    /// `url.Parse`. None where it gives an error.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
        let url = Self::without_fragment(rest, false)?;
        escapes(fragment, |_| true).then_some(Self { fragment, ..url })
    }

    /// `url.ParseRequestURI`: what may stand in a request line, so absolute or beginning with a slash.
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
        let valid = is_host(host) && user.is_none_or(is_user) && escapes(path, |_| true);
        valid.then_some(Self {
            host,
            has_user: user.is_some(),
            path,
            ..url
        })
    }
}

/// The scheme and what follows its colon. None where the colon has nothing before it.
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

/// Whether every percent sign begins an escape, and every escaped byte may be one.
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

fn is_host(text: &str) -> bool {
    let is_port = |port: &str| {
        port.is_empty()
            || port
                .strip_prefix(':')
                .is_some_and(|digits| digits.bytes().all(|c| c.is_ascii_digit()))
    };
    if let Some(address) = text.strip_prefix('[') {
        return address
            .rsplit_once(']')
            .is_some_and(|(_, port)| is_port(port));
    }
    let port = text.rfind(':').and_then(|at| text.get(at..));
    let plain = |c: char| {
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
                    | '%'
            )
    };
    // In hosts only bytes outside of ASCII can be escaped.
    port.is_none_or(is_port) && text.chars().all(plain) && escapes(text, |byte| byte >= 0x80)
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
        assert_eq!(Url::parse("https://[::1]:1/").unwrap().host, "[::1]:1");
        for bad in [
            ":a",
            "a b:c",
            "https://a b/",
            "https://h:x/",
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
