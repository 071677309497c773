//! The engine's arithmetic against the crates' own.

use super::{Plain, Random};
use crate::arithmetic::{Faster, wrapping_power};
use crate::keccak::keccak256;
use revm::precompile::Crypto;
use revm::primitives::{U256, b256};

#[test]
fn powers_equal_repeated_products() {
    let mut random = Random(1);
    for _ in 0..200 {
        let base = U256::from_be_slice(&random.bytes(32));
        let exponent = random.below(300);
        let product = (0..exponent).fold(U256::ONE, |product, _| product.wrapping_mul(base));
        assert_eq!(wrapping_power(base, U256::from(exponent)), product);
    }
    for bits in [1, 2, 3, 31, 255] {
        let base = U256::ONE << bits;
        assert_eq!(
            wrapping_power(base, U256::from(7)),
            if 7 * bits < 256 { U256::ONE << (7 * bits) } else { U256::ZERO }
        );
    }
    assert_eq!(wrapping_power(U256::ZERO, U256::ZERO), U256::ONE);
    // An odd number's order modulo 2^256 divides 2^254.
    assert_eq!(wrapping_power(U256::from(3), U256::ONE << 254), U256::ONE);
    assert_eq!(
        wrapping_power(U256::from(3), U256::MAX).wrapping_mul(U256::from(3)),
        U256::ONE
    );
}

#[test]
fn modular_powers_equal_the_crates() {
    let mut random = Random(2);
    for _ in 0..2000 {
        let lengths = [random.below(70), random.below(40), random.below(90)];
        let [mut base, exponent, mut modulus] = lengths.map(|length| random.bytes(length));
        if random.below(10) == 0 {
            base = [vec![0; random.below(3)], vec![random.below(2) as u8]].concat();
        }
        // Even moduli with many zeros at the end, and leading zeros.
        for _ in 0..random.below(3) {
            let at = random.below(modulus.len() + 1);
            if let Some(byte) = modulus.get_mut(at) {
                *byte = random.one_of(&[0, 0x80]);
            }
        }
        let ours = Faster.modexp(&base, &exponent, &modulus).unwrap();
        // The crate leaves out leading zeros.
        let theirs = Plain.modexp(&base, &exponent, &modulus).unwrap();
        let zeros = ours.len() - theirs.len();
        assert_eq!(ours, [vec![0; zeros], theirs].concat(), "{base:?} {exponent:?} {modulus:?}");
    }
}

/// Points on the curve: multiples of the generator (1, 2).
fn point(factor: u64) -> [u8; 64] {
    let mut generator = [0; 64];
    (generator[31], generator[63]) = (1, 2);
    Plain
        .bn254_g1_mul(&generator, &U256::from(factor).to_be_bytes::<32>())
        .unwrap()
}

#[test]
fn curve_points_equal_the_crates() {
    let mut random = Random(3);
    for round in 0..60 {
        let (one, other) = (point(random.next()), point(random.next()));
        let scalar = random.bytes(32);
        assert_eq!(Faster.bn254_g1_add(&one, &other).ok(), Plain.bn254_g1_add(&one, &other).ok());
        assert_eq!(Faster.bn254_g1_add(&one, &one).ok(), Plain.bn254_g1_add(&one, &one).ok());
        assert_eq!(
            Faster.bn254_g1_mul(&one, &scalar).ok(),
            Plain.bn254_g1_mul(&one, &scalar).ok()
        );
        let mut wrong = one;
        wrong[round % 64] ^= 1;
        assert_eq!(
            Faster.bn254_g1_mul(&wrong, &scalar).ok(),
            Plain.bn254_g1_mul(&wrong, &scalar).ok()
        );
        assert_eq!(
            Faster.bn254_g1_add(&wrong, &other).ok(),
            Plain.bn254_g1_add(&wrong, &other).ok()
        );
    }
    let zero = [0; 64];
    assert_eq!(Faster.bn254_g1_add(&zero, &point(5)).ok(), Some(point(5)));
    assert_eq!(Faster.bn254_g1_mul(&point(5), &[0; 32]).ok(), Some(zero));
    assert_eq!(Faster.bn254_g1_mul(&zero, &[7; 32]).ok(), Some(zero));
}

