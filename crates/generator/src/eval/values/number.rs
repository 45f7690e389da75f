//! Integers and floats of fixed width, and literals whose type later code determines.

use std::cmp::Ordering;
use std::fmt;

/// The type of an integer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct IntType {
    /// The number of bits.
    pub(crate) bits: u32,
    /// Whether it is signed.
    pub(crate) signed: bool,
    /// `usize`, `isize`: 64 bits, as on every platform that runs controllers.
    pub(crate) size: bool,
}

const fn int_type(bits: u32, signed: bool, size: bool) -> IntType {
    IntType { bits, signed, size }
}

/// Every integer type, by name.
const INT_TYPES: [(&str, IntType); 12] = [
    ("u8", int_type(8, false, false)),
    ("u16", int_type(16, false, false)),
    ("u32", int_type(32, false, false)),
    ("u64", int_type(64, false, false)),
    ("u128", int_type(128, false, false)),
    ("usize", int_type(64, false, true)),
    ("i8", int_type(8, true, false)),
    ("i16", int_type(16, true, false)),
    ("i32", int_type(32, true, false)),
    ("i64", int_type(64, true, false)),
    ("i128", int_type(128, true, false)),
    ("isize", int_type(64, true, true)),
];

/// `u8`, the type of a byte.
pub(crate) const U8: IntType = int_type(8, false, false);
/// `u32`
pub(crate) const U32: IntType = int_type(32, false, false);
/// `i32`, the default type of a literal.
pub(crate) const I32: IntType = int_type(32, true, false);
/// `usize`
pub(crate) const USIZE: IntType = int_type(64, false, true);

impl IntType {
    /// Returns the type of a name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let found = INT_TYPES.iter().find(|(known, _)| *known == name);
        found.map(|(_, ty)| *ty)
    }

    /// Returns its name.
    pub(crate) fn name(self) -> &'static str {
        let found = INT_TYPES.iter().find(|(_, known)| *known == self);
        found.map_or("", |(name, _)| name)
    }

    /// Returns its minimum.
    pub(crate) fn min(self) -> i128 {
        if self.signed {
            i128::MIN >> (128 - self.bits)
        } else {
            0
        }
    }

    /// Returns its maximum. For `u128` that is the maximum of `i128`; larger values are unknown.
    pub(crate) fn max(self) -> i128 {
        if self.signed || self.bits == 128 {
            i128::MAX >> (128 - self.bits)
        } else {
            i128::MAX >> (127 - self.bits)
        }
    }

    /// Returns true if the type has this value.
    pub(crate) fn holds(self, value: i128) -> bool {
        (self.min()..=self.max()).contains(&value)
    }

    /// Returns the low bits of a value, as the type reads them; `None` for a `u128` beyond `i128`.
    pub(crate) fn truncated(self, value: i128) -> Option<i128> {
        if self.bits == 128 {
            return (self.signed || value >= 0).then_some(value);
        }
        let mask = (1_i128 << self.bits) - 1;
        let low = value & mask;
        let negative = self.signed && low >> (self.bits - 1) == 1;
        Some(if negative { low - (mask + 1) } else { low })
    }
}

/// An integer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Int {
    /// Its value.
    pub(crate) value: i128,
    /// Its type; `None` for literals, and results of literals alone, until something determines it.
    pub(crate) ty: Option<IntType>,
    /// The least and greatest intermediate values: the type must hold these too, or the program would have panicked.
    range: (i128, i128),
}

impl Int {
    /// Creates an integer of a known type, which must hold it.
    pub(crate) fn new(value: i128, ty: IntType) -> Self {
        Self {
            value,
            ty: Some(ty),
            range: (value, value),
        }
    }

    /// Creates a `usize`.
    pub(crate) fn size(value: usize) -> Option<Self> {
        let value = i128::try_from(value).ok()?;
        Some(Self::new(value, USIZE))
    }

    /// Returns another integer of the same type. It may be one beyond it, as the end of a range.
    pub(crate) fn with_value(self, value: i128) -> Self {
        Self { value, ..self }
    }

