//! Functions of Kubernetes' own libraries and of cel-go's extensions, where the answer is certain.

use super::operators::contains;
use super::{Answer, Stop, Val, unread};
use crate::time::{duration, timestamp};
use crate::url::is_request_url;
use std::net::IpAddr;

/// A function without a target. None if it is unknown here.
pub(super) fn global(name: &str, arguments: &[Val]) -> Option<Answer> {
    let [argument] = arguments else {
        return None;
    };
    if name == "type" {
        return Some(type_of(argument));
    }
    let Val::String(text) = argument else {
        return None;
    };
    let answer = match name {
        "isIP" => address(text).is_some(),
        "isCIDR" => is_cidr(text),
        "isQuantity" => return Some(is_quantity(text).map(Val::Bool)),
        "isSemver" => semver::Version::parse(text).is_ok(),
        "isURL" => is_request_url(text),
        "timestamp" => return Some(timestamp(text).map(Val::Timestamp).map_err(unread)),
        "duration" => return Some(duration(text).map(Val::Duration).map_err(unread)),
        _ => return None,
    };
    Some(Ok(Val::Bool(answer)))
}

/// A function such as `sets.contains(..)`.
pub(super) fn of_sets(name: &str, arguments: &[Val]) -> Answer {
    let [Val::List(one), Val::List(other)] = arguments else {
        return Err(Stop::Unknown);
    };
    let all_in = |items: &[Val], list: &[Val]| {
        let list = Val::List(list.to_vec());
        items.iter().try_fold(true, |all, item| {
            contains(&list, item).map(|found| all && found)
        })
    };
    let any_in = |items: &[Val], list: &[Val]| {
        let list = Val::List(list.to_vec());
        items.iter().try_fold(false, |any, item| {
            contains(&list, item).map(|found| any || found)
        })
    };
    let holds = match name {
        "contains" => all_in(other, one)?,
        "intersects" => any_in(one, other)?,
        "equivalent" => all_in(one, other)? && all_in(other, one)?,
        _ => return Err(Stop::Unknown),
    };
    Ok(Val::Bool(holds))
}

/// A function of a text.
pub(super) fn of_text(name: &str, text: &str, arguments: &[Val]) -> Answer {
    let index = |found: Option<usize>| {
        let characters = found.map(|at| text.get(..at).unwrap_or_default().chars().count());
        let index = characters.map_or(Ok(-1), i64::try_from);
        index.map(Val::Int).map_err(|_| Stop::Unknown)
    };
    match (name, arguments) {
        ("trim", []) => Ok(Val::String(text.trim().to_owned())),
        ("indexOf", [Val::String(part)]) => index(text.find(part.as_str())),
        ("lastIndexOf", [Val::String(part)]) => index(text.rfind(part.as_str())),
        ("replace", [Val::String(old), Val::String(new)]) => {
            Ok(Val::String(text.replace(old.as_str(), new)))
        }
        ("split", [Val::String(separator)]) if separator.is_empty() => {
            let characters = text.chars().map(|c| Val::String(c.to_string()));
            Ok(Val::List(characters.collect()))
        }
        ("split", [Val::String(separator)]) => {
            let parts = text.split(separator.as_str());
            let parts = parts.map(|part| Val::String(part.to_owned()));
            Ok(Val::List(parts.collect()))
        }
        ("charAt", [Val::Int(at)]) => match position(text, *at)? {
            at if at == text.len() => Ok(Val::String(String::new())),
            at => Ok(Val::String(
                text.get(at..)
                    .into_iter()
                    .flat_map(str::chars)
                    .take(1)
                    .collect(),
            )),
        },
        ("substring", [Val::Int(from)]) => slice(text, position(text, *from)?, text.len()),
        ("substring", [Val::Int(from), Val::Int(to)]) => {
            slice(text, position(text, *from)?, position(text, *to)?)
        }
        _ => Err(Stop::Unknown),
    }
}

