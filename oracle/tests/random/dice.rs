//! Chance that is the same on every run, and a count of what it chose.

use std::collections::BTreeMap;

/// How often each construct was chosen.
pub type Seen = BTreeMap<&'static str, usize>;

/// A source of small numbers.
pub struct Dice {
    state: u64,
    pub seen: Seen,
    /// Constructs that are never chosen.
    without: &'static [&'static str],
}

impl Dice {
    pub fn new(seed: u64) -> Self {
        let mut dice = Self {
            state: seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            seen: Seen::new(),
            without: &[],
        };
        dice.roll(2);
        dice
    }

    /// The same numbers, but these constructs are never chosen.
    #[allow(dead_code, reason = "only some tests leave constructs out")]
    pub fn without(seed: u64, constructs: &'static [&'static str]) -> Self {
        Self {
            without: constructs,
            ..Self::new(seed)
        }
    }

    /// One of 0 to `sides - 1`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from((self.state >> 8) % u64::try_from(sides).unwrap()).unwrap()
    }

    pub fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    /// Whether a construct is to be there; counted if it is.
    pub fn wants(&mut self, what: &'static str, one_in: usize) -> bool {
        let wanted = self.one_in(one_in) && !self.without.contains(&what);
        if wanted {
            self.note(what);
        }
        wanted
    }

    pub fn note(&mut self, what: &'static str) {
        *self.seen.entry(what).or_default() += 1;
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.roll(of.len())]
    }

    /// One of these by its weight, counted.
    pub fn weigh(&mut self, of: &[(usize, &'static str)]) -> &'static str {
        let allowed = of.iter().filter(|(_, what)| !self.without.contains(what));
        let allowed: Vec<_> = allowed.collect();
        let mut left = self.roll(allowed.iter().map(|(weight, _)| weight).sum());
        for (weight, what) in &allowed {
            if left < *weight {
                self.note(what);
                return what;
            }
            left -= weight;
        }
        of[0].1
    }
}
