//! The nine built-in contracts on their own, for the TypeScript interpreter.

use crate::boundary::{host, set_result, taken};
use revm::precompile::{PrecompileHalt, PrecompileStatus, Precompiles, u64_to_address};
use revm::primitives::Address;

/// Return values of `run_precompile`; `precompiles.ts` has the same numbers.
#[repr(u32)]
enum Outcome {
    Done = 0,
    OutOfGas = 1,
    PairingSize = 2,
    Coordinate = 3,
    NoPoint = 4,
    InputLength = 5,
    FinalFlag = 6,
    Other = 7,
    Stopped = 8,
}

/// Runs built-in contract `address` (1 to 9) on the input at `pointer`, which is freed. If it returns 0, the result is 8 bytes
/// of gas used, little-endian, and the output.
///
/// # Safety
/// `pointer` must come from `reserve(length)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run_precompile(address: u32, pointer: *mut u8, length: usize, gas: f64) -> u32 {
    // SAFETY: the caller promises the same.
    let input = unsafe { taken(pointer, length) };
    let Some(contract) = Precompiles::berlin().get(&u64_to_address(address.into())) else {
        return Outcome::Other as u32;
    };
    host::begin();
    let outcome = match contract.execute(&input, gas as u64, 0) {
        Err(_) => Outcome::Other,
        Ok(output) => match output.status {
            PrecompileStatus::Success => {
                let mut bytes = output.gas_used.to_le_bytes().to_vec();
                bytes.extend_from_slice(&output.bytes);
                set_result(bytes);
                Outcome::Done
            }
            PrecompileStatus::Revert => Outcome::Other,
            PrecompileStatus::Halt(reason) => named(&reason),
        },
    };
    let outcome = if host::was_stopped() { Outcome::Stopped } else { outcome };
    outcome as u32
}

fn named(reason: &PrecompileHalt) -> Outcome {
    match reason {
        PrecompileHalt::Bn254PairLength => Outcome::PairingSize,
        PrecompileHalt::Bn254FieldPointNotAMember => Outcome::Coordinate,
        PrecompileHalt::Bn254AffineGFailedToCreate => Outcome::NoPoint,
        PrecompileHalt::Blake2WrongLength => Outcome::InputLength,
        PrecompileHalt::Blake2WrongFinalIndicatorFlag => Outcome::FinalFlag,
        // Sizes that don't fit the machine cost more gas than there is.
        PrecompileHalt::OutOfGas
        | PrecompileHalt::ModexpBaseOverflow
        | PrecompileHalt::ModexpExpOverflow
        | PrecompileHalt::ModexpModOverflow => Outcome::OutOfGas,
        _ => Outcome::Other,
    }
}

/// Why a built-in contract failed, in the reference's words.
pub fn fault_text(address: &Address, input: &[u8], gas: u64) -> &'static str {
    let contract = Precompiles::berlin().get(address);
    let output = contract.and_then(|contract| contract.execute(input, gas, 0).ok());
    let reason = output.as_ref().and_then(|output| output.halt_reason());
    match reason.map_or(Outcome::Other, named) {
        Outcome::PairingSize => "bad elliptic curve pairing size",
        Outcome::Coordinate => "bn256: coordinate exceeds modulus",
        Outcome::NoPoint => "bn256: malformed point",
        Outcome::InputLength => "invalid input length",
        Outcome::FinalFlag => "invalid final flag",
        Outcome::Done | Outcome::OutOfGas | Outcome::Other | Outcome::Stopped => "out of gas",
    }
}
