//! The nine built-in contracts: where a message has them, and each on its own for the tests.

use crate::boundary::{host, set_result, taken};
use crate::codec::Reader;
use revm::context::{Cfg, ContextTr};
use revm::handler::{EthPrecompiles, PrecompileProvider};
use revm::interpreter::{CallInput, CallInputs, InterpreterResult};
use revm::precompile::{PrecompileHalt, PrecompileStatus, Precompiles, u64_to_address};
use revm::primitives::hardfork::SpecId;
use revm::primitives::{Address, AddressSet, B256, Bytes, HashMap};

const RECOVER: Address = u64_to_address(1);
const WORD: usize = 32;

/// The built-in contracts, at their own addresses unless a message moves them.
pub struct Contracts {
    own: EthPrecompiles,
    moves: Option<Moves>,
    /// The journal doesn't know the addresses yet.
    is_new: bool,
}

/// Where a message has the built-in contracts.
struct Moves {
    /// All of them, each by its address here; the value is its own one.
    places: HashMap<Address, Address>,
    addresses: AddressSet,
    /// Whoever recovers the signer of this digest gets the word that stands in place of `r`.
    signed: Option<B256>,
}

impl Contracts {
    pub fn new() -> Self {
        Self {
            own: EthPrecompiles::new(SpecId::BERLIN),
            moves: None,
            is_new: true,
        }
    }

    /// Reads where the next message has them: a list of address and own address, and the digest that counts as signed. An input
    /// that ends here leaves them where they are.
    pub fn read(&mut self, from: &mut Reader<'_>) {
        let was_moved = self.moves.is_some();
        self.moves = (!from.0.is_empty() && from.byte() == 1).then(|| {
            let places: HashMap<Address, Address> = (0..from.count()).map(|_| (from.address(), from.address())).collect();
            let addresses = places.keys().copied().collect();
            let signed = (from.byte() == 1).then(|| from.hash());
            Moves {
                places,
                addresses,
                signed,
            }
        });
        self.is_new = was_moved || self.moves.is_some();
    }

    /// The own address of the contract that is at `address`.
    pub fn at(&self, address: &Address) -> Option<Address> {
        match &self.moves {
            Some(moves) => moves.places.get(address).copied(),
            None => self.own.contains(address).then_some(*address),
        }
    }
}

impl<CTX: ContextTr<Cfg: Cfg<Spec = SpecId>>> PrecompileProvider<CTX> for Contracts {
    type Output = InterpreterResult;

    fn set_spec(&mut self, spec: SpecId) -> bool {
        let has_changed = PrecompileProvider::<CTX>::set_spec(&mut self.own, spec);
        core::mem::take(&mut self.is_new) || has_changed
    }

    fn run(&mut self, context: &mut CTX, inputs: &CallInputs) -> Result<Option<InterpreterResult>, String> {
        let Some(moves) = &self.moves else {
            return self.own.run(context, inputs);
        };
        let Some(own) = moves.places.get(&inputs.bytecode_address) else {
            return Ok(None);
        };
        let data = inputs.input.bytes(context);
        let mut result = self.own.run(
            context,
            &CallInputs {
                bytecode_address: *own,
                input: CallInput::Bytes(data.clone()),
                ..inputs.clone()
            },
        )?;
        let is_signed = *own == RECOVER && moves.signed.is_some_and(|digest| digest == word(&data, 0));
        if let Some(result) = result.as_mut().filter(|result| is_signed && result.is_ok()) {
            result.output = Bytes::copy_from_slice(word(&data, 2).as_slice());
        }
        Ok(result)
    }

    fn warm_addresses(&self) -> &AddressSet {
        match &self.moves {
            Some(moves) => &moves.addresses,
            None => self.own.warm_addresses(),
        }
    }
}

/// A word of the input, with zeros behind its end.
fn word(data: &[u8], index: usize) -> B256 {
    let mut word = B256::ZERO;
    let rest = data.get(index * WORD..).unwrap_or_default();
    let length = rest.len().min(WORD);
    word[..length].copy_from_slice(&rest[..length]);
    word
}

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

/// Why a built-in contract failed, in prlx's words.
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
