//! A cache for answers that are costly to find. Kinds, versions and channels share most of their types, so one comparison asks
//! the same question many times.

use std::cell::RefCell;
use std::collections::VecDeque;

/// The number of answers that are kept.
const MOST: usize = 64;

/// The latest questions of a thread, with their answers. An answer depends only on its question.
pub(super) struct Remembered<Q, A>(RefCell<VecDeque<(Q, A)>>);

impl<Q, A: Clone> Remembered<Q, A> {
    pub(super) const fn new() -> Self {
        Self(RefCell::new(VecDeque::new()))
    }

    /// Returns the cached answer to the question that `is_it` matches, or calls `find` with `question`.
    pub(super) fn answer(
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
        if known.len() == MOST {
            known.pop_front();
        }
        known.push_back((question(), answer.clone()));
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Remembered};
    use std::cell::Cell;

    #[test]
    fn what_was_asked_lately_is_not_asked_again() {
        let remembered = Remembered::new();
        let asked = Cell::new(0);
        let ask = |number: usize| {
            let find = || {
                asked.set(asked.get() + 1);
                number * 2
            };
            remembered.answer(|known| *known == number, || number, find)
        };
        for number in [1, 2, 1, 2, 1] {
            assert_eq!(ask(number), number * 2);
        }
        assert_eq!(asked.get(), 2);
        for number in 0..2 * MOST {
            assert_eq!(ask(number), number * 2);
        }
        assert_eq!(asked.get(), 2 * MOST);
        assert_eq!(remembered.0.borrow().len(), MOST);
    }
}
