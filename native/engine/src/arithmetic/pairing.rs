//! The three built-in contracts on the curve bn254. Source: EIP-196, EIP-197

use super::field::{Curve, Fq, Fq2, G1, G2};
use super::stopped;
use crate::boundary::host::is_stopped;
use ark_bn254::Fr;
use ark_ec::bn::Bn;
use ark_ec::pairing::{MillerLoopOutput, Pairing};
use ark_ec::scalar_mul::glv::GLVConfig;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AdditiveGroup, AffineRepr, CurveGroup};
use ark_ff::{BigInt, BigInteger, Field, One, PrimeField, Zero};
use revm::precompile::PrecompileHalt;

/// Pairs per product: more share the squarings, fewer get sooner to a query to the host.
const PAIRS_PER_PRODUCT: usize = 4;

/// Bits of a factor that are processed together.
const WINDOW_BITS: usize = 5;

pub fn sum(one: &[u8], other: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
    let (one, other) = (read_point(one)?, read_point(other)?);
    Ok(written((Projective::from(one) + other).into_affine()))
}

pub fn multiple(point: &[u8], factor: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
    let point = read_point(point)?;
    if point.is_zero() {
        return Ok(written(point));
    }
    let (odd, z) = odd_multiples(point);
    // The endomorphism is multiplication by a constant, so two factors of half the length suffice.
    let ((is_positive, first), (is_second_positive, second)) = G1::scalar_decomposition(Fr::from_be_bytes_mod_order(factor));
    let halves = [
        (digits(first, is_positive), odd),
        (
            digits(second, is_second_positive),
            odd.map(|multiple| G1::endomorphism_affine(&multiple)),
        ),
    ];
    let mut sum = Projective::zero();
    for at in (0..halves.iter().map(|(digits, _)| digits.len()).max().unwrap_or(0)).rev() {
        sum.double_in_place();
        for (digits, multiples) in &halves {
            match digits.get(at).copied().unwrap_or(0) {
                0 => {}
                digit if digit > 0 => sum += multiples[digit as usize / 2],
                digit => sum -= multiples[digit.unsigned_abs() as usize / 2],
            }
        }
    }
    sum.z *= z;
    Ok(written(sum.into_affine()))
}

/// Multiples of a point that isn't zero, once, three times and so on up to 15 times, in Jacobian coordinates with one z for all,
/// which is returned beside them. Without it they are points of a curve y^2 = x^3 + b z^6, on which sums are the same but for
/// their z: b is in no formula, and sums with points whose z is 1 take less. Source: Bernstein, Lange: Explicit-Formulas
/// Database, short Weierstrass curves with a = 0
fn odd_multiples(point: Affine<G1>) -> ([Affine<G1>; 8], Fq) {
    let twice = Projective::from(point).double();
    let step = Affine::new_unchecked(twice.x, twice.y);
    let once = scaled((point.x, point.y), twice.z);
    let mut multiples = [Projective::from(once); 8];
    // What z is multiplied by from each multiple to the next.
    let mut growth = [Fq::ONE; 8];
    for at in 1..8 {
        let last = multiples[at - 1];
        let difference: Fq = step.x * last.z.square() - last.x;
        growth[at] = difference.double();
        multiples[at] = last + step;
    }
    let mut all = [once; 8];
    let mut factor = Fq::ONE;
    for at in (0..8).rev() {
        all[at] = scaled((multiples[at].x, multiples[at].y), factor);
        factor *= growth[at];
    }
    (all, multiples[7].z * twice.z)
}

/// The same point with a z that is `factor` times as large.
fn scaled((x, y): (Fq, Fq), factor: Fq) -> Affine<G1> {
    let square = factor.square();
    Affine::new_unchecked(x * square, y * square * factor)
}

/// Digits of a number, the lowest first: odd ones between -16 and 16, with zeros between them.
fn digits(number: Fr, is_positive: bool) -> Vec<i64> {
    let digits = number.into_bigint().find_wnaf(WINDOW_BITS).unwrap_or_default();
    let sign = if is_positive { 1 } else { -1 };
    digits.into_iter().map(|digit| sign * digit).collect()
}

pub fn is_product_one(pairs: &[(&[u8], &[u8])]) -> Result<bool, PrecompileHalt> {
    let mut product = <Bn<Curve> as Pairing>::TargetField::one();
    for some in pairs.chunks(PAIRS_PER_PRODUCT) {
        let mut points = (Vec::new(), Vec::new());
        for (first, second) in some {
            let (first, second) = (read_point(first)?, read_twist_point(second)?);
            if !first.is_zero() && !second.is_zero() {
                points.0.push(first);
                points.1.push(second);
            }
        }
        if is_stopped() {
            return Err(stopped());
        }
        product *= Bn::<Curve>::multi_miller_loop(points.0, points.1).0;
    }
    let result = Bn::<Curve>::final_exponentiation(MillerLoopOutput(product));
    Ok(result.is_some_and(|result| result.0.is_one()))
}

fn read_number(bytes: &[u8]) -> Result<Fq, PrecompileHalt> {
    let mut words = [0u64; 4];
    for (word, eight) in words.iter_mut().rev().zip(bytes.chunks_exact(8)) {
        *word = eight.iter().fold(0, |sum, byte| sum << 8 | *byte as u64);
    }
    Fq::from_bigint(BigInt(words)).ok_or(PrecompileHalt::Bn254FieldPointNotAMember)
}

fn read_point(bytes: &[u8]) -> Result<Affine<G1>, PrecompileHalt> {
    checked(read_number(&bytes[..32])?, read_number(&bytes[32..64])?)
}

/// The imaginary part of each coordinate comes first.
fn read_twist_point(bytes: &[u8]) -> Result<Affine<G2>, PrecompileHalt> {
    let read = |at: usize| read_number(&bytes[at..at + 32]);
    let (x_imaginary, x, y_imaginary, y) = (read(0)?, read(32)?, read(64)?, read(96)?);
    checked(Fq2::new(x, x_imaginary), Fq2::new(y, y_imaginary))
}

/// Both zero is the point at infinity.
fn checked<C: SWCurveConfig>(x: C::BaseField, y: C::BaseField) -> Result<Affine<C>, PrecompileHalt> {
    if x == C::BaseField::ZERO && y == C::BaseField::ZERO {
        return Ok(Affine::identity());
    }
    let point = Affine::new_unchecked(x, y);
    if point.is_on_curve() && point.is_in_correct_subgroup_assuming_on_curve() {
        return Ok(point);
    }
    Err(PrecompileHalt::Bn254AffineGFailedToCreate)
}

fn written(point: Affine<G1>) -> [u8; 64] {
    let mut out = [0; 64];
    if let Some((x, y)) = point.xy() {
        out[..32].copy_from_slice(&x.into_bigint().to_bytes_be());
        out[32..].copy_from_slice(&y.into_bigint().to_bytes_be());
    }
    out
}
