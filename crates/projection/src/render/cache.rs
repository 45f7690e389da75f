//! Finished schemas, shared between channels and threads.

use super::convention::Convention;
use super::raw::Raw;
use super::selection::Selection;
use crd_channels_diagnostics::{Diagnostic, Sink, Text};
use crd_channels_schema::Schema;
use crd_channels_schema::draft::Type;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Finished schemas of types. A type without gates has one schema for all channels.
#[derive(Debug, Default)]
pub struct Cache {
    selections: Mutex<Vec<BTreeSet<Text>>>,
    pub(super) raws: ShardedMap<Arc<Raw>>,
    pub(super) schemas: ShardedMap<Arc<Schema>>,
}

impl Cache {
    /// A small number that stands for a selection; 0 is left for types without gates, which have one schema for all.
    pub(super) fn selection_id(&self, selection: Selection<'_>) -> u32 {
        let Selection::Features(features) = selection else {
            return 1;
        };
        let mut known = self
            .selections
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let place = known.iter().position(|set| set == features);
        let place = place.unwrap_or_else(|| {
            known.push(features.clone());
            known.len() - 1
        });
        u32::try_from(place).map_or(u32::MAX, |place| place.saturating_add(2))
    }
}

/// What a finished value belongs to.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) struct Key {
    /// Where the type lies; the entry keeps it alive, so no other can come to lie there.
    pub address: usize,
    /// 0 for types without gates.
    pub selection: u32,
    /// The convention.
    pub convention: Convention,
    /// Whether what is written over the type is left out.
    pub bare: bool,
}

/// A value, the type it belongs to, and what was found while it was made. Whoever takes the value hears the findings
/// too, so that they do not depend on who came first.
#[derive(Debug)]
struct Entry<V> {
    value: V,
    _owner: Arc<Type>,
    findings: Vec<Diagnostic>,
}

const SHARDS: usize = 16;

/// A map in shards, so that threads seldom wait for each other.
#[derive(Debug)]
pub(super) struct ShardedMap<V> {
    shards: [RwLock<FxHashMap<Key, Entry<V>>>; SHARDS],
    hasher: RandomState,
}

impl<V> Default for ShardedMap<V> {
    fn default() -> Self {
        Self {
            shards: std::array::from_fn(|_| RwLock::default()),
            hasher: RandomState::new(),
        }
    }
}

impl<V: Clone> ShardedMap<V> {
    /// The value, made now if nobody has. No lock is held while it is made: making one needs others. Two threads may
    /// make the same value; the first stays.
    pub fn get_or(
        &self,
        key: Key,
        owner: &Arc<Type>,
        sink: &mut Sink,
        make: impl FnOnce(&mut Sink) -> V,
    ) -> V {
        let part = usize::try_from(self.hasher.hash_one(key)).unwrap_or_default() % SHARDS;
        let Some(shard) = self.shards.get(part) else {
            return make(sink);
        };
        {
            let known = shard.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(entry) = known.get(&key) {
                for finding in &entry.findings {
                    sink.push(finding.clone());
                }
                return entry.value.clone();
            }
        }
        let mut found = Sink::default();
        let value = make(&mut found);
        let entry = Entry {
            value: value.clone(),
            _owner: owner.clone(),
            findings: found.diagnostics().to_vec(),
        };
        sink.append(found);
        let mut known = shard.write().unwrap_or_else(PoisonError::into_inner);
        known.entry(key).or_insert(entry).value.clone()
    }
}
