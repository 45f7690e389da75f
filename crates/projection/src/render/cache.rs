//! Finished schemas, shared by channels and threads.

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
    /// Returns a small number that identifies a selection; 0 is reserved for types without gates.
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

/// The key of a finished value.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) struct Key {
    /// The address of the type; the entry keeps the type alive, so no other can have this address.
    pub address: usize,
    /// 0 for types without gates.
    pub selection: u32,
    /// The convention.
    pub convention: Convention,
    /// Whether attributes that override the type are ignored.
    pub bare: bool,
}

/// A value, its type, and the findings made while it was computed. Every use of the value reports them, so that they do not
/// depend on which came first.
#[derive(Debug)]
struct Entry<V> {
    value: V,
    _owner: Arc<Type>,
    findings: Vec<Diagnostic>,
}

const SHARDS: usize = 16;

/// A sharded map, so that threads seldom wait for each other.
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
    /// Returns the value, computed now if it is missing. No lock is held meanwhile, since one value needs others. Two threads
    /// may compute the same value; the first is kept.
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
