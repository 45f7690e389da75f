//! Timestamps and durations, in nanoseconds.

use std::fmt;

const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

/// A point in time, with its zone offset.
#[derive(Clone, Copy, Debug)]
pub struct Timestamp {
    /// The nanoseconds since the beginning of 1970, in UTC.
    pub nanoseconds: i128,
    /// The offset of the zone from UTC, in seconds.
    pub offset: i32,
}

/// Ignores the zone.
impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.nanoseconds == other.nanoseconds
    }
}

/// The fields of a date and time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Calendar {
    /// The year, from 1.
    pub year: i64,
    /// The month, from 1.
    pub month: i64,
    /// The day of the month, from 1.
    pub day: i64,
    /// The day of the year, from 0.
    pub day_of_year: i64,
    /// The day of the week, from Sunday as 0.
    pub weekday: i64,
    /// The nanoseconds since midnight.
    pub clock: i64,
}

impl Timestamp {
    /// The timestamp, if it is in the range of servers: from the year 1 to the year 9999.
    #[must_use]
    pub fn new(nanoseconds: i128, offset: i32) -> Option<Self> {
        let years = days_since(1, 1, 1) * DAY..days_since(10_000, 1, 1) * DAY;
        years.contains(&nanoseconds).then_some(Self {
            nanoseconds,
            offset,
        })
    }

    /// The date and time in its zone.
    #[must_use]
    pub fn calendar(&self) -> Calendar {
        let local = self.nanoseconds + i128::from(self.offset) * SECOND;
        let days = local.div_euclid(DAY);
        // Four years, and the four hundred after which the calendar repeats.
        let from_march = days - days_since(0, 3, 1);
        let era = from_march.div_euclid(146_097);
        let day_of_era = from_march.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let from_first_of_march =
            day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let months = (5 * from_first_of_march + 2) / 153;
        let month = if months < 10 { months + 3 } else { months - 9 };
        let year = era * 400 + year_of_era + i128::from(month <= 2);
        let small = |number: i128| i64::try_from(number).unwrap_or_default();
        Calendar {
            year: small(year),
            month: small(month),
            day: small(from_first_of_march - (153 * months + 2) / 5 + 1),
            day_of_year: small(days - days_since(year, 1, 1)),
            // The first day of 1970 was a Thursday.
            weekday: small((days + 4).rem_euclid(7)),
            clock: small(local.rem_euclid(DAY)),
        }
    }
}

/// In the notation that `timestamp` reads.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Calendar {
            year,
            month,
            day,
            clock,
            ..
        } = self.calendar();
        let (seconds, rest) = (clock / 1_000_000_000, clock % 1_000_000_000);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
        )?;
        if rest != 0 {
            let digits = format!("{rest:09}");
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        let minutes = self.offset / 60;
        match minutes {
            0 => f.write_str("Z"),
            _ => {
                let sign = if minutes < 0 { '-' } else { '+' };
                let minutes = minutes.abs();
                write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
            }
        }
    }
}

/// A duration as servers write it, in seconds: `1.5s`.
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "servers lose as much")]
pub fn seconds(span: i64) -> String {
    let seconds = (span / 1_000_000_000) as f64 + (span % 1_000_000_000) as f64 / 1e9;
    format!("{seconds}s")
}

/// Parses a timestamp such as `2024-02-29T23:59:59.5Z`. Go is more tolerant than RFC 3339: the hour may have one digit, the
/// fraction may follow a comma, and a zone may be off by up to 24:60.
#[must_use]
pub fn timestamp(text: &str) -> Option<Timestamp> {
    let (day, time) = text.split_once('T')?;
    let [year, month, day] = date(day)?;
    let end = time.find(['Z', '+', '-'])?;
    let (clock, zone) = time.split_at(end);
    let (clock, fraction) = match clock.split_once(['.', ',']) {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (clock, None),
    };
    let (hour, rest) = clock.split_once(':')?;
    let [hour] = numbers(hour, ':', [hour.len().clamp(1, 2)])?;
    let [minute, second] = numbers(rest, ':', [2, 2])?;
    if hour >= 24 || minute >= 60 || second >= 60 || year == 0 {
        return None;
    }
    let offset = match zone {
        "Z" => 0,
        zone => {
            let [hours, minutes] = numbers(zone.get(1..)?, ':', [2, 2])?;
            if hours > 24 || minutes > 60 {
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
    let nanoseconds = (seconds - offset) * SECOND + nanoseconds(fraction)?;
    Timestamp::new(nanoseconds, i32::try_from(offset).ok()?)
}

/// The year, month and day of a text such as `2024-02-29`.
pub(crate) fn date(text: &str) -> Option<[i128; 3]> {
    let [year, month, day] = numbers(text, '-', [4, 2, 2])?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i128::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days).contains(&day).then_some([year, month, day])
}

/// The days since the start of 1970, for years from 0.
fn days_since(year: i128, month: i128, day: i128) -> i128 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 719_469
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

/// The nanoseconds of a text such as `1h30m` or `-1.5s`.
#[must_use]
pub fn duration(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned == "0" {
        return Some(0);
    }
    let mut total: u64 = 0;
    let mut rest = unsigned;
    loop {
        let (number, behind) = rest.split_at(rest.find(|c| !is_of_number(c))?);
        let (unit, after) = behind.split_at(behind.find(is_of_number).unwrap_or(behind.len()));
        let (_, size) = UNITS.iter().find(|(known, _)| *known == unit)?;
        total = total.checked_add(part(number, *size)?)?;
        if total > 1 << 63 {
            return None;
        }
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    let total = i128::from(total);
    i64::try_from(if text.starts_with('-') { -total } else { total }).ok()
}

fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || c == '.'
}

const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// The nanoseconds of a number of units. A fraction is rounded as on servers.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "servers lose as much"
)]
fn part(number: &str, size: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return None;
    }
    let whole = match whole {
        "" => 0,
        digits => digits.parse::<u64>().ok()?.checked_mul(size)?,
    };
    let (mut digits, mut scale) = (0_u64, 1.0);
    for digit in fraction.bytes() {
        let longer = digits * 10 + u64::from(digit - b'0');
        if digits > (1 << 63) / 10 || longer > 1 << 63 {
            break;
        }
        (digits, scale) = (longer, scale * 10.0);
    }
    let fraction = (digits as f64 * (size as f64 / scale)) as u64;
    let all = whole.checked_add(fraction)?;
    (all <= 1 << 63).then_some(all)
}
