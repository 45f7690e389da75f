//! The formats of text that the server knows, without the hyphens in their names.

use crate::names::dns1123_subdomain;
use crate::time::date;
use crate::url::Url;
use regex::Regex;
use std::net::Ipv6Addr;
use std::sync::{LazyLock, OnceLock};

/// Whether a text has a format. `None` if the format is unknown.
#[must_use]
pub fn fits(format: &str, text: &str) -> Option<bool> {
    let name = format.replace('-', "");
    if let Some(syntax) = SYNTAXES.iter().find(|known| known.format == name) {
        return syntax.is_match(text);
    }
    Some(match name.as_str() {
        "uri" => Url::parse_request(text).is_some(),
        "email" => is_email(text),
        "hostname" => is_hostname(text),
        "ipv4" => text.contains('.') && is_address(text),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        "cidr" => is_cidr(text),
        "mac" => is_mac(text),
        "isbn" => is_isbn10(text) || is_isbn13(text),
        "isbn10" => is_isbn10(text),
        "isbn13" => is_isbn13(text),
        "creditcard" => is_credit_card(text),
        "date" => date(text).is_some(),
        "datetime" => is_date_time(text),
        "duration" => is_duration(text),
        "password" => true,
        "k8sshortname" => {
            !text.contains('.') && text.len() <= 63 && dns1123_subdomain(text).is_empty()
        }
        "k8slongname" => dns1123_subdomain(text).is_empty(),
        _ => return None,
    })
}

/// A format that is a regular expression, compiled lazily since most are never used.
struct Syntax {
    format: &'static str,
    text: fn() -> String,
    made: OnceLock<Option<Regex>>,
}

impl Syntax {
    const fn new(format: &'static str, text: fn() -> String) -> Self {
        let made = OnceLock::new();
        Self { format, text, made }
    }

    fn is_match(&self, text: &str) -> Option<bool> {
        let syntax = self.made.get_or_init(|| Regex::new(&(self.text)()).ok());
        syntax.as_ref().map(|syntax| syntax.is_match(text))
    }
}

static SYNTAXES: [Syntax; 9] = [
    Syntax::new("bsonobjectid", || "^[0-9a-fA-F]{24}$".to_owned()),
    Syntax::new("uuid", || uuid(ANY, ANY)),
    Syntax::new("uuid3", || uuid("3[0-9a-f]{3}", ANY)),
    Syntax::new("uuid4", || uuid("4[0-9a-f]{3}", VARIANT)),
    Syntax::new("uuid5", || uuid("5[0-9a-f]{3}", VARIANT)),
    Syntax::new("ssn", || "^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$".to_owned()),
    Syntax::new("hexcolor", || {
        "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$".to_owned()
    }),
    Syntax::new("rgbcolor", || {
        let byte = r"[ \t\n\f\r]*(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])[ \t\n\f\r]*";
        format!(r"^rgb\({byte},{byte},{byte}\)$")
    }),
    Syntax::new("byte", || {
        "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$"
            .to_owned()
    }),
];

const ANY: &str = "[0-9a-f]{4}";
const VARIANT: &str = "[89ab][0-9a-f]{3}";

fn uuid(third: &str, fourth: &str) -> String {
    format!("(?i-u)^[0-9a-f]{{8}}-?[0-9a-f]{{4}}-?{third}-?{fourth}-?[0-9a-f]{{12}}$")
}

/// Letters and symbols of any script, but no symbols in the top-level domain.
static HOSTNAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let any = r"[a-zA-Z0-9\p{S}\p{L}]";
    Regex::new(&format!(
        r"^({any}((-?{any}{{0,62}})?)|({any}(([a-zA-Z0-9\-\p{{S}}\p{{L}}]{{0,61}}{any})?)(\.)){{1,}}([a-zA-Z\p{{L}}]){{2,63}})$"
    ))
    .ok()
});

