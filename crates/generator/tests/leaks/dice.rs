//! Random numbers.

/// A deterministic source of small numbers.
pub struct Dice(u64);

impl Dice {
    /// Creates the source for a seed.
    pub fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            dice.roll(2);
        }
        dice
    }

    /// Returns a number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let sides = u64::try_from(sides.max(1)).unwrap();
        usize::try_from((self.0 >> 11) % sides).unwrap()
    }

    /// Returns true once in `sides` times on average.
    pub fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    /// Returns one of several items.
    pub fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.roll(all.len())]
    }
}
