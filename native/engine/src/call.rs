//! One message call on a stored state, which stays unchanged: what eth_call needs. The checks before it are the reference's; for
//! a failed call, the host gets what it needs to name the error as the reference does.

use crate::block::{DONE, INTERRUPTED, REFUSED, failed, with_state};
use crate::boundary::{host, set_result, taken};
use crate::codec::{Reader, put_blob, put_count};
use crate::error::EngineError;
use crate::keccak::keccak256;
use crate::machine::{Machine, Step};
use crate::state::State;
use crate::transition::{Surroundings, Transaction, reason_of, refusal_of_call};
use revm::Context;
use revm::context::result::{ExecutionResult, HaltReason, OutOfGasError};
use revm::context::{BlockEnv, CfgEnv, TxEnv};
use revm::handler::MainContext;
use revm::primitives::hardfork::SpecId;
use revm::primitives::{Bytes, U256};

type CallContext<'a> = Context<BlockEnv, TxEnv, CfgEnv, &'a mut State>;

/// How a call ended; `call-wire.ts` has the same numbers.
#[repr(u8)]
enum End {
    Returned = 0,
    Reverted = 1,
    Failed = 2,
}

/// Why a call failed, by the same rule. The host finds out what it can't tell by running the call itself.
#[repr(u8)]
enum Fault {
    Other = 0,
    OutOfGas = 1,
    Jump = 2,
    Stack = 3,
    Opcode = 4,
    CodeSize = 5,
    Collision = 6,
}

/// Runs the call at `pointer`. 0: the result says how it ended; 1: it couldn't start, the result says why; 2: the engine can't
/// decide; 3: the host ended it.
///
/// # Safety
/// `pointer` must come from `reserve(length)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run_call(pointer: *mut u8, length: usize) -> u32 {
    let bytes = unsafe { taken(pointer, length) };
    let answer = with_state(|state| run(state, Reader(&bytes)));
    answer.unwrap_or_else(|error| failed(&error))
}

fn run(state: &mut State, mut from: Reader<'_>) -> Result<u32, EngineError> {
    state.begin(from.hash());
    let within = Surroundings::read(&mut from);
    let mut tx = Transaction::read(&mut from);
    for _ in 0..from.count() {
        override_account(state, &mut from)?;
    }
    let mut out = Vec::new();
    if let Some(refusal) = refusal_of_call(state, &mut tx)? {
        refusal.put(&mut out);
        set_result(out);
        return Ok(REFUSED);
    }
    host::begin();
    let mut machine = Machine::new(context_of(&mut *state, &within), true);
    let done = machine.transact(tx.environment(within.chain_id)?);
    if host::was_stopped() {
        return Ok(INTERRUPTED);
    }
    let done = done.map_err(reason_of)?;
    put_result(&mut out, &done.result, machine.failed_step());
    set_result(out);
    Ok(DONE)
}

/// Where messages run that no block has to accept.
pub fn context_of<'a>(state: &'a mut State, within: &Surroundings) -> CallContext<'a> {
    Context::mainnet()
        .with_db(state)
        .with_block(within.block.clone())
        .modify_cfg_chained(|cfg| {
            cfg.set_spec_and_mainnet_gas_params(SpecId::BERLIN);
            cfg.chain_id = within.chain_id;
            // A call may come from a contract, and have more gas than a block.
            cfg.disable_eip3607 = true;
            cfg.disable_block_gas_limit = true;
        })
}

/// State that the caller sets in place of the stored one.
pub fn override_account(state: &mut State, from: &mut Reader<'_>) -> Result<(), EngineError> {
    let address = from.address();
    let [has_nonce, has_balance, has_code, has_slots] = core::array::from_fn(|_| from.byte() == 1);
    let nonce = has_nonce.then(|| from.long());
    let balance = has_balance.then(|| from.word());
    let code = has_code.then(|| Bytes::copy_from_slice(from.blob()));
    let slots: Option<Vec<(U256, U256)>> = has_slots.then(|| (0..from.count()).map(|_| (from.word(), from.word())).collect());
    let code_hash = code.map(|code| {
        let hash = keccak256(&code);
        state.new_codes.insert(hash, code);
        hash
    });
    let entry = state.entry(address)?;
    let account = entry.made();
    account.nonce = nonce.unwrap_or(account.nonce);
    account.balance = balance.unwrap_or(account.balance);
    account.code_hash = code_hash.unwrap_or(account.code_hash);
    if let Some(slots) = slots {
        entry.is_wiped = true;
        entry.slots = slots.into_iter().collect();
    }
    Ok(())
}

fn put_result(out: &mut Vec<u8>, result: &ExecutionResult, step: Option<Step>) {
    let end = match result {
        ExecutionResult::Success { .. } => End::Returned,
        ExecutionResult::Revert { .. } => End::Reverted,
        ExecutionResult::Halt { .. } => End::Failed,
    };
    out.push(end as u8);
    out.extend_from_slice(&result.tx_gas_used().to_be_bytes());
    out.extend_from_slice(&result.gas().total_gas_spent().to_be_bytes());
    put_blob(out, result.output().map_or(&[][..], |bytes| bytes));
    if let ExecutionResult::Halt { reason, .. } = result {
        out.push(fault_of(reason) as u8);
        out.push(step.is_some() as u8);
        let Step { opcode, height } = step.unwrap_or_default();
        out.push(opcode);
        put_count(out, height);
    }
}

fn fault_of(reason: &HaltReason) -> Fault {
    match reason {
        HaltReason::OutOfGas(OutOfGasError::Basic | OutOfGasError::ReentrancySentry | OutOfGasError::Precompile) => {
            Fault::OutOfGas
        }
        HaltReason::InvalidJump => Fault::Jump,
        HaltReason::StackUnderflow | HaltReason::StackOverflow => Fault::Stack,
        HaltReason::OpcodeNotFound | HaltReason::InvalidFEOpcode | HaltReason::NotActivated => Fault::Opcode,
        HaltReason::CreateContractSizeLimit => Fault::CodeSize,
        HaltReason::CreateCollision => Fault::Collision,
        _ => Fault::Other,
    }
}
