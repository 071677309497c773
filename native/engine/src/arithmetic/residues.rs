//! Two rings in which powers are computed: numbers modulo an odd number, and modulo a power of two.

use super::limbs::{BITS, Limbs, MASK, carried, difference, from_bytes, negative_inverse, product, reduced, to_bytes};

pub trait Ring {
    type Element: Copy;
    fn one(&self) -> Self::Element;
    fn product(&self, x: &Self::Element, y: &Self::Element) -> Self::Element;
    /// Units of work per product.
    fn work(&self) -> usize;
}

/// Modulo an odd number of at most 29 N - 3 bits. Elements are below twice the modulus, times 2^(29 N).
pub struct Odd<const N: usize> {
    modulus: Limbs<N>,
    twice: Limbs<N>,
    negative_inverse: u64,
    one: Limbs<N>,
    /// 2^(29 N), as an element.
    radix: Limbs<N>,
}

impl<const N: usize> Odd<N> {
    /// From an odd number above 1.
    pub fn new(modulus: Limbs<N>) -> Self {
        let negative_inverse = negative_inverse(modulus[0]);
        let one = radix_modulo(&modulus);
        let twice = doubled(&modulus);
        let mut ring = Self {
            modulus,
            twice,
            negative_inverse,
            one,
            radix: one,
        };
        ring.radix = ring.power_of_two(N * BITS);
        ring
    }

    fn power_of_two(&self, exponent: usize) -> Limbs<N> {
        let mut power = self.one;
        for bit in (0..usize::BITS - exponent.leading_zeros()).rev() {
            power = self.product(&power, &power);
            if exponent >> bit & 1 == 1 {
                power = reduced(doubled(&power), &self.twice);
            }
        }
        power
    }

    /// From big-endian bytes of any length.
    pub fn element(&self, bytes: &[u8]) -> Limbs<N> {
        let most = (N * BITS - 3) / 8;
        let mut parts = bytes.rchunks(most).rev();
        let mut sum = self.part(parts.next().unwrap_or(&[]));
        if bytes.len() > most {
            let shift = self.power_of_two(8 * most);
            for part in parts {
                sum = self.sum(&self.product(&sum, &shift), &self.part(part));
            }
        }
        sum
    }

    fn part(&self, bytes: &[u8]) -> Limbs<N> {
        self.product(&from_bytes(bytes), &self.radix)
    }

    fn sum(&self, x: &Limbs<N>, y: &Limbs<N>) -> Limbs<N> {
        let mut sum = *x;
        sum.iter_mut().zip(y).for_each(|(limb, other)| *limb += other);
        reduced(carried(sum), &self.twice)
    }

    /// The number that an element represents.
    pub fn number(&self, element: &Limbs<N>) -> Limbs<N> {
        let mut plain = [0; N];
        plain[0] = 1;
        reduced(self.product(element, &plain), &self.modulus)
    }
}

/// 2^(29 N) modulo `modulus`, which is above 1: 29 bits of the quotient at a time, each from the highest bits of both, at
/// most two too small.
fn radix_modulo<const N: usize>(modulus: &Limbs<N>) -> Limbs<N> {
    let top = bits(modulus) - 1;
    let skipped = (top + 1).saturating_sub(32);
    let divisor = above(modulus, skipped) + (skipped > 0) as u64;
    let mut rest = [0; N];
    rest[top / BITS] = 1 << (top % BITS);
    rest = reduced(rest, modulus);
    let mut left = N * BITS - top;
    while left > 0 {
        let step = left.min(BITS);
        left -= step;
        rest = carried(rest.map(|limb| limb << step));
        let quotient = above(&rest, skipped) / divisor;
        let mut carry = 0i64;
        for (limb, own) in rest.iter_mut().zip(modulus) {
            let sum = *limb as i64 - (quotient * own) as i64 + carry;
            *limb = sum as u64 & MASK;
            carry = sum >> BITS;
        }
        rest = reduced(reduced(rest, modulus), modulus);
    }
    rest
}

