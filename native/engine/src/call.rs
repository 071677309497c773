//! One message call on a stored state, which stays unchanged: what eth_call needs. The checks before it are prlx's; for
//! a failed call, the host gets what it needs to name the error as prlx does.

use crate::block::{DONE, INTERRUPTED, REFUSED, failed, with_state};
use crate::boundary::{set_result, taken};
use crate::codec::{Reader, put_blob};
use crate::error::EngineError;
use crate::machine::kept;
use crate::message::Message;
use crate::state::State;
use revm::context::result::{ExecutionResult, HaltReason};

/// How a call ended; `call-wire.ts` has the same numbers.
#[repr(u8)]
enum End {
    Returned = 0,
    Reverted = 1,
    Failed = 2,
}

/// Why a call failed, by the same rule. `run_message` can tell the others.
#[repr(u8)]
enum Fault {
    Other = 0,
    Jump = 1,
    CodeSize = 2,
    Collision = 3,
}

/// The input asks for a machine that works for a millisecond at most between two queries to the host.
const BOUNDED: u8 = 1;

/// Runs the call at `pointer`. 0: the result says how it ended; 1: it couldn't start, the result says why; 2: the engine can't
/// decide; 3: the host ended it, or a bounded one was given up.
///
/// # Safety
/// `pointer` must come from `reserve(length)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run_call(pointer: *mut u8, length: usize) -> u32 {
    // SAFETY: the caller promises the same.
    let bytes = unsafe { taken(pointer, length) };
    let answer = with_state(|state| run(state, Reader(&bytes)));
    answer.unwrap_or_else(|error| failed(&error))
}

fn run(state: &mut State, mut from: Reader<'_>) -> Result<u32, EngineError> {
    let length = from.0.len();
    let is_bounded = from.byte() == BOUNDED;
    state.begin(from.hash());
    let Some(message) = Message::read(state, &mut from)? else {
        return Ok(REFUSED);
    };
    let mut machine = kept::taken(is_bounded);
    let done = message.run(state, &mut machine)?;
    kept::keep(machine, length);
    let Some(done) = done else {
        return Ok(INTERRUPTED);
    };
    let mut out = Vec::new();
    put_result(&mut out, &done.result);
    set_result(out);
    Ok(DONE)
}

fn put_result(out: &mut Vec<u8>, result: &ExecutionResult) {
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
    }
}

fn fault_of(reason: &HaltReason) -> Fault {
    match reason {
        HaltReason::InvalidJump => Fault::Jump,
        HaltReason::CreateContractSizeLimit => Fault::CodeSize,
        HaltReason::CreateCollision => Fault::Collision,
        _ => Fault::Other,
    }
}
