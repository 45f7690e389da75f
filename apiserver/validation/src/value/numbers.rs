//! Numbers as the server compares them: integers with 64 bits, all others as floating-point numbers.

use serde_json::Number;

/// The largest float below which all integers are exact.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_991.0;
/// The distance within which a float counts as a whole number.
const NEAR: f64 = 1e-9;

/// A number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Num {
    Int(i64),
    Float(f64),
}

impl Num {
    pub(super) fn from_number(number: &Number) -> Self {
        match number.as_i64() {
            Some(int) => Self::Int(int),
            None => Self::Float(number.as_f64().unwrap_or(f64::INFINITY)),
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "the server loses it too")]
    pub(super) fn float(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }

    /// Whether it can be a whole number.
    pub(super) fn is_whole(self) -> bool {
        match self {
            Self::Int(_) => true,
            Self::Float(float) => is_whole(float),
        }
    }

    /// Whether it is an integer within the bounds of a format.
    #[allow(clippy::cast_precision_loss, reason = "bounds are compared as floats")]
    pub(super) fn fits_integer(self, format: &str) -> bool {
        match (self, format) {
            (Self::Int(int), "int32") => i32::try_from(int).is_ok(),
            (Self::Int(_), _) => true,
            (Self::Float(float), "int32") => {
                float.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&float)
            }
            (Self::Float(float), _) => {
                float.fract() == 0.0 && (i64::MIN as f64..i64::MAX as f64).contains(&float)
            }
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "the server truncates bounds"
    )]
    pub(super) fn is_above(self, bound: f64, exclusive: bool, whole: bool) -> bool {
        match self {
            Self::Int(int) if whole => {
                let bound = bound as i64;
                int > bound || (exclusive && int == bound)
            }
            _ => self.float() > bound || (exclusive && self.float() >= bound),
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "the server truncates bounds"
    )]
    pub(super) fn is_below(self, bound: f64, exclusive: bool, whole: bool) -> bool {
        match self {
            Self::Int(int) if whole => {
                let bound = bound as i64;
                int < bound || (exclusive && int == bound)
            }
            _ => self.float() < bound || (exclusive && self.float() <= bound),
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "the server truncates factors"
    )]
    pub(super) fn is_multiple_of(self, factor: f64, whole: bool) -> bool {
        match self {
            Self::Int(int) if whole => {
                let factor = factor as i64;
                factor > 0 && int.checked_rem(factor) == Some(0)
            }
            _ if factor <= 0.0 => false,
            _ if factor < 1.0 => is_whole(1.0 / factor * self.float()),
            _ => is_whole(self.float() / factor),
        }
    }
}

/// Whether a float is a whole number, or equals one apart from rounding.
pub(super) fn is_whole(float: f64) -> bool {
    if float.abs() > LARGEST_WHOLE || float.is_nan() {
        return false;
    }
    let whole = float.trunc();
    let difference = (float - whole).abs();
    difference == 0.0 || (whole != 0.0 && difference / (float.abs() + whole.abs()) < NEAR)
}
