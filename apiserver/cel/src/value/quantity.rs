//! Quantities, with the servers' arithmetic.

use super::Stop;
use std::cmp::Ordering;
use std::fmt;

/// The number of decimal digits that fit into 64 bits.
const DIGITS: i32 = 18;
/// The smallest part of a quantity, as an exponent.
const NANO: i32 = -9;
/// Larger exponents of quantities are not supported here.
const LARGEST_EXPONENT: i32 = 40;

/// A quantity, in the servers' form: `digits * 10^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    digits: i128,
    exponent: i32,
    /// Whether the server keeps the digits in 64 bits. Only then does it recognize whole numbers.
    is_small: bool,
}

/// The suffix, as a power.
#[derive(Clone, Copy)]
enum Suffix {
    OfTen(i32),
    OfTwo(u32),
}

impl Quantity {
    /// Parses a quantity. `None` if the text is not one.
    ///
    /// # Errors
    /// If the number is larger than supported here.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, Stop> {
        let Some(parts) = Parts::split(text) else {
            return Ok(None);
        };
        let Some(suffix) = suffix(parts.suffix)? else {
            return Ok(None);
        };
        parts
            .small(suffix)
            .map_or_else(|| parts.large(suffix), |small| Ok(Some(small)))
    }

    pub(crate) fn new(digits: i64, exponent: i32) -> Self {
        Self {
            digits: i128::from(digits),
            exponent,
            is_small: true,
        }
    }

    /// Both with the smaller exponent.
    fn aligned(&self, other: &Self) -> Result<(i128, i128, i32), Stop> {
        let exponent = self.exponent.min(other.exponent);
        let digits = |one: &Self| scaled(one.digits, one.exponent - exponent);
        Ok((digits(self)?, digits(other)?, exponent))
    }

    /// The order of two quantities.
    pub(crate) fn order(&self, other: &Self) -> Result<Ordering, Stop> {
        let (one, other, _) = self.aligned(other)?;
        Ok(one.cmp(&other))
    }

    pub(crate) fn plus(&self, other: &Self) -> Result<Self, Stop> {
        if let Some(small) = self.plus_small(other)? {
            return Ok(small);
        }
        let (one, two, exponent) = self.aligned(other)?;
        Self::large(one.checked_add(two), exponent)
    }

    pub(crate) fn minus(&self, other: &Self) -> Result<Self, Stop> {
        // The least number in 64 bits is its own negative.
        let small = i64::try_from(other.digits).ok();
        let small = small.filter(|_| other.is_small && self.is_small);
        if let Some(digits) = small
            && let Some(small) =
                self.plus_small(&Self::new(digits.wrapping_neg(), other.exponent))?
        {
            return Ok(small);
        }
        let (one, two, exponent) = self.aligned(other)?;
        Self::large(one.checked_sub(two), exponent)
    }

    fn large(digits: Option<i128>, exponent: i32) -> Result<Self, Stop> {
        Ok(Self {
            digits: digits.ok_or(Stop::Unknown)?,
            exponent,
            is_small: false,
        })
    }

    /// The sum, if everything fits into 64 bits.
    fn plus_small(&self, other: &Self) -> Result<Option<Self>, Stop> {
        if !self.is_small || !other.is_small {
            return Ok(None);
        }
        if other.digits == 0 {
            return Ok(Some(*self));
        }
        if self.digits == 0 {
            return Ok(Some(*other));
        }
        let (one, two, exponent) = self.aligned(other)?;
        let fits = |digits: i128| i64::try_from(digits).ok();
        let sum = fits(one)
            .zip(fits(two))
            .and_then(|(one, two)| one.checked_add(two));
        Ok(sum.map(|sum| Self::new(sum, exponent)))
    }

    /// 1, 0 or -1.
    pub(crate) fn sign(&self) -> Result<i64, Stop> {
        i64::try_from(self.digits.signum()).map_err(|_| Stop::Unknown)
    }

    #[allow(clippy::cast_precision_loss, reason = "servers lose as much")]
    pub(crate) fn approximate(&self) -> Result<f64, Stop> {
        let float = self.digits as f64;
        Ok(match self.exponent {
            0 => float,
            exponent => float * power_of_ten(exponent.into())?,
        })
    }

    /// The value as an integer, if it is whole.
    pub(crate) fn integer(&self) -> Result<Option<i64>, Stop> {
        if !self.is_small || self.exponent < 0 {
            return Ok(None);
        }
        Ok(i64::try_from(scaled(self.digits, self.exponent)?).ok())
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exponent {
            0 => write!(f, "{}", self.digits),
            exponent => write!(f, "{}e{exponent}", self.digits),
        }
    }
}

fn scaled(digits: i128, places: i32) -> Result<i128, Stop> {
    let places = u32::try_from(places).map_err(|_| Stop::Unknown)?;
    let power = 10_i128.checked_pow(places);
    let scaled = power.and_then(|power| digits.checked_mul(power));
    scaled.ok_or(Stop::Unknown)
}

/// The parts of a quantity's text.
struct Parts<'t> {
    is_negative: bool,
    /// The digits before the point, without leading zeros.
    whole: &'t str,
    /// The digits after the point.
    fraction: &'t str,
    /// Whether there is anything before the suffix.
    has_number: bool,
    suffix: &'t str,
}

