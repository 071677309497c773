//! The base field of the curve bn254, its extensions and its two groups as ark-bn254 has them, with a product that is twice as
//! fast in WebAssembly. Constants are that crate's: both hold numbers times 2^256.

use super::limbs::{BITS, Limbs, MASK, negative_inverse, product};
use ark_bn254::{Fr, g1, g2};
use ark_ec::bn::{BnConfig, TwistType};
use ark_ec::models::CurveConfig;
use ark_ec::models::short_weierstrass::{Affine, SWCurveConfig};
use ark_ec::scalar_mul::glv::GLVConfig;
use ark_ec::short_weierstrass::Projective;
use ark_ff::fields::{Fp2, Fp2Config, Fp6, Fp6Config, Fp12Config, Fp256, MontBackend, MontConfig};
use ark_ff::{AdditiveGroup, BigInt, Field, PrimeField};

const LIMBS: usize = 9;
/// The product of limbs is divided by 2^261, the field's product by 2^256: one factor is multiplied by 32.
const SHIFT: usize = LIMBS * BITS - 256;
const MODULUS: BigInt<4> = <ark_bn254::FqConfig as MontConfig<4>>::MODULUS;
const MODULUS_LIMBS: Limbs<LIMBS> = limbs_of(&MODULUS.0, 0);
const NEGATIVE_INVERSE: u64 = negative_inverse(MODULUS.0[0]);

pub struct FqConfig;
pub type Fq = Fp256<MontBackend<FqConfig, 4>>;

impl MontConfig<4> for FqConfig {
    const MODULUS: BigInt<4> = MODULUS;
    const GENERATOR: Fq = same(<ark_bn254::FqConfig as MontConfig<4>>::GENERATOR);
    const TWO_ADIC_ROOT_OF_UNITY: Fq = same(<ark_bn254::FqConfig as MontConfig<4>>::TWO_ADIC_ROOT_OF_UNITY);

    #[inline(always)]
    fn add_assign(a: &mut Fq, b: &Fq) {
        a.0.0 = below_modulus(sum(&a.0.0, &b.0.0));
    }

    #[inline(always)]
    fn double_in_place(a: &mut Fq) {
        a.0.0 = below_modulus(sum(&a.0.0, &a.0.0));
    }

    #[inline(always)]
    fn sub_assign(a: &mut Fq, b: &Fq) {
        let (rest, is_below) = difference(&a.0.0, &b.0.0);
        let mask = (is_below as u64).wrapping_neg();
        a.0.0 = sum(&rest, &MODULUS.0.map(|word| word & mask));
    }

    #[inline(always)]
    fn mul_assign(a: &mut Fq, b: &Fq) {
        *a = multiplied(a, b);
    }

    #[inline(always)]
    fn square_in_place(a: &mut Fq) {
        *a = multiplied(a, a);
    }

    #[inline(always)]
    fn sum_of_products<const M: usize>(a: &[Fq; M], b: &[Fq; M]) -> Fq {
        let mut sum = Fq::ZERO;
        let (twos, rest) = (a.chunks_exact(2).zip(b.chunks_exact(2)), M & !1);
        for (a, b) in twos {
            sum += two_products([&a[0], &a[1]], [&b[0], &b[1]]);
        }
        for at in rest..M {
            sum += multiplied(&a[at], &b[at]);
        }
        sum
    }
}

const fn same(element: ark_bn254::Fq) -> Fq {
    Fq::new_unchecked(element.0)
}

const fn same2(element: ark_bn254::Fq2) -> Fq2 {
    Fq2::new(same(element.c0), same(element.c1))
}

const fn all_same(from: &[ark_bn254::Fq2]) -> [Fq2; 6] {
    let mut all = [same2(from[0]); 6];
    let mut at = 1;
    while at < 6 {
        all[at] = same2(from[at]);
        at += 1;
    }
    all
}

const fn limbs_of(words: &[u64; 4], shift: usize) -> Limbs<LIMBS> {
    let mut limbs = [0; LIMBS];
    let mut at = 0;
    while at < LIMBS {
        // From bit `first` on, which is below zero in the lowest limb of a shifted number.
        let first = at * BITS;
        limbs[at] = if first < shift {
            (words[0] << (shift - first)) & MASK
        } else {
            let (word, bit) = ((first - shift) / 64, (first - shift) % 64);
            let low = words[word] >> bit;
            let high = if bit > 64 - BITS && word < 3 {
                words[word + 1] << (64 - bit)
            } else {
                0
            };
            (low | high) & MASK
        };
        at += 1;
    }
    limbs
}

#[inline(always)]
fn multiplied(a: &Fq, b: &Fq) -> Fq {
    let (x, y) = (limbs_of(&a.0.0, SHIFT), limbs_of(&b.0.0, 0));
    element(product([(&x, &y)], &MODULUS_LIMBS, NEGATIVE_INVERSE))
}

