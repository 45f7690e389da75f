//! Random schemas, each with a changed copy, and values to test both with.

pub(super) mod enums;
pub(super) mod plain;
pub(super) mod rich;
pub(super) mod values;

/// The same numbers in every run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    pub(super) fn one_in(&mut self, sides: u64) -> bool {
        self.roll(sides) == 0
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let index = usize::try_from(self.roll(from.len() as u64)).unwrap();
        &from[index]
    }
}
