//! The work of an evaluation: a step for every evaluated part, and steps for what calls read and make, so that evaluation
//! terminates even with values that grow or are shared many times.

use super::{Object, Stop, Val};
use crate::Text;
use crate::functions::Cost;
use crate::library::texts::MOST_PATTERNS;
use std::cell::{Cell, RefCell};

/// Enough for realistic rules, and a limit for hostile ones.
const MOST_STEPS: usize = 10_000_000;
/// The number of characters or elements that can be read in one step.
const READ_IN_A_STEP: usize = 8;
/// The number of bytes of text that are compared in the time of reading one character.
const COMPARED_AT_ONCE: usize = 64;
/// The steps for compiling a regular expression.
const PATTERN: usize = MOST_STEPS / MOST_PATTERNS;

/// The remaining steps.
#[derive(Debug)]
pub(super) struct Work {
    left: Cell<usize>,
    /// The compiled regular expressions.
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
        // Exceeding the limit ends everything, so that no cheaper part continues.
        self.left.set(left.unwrap_or_default());
        left.map(drop).ok_or(Stop::Unknown)
    }

    /// Spends the steps for reading that many characters or elements.
    pub(super) fn spend_reading(&self, count: usize) -> Result<(), Stop> {
        self.spend(count / READ_IN_A_STEP)
    }

    /// Spends the steps for what a function reads and makes, unless the result's size is only known afterwards.
    pub(super) fn call(&self, cost: Cost, given: &[Val]) -> Result<(), Stop> {
        let nth = |nth: usize| given.get(nth).map_or(0, length);
        let whole = || {
            let all = given.iter().map(|value| self.size(value));
            all.fold(0, usize::saturating_add)
        };
        self.spend_reading(match cost {
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

    /// Spends the steps for a function's result.
    pub(super) fn spend_on_result(&self, cost: Cost, value: &Val) -> Result<(), Stop> {
        match (cost, value) {
            // They existed before.
            (Cost::One | Cost::IndexList | Cost::IndexMap, _) => Ok(()),
            (_, Val::List(items) | Val::Unordered(items) | Val::Shuffled(items)) => {
                self.spend(items.len())
            }
            (_, value) => self.spend_reading(length(value)),
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

    /// The amount to read when all items of a value are compared with another one. Texts are compared in blocks.
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

    /// The amount to read in a value, limited to what can be read at all.
    fn size(&self, value: &Val) -> usize {
        let most = self.left.get().saturating_mul(READ_IN_A_STEP);
        let mut left = most.saturating_add(READ_IN_A_STEP);
        take(value, 1, &mut left);
        most.saturating_add(READ_IN_A_STEP) - left
    }
}

/// Takes the amount for reading a value that many times. Comparing unordered lists takes every item for every other one.
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

/// The number of characters, bytes or elements directly in a value.
fn length(value: &Val) -> usize {
    match value {
        Val::String(text) | Val::Url(text) => text.len(),
        Val::Bytes(bytes) => bytes.len(),
        Val::List(items) | Val::Unordered(items) | Val::Shuffled(items) => items.len(),
        Val::Map(entries) | Val::Object(Object { seen: entries, .. }) => entries.len(),
        _ => 0,
    }
}

/// The slowdown of matching for a long pattern, or one that repeats a part many times.
fn slowness(pattern: Option<&Val>) -> usize {
    match pattern {
        Some(Val::String(pattern)) if pattern.contains('{') => pattern.len() / 64 + 8,
        pattern => pattern.map_or(0, length) / 64 + 1,
    }
}

/// Whether the contents of two values must be read to see that they differ.
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