fn is_hostname(text: &str) -> bool {
    let shaped = HOSTNAME.as_ref().is_none_or(|syntax| syntax.is_match(text));
    shaped && text.len() <= 255 && text.split('.').all(|label| label.len() <= 63)
}

/// `a@b`, or `A name <a@b>`.
fn is_email(text: &str) -> bool {
    let text = text.trim_matches([' ', '\t']);
    let address = match text.strip_suffix('>') {
        Some(named) => named.rsplit_once('<').map(|(_, address)| address),
        None => Some(text),
    };
    let Some((local, domain)) = address.and_then(|address| address.rsplit_once('@')) else {
        return false;
    };
    let atom = |atom: &str| {
        let allowed = |c: char| {
            !c.is_ascii() || c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c)
        };
        !atom.is_empty() && atom.chars().all(allowed)
    };
    let quoted = local.len() > 2 && local.starts_with('"') && local.ends_with('"');
    let literal = domain.starts_with('[') && domain.ends_with(']');
    (quoted || local.split('.').all(atom)) && (literal || domain.split('.').all(atom))
}

/// An IPv4 or IPv6 address; leading zeros are allowed.
fn is_address(text: &str) -> bool {
    let part = |part: &str| {
        let digits = !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
        digits && part.parse::<u32>().is_ok_and(|value| value <= 255)
    };
    let four = text.split('.').count() == 4 && text.split('.').all(part);
    four || text.parse::<Ipv6Addr>().is_ok()
}

fn is_cidr(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else {
        return false;
    };
    let longest = if address.contains(':') { 128 } else { 32 };
    let digits = !length.is_empty() && length.bytes().all(|c| c.is_ascii_digit());
    is_address(address) && digits && length.parse::<u32>().is_ok_and(|bits| bits <= longest)
}

/// 6, 8 or 20 bytes: pairs with colons or dashes, or groups of four with dots.
fn is_mac(text: &str) -> bool {
    let groups = |separator: char, digits: usize| {
        let groups: Vec<&str> = text.split(separator).collect();
        let hex =
            |group: &&str| group.len() == digits && group.bytes().all(|c| c.is_ascii_hexdigit());
        groups.iter().all(hex).then_some(groups.len() * digits / 2)
    };
    let bytes = groups(':', 2).or(groups('-', 2)).or(groups('.', 4));
    matches!(bytes, Some(6 | 8 | 20))
}

/// The digits of a number that may contain spaces and dashes.
fn digits(text: &str) -> Option<Vec<u32>> {
    let signs = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}' | '-'));
    signs.map(|c| c.to_digit(10)).collect()
}

fn is_isbn10(text: &str) -> bool {
    let trimmed = text.trim_end_matches([' ', '\t', '\n', '\r', '\u{c}', '-']);
    let (body, check) = match trimmed.strip_suffix('X') {
        Some(body) => (digits(body), Some(10)),
        None => (digits(text), None),
    };
    let Some(mut number) = body else {
        return false;
    };
    number.extend(check);
    let sum: u32 = number.iter().zip(1..).map(|(digit, nth)| digit * nth).sum();
    number.len() == 10 && sum.is_multiple_of(11)
}

fn is_isbn13(text: &str) -> bool {
    let Some(number) = digits(text).filter(|number| number.len() == 13) else {
        return false;
    };
    let weights = [1, 3].into_iter().cycle();
    let sum: u32 = number
        .iter()
        .zip(weights)
        .map(|(digit, weight)| digit * weight)
        .sum();
    sum.is_multiple_of(10)
}

fn is_credit_card(text: &str) -> bool {
    static SYNTAX: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new("^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$").ok()
    });
    let number: String = text.chars().filter(char::is_ascii_digit).collect();
    let sum: u32 = number
        .chars()
        .rev()
        .filter_map(|c| c.to_digit(10))
        .enumerate()
        .map(|(nth, digit)| match (nth % 2, digit * 2) {
            (0, _) => digit,
            (_, doubled) => doubled / 10 + doubled % 10,
        })
        .sum();
    SYNTAX
        .as_ref()
        .is_none_or(|syntax| syntax.is_match(&number))
        && sum.is_multiple_of(10)
}

