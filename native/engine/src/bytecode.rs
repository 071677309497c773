//! Code as revm takes it, with its jump destinations, or without them until it jumps.

use core::ptr;
use revm::bytecode::opcode::{JUMPDEST, PUSH1};
use revm::bytecode::{Bytecode, JumpTable};
use revm::primitives::Bytes;

/// More than the memory that a block's gas pays for; longer code is searched immediately.
const MAX_RAW_BYTES: usize = 24 << 20;

thread_local! {
    /// Stands for the jump destinations of code that wasn't searched; recognized by address, not by content. Created on first
    /// use: a constant would be in the module's file, zero by zero.
    static NOT_ANALYZED: &'static [u8] = vec![0; MAX_RAW_BYTES / 8].leak();
}

/// Zeros after the code: what the longest PUSH in its last byte would read, and a STOP.
const PADDING: usize = 33;

/// Its jump destinations are searched when it jumps, see `is_raw`.
pub fn raw(code: Bytes) -> Bytecode {
    let length = code.len();
    if length > MAX_RAW_BYTES {
        return analyzed(code);
    }
    let table = JumpTable::from_static_slice(NOT_ANALYZED.with(|zeros| *zeros), MAX_RAW_BYTES);
    // SAFETY: behind each byte that can be an instruction lie PADDING bytes, and the last is a STOP.
    unsafe { Bytecode::new_analyzed(padded(code), length, table) }
}

/// Of code that hasn't been searched.
pub fn is_raw(table: &JumpTable) -> bool {
    NOT_ANALYZED.with(|zeros| ptr::eq(table.as_slice(), *zeros))
}

/// Always plain code: these rules know no other kind, whatever its first bytes are.
pub fn analyzed(code: Bytes) -> Bytecode {
    let length = code.len();
    search(padded(code), length)
}

/// `padded`: the code, `length` bytes, with its padding.
pub fn search(padded: Bytes, length: usize) -> Bytecode {
    let table = JumpTable::from_slice(&destinations(&padded[..length]), length);
    // SAFETY: as above.
    unsafe { Bytecode::new_analyzed(padded, length, table) }
}

const WORD: usize = 8;
const ONES: u64 = u64::from_le_bytes([1; WORD]);
const HIGH_BITS: u64 = ONES << 7;
const JUMPDESTS: u64 = ONES * JUMPDEST as u64;
/// PUSH1 to PUSH32, and only they, begin with these three bits.
const PUSHES: u64 = ONES * PUSH1 as u64;
const PUSH_BITS: u64 = ONES * 0xe0;

/// Behind a PUSH, this many bytes are searched one by one: more of them are likely.
const DENSE_BYTES: usize = 64;

/// One bit per byte, the lowest first: whether it is a jump destination. Eight bytes without a PUSH are searched at once:
/// whoever creates long contracts pays nothing for their length.
fn destinations(code: &[u8]) -> Vec<u8> {
    let mut table = vec![0; code.len().div_ceil(8)];
    let mut at = 0;
    while at < code.len() {
        if let Some(bytes) = code.get(at..at + WORD).and_then(|bytes| bytes.first_chunk()) {
            let word = u64::from_le_bytes(*bytes);
            if zeros((word & PUSH_BITS) ^ PUSHES) == 0 {
                let found = zeros(word ^ JUMPDESTS);
                if found != 0 {
                    mark(&mut table, at, found);
                }
                at += WORD;
                continue;
            }
        }
        let dense = &code[..code.len().min(at + DENSE_BYTES)];
        while let Some(operation) = dense.get(at) {
            let pushed = operation.wrapping_sub(PUSH1);
            if pushed < 32 {
                at += pushed as usize + 2;
                continue;
            }
            if *operation == JUMPDEST {
                table[at / 8] |= 1 << (at % 8);
            }
            at += 1;
        }
    }
    table
}

/// The high bit of each byte that is zero.
fn zeros(word: u64) -> u64 {
    !(((word & !HIGH_BITS) + !HIGH_BITS) | word | !HIGH_BITS)
}

/// Sets the bits of the bytes from `at` on whose high bits are set in `found`.
fn mark(table: &mut [u8], at: usize, found: u64) {
    // One bit per byte, moved together in the highest byte.
    let bits = ((found >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (at % 8);
    table[at / 8] |= bits as u8;
    if let Some(next) = table.get_mut(at / 8 + 1) {
        *next |= (bits >> 8) as u8;
    }
}

fn padded(code: Bytes) -> Bytes {
    let is_padded = code.len() >= PADDING && code[code.len() - PADDING..].iter().all(|byte| *byte == 0);
    if is_padded {
        return code;
    }
    let mut longer = Vec::with_capacity(code.len() + PADDING);
    longer.extend_from_slice(&code);
    longer.resize(code.len() + PADDING, 0);
    longer.into()
}