    /// Creates a literal without a suffix.
    pub(crate) fn literal(value: i128) -> Self {
        Self {
            value,
            ty: None,
            range: (value, value),
        }
    }

    /// Returns the integer with a type; `None` if it has another type, or does not fit.
    pub(crate) fn of(self, ty: IntType) -> Option<Self> {
        match self.ty {
            Some(own) => (own == ty).then_some(self),
            None => {
                let fits = ty.holds(self.range.0) && ty.holds(self.range.1);
                fits.then_some(Self::new(self.value, ty))
            }
        }
    }

    /// Returns the integer with rustc's default type, `i32`, if it has none.
    pub(crate) fn with_default_type(self) -> Option<Self> {
        match self.ty {
            Some(_) => Some(self),
            None => self.of(I32),
        }
    }

    /// Returns two integers with a common type.
    fn same_type(self, other: Self) -> Option<(Self, Self)> {
        match (self.ty, other.ty) {
            (Some(ty), None) => Some((self, other.of(ty)?)),
            (None, Some(ty)) => Some((self.of(ty)?, other)),
            (left, right) => (left == right).then_some((self, other)),
        }
    }

    /// Compares two integers of one type.
    pub(crate) fn compare(self, other: Self) -> Option<Ordering> {
        let (left, right) = self.same_type(other)?;
        Some(left.value.cmp(&right.value))
    }

    /// `-x`
    pub(crate) fn neg(self) -> Option<Self> {
        self.made(self.value.checked_neg()?, self)
    }

    /// `!x`; `None` for a literal, whose unknown width matters.
    pub(crate) fn not(self) -> Option<Self> {
        let ty = self.ty?;
        let value = if ty.signed {
            !self.value
        } else if ty.bits == 128 {
            return None;
        } else {
            ty.max() - self.value
        };
        Some(Self::new(value, ty))
    }

    /// `a + b` and the like; `None` if the program panics, or the result depends on an unknown type.
    pub(crate) fn operate(self, operator: &str, other: Self) -> Option<Self> {
        if let "<<" | ">>" = operator {
            return self.shifted(operator, other);
        }
        let (left, right) = self.same_type(other)?;
        let (a, b) = (left.value, right.value);
        let value = match operator {
            "+" => a.checked_add(b),
            "-" => a.checked_sub(b),
            "*" => a.checked_mul(b),
            "/" => a.checked_div(b),
            "%" => a.checked_rem(b),
            "&" => Some(a & b),
            "|" => Some(a | b),
            "^" => Some(a ^ b),
            _ => None,
        }?;
        left.made(value, right)
    }

    /// Returns a result of two integers of one type.
    fn made(self, value: i128, other: Self) -> Option<Self> {
        match self.ty {
            Some(ty) => ty.holds(value).then_some(Self::new(value, ty)),
            None => {
                let least = self.range.0.min(other.range.0).min(value);
                let greatest = self.range.1.max(other.range.1).max(value);
                Some(Self {
                    value,
                    ty: None,
                    range: (least, greatest),
                })
            }
        }
    }

    /// `a << b`, `a >> b`; bits shifted out of the type are lost.
    fn shifted(self, operator: &str, by: Self) -> Option<Self> {
        let by = u32::try_from(by.value).ok()?;
        match self.ty {
            Some(ty) => {
                if by >= ty.bits || (ty.bits == 128 && operator == "<<") {
                    return None;
                }
                let value = if operator == "<<" {
                    moved(self.value, by, ty)?
                } else {
                    self.value >> by
                };
                Some(Self::new(value, ty))
            }
            // While no bit is lost, the width does not matter.
            None => {
                if by >= 31 {
                    return None;
                }
                let value = if operator == "<<" {
                    self.value.checked_mul(1_i128 << by)?
                } else {
                    self.value >> by
                };
                self.made(value, self)
            }
        }
    }

