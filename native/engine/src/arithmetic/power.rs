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
    if trimmed(exponent).is_empty() {
        if let Some(last) = out.last_mut() {
            *last = 1;
        }
        return Some(out);
    }
    if modulus.len() > MAX_BYTES {
        return host::power(base, exponent, modulus, &mut out).then_some(out);
    }
    // Limbs of 29 bits, of which the three highest bits stay free.
    match modulus.len() {
        ..=10 => within::<3>(base, exponent, modulus, &mut out),
        ..=17 => within::<5>(base, exponent, modulus, &mut out),
        ..=32 => within::<9>(base, exponent, modulus, &mut out),
        _ => within::<18>(base, exponent, modulus, &mut out),
    }
    .then_some(out)
}

/// Modulo 2^256, as EXP needs it.
pub fn wrapping_power(base: U256, exponent: U256) -> U256 {
    let [base, exponent] = [base, exponent].map(|number| number.to_be_bytes::<32>());
    let mut out = [0; 32];
    // An exponent of 256 bits never asks the host.
    if let Some(power) = raised(&Wrapping::<9>, &from_bytes(&base), &exponent) {
        to_bytes(&power, &mut out);
    }
    U256::from_be_bytes(out)
}

fn trimmed(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    &bytes[zeros..]
}

/// False if it was ended. An even modulus is an odd number times a power of two: the remainders by both are computed.
fn within<const N: usize>(base: &[u8], exponent: &[u8], modulus: &[u8], out: &mut [u8]) -> bool {
    let modulus: Limbs<N> = from_bytes(modulus);
    let twos = trailing_zeros(&modulus);
    let odd = shifted(&modulus, twos);
    let is_power_of_two = bits(&odd) == 1;
    let mut rest = [0; N];
    if !is_power_of_two {
        let ring = Odd::new(odd);
        let Some(power) = raised(&ring, &ring.element(base), exponent) else {
            return false;
        };
        rest = ring.number(&power);
    }
    if twos == 0 {
        to_bytes(&rest, out);
        return true;
    }
    // What is above 2^(29 N) doesn't matter here.
    let low_base = from_bytes(&base[base.len().saturating_sub(N * 29 / 8)..]);
    let Some(power) = raised(&Wrapping::<N>, &low_base, exponent) else {
        return false;
    };
    let low = low_bits(power, twos);
    if is_power_of_two {
        to_bytes(&low, out);
    } else {
        combined(&odd, &rest, &low, twos, out);
    }
    true
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