/// A function of a list.
pub(super) fn of_list(name: &str, items: &[Val], arguments: &[Val]) -> Answer {
    match (name, arguments) {
        ("join", [] | [Val::String(_)]) => {
            let separator = match arguments {
                [Val::String(separator)] => separator.as_str(),
                _ => "",
            };
            let texts: Result<Vec<&str>, Stop> = items
                .iter()
                .map(|item| match item {
                    Val::String(text) => Ok(text.as_str()),
                    _ => Err(Stop::Unknown),
                })
                .collect();
            Ok(Val::String(texts?.join(separator)))
        }
        ("isSorted", []) => {
            for pair in items.windows(2) {
                if let [one, other] = pair
                    && super::operators::order(one, other)?.is_gt()
                {
                    return Ok(Val::Bool(false));
                }
            }
            Ok(Val::Bool(true))
        }
        ("min" | "max", []) => {
            let mut best = items.first().ok_or(Stop::Error)?;
            for item in items {
                let order = super::operators::order(item, best)?;
                if (name == "min" && order.is_lt()) || (name == "max" && order.is_gt()) {
                    best = item;
                }
            }
            Ok(best.clone())
        }
        _ => Err(Stop::Unknown),
    }
}

/// The byte where a character stands, or the end.
fn position(text: &str, at: i64) -> Result<usize, Stop> {
    let at = usize::try_from(at).map_err(|_| Stop::Error)?;
    let mut starts = text
        .char_indices()
        .map(|(byte, _)| byte)
        .chain([text.len()]);
    starts.nth(at).ok_or(Stop::Error)
}

fn slice(text: &str, from: usize, to: usize) -> Answer {
    let part = text.get(from..to).ok_or(Stop::Error)?;
    Ok(Val::String(part.to_owned()))
}

fn type_of(value: &Val) -> Answer {
    Ok(Val::Type(match value {
        Val::Null => "null_type",
        Val::Bool(_) => "bool",
        Val::Int(_) => "int",
        Val::Uint(_) => "uint",
        Val::Double(_) => "double",
        Val::String(_) => "string",
        Val::List(_) | Val::Unordered(_) => "list",
        // An object is of a type of its own.
        _ => return Err(Stop::Unknown),
    }))
}

/// An address without a zone, and no IPv4 address in IPv6.
fn address(text: &str) -> Option<IpAddr> {
    let address: IpAddr = text.parse().ok()?;
    let mapped = matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some());
    (!mapped).then_some(address)
}

fn is_cidr(text: &str) -> bool {
    let Some((network, bits)) = text.split_once('/') else {
        return false;
    };
    let most = match address(network) {
        Some(IpAddr::V4(_)) => 32,
        Some(IpAddr::V6(_)) => 128,
        None => return false,
    };
    let plain = bits == "0" || (!bits.starts_with('0') && bits.bytes().all(|b| b.is_ascii_digit()));
    plain && bits.parse::<u8>().is_ok_and(|bits| bits <= most)
}

/// Kubernetes' quantities, such as `1.5Gi`. Unknown for exponents that only the server's own arithmetic bounds.
fn is_quantity(text: &str) -> Result<bool, Stop> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, suffix) = unsigned.split_at(end.unwrap_or(unsigned.len()));
    // A suffix alone is a quantity to the server, and so is a dot; a sign alone is nobody's question.
    if unsigned.is_empty() {
        return if text.is_empty() {
            Ok(false)
        } else {
            Err(Stop::Unknown)
        };
    }
    if number.matches('.').count() > 1 {
        return Ok(false);
    }
    let known = [
        "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
    ];
    if known.contains(&suffix) {
        return Ok(true);
    }
    let Some(exponent) = suffix.strip_prefix(['e', 'E']) else {
        return Ok(false);
    };
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match digits.len() {
        _ if !plain => Ok(false),
        1..=2 => Ok(true),
        _ => Err(Stop::Unknown),
    }
}
