//! The module's host in the tests: a store in memory, and no help with hashes.

use super::Plain;
use crate::boundary::host::Range;
use crate::keccak::keccak256;
use revm::precompile::Crypto;
use revm::primitives::B256;
use std::cell::RefCell;
use std::collections::HashMap;

#[derive(Default)]
struct Store {
    values: HashMap<Vec<u8>, Vec<u8>>,
    /// Reads of each kind of key, by its letter.
    reads: HashMap<u8, usize>,
    ancestors: usize,
    text: Vec<u8>,
    news: Vec<(u32, Vec<u8>)>,
}

thread_local! {
    static STORE: RefCell<Store> = RefCell::default();
}

/// Forgets everything.
pub fn reset() {
    STORE.take();
}

pub fn put(key: Vec<u8>, value: Option<Vec<u8>>) {
    STORE.with_borrow_mut(|store| match value {
        Some(value) => store.values.insert(key, value),
        None => store.values.remove(&key),
    });
}

/// Reads of keys that begin with `letter` since the last call.
pub fn take_reads(letter: u8) -> usize {
    STORE.with_borrow_mut(|store| store.reads.remove(&letter).unwrap_or(0))
}

/// Ancestors asked for since the last call.
pub fn take_ancestors() -> usize {
    STORE.with_borrow_mut(|store| core::mem::take(&mut store.ancestors))
}

/// What was written since the last call.
pub fn take_text() -> Vec<u8> {
    STORE.with_borrow_mut(|store| core::mem::take(&mut store.text))
}

/// The hash of an ancestor in the tests.
pub fn hash_of_ancestor(number: u64) -> B256 {
    keccak256(number.to_string())
}

/// # Safety
/// As for the module's import of this name; so are the next ones.
pub unsafe fn read(key: *const u8, key_length: usize, out: *mut u8, room: usize) -> i32 {
    // SAFETY: the caller's ranges.
    let (key, out) = unsafe {
        (
            core::slice::from_raw_parts(key, key_length),
            core::slice::from_raw_parts_mut(out, room),
        )
    };
    STORE.with_borrow_mut(|store| {
        *store.reads.entry(key[0]).or_default() += 1;
        let Some(value) = store.values.get(key) else { return -1 };
        if let Some(place) = out.get_mut(..value.len()) {
            place.copy_from_slice(value);
        }
        value.len() as i32
    })
}

pub unsafe fn ask_tell(kind: u32, bytes: *const u8, length: usize) -> u32 {
    // SAFETY: the caller's range.
    let bytes = unsafe { core::slice::from_raw_parts(bytes, length) }.to_vec();
    STORE.with_borrow_mut(|store| store.news.push((kind, bytes)));
    1
}

/// What the tracer was told since the last call.
pub fn take_news() -> Vec<(u32, Vec<u8>)> {
    STORE.with_borrow_mut(|store| core::mem::take(&mut store.news))
}

pub unsafe fn ancestor(number: f64, out: *mut u8) -> u32 {
    STORE.with_borrow_mut(|store| store.ancestors += 1);
    let hash = hash_of_ancestor(number as u64);
    // SAFETY: 32 bytes at `out` are the caller's.
    unsafe { core::ptr::copy_nonoverlapping(hash.as_ptr(), out, 32) };
    1
}

pub unsafe fn stopped() -> u32 {
    0
}

pub unsafe fn write(text: *const u8, length: usize) -> u32 {
    // SAFETY: the caller's range.
    let text = unsafe { core::slice::from_raw_parts(text, length) };
    STORE.with_borrow_mut(|store| store.text.extend_from_slice(text));
    1
}

pub unsafe fn recover(pointer: *mut u8) -> u32 {
    // SAFETY: 97 bytes at `pointer` are the caller's.
    let bytes = unsafe { core::slice::from_raw_parts_mut(pointer, 97) };
    let Ok(signature) = k256::ecdsa::Signature::from_slice(&bytes[32..96]) else {
        return 0;
    };
    let Some(parity) = k256::ecdsa::RecoveryId::from_byte(bytes[96]) else {
        return 0;
    };
    // A signature is valid with either sign of s.
    let (signature, parity) = match signature.normalize_s() {
        None => (signature, parity),
        Some(low) => (low, k256::ecdsa::RecoveryId::new(!parity.is_y_odd(), parity.is_x_reduced())),
    };
    let Ok(key) = k256::ecdsa::VerifyingKey::recover_from_prehash(&bytes[..32], &signature, parity) else {
        return 0;
    };
    bytes[..64].copy_from_slice(&key.to_encoded_point(false).as_bytes()[1..]);
    1
}

pub unsafe fn ask_power(numbers: *const [Range; 3], out: *mut u8, room: usize) -> u32 {
    // SAFETY: the caller's ranges.
    let (out, [base, exponent, modulus]) = unsafe {
        let bytes = |range: &Range| core::slice::from_raw_parts(range.at, range.length);
        let [base, exponent, modulus] = &*numbers;
        (
            core::slice::from_raw_parts_mut(out, room),
            [bytes(base), bytes(exponent), bytes(modulus)],
        )
    };
    let Ok(power) = Plain.modexp(base, exponent, modulus) else {
        return 0;
    };
    out[room - power.len()..].copy_from_slice(&power);
    1
}

pub unsafe fn ask_rounds(_words: *mut u64, _tens: u32) -> u32 {
    0
}

pub unsafe fn ask_hashes(_messages: *const Range, _count: usize, _out: *mut B256) -> u32 {
    0
}

/// Longer messages, so that both ways are tested.
pub unsafe fn ask_sha256(bytes: *const u8, length: usize, out: *mut [u8; 32]) -> u32 {
    if length < 4096 {
        return 0;
    }
    // SAFETY: the caller's ranges.
    unsafe { *out = Plain.sha256(core::slice::from_raw_parts(bytes, length)) };
    1
}

/// The crates' hash function, which they import from the host.
///
/// # Safety
/// As for `hash`.
#[unsafe(no_mangle)]
unsafe extern "C" fn native_keccak256(bytes: *const u8, length: usize, out: *mut u8) {
    // SAFETY: the caller keeps to it.
    unsafe { crate::keccak::hash(bytes, length, out) };
}
