//! Sets of numbers: an interval and multiples, and whether they contain a number.

use crate::findings::verdict::Answer;
use serde_json::Number;
use std::cmp::Ordering;
use std::collections::HashSet;

/// Whether two numbers are equal.
pub(crate) fn same_number(one: &Number, other: &Number) -> bool {
    compare(one, other) == Ordering::Equal
}

/// A text that equal numbers share, and no others.
pub(super) fn key(number: &Number) -> String {
    match whole(number) {
        Some(whole) => whole.to_string(),
        None => format!("{:e}", float(number)),
    }
}

/// Compares two numbers; exact for whole numbers.
pub(super) fn compare(one: &Number, other: &Number) -> Ordering {
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => float(one).total_cmp(&float(other)),
    }
}

fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// The number, if it is whole and fits.
pub(in super::super) fn whole(number: &Number) -> Option<i128> {
    if let Some(whole) = number.as_i128() {
        return Some(whole);
    }
    let float = number.as_f64()?;
    (float.fract() == 0.0 && float.abs() < 1e30).then_some(float as i128)
}

/// One end of an interval.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub(super) at: Number,
    pub(super) excluded: bool,
}

/// The numbers in an interval that are multiples of all that are listed. Servers compare whole numbers with the whole part of a
/// bound, and all others as they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    pub(super) lower: Vec<End>,
    pub(super) upper: Vec<End>,
    pub(super) multiples: Vec<Number>,
    /// The numbers are not multiples of this one.
    pub(super) no_multiple: Option<Number>,
}

impl Numbers {
    /// Whether a number is in the set.
    pub(super) fn has(&self, number: &Number) -> bool {
        match number.as_i64() {
            Some(number) => {
                let number = i128::from(number);
                let is_multiple = |of| is_whole_multiple(number, of);
                self.within(number)
                    && self.multiples.iter().all(is_multiple)
                    && !self.no_multiple.as_ref().is_some_and(is_multiple)
            }
            None => {
                let is_multiple = |of| is_multiple(float(number), of);
                self.holds(float(number))
                    && self.multiples.iter().all(is_multiple)
                    && !self.no_multiple.as_ref().is_some_and(is_multiple)
            }
        }
    }

    /// The distance between the whole numbers that are multiples of all.
    fn step(&self) -> Option<i128> {
        let mut step: i128 = 1;
        for of in &self.multiples {
            step = least_common(step, whole_part(of))?;
        }
        Some(step)
    }

    fn lowest(&self) -> Option<i128> {
        let ends = self.lower.iter();
        ends.map(|end| whole_part(&end.at) + i128::from(end.excluded))
            .max()
    }

    fn highest(&self) -> Option<i128> {
        let ends = self.upper.iter();
        ends.map(|end| whole_part(&end.at) - i128::from(end.excluded))
            .min()
    }

    fn within(&self, value: i128) -> bool {
        self.lowest().is_none_or(|low| value >= low)
            && self.highest().is_none_or(|high| value <= high)
    }

    /// Whether a float is inside the interval.
    fn holds(&self, value: f64) -> bool {
        let above = |end: &End| match value.total_cmp(&float(&end.at)) {
            Ordering::Greater => true,
            Ordering::Equal => !end.excluded,
            Ordering::Less => false,
        };
        let below = |end: &End| match value.total_cmp(&float(&end.at)) {
            Ordering::Less => true,
            Ordering::Equal => !end.excluded,
            Ordering::Greater => false,
        };
        self.lower.iter().all(above) && self.upper.iter().all(below)
    }

    /// The number of the set nearest to an end.
    fn first(&self, step: i128) -> (i128, i128) {
        match (self.lowest(), self.highest()) {
            (Some(low), _) => (low + (-low).rem_euclid(step), step),
            (None, Some(high)) => (high - high.rem_euclid(step), -step),
            (None, None) => (0, step),
        }
    }

    /// The first `many` whole numbers of the set, counted from an end; fewer if there are fewer. `None` if they cannot be
    /// determined.
    pub(super) fn wholes(&self, many: usize) -> Option<Vec<i128>> {
        let (first, step) = self.first(self.step()?);
        let numbers = (0..many).map(|index| first + step * index as i128);
        Some(numbers.take_while(|number| self.within(*number)).collect())
    }

    /// Whether a whole number is in the set.
    pub(super) fn has_whole(&self) -> Answer {
        if self.multiples.iter().any(|of| float(of) <= 0.0) {
            return Answer::No;
        }
        // Servers read `5` and `5.0` as different kinds of numbers, and only one of them may be a multiple.
        if self.multiples.iter().any(|of| whole(of).is_none()) {
            let written = self.tried(false);
            return if written == Answer::Yes || self.multiples.iter().any(|of| float(of) < 1.0) {
                written
            } else {
                self.has_int().or(written)
            };
        }
        self.has_int()
    }