    /// `x as T`
    pub(crate) fn cast(self, ty: IntType) -> Option<Self> {
        match self.ty {
            // The literal adopts the type of the cast if it fits.
            None => match self.of(ty) {
                Some(int) => Some(int),
                None => {
                    let int = self.of(I32)?;
                    Some(Self::new(ty.truncated(int.value)?, ty))
                }
            },
            Some(_) => Some(Self::new(ty.truncated(self.value)?, ty)),
        }
    }
}

/// Shifts to the left, keeping the bits that fit.
fn moved(value: i128, by: u32, ty: IntType) -> Option<i128> {
    let kept = ty.bits.checked_sub(by)?;
    let low = value & ((1_i128 << kept) - 1);
    ty.truncated(low << by)
}

impl fmt::Display for Int {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value, formatter)
    }
}

/// A float.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Float {
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// A literal, or a result of literals alone, as both types.
    Literal(f32, f64),
}

impl Float {
    /// Creates a literal without a suffix.
    pub(crate) fn literal(digits: &str) -> Option<Self> {
        Some(Self::Literal(digits.parse().ok()?, digits.parse().ok()?))
    }

    /// Returns the name of its type; `None` until something determines it.
    pub(crate) fn type_name(self) -> Option<&'static str> {
        match self {
            Self::F32(_) => Some("f32"),
            Self::F64(_) => Some("f64"),
            Self::Literal(..) => None,
        }
    }

    /// Returns the float with a type, given by name; `None` if it has another.
    pub(crate) fn of(self, name: &str) -> Option<Self> {
        match (self, name) {
            (Self::F32(_), "f32") | (Self::F64(_), "f64") => Some(self),
            (Self::Literal(narrow, _), "f32") => Some(Self::F32(narrow)),
            (Self::Literal(_, wide), "f64") => Some(Self::F64(wide)),
            _ => None,
        }
    }

    /// Returns the float with rustc's default type, `f64`, if it has none.
    pub(crate) fn with_default_type(self) -> Self {
        match self {
            Self::Literal(_, wide) => Self::F64(wide),
            known => known,
        }
    }

    /// Returns the number with 64 bits, as serde_json writes it.
    pub(crate) fn wide(self) -> f64 {
        match self {
            Self::F32(value) => f64::from(value),
            Self::F64(value) | Self::Literal(_, value) => value,
        }
    }

    fn same_type(self, other: Self) -> Option<(Self, Self)> {
        match (self.type_name(), other.type_name()) {
            (Some(name), None) => Some((self, other.of(name)?)),
            (None, Some(name)) => Some((self.of(name)?, other)),
            (left, right) => (left == right).then_some((self, other)),
        }
    }

    /// Compares two floats of one type; `Some(None)` if they are unordered.
    pub(crate) fn compare(self, other: Self) -> Option<Option<Ordering>> {
        Some(match self.same_type(other)? {
            (Self::F32(left), Self::F32(right)) => left.partial_cmp(&right),
            (Self::F64(left), Self::F64(right)) => left.partial_cmp(&right),
            (Self::Literal(left, wide_left), Self::Literal(right, wide_right)) => {
                let (narrow, wide) = (left.partial_cmp(&right), wide_left.partial_cmp(&wide_right));
                (narrow == wide).then_some(narrow)?
            }
            _ => return None,
        })
    }

    /// Applies a function for each width.
    pub(crate) fn map(self, narrow: impl Fn(f32) -> f32, wide: impl Fn(f64) -> f64) -> Self {
        match self {
            Self::F32(value) => Self::F32(narrow(value)),
            Self::F64(value) => Self::F64(wide(value)),
            Self::Literal(value, other) => Self::Literal(narrow(value), wide(other)),
        }
    }

    /// Applies a function for each width to two floats of one type.
    pub(crate) fn join(
        self,
        other: Self,
        narrow: impl Fn(f32, f32) -> f32,
        wide: impl Fn(f64, f64) -> f64,
    ) -> Option<Self> {
        Some(match self.same_type(other)? {
            (Self::F32(left), Self::F32(right)) => Self::F32(narrow(left, right)),
            (Self::F64(left), Self::F64(right)) => Self::F64(wide(left, right)),
            (Self::Literal(left, wide_left), Self::Literal(right, wide_right)) => {
                Self::Literal(narrow(left, right), wide(wide_left, wide_right))
            }
            _ => return None,
        })
    }

    /// `a + b` and the like.
    pub(crate) fn operate(self, operator: &str, other: Self) -> Option<Self> {
        match operator {
            "+" => self.join(other, |a, b| a + b, |a, b| a + b),
            "-" => self.join(other, |a, b| a - b, |a, b| a - b),
            "*" => self.join(other, |a, b| a * b, |a, b| a * b),
            "/" => self.join(other, |a, b| a / b, |a, b| a / b),
            "%" => self.join(other, |a, b| a % b, |a, b| a % b),
            _ => None,
        }
    }

    /// Formats it with `{}`, `{:?}`, `{:.2}` and the like; `None` for a literal whose text depends on the width.
    pub(crate) fn format_with(self, show: impl Fn(&dyn Shown) -> String) -> Option<String> {
        match self {
            Self::F32(value) => Some(show(&value)),
            Self::F64(value) | Self::Literal(_, value) => Some(show(&value)),
        }
    }
}

