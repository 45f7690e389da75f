//! A cache for answers that are costly to find. Kinds, versions and channels share most of their types, so one comparison asks
//! the same question many times.

use std::cell::RefCell;
use std::collections::VecDeque;

/// The number of answers that are kept.
const CAPACITY: usize = 64;

/// The latest questions of a thread, with their answers. An answer depends only on its question.
pub(crate) struct Cache<Q, A>(RefCell<VecDeque<(Q, A)>>);

impl<Q, A: Clone> Cache<Q, A> {
    pub(crate) const fn new() -> Self {
        Self(RefCell::new(VecDeque::new()))
    }

    /// Returns the cached answer to the question that `is_it` matches, or calls `find` with `question`.
    pub(crate) fn get_or_insert_with(
        &self,
        is_it: impl Fn(&Q) -> bool,
        question: impl FnOnce() -> Q,
        find: impl FnOnce() -> A,
    ) -> A {
        let known = self.0.borrow();
        if let Some((_, answer)) = known.iter().rev().find(|(known, _)| is_it(known)) {
            return answer.clone();
        }
        drop(known);
        let answer = find();
        let mut known = self.0.borrow_mut();
        if known.len() == CAPACITY {
            known.pop_front();
        }
        known.push_back((question(), answer.clone()));
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::{CAPACITY, Cache};
    use std::cell::Cell;

    #[test]
    fn latest_answers_are_kept() {
        let cache = Cache::new();
        let asked = Cell::new(0);
        let ask = |number: usize| {
            let find = || {
                asked.set(asked.get() + 1);
                number * 2
            };
            cache.get_or_insert_with(|known| *known == number, || number, find)
        };
        for number in [1, 2, 1, 2, 1] {
            assert_eq!(ask(number), number * 2);
        }
        assert_eq!(asked.get(), 2);
        for number in 0..2 * CAPACITY {
            assert_eq!(ask(number), number * 2);
        }
        assert_eq!(asked.get(), 2 * CAPACITY);
        assert_eq!(cache.0.borrow().len(), CAPACITY);
    }
}