/// Without its lowest `count` bits; they must fit into 64 bits. The highest limb may be longer than the others.
fn above<const N: usize>(limbs: &Limbs<N>, count: usize) -> u64 {
    let (first, bit) = (count / BITS, count % BITS);
    let behind = limbs.iter().enumerate().skip(first + 1).filter(|(_, limb)| **limb != 0);
    behind.fold(limbs[first] >> bit, |sum, (at, limb)| {
        sum + (limb << ((at - first) * BITS - bit))
    })
}

impl<const N: usize> Ring for Odd<N> {
    type Element = Limbs<N>;

    fn one(&self) -> Limbs<N> {
        self.one
    }

    #[inline(always)]
    fn product(&self, x: &Limbs<N>, y: &Limbs<N>) -> Limbs<N> {
        product([(x, y)], &self.modulus, self.negative_inverse)
    }

    fn work(&self) -> usize {
        2 * N * N
    }
}

/// Modulo 2^(29 N).
pub struct Wrapping<const N: usize>;

impl<const N: usize> Ring for Wrapping<N> {
    type Element = Limbs<N>;

    fn one(&self) -> Limbs<N> {
        let mut one = [0; N];
        one[0] = 1;
        one
    }

    #[inline(always)]
    fn product(&self, x: &Limbs<N>, y: &Limbs<N>) -> Limbs<N> {
        let mut sum = [0; N];
        for i in 0..N {
            for j in 0..N - i {
                sum[i + j] += x[i] * y[j];
            }
        }
        let mut low = carried(sum);
        low[N - 1] &= MASK;
        low
    }

    fn work(&self) -> usize {
        N * N
    }
}

impl<const N: usize> Wrapping<N> {
    /// 1 / `odd`, by Newton's iteration, which doubles the correct bits.
    fn inverse(&self, odd: &Limbs<N>) -> Limbs<N> {
        let mut two = [0; N];
        two[0] = 2;
        let mut inverse = *odd;
        let mut known = 3;
        while known < N * BITS {
            let (factor, _) = difference(&two, &self.product(odd, &inverse));
            inverse = self.product(&inverse, &factor);
            known *= 2;
        }
        inverse
    }
}

/// The number below `odd` * 2^`twos` that is `rest` modulo `odd` and `low` modulo 2^`twos`, as big-endian bytes.
pub fn combined<const N: usize>(odd: &Limbs<N>, rest: &Limbs<N>, low: &Limbs<N>, twos: usize, out: &mut [u8]) {
    let ring = Wrapping::<N>;
    let (gap, _) = difference(low, rest);
    let factor = low_bits(ring.product(&gap, &ring.inverse(odd)), twos);
    let mut sum = ring.product(&factor, odd);
    sum.iter_mut().zip(rest).for_each(|(limb, other)| *limb += other);
    to_bytes(&carried(sum), out);
}

pub fn low_bits<const N: usize>(mut limbs: Limbs<N>, count: usize) -> Limbs<N> {
    for (at, limb) in limbs.iter_mut().enumerate() {
        let kept = count.saturating_sub(at * BITS).min(BITS);
        *limb &= (1 << kept) - 1;
    }
    limbs
}

/// Without its lowest `count` bits.
pub fn shifted<const N: usize>(limbs: &Limbs<N>, count: usize) -> Limbs<N> {
    let (skipped, bit) = (count / BITS, count % BITS);
    let limb = |at: usize| limbs.get(at).copied().unwrap_or(0);
    core::array::from_fn(|at| (limb(at + skipped) >> bit | limb(at + skipped + 1) << (BITS - bit)) & MASK)
}

/// Up to the highest bit that is set.
pub fn bits<const N: usize>(limbs: &Limbs<N>) -> usize {
    let top = limbs.iter().rposition(|limb| *limb != 0);
    top.map_or(0, |at| at * BITS + 64 - limbs[at].leading_zeros() as usize)
}

pub fn trailing_zeros<const N: usize>(limbs: &Limbs<N>) -> usize {
    let first = limbs.iter().position(|limb| *limb != 0);
    first.map_or(0, |at| at * BITS + limbs[at].trailing_zeros() as usize)
}

fn doubled<const N: usize>(value: &Limbs<N>) -> Limbs<N> {
    carried(value.map(|limb| limb << 1))
}
