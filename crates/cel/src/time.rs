//! Points in time and spans of it, in nanoseconds.

/// Why a text is not a time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unread {
    /// It is none.
    Wrong,
    /// It has more digits than are read here; servers round them.
    Long,
}

const SECOND: i128 = 1_000_000_000;

/// A text such as `2024-02-29T23:59:59.5Z`.
///
/// # Errors
///
/// If it is no such text.
pub fn timestamp(text: &str) -> Result<i128, Unread> {
    read_timestamp(text).ok_or(Unread::Wrong)
}

fn read_timestamp(text: &str) -> Option<i128> {
    let (date, time) = text.split_once('T')?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let end = time.find(['Z', '+', '-'])?;
    let (clock, zone) = time.split_at(end);
    let (clock, fraction) = match clock.split_once(['.', ',']) {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (clock, None),
    };
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i128::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let fits = (1..=days).contains(&day) && hour < 24 && minute < 60 && second < 60;
    if !fits || year == 0 {
        return None;
    }
    let offset = match zone {
        "Z" => 0,
        zone => {
            let [hours, minutes] = numbers(zone.get(1..)?, ':', [2, 2])?;
            if hours >= 24 || minutes >= 60 {
                return None;
            }
            let seconds = hours * 3600 + minutes * 60;
            if zone.starts_with('-') {
                -seconds
            } else {
                seconds
            }
        }
    };
    let seconds = days_since(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    Some((seconds - offset) * SECOND + nanoseconds(fraction)?)
}

/// The days since the first of March of the year 0.
fn days_since(year: i128, month: i128, day: i128) -> i128 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day
}

fn numbers<const N: usize>(text: &str, between: char, widths: [usize; N]) -> Option<[i128; N]> {
    let mut parts = text.split(between);
    let mut found = [0; N];
    for (number, width) in found.iter_mut().zip(widths) {
        let part = parts.next()?;
        let digits = part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit());
        *number = digits.then(|| part.parse().ok())??;
    }
    parts.next().is_none().then_some(found)
}

fn nanoseconds(fraction: Option<&str>) -> Option<i128> {
    let Some(digits) = fraction else {
        return Some(0);
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let nine: String = digits.chars().chain("000000000".chars()).take(9).collect();
    nine.parse().ok()
}

/// A text such as `1h30m` or `-1.5s`.
///
/// # Errors
///
/// If it is no such text, or one with too many digits.
pub fn duration(text: &str) -> Result<i128, Unread> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned == "0" {
        return Ok(0);
    }
    let mut total = 0;
    let mut rest = unsigned;
    loop {
        let end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .ok_or(Unread::Wrong)?;
        let (number, behind) = rest.split_at(end);
        let (unit, size) = UNITS
            .iter()
            .find(|(unit, _)| {
                let after = behind.strip_prefix(unit);
                after.is_some_and(|after| {
                    after.starts_with(|c: char| c.is_ascii_digit() || c == '.') || after.is_empty()
                })
            })
            .ok_or(Unread::Wrong)?;
        total += part(number, *size)?;
        rest = behind.get(unit.len()..).unwrap_or_default();
        if rest.is_empty() {
            break;
        }
    }
    if total > i128::from(i64::MAX) {
        return Err(Unread::Wrong);
    }
    Ok(if text.starts_with('-') { -total } else { total })
}

const UNITS: [(&str, i128); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", SECOND),
    ("m", 60 * SECOND),
    ("h", 3_600 * SECOND),
];

fn part(number: &str, size: i128) -> Result<i128, Unread> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return Err(Unread::Wrong);
    }
    // Longer ones are rounded by the server.
    if whole.len() > 15 || fraction.len() > 9 {
        return Err(Unread::Long);
    }
    let read = |digits: &str| match digits {
        "" => Ok(0),
        digits => digits.parse::<i128>().map_err(|_| Unread::Wrong),
    };
    let places = u32::try_from(fraction.len()).map_err(|_| Unread::Long)?;
    Ok(read(whole)? * size + read(fraction)? * size / 10_i128.pow(places))
}
