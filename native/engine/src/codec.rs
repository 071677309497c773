//! Reading what the host sends and writing what it gets; integers are big-endian. The other side is `wire.ts`.

use revm::primitives::{Address, B256, U256};

/// Lengths and counts were written by our own host: a short input is a fault of the program and ends it.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn bytes(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    pub fn byte(&mut self) -> u8 {
        self.bytes(1)[0]
    }

    pub fn count(&mut self) -> usize {
        self.bytes(4).iter().fold(0, |sum, byte| (sum << 8) | *byte as usize)
    }

    pub fn long(&mut self) -> u64 {
        self.bytes(8).iter().fold(0, |sum, byte| (sum << 8) | *byte as u64)
    }

    pub fn word(&mut self) -> U256 {
        U256::from_be_slice(self.bytes(32))
    }

    pub fn hash(&mut self) -> B256 {
        B256::from_slice(self.bytes(32))
    }

    pub fn address(&mut self) -> Address {
        Address::from_slice(self.bytes(20))
    }

    pub fn blob(&mut self) -> &'a [u8] {
        let length = self.count();
        self.bytes(length)
    }
}

pub fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend_from_slice(&(count as u32).to_be_bytes());
}

pub fn put_blob(out: &mut Vec<u8>, bytes: &[u8]) {
    put_count(out, bytes.len());
    out.extend_from_slice(bytes);
}

/// Stands for the length of an absent value.
const ABSENT: u32 = u32::MAX;

pub fn put_optional(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    match bytes {
        None => out.extend_from_slice(&ABSENT.to_be_bytes()),
        Some(bytes) => put_blob(out, bytes),
    }
}
