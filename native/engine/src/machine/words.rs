//! Words and code as the most common instructions need them.

use revm::bytecode::opcode::{JUMPI, PUSH1, PUSH2};
use revm::primitives::U256;

pub const WORD_BYTES: usize = 32;

/// The destination of a conditional jump at `at`, pushed in one or two bytes, and where the code continues behind it; 0 if there
/// is something else.
///
/// # Safety
/// `at` is the address of an instruction in padded code.
#[inline(always)]
pub unsafe fn branch(code: *const u8, at: usize) -> (usize, usize) {
    // SAFETY: padding of 33 bytes follows the code, and an instruction is at most 3 bytes ahead here.
    let byte = |place: usize| unsafe { *code.add(place) } as usize;
    match byte(at) as u8 {
        PUSH1 if byte(at + 2) as u8 == JUMPI => (byte(at + 1), at + 3),
        PUSH2 if byte(at + 3) as u8 == JUMPI => ((byte(at + 1) << 8) | byte(at + 2), at + 4),
        _ => (0, 0),
    }
}

/// The carry rarely goes beyond the first limb.
#[inline(always)]
pub fn add_small(word: &mut U256, by: u64) {
    // SAFETY: a number of 256 bits has no unused bits in its limbs.
    let limbs = unsafe { word.as_limbs_mut() };
    let (low, mut carries) = limbs[0].overflowing_add(by);
    limbs[0] = low;
    for limb in &mut limbs[1..] {
        if !carries {
            break;
        }
        (*limb, carries) = limb.overflowing_add(1);
    }
}

/// The same for a borrow.
#[inline(always)]
pub fn subtract_small(word: &mut U256, by: u64) {
    // SAFETY: as above.
    let limbs = unsafe { word.as_limbs_mut() };
    let (low, mut borrows) = limbs[0].overflowing_sub(by);
    limbs[0] = low;
    for limb in &mut limbs[1..] {
        if !borrows {
            break;
        }
        (*limb, borrows) = limb.overflowing_sub(1);
    }
}

/// The number, if it has one limb.
pub fn limb(word: &U256) -> Option<u64> {
    match word.as_limbs() {
        [low, 0, 0, 0] => Some(*low),
        _ => None,
    }
}

/// None if everything is shifted out.
pub fn shift(by: U256) -> Option<usize> {
    limb(&by).filter(|by| *by < 256).map(|by| by as usize)
}

pub fn offset(word: &U256) -> usize {
    limb(word).and_then(|low| usize::try_from(low).ok()).unwrap_or(usize::MAX)
}

/// Address of a word, if it needs no more memory than there is.
pub fn place_within(word: &U256, length: usize) -> Option<usize> {
    let last = length.checked_sub(WORD_BYTES)?;
    limb(word).filter(|place| *place <= last as u64).map(|place| place as usize)
}

/// For two's complement numbers.
pub fn is_less_signed(one: &U256, other: &U256) -> bool {
    let is_negative = |word: &U256| word.as_limbs()[3] >> 63 != 0;
    match (is_negative(one), is_negative(other)) {
        (true, false) => true,
        (false, true) => false,
        _ => one < other,
    }
}

/// The number in `length` bytes, most significant first.
///
/// # Safety
/// `length` bytes lie at `at`; it is at most 32.
#[inline(always)]
pub unsafe fn pushed(at: *const u8, length: usize) -> U256 {
    let mut limbs = [0u64; 4];
    let mut left = length;
    let mut index = 0;
    while left >= 8 {
        left -= 8;
        // SAFETY: eight of the bytes that the caller promises.
        limbs[index] = u64::from_be_bytes(unsafe { at.add(left).cast::<[u8; 8]>().read_unaligned() });
        index += 1;
    }
    for place in 0..left {
        // SAFETY: one of them.
        limbs[index] = (limbs[index] << 8) | unsafe { *at.add(place) } as u64;
    }
    U256::from_limbs(limbs)
}
