//! YAML 1.1's table of implicit types, with additions of common readers, independent of the writer.

/// Returns true if some reader takes the plain text for another type.
pub(super) fn is_implicit(text: &str) -> bool {
    is_word(text) || is_integer(text) || is_float(text) || is_time(text) || text.contains('\n')
}

/// <https://yaml.org/type/bool.html>, `null.html`, `value.html`, `merge.html`, in any case.
fn is_word(text: &str) -> bool {
    let lower = text.to_lowercase();
    matches!(
        lower.as_str(),
        "" | "~" | "null" | "y" | "yes" | "n" | "no" | "true" | "false" | "on" | "off" | "=" | "<<"
    )
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn all(text: &str, allowed: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| allowed.contains(c))
}

const DIGITS: &str = "0123456789_";

/// Base 60: `190:20:30`.
fn is_sexagesimal(text: &str) -> bool {
    let mut parts = text.split(':');
    let first = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    all(first, DIGITS)
        && first.starts_with(|c: char| c.is_ascii_digit())
        && !rest.is_empty()
        && rest
            .iter()
            .all(|part| matches!(part.parse::<u8>(), Ok(0..60)) && part.len() <= 2)
}

/// <https://yaml.org/type/int.html>, and YAML 1.2's `0o7`.
fn is_integer(text: &str) -> bool {
    let bare = unsigned(text);
    let digits = |prefix: &str, allowed: &str| {
        bare.strip_prefix(prefix)
            .is_some_and(|rest| all(rest, allowed))
    };
    digits("0b", "01_")
        || digits("0o", "01234567_")
        || digits("0x", "0123456789abcdefABCDEF_")
        || (all(bare, DIGITS) && bare.starts_with(|c: char| c.is_ascii_digit()))
        || is_sexagesimal(bare)
}

/// <https://yaml.org/type/float.html>, and YAML 1.2's exponents without a point.
fn is_float(text: &str) -> bool {
    let bare = unsigned(text);
    if matches!(bare.to_lowercase().as_str(), ".inf" | ".nan") {
        return true;
    }
    let (mantissa, exponent) = bare
        .split_once(['e', 'E'])
        .map_or((bare, None), |(m, e)| (m, Some(e)));
    if exponent.is_some_and(|exponent| !all(unsigned(exponent), "0123456789")) {
        return false;
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.is_empty() || all(part, DIGITS);
    let some = |part: &str| part.contains(|c: char| c.is_ascii_digit());
    (digits(whole)
        && digits(fraction)
        && (some(whole) || some(fraction))
        && !whole.starts_with('_'))
        || (is_sexagesimal(whole) && digits(fraction) && exponent.is_none())
}

/// <https://yaml.org/type/timestamp.html>: a date, or a date and a time.
fn is_time(text: &str) -> bool {
    let date_end = text.find(['T', 't', ' ', '\t']).unwrap_or(text.len());
    let (date, time) = text.split_at(date_end);
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let number = |part: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&part.len()) && all(part, "0123456789")
    };
    let is_date = number(year, 4..=4) && number(month, 1..=2) && number(day, 1..=2);
    is_date && (time.is_empty() || all(time.trim(), "Tt0123456789:.Zz+- \t"))
}
