//! URLs.

use super::{Answer, Stop, UNFIT, Val, text_arg};
use crate::Text;
use crate::url::{Url, is_request_url};

pub(crate) fn url(given: &[Val]) -> Answer {
    let [Val::String(text)] = given else {
        return UNFIT;
    };
    let fits = is_request_url(text) && Url::parse(text).is_some();
    fits.then(|| Val::Url(text.clone())).ok_or(Stop::Error)
}

pub(crate) fn is_url(given: &[Val]) -> Answer {
    Ok(Val::Bool(is_request_url(text_arg(given)?)))
}

pub(crate) fn scheme(given: &[Val]) -> Answer {
    Ok(Val::text(url_arg(given)?.scheme.to_ascii_lowercase()))
}

pub(crate) fn host(given: &[Val]) -> Answer {
    Ok(Val::text(host_of(&url_arg(given)?)?))
}

pub(crate) fn hostname(given: &[Val]) -> Answer {
    let url = url_arg(given)?;
    let (name, _) = without_port(host_of(&url)?);
    let inner = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    Ok(Val::text(inner.unwrap_or(name)))
}

pub(crate) fn port(given: &[Val]) -> Answer {
    let url = url_arg(given)?;
    let (_, port) = without_port(host_of(&url)?);
    Ok(Val::text(port))
}

pub(crate) fn escaped_path(given: &[Val]) -> Answer {
    let path = url_arg(given)?.path;
    let is_fine = |c: u8| is_plain(c) || b"!'()*[]%".contains(&c);
    if path.bytes().all(is_fine) {
        return Ok(Val::text(path));
    }
    let mut escaped = String::new();
    for byte in unescaped(path).ok_or(Stop::Unknown)? {
        match byte {
            byte if is_plain(byte) => escaped.push(char::from(byte)),
            byte => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    Ok(Val::text(escaped))
}

/// The values of each name, in order.
pub(crate) fn query(given: &[Val]) -> Answer {
    let mut found: Vec<(Text, Vec<Val>)> = Vec::new();
    for pair in url_arg(given)?.query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let part = |part: &str| {
            let bytes = unescaped(&part.replace('+', " "))?;
            // Bytes that are not UTF-8 are left to the server.
            Some(String::from_utf8(bytes).map_err(|_| Stop::Unknown))
        };
        let (Some(name), Some(value)) = (part(name), part(value)) else {
            continue;
        };
        if pair.is_empty() || pair.contains(';') {
            continue;
        }
        let (name, value) = (name?, Val::text(value?));
        match found.iter_mut().find(|(known, _)| **known == *name) {
            Some((_, values)) => values.push(value),
            None => found.push((name.into(), vec![value])),
        }
    }
    let entries = found.into_iter();
    Ok(Val::map(entries.map(|(name, values)| {
        (Val::String(name), Val::list(values))
    })))
}

fn url_arg(given: &[Val]) -> Result<Url<'_>, Stop> {
    match given {
        [Val::Url(text)] => Url::parse(text).ok_or(Stop::Unknown),
        _ => Err(Stop::Unknown),
    }
}

/// The host with its port. Escapes in it are left to servers.
fn host_of<'u>(url: &Url<'u>) -> Result<&'u str, Stop> {
    match url.host.contains('%') {
        true => Err(Stop::Unknown),
        false => Ok(url.host),
    }
}

fn without_port(host: &str) -> (&str, &str) {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|c| c.is_ascii_digit()) => (name, port),
        _ => (host, ""),
    }
}

/// Whether a byte is unescaped in a path.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~$&+,/:;=@".contains(&byte)
}

/// The bytes of a text with escapes. `None` if an escape is incomplete.
fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2)?;
        let is_hexadecimal = digits.bytes().all(|c| c.is_ascii_hexdigit());
        bytes.push(
            u8::from_str_radix(digits, 16)
                .ok()
                .filter(|_| is_hexadecimal)?,
        );
        bytes.extend(part.get(2..)?.bytes());
    }
    Some(bytes)
}
