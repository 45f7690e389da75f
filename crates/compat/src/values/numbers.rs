//! Sets of numbers: an interval, multiples, and whether anything is in them.

use crate::verdict::Answer;
use serde_json::Number;
use std::cmp::Ordering;

/// Whether two numbers are one.
pub(crate) fn same_number(one: &Number, other: &Number) -> bool {
    compare(one, other) == Ordering::Equal
}

/// Exact for whole numbers.
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
pub(super) fn whole(number: &Number) -> Option<i128> {
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

/// Numbers between two ends that are multiples of all that are named.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    pub(super) lower: Option<End>,
    pub(super) upper: Option<End>,
    pub(super) multiples: Vec<Number>,
    /// They are not multiples of this one.
    pub(super) no_multiple: Option<Number>,
}

impl Numbers {
    /// Raises the lower end, if that leaves out more.
    pub(super) fn at_least(&mut self, end: End) {
        let tighter = self
            .lower
            .as_ref()
            .is_none_or(|known| match compare(&end.at, &known.at) {
                Ordering::Greater => true,
                Ordering::Equal => end.excluded,
                Ordering::Less => false,
            });
        if tighter {
            self.lower = Some(end);
        }
    }

    /// Lowers the upper end, if that leaves out more.
    pub(super) fn at_most(&mut self, end: End) {
        let tighter = self
            .upper
            .as_ref()
            .is_none_or(|known| match compare(&end.at, &known.at) {
                Ordering::Less => true,
                Ordering::Equal => end.excluded,
                Ordering::Greater => false,
            });
        if tighter {
            self.upper = Some(end);
        }
    }

    /// Whether a number is in the set.
    pub(super) fn has(&self, number: &Number) -> bool {
        let above = self.lower.as_ref().is_none_or(|end| {
            let order = compare(number, &end.at);
            order == Ordering::Greater || (order == Ordering::Equal && !end.excluded)
        });
        let below = self.upper.as_ref().is_none_or(|end| {
            let order = compare(number, &end.at);
            order == Ordering::Less || (order == Ordering::Equal && !end.excluded)
        });
        above
            && below
            && self.multiples.iter().all(|of| is_multiple(number, of))
            && !self
                .no_multiple
                .as_ref()
                .is_some_and(|of| is_multiple(number, of))
    }

    /// The whole numbers that every multiple admits lie so far apart.
    fn step(&self) -> Option<i128> {
        let mut step: i128 = 1;
        for of in &self.multiples {
            step = least_common(step, whole(of).filter(|of| *of != 0)?)?;
        }
        Some(step)
    }

    fn within(&self, value: i128) -> bool {
        let low = self.lower.as_ref().map(first_above);
        let high = self.upper.as_ref().map(last_below);
        low.is_none_or(|low| value >= low) && high.is_none_or(|high| value <= high)
    }

    /// The admissible number nearest to an end, from within.
    fn first(&self, step: i128) -> (i128, i128) {
        match (&self.lower, &self.upper) {
            (Some(low), _) => {
                let low = first_above(low);
                (low + (-low).rem_euclid(step), step)
            }
            (None, Some(high)) => {
                let high = last_below(high);
                (high - high.rem_euclid(step), -step)
            }
            (None, None) => (0, step),
        }
    }

    /// The first so many whole numbers of the set, counted from an end; fewer if there are fewer. `None` if that cannot
    /// be told.
    pub(super) fn wholes(&self, many: usize) -> Option<Vec<i128>> {
        let (first, step) = self.first(self.step()?);
        let numbers = (0..many).map(|index| first + step * index as i128);
        Some(numbers.take_while(|number| self.within(*number)).collect())
    }

    /// Whether a whole number is in the set.
    pub(super) fn has_whole(&self) -> Answer {
        let Some(step) = self.step() else {
            return Answer::Unknown;
        };
        let (first, stride) = self.first(step);
        let within = |value| self.within(value);
        let Some(of) = &self.no_multiple else {
            return within(first).into();
        };
        let Some(of) = whole(of).filter(|of| *of != 0) else {
            return if within(first) {
                Answer::Unknown
            } else {
                Answer::No
            };
        };
        if step % of == 0 {
            return Answer::No;
        }
        // Of two neighbours at least one is not a multiple.
        [first, first + stride]
            .into_iter()
            .any(|value| within(value) && value % of != 0)
            .into()
    }

    /// Whether a number with a fraction is in the set.
    pub(super) fn has_fraction(&self) -> Answer {
        if self.multiples.iter().any(|of| whole(of).is_some()) {
            return Answer::No;
        }
        if let (Some(lower), Some(upper)) = (&self.lower, &self.upper) {
            match compare(&lower.at, &upper.at) {
                Ordering::Greater => return Answer::No,
                Ordering::Equal => {
                    let there = whole(&lower.at).is_none() && self.has(&lower.at);
                    return there.into();
                }
                Ordering::Less => {}
            }
        }
        if self.multiples.is_empty() {
            Answer::Yes
        } else {
            Answer::Unknown
        }
    }
}

fn first_above(end: &End) -> i128 {
    match whole(&end.at) {
        Some(whole) => whole + i128::from(end.excluded),
        None => float(&end.at).ceil() as i128,
    }
}

fn last_below(end: &End) -> i128 {
    match whole(&end.at) {
        Some(whole) => whole - i128::from(end.excluded),
        None => float(&end.at).floor() as i128,
    }
}

fn is_multiple(number: &Number, of: &Number) -> bool {
    if let (Some(number), Some(of)) = (whole(number), whole(of)) {
        return of == 0 || number % of == 0;
    }
    let quotient = float(number) / float(of);
    (quotient - quotient.round()).abs() < 1e-9
}

fn least_common(one: i128, other: i128) -> Option<i128> {
    let (mut a, mut b) = (one.abs(), other.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (one / a)
        .checked_mul(other)
        .map(i128::abs)
        .filter(|common| *common < 1 << 100)
}
