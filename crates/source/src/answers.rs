//! Caches answers that never change during a run.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

/// Answers by question.
#[derive(Debug)]
pub(super) struct Answers<K, V>(RwLock<FxHashMap<K, V>>);

impl<K, V> Default for Answers<K, V> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<K: Eq + Hash, V: Clone> Answers<K, V> {
    /// Returns the known answer, else that of `find`. No lock is held meanwhile: if two threads ask at once, the first answer
    /// is kept.
    pub(super) fn get_or_find(&self, key: K, find: impl FnOnce() -> V) -> V {
        self.get(&key).unwrap_or_else(|| self.keep(key, find()))
    }

    /// Returns the known answer.
    pub(super) fn get(&self, key: &K) -> Option<V> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.get(key).cloned()
    }

    /// Stores an answer unless there is one, and returns the stored one.
    pub(super) fn keep(&self, key: K, found: V) -> V {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.entry(key).or_insert(found).clone()
    }
}
