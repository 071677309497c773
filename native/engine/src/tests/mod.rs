//! The engine's tests, run natively: `cargo test`. Nothing of this folder is in the module, and its stamp doesn't cover it.

use revm::precompile::Crypto;

mod arithmetic;
mod gas;
pub mod host;
mod jumps;
mod run;
mod state;
mod state_cases;
mod traces;
mod trie;

/// Random numbers that are the same in each run. Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014)
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }

    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// The crates' own arithmetic.
#[derive(Debug)]
pub struct Plain;

impl Crypto for Plain {}
