//! Numbers in limbs of 29 bits, the lowest first, and Montgomery's product of them. The products of 18 limbs add up in 64 bits
//! without a carry, which WebAssembly has no instruction for: twice the speed of limbs of 64 bits there.

pub const BITS: usize = 29;
pub const MASK: u64 = (1 << BITS) - 1;

pub type Limbs<const N: usize> = [u64; N];

/// -1 / `odd` modulo 2^29, by Newton's iteration.
pub const fn negative_inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut known = 3;
    while known < BITS {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        known *= 2;
    }
    inverse.wrapping_neg() & MASK
}

/// The sum of `pairs`' products divided by 2^(29 N), modulo `modulus`: below `modulus` plus the sum divided by 2^(29 N).
/// Limbs must be below 2^29; at most 18 of them in one product, 9 in two.
#[inline(always)]
pub fn product<const N: usize, const P: usize>(
    pairs: [(&Limbs<N>, &Limbs<N>); P],
    modulus: &Limbs<N>,
    negative_inverse: u64,
) -> Limbs<N> {
    let mut sum = [0u64; N];
    for i in 0..N {
        for (x, y) in pairs {
            for j in 0..N {
                sum[j] += x[i] * y[j];
            }
        }
        let factor = (sum[0] as u32).wrapping_mul(negative_inverse as u32) as u64 & MASK;
        let carry = (sum[0] + factor * modulus[0]) >> BITS;
        for j in 1..N {
            sum[j - 1] = sum[j] + factor * modulus[j];
        }
        sum[N - 1] = 0;
        sum[0] += carry;
    }
    carried(sum)
}

/// With every limb but the highest below 2^29.
#[inline(always)]
pub fn carried<const N: usize>(mut sum: Limbs<N>) -> Limbs<N> {
    for j in 1..N {
        sum[j] += sum[j - 1] >> BITS;
        sum[j - 1] &= MASK;
    }
    sum
}

/// `value` minus `modulus`, unless it is already below it.
#[inline(always)]
pub fn reduced<const N: usize>(value: Limbs<N>, modulus: &Limbs<N>) -> Limbs<N> {
    let (rest, is_below) = difference(&value, modulus);
    if is_below { value } else { rest }
}

/// `from` - `value` modulo 2^(29 N), and whether it is negative.
#[inline(always)]
pub fn difference<const N: usize>(from: &Limbs<N>, value: &Limbs<N>) -> (Limbs<N>, bool) {
    let mut rest = [0; N];
    let mut borrow = 0;
    for j in 0..N {
        let limb = from[j].wrapping_sub(value[j]).wrapping_sub(borrow);
        borrow = limb >> 63;
        rest[j] = limb & MASK;
    }
    (rest, borrow == 1)
}

/// From big-endian bytes, whose number must fit.
pub fn from_bytes<const N: usize>(bytes: &[u8]) -> Limbs<N> {
    let mut limbs = [0; N];
    for (index, byte) in bytes.iter().rev().enumerate() {
        if *byte == 0 {
            continue;
        }
        let (at, shift) = (8 * index / BITS, 8 * index % BITS);
        let part = (*byte as u64) << shift;
        limbs[at] |= part & MASK;
        if part > MASK {
            limbs[at + 1] |= part >> BITS;
        }
    }
    limbs
}

/// As big-endian bytes; what doesn't fit is cut off.
pub fn to_bytes<const N: usize>(limbs: &Limbs<N>, out: &mut [u8]) {
    for (index, byte) in out.iter_mut().rev().enumerate() {
        let (at, shift) = (8 * index / BITS, 8 * index % BITS);
        let low = limbs.get(at).copied().unwrap_or(0) >> shift;
        let high = limbs.get(at + 1).copied().unwrap_or(0) << (BITS - shift);
        *byte = (low | high) as u8;
    }
}
