//! What an evaluation may take: a step for every part that is evaluated, and steps for what calls read and make, so that values
//! that grow, or that are shared many times over, come to an end.

use super::{Object, Stop, Val};
use crate::Text;
use crate::functions::Cost;
use crate::library::texts::MOST_PATTERNS;
use std::cell::{Cell, RefCell};

/// Enough for what people write, and the end of every hostile expression.
const MOST_STEPS: usize = 10_000_000;
/// Reading is that much faster than evaluating.
const READ_IN_A_STEP: usize = 8;
/// How many bytes of texts are compared as fast as one character is read.
const COMPARED_AT_ONCE: usize = 64;
/// What it takes to compile a regular expression.
const PATTERN: usize = MOST_STEPS / MOST_PATTERNS;

/// The steps that are left.
#[derive(Debug)]
pub(super) struct Work {
    left: Cell<usize>,
    /// The regular expressions that were compiled.
    patterns: RefCell<Vec<Text>>,
}

impl Work {
    pub(super) fn new() -> Self {
        Self {
            left: Cell::new(MOST_STEPS),
            patterns: RefCell::default(),
        }
    }

    pub(super) fn spend(&self, steps: usize) -> Result<(), Stop> {
        let left = self.left.get().checked_sub(steps);
        // What does not fit ends everything, so that no cheaper part goes on.
        self.left.set(left.unwrap_or_default());
        left.map(drop).ok_or(Stop::Unknown)
    }

    /// Spends what it takes to read so many characters or elements.
    pub(super) fn read(&self, count: usize) -> Result<(), Stop> {
        self.spend(count / READ_IN_A_STEP)
    }

    /// Spends what it takes to read all of a value.
    pub(super) fn read_all(&self, value: &Val) -> Result<(), Stop> {
        self.read(self.size(value))
    }

    /// Spends what a function reads of values and what it makes of them, unless the number of those is known only afterwards.
    pub(super) fn call(&self, cost: Cost, given: &[Val]) -> Result<(), Stop> {
        let nth = |nth: usize| given.get(nth).map_or(0, length);
        let whole = || {
            let all = given.iter().map(|value| self.size(value));
            all.fold(0, usize::saturating_add)
        };
        self.read(match cost {
            Cost::One | Cost::IndexList | Cost::IndexMap => {
                let looked_into = given.iter().filter(|value| !is_list(value));
                looked_into.map(length).fold(0, usize::saturating_add)
            }
            Cost::Equal | Cost::Compare => match given {
                [one, other] if !may_equal(one, other) => nth(0).min(nth(1)),
                _ => whole(),
            },
            Cost::Distinct | Cost::Sort(_) | Cost::SortBy(_) | Cost::Sets(_) => {
                let once = given.iter().map(|value| self.compared(value));
                let once = once.fold(0, usize::saturating_add);
                once.saturating_mul(nth(0).max(nth(1)))
            }
            Cost::Split | Cost::AddList => whole().saturating_mul(READ_IN_A_STEP),
            Cost::Replace => nth(0).saturating_add(1).saturating_mul(nth(2)).max(whole()),
            Cost::Join => whole().saturating_add(nth(0).saturating_mul(nth(1))),
            Cost::Matches | Cost::Find => {
                self.pattern(given.get(1))?;
                nth(0).saturating_mul(slowness(given.get(1)))
            }
            _ => whole(),
        })
    }

    /// Spends what a function made.
    pub(super) fn spend_on_result(&self, cost: Cost, value: &Val) -> Result<(), Stop> {
        match (cost, value) {
            // They were there before.
            (Cost::One | Cost::IndexList | Cost::IndexMap, _) => Ok(()),
            (_, Val::List(items) | Val::Unordered(items) | Val::Shuffled(items)) => {
                self.spend(items.len())
            }
            (_, value) => self.read(length(value)),
        }
    }

    fn pattern(&self, pattern: Option<&Val>) -> Result<(), Stop> {
        let Some(Val::String(pattern)) = pattern else {
            return Ok(());
        };
        let mut patterns = self.patterns.borrow_mut();
        if patterns.contains(pattern) {
            return Ok(());
        }
        patterns.push(pattern.clone());
        self.spend(PATTERN)
    }

    /// How much there is to read where all items of a value are compared with another one. Texts are compared by the block.
    fn compared(&self, value: &Val) -> usize {
        let is_text = |item: &Val| matches!(item, Val::String(_) | Val::Bytes(_));
        match value {
            Val::List(items) | Val::Unordered(items) | Val::Shuffled(items)
                if items.iter().all(is_text) =>
            {
                let texts = items.iter().map(length).fold(0, usize::saturating_add);
                items.len().saturating_add(texts / COMPARED_AT_ONCE)
            }
            value => self.size(value),
        }
    }

    /// How much there is to read in a value, if that is less than what can be read at all.
    fn size(&self, value: &Val) -> usize {
        let most = self.left.get().saturating_mul(READ_IN_A_STEP);
        let mut left = most.saturating_add(READ_IN_A_STEP);
        take(value, 1, &mut left);
        most.saturating_add(READ_IN_A_STEP) - left
    }
}

/// Takes what it is to read a value so many times. Comparing what has no order takes every item for every other one.
fn take(value: &Val, times: usize, left: &mut usize) {
    let own = times.saturating_mul(length(value).saturating_add(1));
    *left = left.saturating_sub(own);
    if *left == 0 {
        return;
    }
    match value {
        Val::List(items) => items.iter().for_each(|item| take(item, times, left)),
        Val::Unordered(items) | Val::Shuffled(items) => {
            let times = times.saturating_mul(items.len());
            items.iter().for_each(|item| take(item, times, left));
        }
        Val::Map(entries) | Val::Object(Object { seen: entries, .. }) => {
            let searched = times.saturating_mul(entries.len());
            *left = left.saturating_sub(searched.saturating_mul(entries.len()));
            for (key, value) in entries.iter() {
                take(key, times, left);
                take(value, times, left);
            }
        }
        Val::Optional(Some(inner)) => take(inner, times, left),
        _ => {}
    }
}

/// How many characters, bytes or elements a value has itself.
fn length(value: &Val) -> usize {
    match value {
        Val::String(text) | Val::Url(text) => text.len(),
        Val::Bytes(bytes) => bytes.len(),
        Val::List(items) | Val::Unordered(items) | Val::Shuffled(items) => items.len(),
        Val::Map(entries) | Val::Object(Object { seen: entries, .. }) => entries.len(),
        _ => 0,
    }
}

/// How much longer it takes to match a long pattern, or one that repeats a part many times.
fn slowness(pattern: Option<&Val>) -> usize {
    match pattern {
        Some(Val::String(pattern)) if pattern.contains('{') => pattern.len() / 64 + 8,
        pattern => pattern.map_or(0, length) / 64 + 1,
    }
}

/// Whether two values have to be looked into before it is clear that they differ.
fn may_equal(one: &Val, other: &Val) -> bool {
    use Val::{List, Map, Object, Optional, Shuffled, Unordered};
    let is_whole = |value: &Val| {
        matches!(
            value,
            List(_) | Unordered(_) | Shuffled(_) | Map(_) | Object(_) | Optional(Some(_))
        )
    };
    is_whole(one) && is_whole(other) && length(one) == length(other)
}

fn is_list(value: &Val) -> bool {
    matches!(value, Val::List(_) | Val::Unordered(_) | Val::Shuffled(_))
}
