//! Integers of fixed width, and literals whose type is that of their place.

use crate::types::numbers::{I32, IntType};
use std::fmt;

/// An integer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Int {
    /// Its value.
    pub(crate) value: i128,
    /// Its type; `None` for literals, and results of literals alone, until something determines it.
    pub(crate) ty: Option<IntType>,
    /// The least and greatest intermediate values: the type must hold these too, or the program would have panicked.
    range: (i128, i128),
    /// Whether the type of a part is decided where it is not read.
    pub(crate) is_open: bool,
}

impl Int {
    /// Creates an integer of a known type, which must hold it.
    pub(crate) fn new(value: i128, ty: IntType) -> Self {
        Self {
            value,
            ty: Some(ty),
            range: (value, value),
            is_open: false,
        }
    }

    /// Creates a literal without a suffix.
    pub(crate) fn literal(value: i128) -> Self {
        Self {
            value,
            ty: None,
            range: (value, value),
            is_open: false,
        }
    }

    /// Creates an integer of a type that is decided where it is not read.
    pub(crate) fn open(value: i128) -> Self {
        Self {
            is_open: true,
            ..Self::literal(value)
        }
    }

    /// Returns the integer with a type; `None` if it has another type, or does not fit.
    pub(crate) fn typed_as(self, ty: IntType) -> Option<Self> {
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
            None => self.typed_as(I32),
        }
    }

    /// Returns two integers with a common type.
    fn same_type(self, other: Self) -> Option<(Self, Self)> {
        match (self.ty, other.ty) {
            (Some(ty), None) => Some((self, other.typed_as(ty)?)),
            (None, Some(ty)) => Some((self.typed_as(ty)?, other)),
            (left, right) => (left == right).then_some((self, other)),
        }
    }

    /// `-x`
    pub(crate) fn neg(self) -> Option<Self> {
        self.made(self.value.checked_neg()?, self)
    }

    /// `a + b` and the like; `None` if the program panics or loses bits, or the operands have two types.
    pub(crate) fn operate(self, operator: &str, other: Self) -> Option<Self> {
        if operator == "<<" {
            // No bit may be lost, so the type does not matter.
            let by = u32::try_from(other.value).ok().filter(|by| *by < 127)?;
            return self.made(self.value.checked_mul(1 << by)?, self);
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

    /// `x.pow(y)` of an integer whose type is written
    pub(crate) fn pow(self, power: Self) -> Option<Self> {
        let power = u32::try_from(power.value).ok()?;
        let value = self.value.checked_pow(power);
        self.ty.and(self.made(value?, self))
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
                    is_open: self.is_open || other.is_open,
                })
            }
        }
    }

    /// `x as T`; `None` if the type does not hold the value.
    pub(crate) fn cast(self, ty: IntType) -> Option<Self> {
        let is_literal = self.range == (self.value, self.value);
        // A literal has the type of the cast, other expressions of literals have the default type.
        let int = match self.ty {
            None if !is_literal => self.typed_as(I32)?,
            _ => self,
        };
        ty.holds(int.value).then_some(Self::new(int.value, ty))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value, formatter)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::Int;
    use crate::types::numbers::{I32, IntType};

    fn typed_int(name: &str, value: i128) -> Int {
        Int::new(value, IntType::from_name(name).unwrap())
    }

    #[test]
    fn shifts_that_lose_bits_are_not_known() {
        assert_eq!(
            typed_int("u8", 255).operate("<<", typed_int("i32", 4)),
            None
        );
        assert_eq!(
            typed_int("u64", 3)
                .operate("<<", typed_int("u8", 62))
                .unwrap()
                .value,
            3 << 62
        );
        assert_eq!(typed_int("i64", 5).operate("<<", typed_int("u8", 62)), None);
    }

    #[test]
    fn what_overflows_is_not_known() {
        assert_eq!(
            typed_int("u8", 200).operate("+", typed_int("u8", 100)),
            None
        );
        assert_eq!(typed_int("i8", -128).neg(), None);
        assert_eq!(
            typed_int("i64", i128::from(i64::MIN)).operate("/", typed_int("i64", -1)),
            None
        );
        let literal = Int::literal(200).operate("+", Int::literal(100)).unwrap();
        let back = literal.operate("-", Int::literal(100)).unwrap();
        assert_eq!(back.typed_as(IntType::from_name("u8").unwrap()), None);
        assert_eq!(back.typed_as(I32).unwrap().value, 200);
    }

    #[test]
    fn casts_keep_the_value() {
        assert_eq!(
            typed_int("i32", -1).cast(IntType::from_name("u8").unwrap()),
            None
        );
        let wide = IntType::from_name("u64").unwrap();
        assert_eq!(typed_int("u16", 300).cast(wide).unwrap().value, 300);
        assert_eq!(Int::literal(1 << 40).cast(wide).unwrap().value, 1 << 40);
        let computed = Int::literal(1).operate("<<", Int::literal(40)).unwrap();
        assert_eq!(computed.cast(wide), None);
    }

    #[test]
    fn integers_of_two_types_have_no_sum() {
        assert_eq!(typed_int("u8", 1).operate("+", typed_int("u16", 1)), None);
    }
}