    /// Whether the set contains a whole number without a decimal point.
    fn has_int(&self) -> Answer {
        let Some(step) = self.step() else {
            return Answer::Unknown;
        };
        let (first, stride) = self.first(step);
        let within = |value| self.within(value);
        let Some(of) = &self.no_multiple else {
            return within(first).into();
        };
        let of = whole_part(of);
        if of <= 0 {
            return within(first).into();
        }
        if step % of == 0 {
            return Answer::No;
        }
        // Of two neighbours at least one is not a multiple.
        [first, first + stride]
            .into_iter()
            .any(|value| within(value) && value % of != 0)
            .into()
    }

    /// Whether a fractional number is in the set.
    pub(super) fn has_fraction(&self) -> Answer {
        let is_whole = |of: &Number| whole(of).is_some() || float(of) <= 0.0;
        if self.multiples.iter().any(is_whole) {
            return Answer::No;
        }
        let lowest = self.lower.iter().map(|end| float(&end.at));
        let highest = self.upper.iter().map(|end| float(&end.at));
        let lowest = lowest.max_by(f64::total_cmp);
        let highest = highest.min_by(f64::total_cmp);
        if let (Some(lowest), Some(highest)) = (lowest, highest)
            && lowest >= highest
        {
            let only = Number::from_f64(lowest).filter(|_| lowest == highest);
            return only
                .is_some_and(|only| whole(&only).is_none() && self.has(&only))
                .into();
        }
        match (self.multiples.as_slice(), &self.no_multiple) {
            ([], None) => Answer::Yes,
            // Between any two numbers there is one that is not a multiple.
            ([], Some(_)) => Answer::Yes,
            _ => self.tried(true),
        }
    }

    /// Whether a multiple near an end is found by trying, with a fraction or without.
    fn tried(&self, with_fraction: bool) -> Answer {
        const TRIES: i8 = 8;
        let lowest = self.lower.iter().map(|end| float(&end.at));
        let highest = self.upper.iter().map(|end| float(&end.at));
        let lowest = lowest.max_by(f64::total_cmp);
        let near = lowest
            .or(highest.min_by(f64::total_cmp))
            .unwrap_or_default();
        let found = self.multiples.iter().any(|of| {
            let of = float(of);
            let nearest = (near / of).round();
            let tries = (-TRIES..=TRIES).map(|away| (nearest + f64::from(away)) * of);
            tries
                .filter(|float| (float.fract() != 0.0) == with_fraction)
                .filter_map(Number::from_f64)
                .any(|number| self.has(&number))
        });
        if found { Answer::Yes } else { Answer::Unknown }
    }

    /// Whether the set contains a fractional number whose whole part is none of these. Servers truncate a number before they
    /// compare it with a whole member of an enum.
    pub(super) fn has_fraction_apart_from(&self, wholes: &HashSet<i128>) -> Answer {
        if wholes.is_empty() {
            return self.has_fraction();
        }
        let (first, stride) = self.first(1);
        // An end may be inside the nearest whole part.
        let parts = (-1..=wholes.len() as i128 + 1).map(|index| first + stride * index);
        let parts = parts.filter(|part| !wholes.contains(part));
        Answer::any(parts.map(|part| self.with_whole_part(part).has_fraction()))
    }

    /// The numbers of the set that truncate to this one.
    pub(super) fn with_whole_part(&self, part: i128) -> Self {
        let end = |at: i128| {
            Some(End {
                at: Number::from_i128(at)?,
                excluded: true,
            })
        };
        let mut numbers = self.clone();
        numbers
            .lower
            .extend(end(if part > 0 { part } else { part - 1 }));
        numbers
            .upper
            .extend(end(if part < 0 { part } else { part + 1 }));
        numbers
    }
}

/// The whole part of a number; saturated if servers cannot represent it as an integer.
pub(super) fn whole_part(number: &Number) -> i128 {
    const LARGEST: f64 = 1e30;
    whole(number).unwrap_or_else(|| float(number).clamp(-LARGEST, LARGEST) as i128)
}

fn is_whole_multiple(number: i128, of: &Number) -> bool {
    let of = whole_part(of);
    of > 0 && number % of == 0
}

fn is_multiple(number: f64, of: &Number) -> bool {
    let of = float(of);
    if of <= 0.0 {
        return false;
    }
    let quotient = number / of;
    (quotient - quotient.round()).abs() < 1e-9
}

fn least_common(one: i128, other: i128) -> Option<i128> {
    if other == 0 {
        return None;
    }
    let (mut a, mut b) = (one.abs(), other.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (one / a)
        .checked_mul(other)
        .map(i128::abs)
        .filter(|common| *common < 1 << 100)
}
