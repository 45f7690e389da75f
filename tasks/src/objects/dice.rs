//! Random numbers that are the same on every run.

/// A source of numbers determined by its seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice for the purpose that the text names: another text gives other numbers.
    #[must_use]
    pub fn new(purpose: &str) -> Self {
        // FNV-1a.
        let seed = purpose
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Self(seed)
    }

    /// Returns a number below `sides`; 0 if that is 0.
    pub fn roll(&mut self, sides: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let sides = u64::try_from(sides).unwrap_or(u64::MAX).max(1);
        usize::try_from(mixed % sides).unwrap_or(0)
    }

    /// Returns true in `part` of `whole` cases.
    pub fn chance(&mut self, part: usize, whole: usize) -> bool {
        self.roll(whole) < part
    }

    /// Picks one of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.roll(items.len()))
    }
}