impl<'t> Parts<'t> {
    fn split(text: &'t str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, behind) = digits(unsigned.trim_start_matches('0'));
        let (fraction, suffix) = match behind.strip_prefix('.') {
            Some(behind) => digits(behind),
            None => ("", behind),
        };
        let letters = suffix.trim_start_matches(|c| "eEinumkKMGTP".contains(c));
        let (_, rest) = digits(letters.strip_prefix(['+', '-']).unwrap_or(letters));
        rest.is_empty().then_some(Self {
            is_negative: text.starts_with('-'),
            whole: if whole.is_empty() { "0" } else { whole },
            fraction,
            has_number: suffix.len() < unsigned.len(),
            suffix,
        })
    }

    fn signed(&self, digits: i128) -> i128 {
        if self.is_negative { -digits } else { digits }
    }

    fn digits(&self) -> Result<i128, Stop> {
        let digits = format!("{}{}", self.whole, self.fraction);
        digits.parse().map_err(|_| Stop::Unknown)
    }

    fn places(&self) -> i32 {
        i32::try_from(self.fraction.len()).unwrap_or(i32::MAX)
    }

    /// The quantity, if it fits into 64 bits.
    fn small(&self, suffix: Suffix) -> Option<Quantity> {
        let length = i32::try_from(self.whole.len())
            .ok()?
            .checked_add(self.places())?;
        let (factor, exponent, room) = match suffix {
            Suffix::OfTen(exponent) => (1, exponent, DIGITS - length),
            Suffix::OfTwo(_) if !self.fraction.is_empty() => return None,
            Suffix::OfTwo(bits) => {
                let digits = i32::try_from(bits * 3 / 10).ok()?;
                (1_i128.checked_shl(bits)?, 0, 15 - length - digits - 1)
            }
        };
        let exponent = exponent - self.places();
        if room < 0 || exponent < NANO {
            return None;
        }
        let digits = self.digits().ok()?.checked_mul(factor)?;
        let digits = i64::try_from(self.signed(digits)).ok()?;
        Some(Quantity::new(digits, exponent))
    }

    /// The quantity with all digits, rounded up to a nano.
    fn large(&self, suffix: Suffix) -> Result<Option<Quantity>, Stop> {
        // Without a digit there is no number to multiply.
        if !self.has_number {
            return Ok(None);
        }
        let (factor, exponent) = match suffix {
            Suffix::OfTen(exponent) => (1, exponent),
            Suffix::OfTwo(bits) => (1_i128.checked_shl(bits).ok_or(Stop::Unknown)?, 0),
        };
        let digits = self.digits()?.checked_mul(factor).ok_or(Stop::Unknown)?;
        let exponent = exponent - self.places();
        let large = |digits, exponent| Quantity {
            digits: self.signed(digits),
            exponent,
            is_small: false,
        };
        if digits == 0 {
            return Ok(Some(large(0, exponent)));
        }
        let nanos = match exponent - NANO {
            up @ 0.. => scaled(digits, up)?,
            down => {
                let power = scaled(1, down.checked_neg().ok_or(Stop::Unknown)?)?;
                digits / power + i128::from(digits % power > 0)
            }
        };
        // Servers cap quantities with a binary suffix, at a whole number.
        let most = i128::from(i64::MAX);
        if matches!(suffix, Suffix::OfTwo(_)) && nanos > scaled(most, -NANO)? {
            return Ok(Some(large(most, 0)));
        }
        Ok(Some(large(nanos, NANO)))
    }
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit());
    text.split_at(end.unwrap_or(text.len()))
}

fn suffix(text: &str) -> Result<Option<Suffix>, Stop> {
    let known = [
        ("n", -9),
        ("u", -6),
        ("m", -3),
        ("", 0),
        ("k", 3),
        ("M", 6),
        ("G", 9),
        ("T", 12),
        ("P", 15),
        ("E", 18),
    ];
    if let Some((_, exponent)) = known.iter().find(|(known, _)| *known == text) {
        return Ok(Some(Suffix::OfTen(*exponent)));
    }
    let binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]
        .into_iter()
        .zip((10..).step_by(10));
    if let Some((_, bits)) = binary.into_iter().find(|(known, _)| *known == text) {
        return Ok(Some(Suffix::OfTwo(bits)));
    }
    let Some(exponent) = text.strip_prefix(['e', 'E']) else {
        return Ok(None);
    };
    let Ok(exponent) = exponent.parse::<i64>() else {
        let (digits, rest) = digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
        let is_long = rest.is_empty() && !digits.is_empty();
        return if is_long {
            Err(Stop::Unknown)
        } else {
            Ok(None)
        };
    };
    let exponent = i32::try_from(exponent).map_err(|_| Stop::Unknown)?;
    match exponent.abs() <= LARGEST_EXPONENT {
        true => Ok(Some(Suffix::OfTen(exponent))),
        false => Err(Stop::Unknown),
    }
}

/// A power of ten as servers compute it: the product of two powers from a table, which may not be the nearest number.
fn power_of_ten(exponent: i64) -> Result<f64, Stop> {
    let tabulated = |exponent: i64| {
        let power = format!("1e{exponent}").parse::<f64>();
        power.map_err(|_| Stop::Unknown)
    };
    match exponent {
        ..-323 => Ok(0.0),
        -323..0 => Ok(tabulated(exponent / 32 * 32)? / tabulated(-exponent % 32)?),
        0..=308 => Ok(tabulated(exponent / 32 * 32)? * tabulated(exponent % 32)?),
        _ => Ok(f64::INFINITY),
    }
}