#[inline(always)]
fn two_products(a: [&Fq; 2], b: [&Fq; 2]) -> Fq {
    let x = a.map(|a| limbs_of(&a.0.0, SHIFT));
    let y = b.map(|b| limbs_of(&b.0.0, 0));
    element(product([(&x[0], &y[0]), (&x[1], &y[1])], &MODULUS_LIMBS, NEGATIVE_INVERSE))
}

/// From limbs below twice the modulus.
#[inline(always)]
fn element(limbs: Limbs<LIMBS>) -> Fq {
    let mut words = [0u64; 4];
    for (at, limb) in limbs.iter().enumerate() {
        let (word, bit) = (at * BITS / 64, at * BITS % 64);
        words[word] |= limb << bit;
        if bit > 64 - BITS && word < 3 {
            words[word + 1] |= limb >> (64 - bit);
        }
    }
    Fq::new_unchecked(BigInt(below_modulus(words)))
}

/// Modulo 2^256.
#[inline(always)]
fn sum(one: &[u64; 4], other: &[u64; 4]) -> [u64; 4] {
    let mut sum = [0; 4];
    let mut carry = false;
    for at in 0..4 {
        let (once, first) = one[at].overflowing_add(other[at]);
        let (twice, second) = once.overflowing_add(carry as u64);
        sum[at] = twice;
        carry = first | second;
    }
    sum
}

/// Of a number below twice the modulus. Without a branch, which would be mispredicted half of the time.
#[inline(always)]
fn below_modulus(words: [u64; 4]) -> [u64; 4] {
    let (rest, is_below) = difference(&words, &MODULUS.0);
    let mask = (is_below as u64).wrapping_neg();
    core::array::from_fn(|at| rest[at] ^ ((rest[at] ^ words[at]) & mask))
}

/// Modulo 2^256, and whether it is negative.
#[inline(always)]
fn difference(from: &[u64; 4], value: &[u64; 4]) -> ([u64; 4], bool) {
    let mut rest = [0; 4];
    let mut borrow = false;
    for at in 0..4 {
        let (once, first) = from[at].overflowing_sub(value[at]);
        let (twice, second) = once.overflowing_sub(borrow as u64);
        rest[at] = twice;
        borrow = first | second;
    }
    (rest, borrow)
}

pub type Fq2 = Fp2<Fq2Config>;
pub struct Fq2Config;

impl Fp2Config for Fq2Config {
    type Fp = Fq;
    const NONRESIDUE: Fq = same(<ark_bn254::Fq2Config as Fp2Config>::NONRESIDUE);
    const FROBENIUS_COEFF_FP2_C1: &'static [Fq] = &[
        same(<ark_bn254::Fq2Config as Fp2Config>::FROBENIUS_COEFF_FP2_C1[0]),
        same(<ark_bn254::Fq2Config as Fp2Config>::FROBENIUS_COEFF_FP2_C1[1]),
    ];

    #[inline(always)]
    fn mul_fp_by_nonresidue_in_place(element: &mut Fq) -> &mut Fq {
        element.neg_in_place()
    }
}

pub type Fq6 = Fp6<Fq6Config>;
#[derive(Clone, Copy)]
pub struct Fq6Config;

impl Fp6Config for Fq6Config {
    type Fp2Config = Fq2Config;
    const NONRESIDUE: Fq2 = same2(<ark_bn254::Fq6Config as Fp6Config>::NONRESIDUE);
    const FROBENIUS_COEFF_FP6_C1: &'static [Fq2] = &all_same(<ark_bn254::Fq6Config as Fp6Config>::FROBENIUS_COEFF_FP6_C1);
    const FROBENIUS_COEFF_FP6_C2: &'static [Fq2] = &all_same(<ark_bn254::Fq6Config as Fp6Config>::FROBENIUS_COEFF_FP6_C2);

    /// By 9 + u: (9 a - b) + (9 b + a) u.
    #[inline(always)]
    fn mul_fp2_by_nonresidue_in_place(element: &mut Fq2) -> &mut Fq2 {
        let Fq2 { c0: a, c1: b, .. } = *element;
        let eight = |x: Fq| x.double().double().double();
        element.c0 = eight(a) + a - b;
        element.c1 = eight(b) + b + a;
        element
    }
}

#[derive(Clone, Copy)]
pub struct Fq12Config;

impl Fp12Config for Fq12Config {
    type Fp6Config = Fq6Config;
    const NONRESIDUE: Fq6 = Fq6::new(Fq2::ZERO, Fq2::ONE, Fq2::ZERO);
    const FROBENIUS_COEFF_FP12_C1: &'static [Fq2] = &{
        let from = <ark_bn254::Fq12Config as Fp12Config>::FROBENIUS_COEFF_FP12_C1;
        let (low, high) = from.split_at(6);
        let (low, high) = (all_same(low), all_same(high));
        let mut all = [low[0]; 12];
        let mut at = 0;
        while at < 6 {
            all[at] = low[at];
            all[at + 6] = high[at];
            at += 1;
        }
        all
    };
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct G1;

