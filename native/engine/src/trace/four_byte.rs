//! Counts called selectors, with the length of the data behind them.

use crate::trace::events::{CallStart, Kind, MAX_HELD_BYTES};
use crate::trace::text::Text;
use revm::primitives::HashMap;

/// A selector, and the length of the data behind it.
type Called = ([u8; 4], usize);

/// Memory of a selector and its count.
const ENTRY_BYTES: usize = 100;

#[derive(Default)]
pub struct Selectors {
    /// In the order of their first call.
    counts: Vec<(Called, u64)>,
    places: HashMap<Called, usize>,
}

impl Selectors {
    pub fn is_full(&self) -> bool {
        self.counts.len() * ENTRY_BYTES > MAX_HELD_BYTES
    }

    /// `is_top`: the transaction's own call, which always counts.
    pub fn enter(&mut self, start: &CallStart, is_top: bool) {
        let is_call = !matches!(start.kind, Kind::Create | Kind::Create2 | Kind::SelfDestruct);
        let counts = is_top || (is_call && start.built_in.is_none());
        let Some(called) = start.selector.filter(|_| counts && !self.is_full()) else {
            return;
        };
        let end = self.counts.len();
        let place = *self.places.entry(called).or_insert(end);
        if place == end {
            self.counts.push((called, 0));
        }
        self.counts[place].1 += 1;
    }

    pub fn finish(&self, text: &mut Text) {
        text.short(b"{");
        for (index, ((selector, rest), count)) in self.counts.iter().enumerate() {
            text.short(if index == 0 { b"\"" } else { b",\"" });
            text.data(selector);
            text.short(b"-");
            text.number(*rest as u128);
            text.short(b"\":");
            text.number(*count as u128);
        }
        text.put(b"}");
    }
}
