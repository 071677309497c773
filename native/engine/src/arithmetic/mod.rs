//! The built-in contracts' arithmetic where the crates' own is too slow in WebAssembly, or can't be ended.

mod blake2;
mod field;
mod limbs;
mod pairing;
mod power;
mod residues;

pub use power::wrapping_power;

use crate::boundary::host;
use crate::keccak::keccak256;
use revm::precompile::{Crypto, DefaultCrypto, PrecompileHalt, install_crypto};

/// Units of work (about a nanosecond each) between two queries to the host.
const WORK_PER_LOOK: usize = 2_000_000;

/// Bytes from which the host's SHA-256 is faster: a call takes it as long as this module takes for some hundred bytes, and then
/// it is several times as fast.
const LONG_MESSAGE: usize = 512;

#[derive(Debug)]
pub struct Faster;

impl Crypto for Faster {
    /// By the host's libsecp256k1: about ten times as fast as here.
    fn secp256k1_ecrecover(&self, signature: &[u8; 64], parity: u8, digest: &[u8; 32]) -> Result<[u8; 32], PrecompileHalt> {
        let key = host::recovered_key(digest, signature, parity).ok_or(PrecompileHalt::Secp256k1RecoverFailed)?;
        let mut address = keccak256(key).0;
        address[..12].fill(0);
        Ok(address)
    }

    fn sha256(&self, input: &[u8]) -> [u8; 32] {
        let by_host = if input.len() < LONG_MESSAGE {
            None
        } else {
            host::sha256(input)
        };
        by_host.unwrap_or_else(|| DefaultCrypto.sha256(input))
    }

    fn modexp(&self, base: &[u8], exponent: &[u8], modulus: &[u8]) -> Result<Vec<u8>, PrecompileHalt> {
        power::power(base, exponent, modulus).ok_or_else(stopped)
    }

    fn bn254_g1_add(&self, one: &[u8], other: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
        pairing::sum(one, other)
    }

    fn bn254_g1_mul(&self, point: &[u8], factor: &[u8]) -> Result<[u8; 64], PrecompileHalt> {
        pairing::multiple(point, factor)
    }

    fn bn254_pairing_check(&self, pairs: &[(&[u8], &[u8])]) -> Result<bool, PrecompileHalt> {
        pairing::is_product_one(pairs)
    }

    fn blake2_compress(&self, rounds: u32, words: &mut [u64; 8], message: &[u64; 16], offset: &[u64; 2], is_last: bool) {
        blake2::compress(rounds, words, message, offset, is_last);
    }
}

/// For a contract that the host ended. The transaction around it is dropped, so nothing sees this.
fn stopped() -> PrecompileHalt {
    PrecompileHalt::other_static("stopped")
}

/// Call before anything runs; a second call does nothing.
pub fn install() {
    install_crypto(Faster);
}
