//! Base to the power of an exponent modulo a number, with work that follows the price and an end that the host can make. A modulus of
//! more than 64 bytes is the host's: its own long arithmetic is faster than any in here.

use super::WORK_PER_LOOK;
use super::limbs::{Limbs, from_bytes, to_bytes};
use super::residues::{Odd, Ring, Wrapping, bits, combined, low_bits, shifted, trailing_zeros};
use crate::boundary::host;
use revm::primitives::U256;

/// Longest modulus computed here, in bytes.
const MAX_BYTES: usize = 64;

/// As long as the modulus; None if the host ended it.
pub fn power(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Option<Vec<u8>> {
    let mut out = vec![0; modulus.len()];
    let modulus = trimmed(modulus);
    let base = trimmed(base);
    if matches!(modulus, [] | [1]) {
        return Some(out);
    }
    // Powers of 0 and 1 are what they are: the price counts the exponent, and prlx doesn't compute with it either.
    let is_one = base == [1] || trimmed(exponent).is_empty();
    if is_one || base.is_empty() {
        if let Some(last) = out.last_mut() {
            *last = is_one as u8;
        }
        return Some(out);
    }
    if modulus.len() > MAX_BYTES {
        return host::power(base, exponent, modulus, &mut out).then_some(out);
    }
    let power = match modulus[modulus.len() - 1] & 1 {
        1 => odd_power(base, exponent, modulus),
        _ => even_power(base, exponent, modulus),
    }?;
    let length = out.len().min(MAX_BYTES);
    let (last, shown) = (out.len() - length, MAX_BYTES - length);
    out[last..].copy_from_slice(&power[shown..]);
    Some(out)
}

/// Big-endian.
type Number = [u8; MAX_BYTES];

/// Calls a function for the fewest limbs of 29 bits that hold so many bytes, with three bits to spare.
macro_rules! with_limbs {
    ($bytes:expr, $function:ident($($argument:expr),*)) => {
        match $bytes {
            ..=10 => $function::<3>($($argument),*),
            ..=17 => $function::<5>($($argument),*),
            ..=32 => $function::<9>($($argument),*),
            ..=43 => $function::<12>($($argument),*),
            ..=54 => $function::<15>($($argument),*),
            _ => $function::<18>($($argument),*),
        }
    };
}

/// None if it was ended.
fn odd_power(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Option<Number> {
    with_limbs!(modulus.len(), odd_power_in(base, exponent, modulus))
}

fn odd_power_in<const N: usize>(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Option<Number> {
    let ring = Odd::<N>::new(from_bytes(modulus));
    let power = raised(&ring, &ring.element(base), exponent)?;
    Some(as_number(&ring.number(&power)))
}

/// An even modulus is an odd number times a power of two: the remainders by both are computed, each as long as it needs.
fn even_power(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Option<Number> {
    with_limbs!(modulus.len(), even_power_in(base, exponent, modulus))
}

fn even_power_in<const N: usize>(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Option<Number> {
    let modulus: Limbs<N> = from_bytes(modulus);
    let twos = trailing_zeros(&modulus);
    let odd = shifted(&modulus, twos);
    let low = with_limbs!(twos.div_ceil(8), low_power_in(base, exponent))?;
    let low = low_bits(from_bytes::<N>(&low[MAX_BYTES - twos.div_ceil(8)..]), twos);
    if bits(&odd) == 1 {
        return Some(as_number(&low));
    }
    let rest = from_bytes(&odd_power(base, exponent, trimmed(&as_number(&odd)))?);
    let mut out = [0; MAX_BYTES];
    combined(&odd, &rest, &low, twos, &mut out);
    Some(out)
}

/// The lowest bits of the power, at least 29 N - 8 of them.
fn low_power_in<const N: usize>(base: &[u8], exponent: &[u8]) -> Option<Number> {
    let low_base = from_bytes(&base[base.len().saturating_sub(N * 29 / 8)..]);
    Some(as_number(&raised(&Wrapping::<N>, &low_base, exponent)?))
}

fn as_number<const N: usize>(limbs: &Limbs<N>) -> Number {
    let mut out = [0; MAX_BYTES];
    to_bytes(limbs, &mut out);
    out
}

/// Modulo 2^256, as EXP needs it.
pub fn wrapping_power(base: U256, exponent: U256) -> U256 {
    if let [short @ ..=MAX_SHORT_EXPONENT, 0, 0, 0] = exponent.as_limbs() {
        return short_power(base, *short);
    }
    let [base, exponent] = [base, exponent].map(|number| number.to_be_bytes::<32>());
    let mut out = [0; 32];
    // An exponent of 256 bits never asks the host.
    if let Some(power) = raised(&Wrapping::<9>, &from_bytes(&base), &exponent) {
        to_bytes(&power, &mut out);
    }
    U256::from_be_bytes(out)
}

/// Such an exponent costs so little that the numbers must stay in the form in which they are on the stack.
const MAX_SHORT_EXPONENT: u64 = 255;

/// Two bits of the exponent at a time, the highest first.
fn short_power(base: U256, exponent: u64) -> U256 {
    let powers = [U256::ONE, base, square(base), U256::ZERO];
    let cube = if exponent & (exponent >> 1) & 0x55 != 0 {
        powers[2].wrapping_mul(base)
    } else {
        U256::ZERO
    };
    let pairs = (u64::BITS - exponent.leading_zeros()).div_ceil(2);
    let mut power = U256::ONE;
    for pair in (0..pairs).rev() {
        let digit = (exponent >> (2 * pair)) & 3;
        let factor = if digit == 3 { cube } else { powers[digit as usize] };
        if pair + 1 == pairs {
            power = factor;
            continue;
        }
        power = square(square(power));
        if digit != 0 {
            power = power.wrapping_mul(factor);
        }
    }
    power
}

/// Modulo 2^256. Each product of two different limbs counts twice, and is computed once.
fn square(number: U256) -> U256 {
    let [a, b, c, d] = *number.as_limbs();
    let wide = |one: u64, other: u64| one as u128 * other as u128;
    let (ab, ac, bb) = (wide(a, b), wide(a, c), wide(b, b));
    let low = wide(a, a);
    let second = (low >> 64) + (ab as u64 as u128) * 2;
    let third = (second >> 64) + (ab >> 64) * 2 + (ac as u64 as u128) * 2 + bb as u64 as u128;
    let outer = a.wrapping_mul(d).wrapping_add(b.wrapping_mul(c)).wrapping_mul(2);
    let fourth = ((third >> 64) as u64)
        .wrapping_add(((ac >> 64) as u64).wrapping_mul(2))
        .wrapping_add((bb >> 64) as u64)
        .wrapping_add(outer);
    U256::from_limbs([low as u64, second as u64, third as u64, fourth])
}

fn trimmed(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    &bytes[zeros..]
}

/// Four bits of the exponent at a time. None if it was ended.
fn raised<R: Ring>(ring: &R, base: &R::Element, exponent: &[u8]) -> Option<R::Element> {
    let mut powers = vec![ring.one(), *base];
    let mut result = ring.one();
    let mut has_begun = false;
    let mut work = 0;
    for byte in trimmed(exponent) {
        work += 10 * ring.work();
        if work >= WORK_PER_LOOK {
            work = 0;
            if host::is_stopped() {
                return None;
            }
        }
        for digit in [byte >> 4, byte & 15].map(usize::from) {
            if has_begun {
                for _ in 0..4 {
                    result = ring.product(&result, &result);
                }
            }
            if digit == 0 {
                continue;
            }
            while powers.len() <= digit {
                powers.push(ring.product(&powers[powers.len() - 1], base));
            }
            result = if has_begun {
                ring.product(&result, &powers[digit])
            } else {
                powers[digit]
            };
            has_begun = true;
        }
    }
    Some(result)
}
