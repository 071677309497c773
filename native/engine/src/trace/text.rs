//! JSON text on its way to the host: hexadecimal digits, numbers, and the chunks in which it leaves the module.

use crate::boundary::host;
use revm::primitives::{Address, U256};

/// A full chunk goes to the host at once, so that a long text is never held as a whole.
const CHUNK_BYTES: usize = 128 << 10;
/// Digits of a word.
pub const WORD_DIGITS: usize = 64;

/// Collects text. Once the host has refused a chunk, it drops everything: the run is over.
pub struct Text {
    bytes: Vec<u8>,
    is_refused: bool,
}

impl Text {
    pub fn new() -> Self {
        Self {
            bytes: Vec::with_capacity(CHUNK_BYTES + (8 << 10)),
            is_refused: false,
        }
    }

    pub fn put(&mut self, text: &[u8]) {
        for part in text.chunks(CHUNK_BYTES) {
            self.bytes.extend_from_slice(part);
            self.send_full();
        }
    }

    /// For short pieces: the chunk grows beyond its size until the next `put`.
    pub fn short(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
    }

    /// Appends what `put` writes.
    pub fn named(&mut self, put: impl FnOnce(&mut Vec<u8>)) {
        put(&mut self.bytes);
    }

    /// A text without characters that JSON escapes.
    pub fn quoted(&mut self, text: &str) {
        self.short(b"\"");
        self.short(text.as_bytes());
        self.short(b"\"");
    }

    pub fn number(&mut self, value: u128) {
        put_number(&mut self.bytes, value);
    }

    /// `0x` and the digits of all bytes.
    pub fn data(&mut self, data: &[u8]) {
        self.short(b"0x");
        self.digits(data);
    }

    /// The digits of all bytes.
    pub fn digits(&mut self, data: &[u8]) {
        for part in data.chunks(CHUNK_BYTES / 2) {
            put_digits(&mut self.bytes, part);
            self.send_full();
        }
    }

    pub fn address(&mut self, address: &Address) {
        self.data(address.as_slice());
    }

    /// A QUANTITY: `0x` and digits without leading zeros.
    pub fn quantity(&mut self, value: U256) {
        let mut digits = [0; WORD_DIGITS];
        write_word(&mut digits, &value);
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        self.short(b"0x");
        self.short(&digits[zeros.min(WORD_DIGITS - 1)..]);
    }

    /// What wasn't sent.
    pub fn rest(self) -> Vec<u8> {
        self.bytes
    }

    fn send_full(&mut self) {
        if self.bytes.len() < CHUNK_BYTES {
            return;
        }
        self.is_refused = self.is_refused || !host::write_text(&self.bytes);
        self.bytes.clear();
    }
}

pub fn put_number(out: &mut Vec<u8>, mut value: u128) {
    let mut digits = [0u8; 40];
    let mut at = digits.len();
    while value > u64::MAX as u128 {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    let mut value = value as u64;
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

pub fn put_digits(out: &mut Vec<u8>, data: &[u8]) {
    let mut words = data.chunks_exact(4);
    for word in &mut words {
        out.extend_from_slice(&digits_of(u32::from_be_bytes([word[0], word[1], word[2], word[3]])));
    }
    for byte in words.remainder() {
        out.extend_from_slice(&digits_of(*byte as u32)[6..]);
    }
}

/// All 64 digits.
pub fn write_word(out: &mut [u8; WORD_DIGITS], word: &U256) {
    for (limb, place) in word.as_limbs().iter().rev().zip(out.chunks_exact_mut(16)) {
        place[..8].copy_from_slice(&digits_of((limb >> 32) as u32));
        place[8..].copy_from_slice(&digits_of(*limb as u32));
    }
}

/// Eight lower-case digits, all at once: one per byte of a 64-bit number.
#[inline(always)]
fn digits_of(value: u32) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let value = value as u64;
    let pairs = (value | (value << 16)) & 0x0000_ffff_0000_ffff;
    let bytes = (pairs | (pairs << 8)) & 0x00ff_00ff_00ff_00ff;
    let halves = (bytes | (bytes << 4)) & (15 * ONES);
    let letters = ((halves + 6 * ONES) >> 4) & ONES;
    let to_letter = (b'a' - b'0' - 10) as u64;
    (halves + b'0' as u64 * ONES + letters * to_letter).to_be_bytes()
}
