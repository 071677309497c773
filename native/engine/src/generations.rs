//! A map that forgets: two generations, of which the older one goes when the younger has half of the memory.

use core::hash::Hash;
use revm::primitives::HashMap;

#[derive(Clone)]
pub struct Generations<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    young_bytes: usize,
    generation_bytes: usize,
}

impl<K: Eq + Hash + Clone, V: Clone> Generations<K, V> {
    /// `max_bytes`: the limit for all entries, by the weights passed to `set`.
    pub fn new(max_bytes: usize) -> Self {
        Self {
            young: HashMap::default(),
            old: HashMap::default(),
            young_bytes: 0,
            generation_bytes: max_bytes / 2,
        }
    }

    /// `weight`: bytes that the entry takes if it moves to the younger generation.
    pub fn get(&mut self, key: &K, weight: impl Fn(&V) -> usize) -> Option<V> {
        if let Some(value) = self.young.get(key) {
            return Some(value.clone());
        }
        let value = self.old.remove(key)?;
        self.set(key.clone(), value.clone(), weight(&value));
        Some(value)
    }

    /// Removes the entry. `weight`: the one that it was set with.
    pub fn take(&mut self, key: &K, weight: impl Fn(&V) -> usize) -> Option<V> {
        if let Some(value) = self.young.remove(key) {
            self.young_bytes = self.young_bytes.saturating_sub(weight(&value));
            return Some(value);
        }
        self.old.remove(key)
    }

    pub fn set(&mut self, key: K, value: V, weight: usize) {
        if self.young.insert(key, value).is_none() {
            self.young_bytes += weight;
        }
        if self.young_bytes > self.generation_bytes {
            self.old = core::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
    }

    /// Entries in both generations.
    pub fn count(&self) -> usize {
        self.young.len() + self.old.len()
    }

    pub fn clear(&mut self) {
        self.young = HashMap::default();
        self.old = HashMap::default();
        self.young_bytes = 0;
    }
}
