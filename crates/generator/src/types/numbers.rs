//! The integer types.

/// The type of an integer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct IntType {
    /// The number of bits.
    bits: u32,
    /// Whether it is signed.
    signed: bool,
    /// `usize`, `isize`: 64 bits, as on every platform that runs controllers.
    size: bool,
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
        let found = INT_TYPES.iter().find(|(_, ty)| *ty == self);
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
}
