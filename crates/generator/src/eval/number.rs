//! Integers with width and sign, floats with width, and literals whose type only later code tells.

use std::cmp::Ordering;
use std::fmt;

/// The type of an integer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct IntType {
    /// How many bits it has.
    pub(crate) bits: u32,
    /// Whether it has a sign.
    pub(crate) signed: bool,
    /// `usize`, `isize`: 64 bits wide, as on every machine that runs a controller.
    pub(crate) size: bool,
}

const fn int_type(bits: u32, signed: bool, size: bool) -> IntType {
    IntType { bits, signed, size }
}

/// Every integer type by its name.
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
/// `i32`, what a literal is that nothing says more of.
pub(crate) const I32: IntType = int_type(32, true, false);
/// `usize`
pub(crate) const USIZE: IntType = int_type(64, false, true);

impl IntType {
    /// The type of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let found = INT_TYPES.iter().find(|(known, _)| *known == name);
        found.map(|(_, ty)| *ty)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        let found = INT_TYPES.iter().find(|(_, known)| *known == self);
        found.map_or("", |(name, _)| name)
    }

    /// Its least value.
    pub(crate) fn min(self) -> i128 {
        if self.signed {
            i128::MIN >> (128 - self.bits)
        } else {
            0
        }
    }

    /// Its greatest value. `u128` ends where `i128` does: what is beyond is unknown.
    pub(crate) fn max(self) -> i128 {
        if self.signed || self.bits == 128 {
            i128::MAX >> (128 - self.bits)
        } else {
            i128::MAX >> (127 - self.bits)
        }
    }

    /// Whether a value is one of the type.
    pub(crate) fn holds(self, value: i128) -> bool {
        (self.min()..=self.max()).contains(&value)
    }

    /// The low bits of a value as the type reads them; none where a `u128` would be beyond `i128`.
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
    /// Its type; none for literals, and what comes of them alone, before something says what they are.
    pub(crate) ty: Option<IntType>,
    /// The least and the greatest value on the way to it: whatever its type turns out to be has to hold these too, or
    /// the program would have panicked.
    range: (i128, i128),
}

impl Int {
    /// An integer of a known type. The caller has seen to it that the type holds it.
    pub(crate) fn new(value: i128, ty: IntType) -> Self {
        Self {
            value,
            ty: Some(ty),
            range: (value, value),
        }
    }

    /// A `usize`.
    pub(crate) fn size(value: usize) -> Option<Self> {
        let value = i128::try_from(value).ok()?;
        Some(Self::new(value, USIZE))
    }

    /// Another integer of the same type: the end of a range may be one beyond it.
    pub(crate) fn with_value(self, value: i128) -> Self {
        Self { value, ..self }
    }

    /// A literal without a suffix.
    pub(crate) fn literal(value: i128) -> Self {
        Self {
            value,
            ty: None,
            range: (value, value),
        }
    }

    /// The same integer as one of a type; none where it has another type, or does not fit.
    pub(crate) fn of(self, ty: IntType) -> Option<Self> {
        match self.ty {
            Some(own) => (own == ty).then_some(self),
            None => {
                let fits = ty.holds(self.range.0) && ty.holds(self.range.1);
                fits.then_some(Self::new(self.value, ty))
            }
        }
    }

    /// The integer with the type that rustc falls back to: `i32`, if it has none.
    pub(crate) fn with_default_type(self) -> Option<Self> {
        match self.ty {
            Some(_) => Some(self),
            None => self.of(I32),
        }
    }

    /// Two integers as ones of the same type.
    fn same_type(self, other: Self) -> Option<(Self, Self)> {
        match (self.ty, other.ty) {
            (Some(ty), None) => Some((self, other.of(ty)?)),
            (None, Some(ty)) => Some((self.of(ty)?, other)),
            (left, right) => (left == right).then_some((self, other)),
        }
    }

    /// The order of two integers of one type.
    pub(crate) fn compare(self, other: Self) -> Option<Ordering> {
        let (left, right) = self.same_type(other)?;
        Some(left.value.cmp(&right.value))
    }

    /// `-x`
    pub(crate) fn neg(self) -> Option<Self> {
        self.made(self.value.checked_neg()?, self)
    }

    /// `!x`; none for a literal, whose width decides.
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

    /// `a + b` and the like; none where the program panics, or where it depends on what nobody knows.
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

    /// A value that comes of this one and another, both of one type.
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

    /// `a << b`, `a >> b`: bits that leave the type are gone.
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
            // As long as nothing is lost, the width does not show.
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
            // The literal takes the type of the cast where it fits.
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

/// A shift to the left: only bits that stay are moved.
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
    /// A `f32`.
    F32(f32),
    /// A `f64`.
    F64(f64),
    /// A literal, and what comes of literals alone: as either of the two.
    Literal(f32, f64),
}

impl Float {
    /// A literal without a suffix.
    pub(crate) fn literal(digits: &str) -> Option<Self> {
        Some(Self::Literal(digits.parse().ok()?, digits.parse().ok()?))
    }

    /// The name of its type; none before something tells it.
    pub(crate) fn type_name(self) -> Option<&'static str> {
        match self {
            Self::F32(_) => Some("f32"),
            Self::F64(_) => Some("f64"),
            Self::Literal(..) => None,
        }
    }

    /// The same float as one of the type of a name; none where it has another.
    pub(crate) fn of(self, name: &str) -> Option<Self> {
        match (self, name) {
            (Self::F32(_), "f32") | (Self::F64(_), "f64") => Some(self),
            (Self::Literal(narrow, _), "f32") => Some(Self::F32(narrow)),
            (Self::Literal(_, wide), "f64") => Some(Self::F64(wide)),
            _ => None,
        }
    }

    /// The float with the type that rustc falls back to: `f64`, if it has none.
    pub(crate) fn with_default_type(self) -> Self {
        match self {
            Self::Literal(_, wide) => Self::F64(wide),
            known => known,
        }
    }

    /// The same number with 64 bits: what serde_json writes.
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

    /// The order of two floats of one type; none inside where they have none.
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

    /// One function of both widths.
    pub(crate) fn map(self, narrow: impl Fn(f32) -> f32, wide: impl Fn(f64) -> f64) -> Self {
        match self {
            Self::F32(value) => Self::F32(narrow(value)),
            Self::F64(value) => Self::F64(wide(value)),
            Self::Literal(value, other) => Self::Literal(narrow(value), wide(other)),
        }
    }

    /// One function of two floats of one type, in both widths.
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

    /// `{}`, `{:?}` and `{:.2}` of it; none for a literal that the two widths show differently.
    pub(crate) fn shown(self, show: impl Fn(&dyn Shown) -> String) -> Option<String> {
        match self {
            Self::F32(value) => Some(show(&value)),
            Self::F64(value) | Self::Literal(_, value) => Some(show(&value)),
        }
    }
}

/// What can be shown for people and for programmers.
pub(crate) trait Shown: fmt::Display + fmt::Debug + fmt::LowerExp {}

impl Shown for f32 {}
impl Shown for f64 {}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::{Float, I32, Int, IntType, U8};

    fn of(name: &str, value: i128) -> Int {
        Int::new(value, IntType::named(name).unwrap())
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
                .cast(IntType::named("i8").unwrap())
                .unwrap()
                .value,
            -56
        );
        assert_eq!(
            of("u64", 1 << 63)
                .cast(IntType::named("i64").unwrap())
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
