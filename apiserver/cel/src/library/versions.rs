//! Semantic versions.

use super::{Answer, Stop, UNFIT, Val};
use semver::Version;
use std::sync::Arc;

pub(crate) fn semver(given: &[Val]) -> Answer {
    let version = version_arg(given)?.ok_or(Stop::Error)?;
    Ok(Val::Semver(Arc::new(version)))
}

pub(crate) fn is_semver(given: &[Val]) -> Answer {
    Ok(Val::Bool(version_arg(given)?.is_some()))
}

pub(crate) fn major(given: &[Val]) -> Answer {
    number(given, |version| version.major)
}

pub(crate) fn minor(given: &[Val]) -> Answer {
    number(given, |version| version.minor)
}

pub(crate) fn patch(given: &[Val]) -> Answer {
    number(given, |version| version.patch)
}

fn number(given: &[Val], part: fn(&Version) -> u64) -> Answer {
    let [Val::Semver(version)] = given else {
        return UNFIT;
    };
    // Larger numbers wrap around.
    let number = i64::try_from(part(version));
    number.map(Val::Int).map_err(|_| Stop::Unknown)
}

fn version_arg(given: &[Val]) -> Result<Option<Version>, Stop> {
    Ok(match given {
        [Val::String(text)] | [Val::String(text), Val::Bool(false)] => Version::parse(text).ok(),
        [Val::String(text), Val::Bool(true)] => normalized(text),
        _ => return Err(Stop::Unknown),
    })
}

/// A version that may start with `v`, omit parts, and have leading zeros in its numbers.
fn normalized(text: &str) -> Option<Version> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let mut parts: Vec<String> = text.splitn(3, '.').map(without_zeros).collect();
    let is_short = parts.len() < 3;
    if is_short && parts.last().is_some_and(|last| last.contains(['+', '-'])) {
        return None;
    }
    parts.resize(3, "0".to_owned());
    Version::parse(&parts.join(".")).ok()
}

fn without_zeros(part: &str) -> String {
    let rest = part.trim_start_matches('0');
    match (part.len(), rest.starts_with(|c: char| c.is_ascii_digit())) {
        (0 | 1, _) => part.to_owned(),
        (_, true) => rest.to_owned(),
        (_, false) => format!("0{rest}"),
    }
}