fn is_date_time(text: &str) -> bool {
    static TIME: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new("^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$").ok()
    });
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(day), Some(time)) = (parts.next(), parts.next()) else {
        return false;
    };
    let shaped = TIME.as_ref().is_none_or(|syntax| syntax.is_match(time));
    let within = |at: usize, most: &str| time.get(at..at + 2).is_some_and(|part| part <= most);
    date(day).is_some() && shaped && within(0, "23") && within(3, "59") && within(6, "59")
}

/// A duration in the notation of Go or Scala: numbers with units; other text between them is ignored.
fn is_duration(text: &str) -> bool {
    static PART: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"([0-9]+)[ \t\n\f\r]*([A-Za-zµμ]+)").ok());
    const UNITS: [(&[&str], &str); 8] = [
        (&["ns"], "nano"),
        (&["us", "µs", "μs"], "micro"),
        (&["ms"], "milli"),
        (&["s"], "sec"),
        (&["m"], "min"),
        (&["h", "hr"], "hour"),
        (&["d"], "day"),
        (&["w", "wk"], "week"),
    ];
    if matches!(text, "0" | "+0" | "-0") {
        return true;
    }
    let Some(syntax) = PART.as_ref() else {
        return true;
    };
    let mut known = false;
    for part in syntax.captures_iter(text) {
        let group = |nth: usize| part.get(nth).map_or("", |group| group.as_str());
        if group(1).parse::<i64>().is_err() {
            return false;
        }
        let unit = group(2).to_lowercase();
        known |= UNITS
            .iter()
            .any(|(short, long)| short.contains(&unit.as_str()) || unit.starts_with(long));
    }
    known
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn formats_take_their_own() {
        for (format, good, bad) in [
            ("bson-objectid", "0123456789abcdef01234567", "0123"),
            ("uri", "https://h/a", "a"),
            ("email", "Name <a.b@c>", "a@"),
            ("email", "a@b", "a b@c"),
            ("hostname", "a-b.example", "a_b"),
            ("ipv4", "01.2.3.4", "1.2.3"),
            ("ipv6", "::1", "1.2.3.4"),
            ("cidr", "10.0.0.0/8", "10.0.0.0/33"),
            ("mac", "00:00:5e:00:53:01", "00:00"),
            ("uuid", "01234567-89ab-cdef-0123-456789ABCDEF", "0"),
            (
                "uuid4",
                "01234567-89ab-4def-8123-456789abcdef",
                "01234567-89ab-3def-8123-456789abcdef",
            ),
            ("isbn10", "0-306-40615-2", "0-306-40615-1"),
            ("isbn", "080442957X", "0804429571"),
            ("isbn13", "978-0-306-40615-7", "978-0-306-40615-6"),
            ("creditcard", "4111 1111 1111 1111", "4111 1111 1111 1112"),
            ("ssn", "111-22-3333", "111223333"),
            ("hexcolor", "#FFF", "#FFFF"),
            ("rgbcolor", "rgb(0, 255,1)", "rgb(0,256,1)"),
            ("byte", "aGk=", "aGk"),
            ("date", "2024-02-29", "2023-02-29"),
            (
                "date-time",
                "2024-02-29T23:59:59.5Z",
                "2024-02-29 23:59:59Z",
            ),
            ("duration", "1h30m", "1x"),
            ("duration", "2 days", ""),
            ("k8s-short-name", "a-b", "a.b"),
            ("k8s-long-name", "a.b", "a..b"),
        ] {
            assert_eq!(fits(format, good), Some(true), "{format} {good}");
            assert_eq!(fits(format, bad), Some(false), "{format} {bad}");
        }
        assert_eq!(fits("uint32", "a"), None);
        assert_eq!(fits("password", ""), Some(true));
    }
}