impl CurveConfig for G1 {
    type BaseField = Fq;
    type ScalarField = Fr;
    const COFACTOR: &'static [u64] = <g1::Config as CurveConfig>::COFACTOR;
    const COFACTOR_INV: Fr = <g1::Config as CurveConfig>::COFACTOR_INV;
}

impl SWCurveConfig for G1 {
    const COEFF_A: Fq = Fq::ZERO;
    const COEFF_B: Fq = same(<g1::Config as SWCurveConfig>::COEFF_B);
    const GENERATOR: Affine<G1> = Affine::new_unchecked(same(g1::G1_GENERATOR_X), same(g1::G1_GENERATOR_Y));
    type ZeroFlag = ();

    #[inline(always)]
    fn mul_by_a(_: Fq) -> Fq {
        Fq::ZERO
    }

    /// Every point of this curve is in the group.
    #[inline(always)]
    fn is_in_correct_subgroup_assuming_on_curve(_: &Affine<G1>) -> bool {
        true
    }
}

impl GLVConfig for G1 {
    const ENDO_COEFFS: &'static [Fq] = &[same(<g1::Config as GLVConfig>::ENDO_COEFFS[0])];
    const LAMBDA: Fr = <g1::Config as GLVConfig>::LAMBDA;
    const SCALAR_DECOMP_COEFFS: [(bool, <Fr as PrimeField>::BigInt); 4] = <g1::Config as GLVConfig>::SCALAR_DECOMP_COEFFS;

    fn endomorphism(point: &Projective<G1>) -> Projective<G1> {
        let mut image = *point;
        image.x *= Self::ENDO_COEFFS[0];
        image
    }

    fn endomorphism_affine(point: &Affine<G1>) -> Affine<G1> {
        let mut image = *point;
        image.x *= Self::ENDO_COEFFS[0];
        image
    }
}

#[derive(Clone, Default, PartialEq, Eq)]
pub struct G2;

impl CurveConfig for G2 {
    type BaseField = Fq2;
    type ScalarField = Fr;
    const COFACTOR: &'static [u64] = <g2::Config as CurveConfig>::COFACTOR;
    const COFACTOR_INV: Fr = <g2::Config as CurveConfig>::COFACTOR_INV;
}

/// 6 x^2 of the curve's parameter x, the trace of its Frobenius map minus one.
const SIX_X_SQUARED: [u64; 2] = {
    let x = <ark_bn254::Config as BnConfig>::X[0] as u128;
    // 2^62 < x < 2^63, so 6 x^2 has 127 bits.
    let square = 6 * x * x;
    [square as u64, (square >> 64) as u64]
};

impl SWCurveConfig for G2 {
    const COEFF_A: Fq2 = Fq2::ZERO;
    const COEFF_B: Fq2 = same2(<g2::Config as SWCurveConfig>::COEFF_B);
    const GENERATOR: Affine<G2> = Affine::new_unchecked(same2(g2::G2_GENERATOR_X), same2(g2::G2_GENERATOR_Y));
    type ZeroFlag = ();

    #[inline(always)]
    fn mul_by_a(_: Fq2) -> Fq2 {
        Fq2::ZERO
    }

    /// In the group the Frobenius map is multiplication by 6 x^2. Source: eprint 2022/352, section 4.3
    fn is_in_correct_subgroup_assuming_on_curve(point: &Affine<G2>) -> bool {
        let mut mapped = *point;
        mapped.x.frobenius_map_in_place(1);
        mapped.y.frobenius_map_in_place(1);
        mapped.x *= Curve::TWIST_MUL_BY_Q_X;
        mapped.y *= Curve::TWIST_MUL_BY_Q_Y;
        Self::mul_affine(point, &SIX_X_SQUARED) == mapped
    }
}

pub struct Curve;

impl BnConfig for Curve {
    const X: &'static [u64] = <ark_bn254::Config as BnConfig>::X;
    const X_IS_NEGATIVE: bool = <ark_bn254::Config as BnConfig>::X_IS_NEGATIVE;
    const ATE_LOOP_COUNT: &'static [i8] = <ark_bn254::Config as BnConfig>::ATE_LOOP_COUNT;
    const TWIST_MUL_BY_Q_X: Fq2 = same2(<ark_bn254::Config as BnConfig>::TWIST_MUL_BY_Q_X);
    const TWIST_MUL_BY_Q_Y: Fq2 = same2(<ark_bn254::Config as BnConfig>::TWIST_MUL_BY_Q_Y);
    const TWIST_TYPE: TwistType = TwistType::D;
    type Fp = Fq;
    type Fp2Config = Fq2Config;
    type Fp6Config = Fq6Config;
    type Fp12Config = Fq12Config;
    type G1Config = G1;
    type G2Config = G2;
}