/// A float that can be formatted.
pub(crate) trait Shown: fmt::Display + fmt::Debug + fmt::LowerExp {}

impl Shown for f32 {}
impl Shown for f64 {}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::{Float, I32, Int, IntType, U8};

    fn of(name: &str, value: i128) -> Int {
        Int::new(value, IntType::from_name(name).unwrap())
    }

    #[test]
    fn shifts_lose_what_leaves_the_type() {
        assert_eq!(
            of("u8", 255).operate("<<", of("i32", 4)).unwrap().value,
            0xf0
        );
        assert_eq!(of("i8", 127).operate("<<", of("i32", 1)).unwrap().value, -2);
        assert_eq!(
            of("u64", 3).operate("<<", of("u8", 63)).unwrap().value,
            1 << 63
        );
        assert_eq!(of("i64", -1).operate(">>", of("u8", 63)).unwrap().value, -1);
        assert_eq!(
            of("i64", 5).operate("<<", of("u8", 62)).unwrap().value,
            1 << 62
        );
        assert_eq!(of("i32", 1).operate("<<", of("u8", 32)), None);
    }

    #[test]
    fn what_overflows_is_not_known() {
        assert_eq!(of("u8", 200).operate("+", of("u8", 100)), None);
        assert_eq!(of("i8", -128).neg(), None);
        assert_eq!(
            of("i64", i128::from(i64::MIN)).operate("/", of("i64", -1)),
            None
        );
        let literal = Int::literal(200).operate("+", Int::literal(100)).unwrap();
        let back = literal.operate("-", Int::literal(100)).unwrap();
        assert_eq!(back.of(U8), None);
        assert_eq!(back.of(I32).unwrap().value, 200);
    }

    #[test]
    fn casts_keep_the_low_bits() {
        assert_eq!(of("i32", -1).cast(U8).unwrap().value, 255);
        assert_eq!(of("u16", 300).cast(U8).unwrap().value, 44);
        assert_eq!(
            of("u8", 200)
                .cast(IntType::from_name("i8").unwrap())
                .unwrap()
                .value,
            -56
        );
        assert_eq!(
            of("u64", 1 << 63)
                .cast(IntType::from_name("i64").unwrap())
                .unwrap()
                .value,
            i128::from(i64::MIN)
        );
    }

    #[test]
    fn literals_are_what_they_meet() {
        let sum = Float::literal("0.1")
            .unwrap()
            .operate("+", Float::F32(0.2))
            .unwrap();
        assert!(matches!(sum, Float::F32(value) if value == 0.1_f32 + 0.2_f32));
        assert_eq!(of("u8", 1).operate("+", of("u16", 1)), None);
    }
}
