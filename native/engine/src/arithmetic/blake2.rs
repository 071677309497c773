//! BLAKE2b's compression with any number of rounds, which the host can end. Source: RFC 7693, EIP-152

use crate::boundary::host;

const INITIAL: [u64; 8] = [
    0x6a09e667f3bcc908,
    0xbb67ae8584caa73b,
    0x3c6ef372fe94f82b,
    0xa54ff53a5f1d36f1,
    0x510e527fade682d1,
    0x9b05688c2b3e6c1f,
    0x1f83d9abfb41bd6b,
    0x5be0cd19137e2179,
];

const ORDER: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// Rounds per call of `tens_of_rounds`: under a millisecond, or four while V8 hasn't optimized them yet.
const TENS_PER_CALL: u32 = 2_000;
/// Calls between two queries to the host: a few milliseconds.
const CALLS_PER_LOOK: u32 = 10;
/// The host has wider registers, but fewer rounds are done here before it could be asked.
const MIN_TENS_FOR_HOST: u32 = 8;

/// Leaves `words` unfinished if the host ends it.
pub fn compress(rounds: u32, words: &mut [u64; 8], message: &[u64; 16], offset: &[u64; 2], is_last: bool) {
    let mut state = [0; 16];
    state[..8].copy_from_slice(words);
    state[8..].copy_from_slice(&INITIAL);
    state[12] ^= offset[0];
    state[13] ^= offset[1];
    if is_last {
        state[14] = !state[14];
    }
    let tens = rounds / 10;
    for call in 0..tens.div_ceil(TENS_PER_CALL) {
        if call % CALLS_PER_LOOK == CALLS_PER_LOOK - 1 && host::is_stopped() {
            return;
        }
        let count = TENS_PER_CALL.min(tens - call * TENS_PER_CALL);
        if count < MIN_TENS_FOR_HOST || !host::rounds(count, &mut state, message) {
            tens_of_rounds(count, &mut state, message);
        }
    }
    for order in &ORDER[..rounds as usize % 10] {
        round(&mut state, message, order);
    }
    for at in 0..8 {
        words[at] ^= state[at] ^ state[at + 8];
    }
}

/// A separate function, called often: V8 starts with code that is ten times slower, and never replaces it in a call that is
/// running.
#[inline(never)]
fn tens_of_rounds(tens: u32, state: &mut [u64; 16], message: &[u64; 16]) {
    for _ in 0..tens {
        ten_rounds(state, message);
    }
}

#[inline(always)]
fn ten_rounds(state: &mut [u64; 16], message: &[u64; 16]) {
    round(state, message, const { &ORDER[0] });
    round(state, message, const { &ORDER[1] });
    round(state, message, const { &ORDER[2] });
    round(state, message, const { &ORDER[3] });
    round(state, message, const { &ORDER[4] });
    round(state, message, const { &ORDER[5] });
    round(state, message, const { &ORDER[6] });
    round(state, message, const { &ORDER[7] });
    round(state, message, const { &ORDER[8] });
    round(state, message, const { &ORDER[9] });
}

#[inline(always)]
fn round(state: &mut [u64; 16], message: &[u64; 16], order: &[usize; 16]) {
    let m = |at: usize| message[order[at] & 15];
    mix(state, [0, 4, 8, 12], m(0), m(1));
    mix(state, [1, 5, 9, 13], m(2), m(3));
    mix(state, [2, 6, 10, 14], m(4), m(5));
    mix(state, [3, 7, 11, 15], m(6), m(7));
    mix(state, [0, 5, 10, 15], m(8), m(9));
    mix(state, [1, 6, 11, 12], m(10), m(11));
    mix(state, [2, 7, 8, 13], m(12), m(13));
    mix(state, [3, 4, 9, 14], m(14), m(15));
}

#[inline(always)]
fn mix(v: &mut [u64; 16], [a, b, c, d]: [usize; 4], x: u64, y: u64) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(32);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(24);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(63);
}