/// Small factors, and those around the order, its multiples and powers of two: sums of points that are equal, opposite or zero.
#[test]
fn multiples_by_odd_factors_equal_the_crates() {
    let order = U256::from_be_bytes(b256!("30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001").0);
    let mut factors = Vec::new();
    for small in 0..40u64 {
        let small = U256::from(small);
        factors.extend([
            small,
            order + small,
            order - small,
            order * U256::from(5) - small,
            U256::MAX - small,
        ]);
    }
    for bit in (0..256).step_by(3) {
        factors.extend([U256::ONE << bit, (U256::ONE << bit) - U256::ONE]);
    }
    for (at, factor) in factors.iter().enumerate() {
        let (point, factor) = (point(at as u64 % 7 + 1), factor.to_be_bytes::<32>());
        assert_eq!(
            Faster.bn254_g1_mul(&point, &factor).ok(),
            Plain.bn254_g1_mul(&point, &factor).ok()
        );
    }
}

#[test]
fn sha256_equals_the_crates_at_every_length_around_the_hosts() {
    for length in (0..200).chain(500..530).chain(4090..4100) {
        let message = Random(length as u64).bytes(length);
        assert_eq!(Faster.sha256(&message), Plain.sha256(&message));
    }
}

#[test]
fn pairings_equal_the_crates() {
    // The generator of the second group. Source: EIP-197
    let words = [
        b256!("198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2"),
        b256!("1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed"),
        b256!("090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b"),
        b256!("12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa"),
    ];
    let generator = words.concat();
    // 3 + 5 = 8, and the order less 8.
    let order = U256::from_be_bytes(b256!("30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001").0);
    let opposite = {
        let mut one = [0; 64];
        (one[31], one[63]) = (1, 2);
        Plain
            .bn254_g1_mul(&one, &(order - U256::from(8)).to_be_bytes::<32>())
            .unwrap()
    };
    let (three, five, seven) = (point(3), point(5), point(7));
    let whole: [(&[u8], &[u8]); 3] = [(&three, &generator), (&five, &generator), (&opposite, &generator)];
    let broken: [(&[u8], &[u8]); 3] = [(&three, &generator), (&seven, &generator), (&opposite, &generator)];
    assert_eq!(Faster.bn254_pairing_check(&whole).ok(), Some(true));
    assert_eq!(Faster.bn254_pairing_check(&broken).ok(), Some(false));
    assert_eq!(Plain.bn254_pairing_check(&whole).ok(), Some(true));
    let mut wrong = generator.clone();
    wrong[5] ^= 1;
    assert!(Faster.bn254_pairing_check(&[(&three, &wrong)]).is_err());
}

#[test]
fn blake2_rounds_equal_the_crates() {
    let mut random = Random(4);
    for rounds in [0, 1, 9, 10, 11, 12, 25, 100] {
        let mut ours: [u64; 8] = core::array::from_fn(|_| random.next());
        let mut theirs = ours;
        let message = core::array::from_fn(|_| random.next());
        let offset = [random.next(), random.next()];
        for is_last in [false, true] {
            Faster.blake2_compress(rounds, &mut ours, &message, &offset, is_last);
            Plain.blake2_compress(rounds, &mut theirs, &message, &offset, is_last);
            assert_eq!(ours, theirs, "{rounds}");
        }
    }
}

#[test]
fn keccak_gives_known_hashes() {
    let empty = b256!("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    assert_eq!(keccak256(b""), empty);
    assert_eq!(
        keccak256(b"abc"),
        b256!("4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45")
    );
}

#[test]
fn keccak_equals_the_crate_at_every_length_around_its_blocks() {
    use sha3::Digest;
    let mut random = Random(5);
    for length in (0..300).chain([1000, 4096]) {
        let message = random.bytes(length);
        assert_eq!(
            keccak256(&message).0,
            <[u8; 32]>::from(sha3::Keccak256::digest(&message)),
            "{length}"
        );
    }
}
