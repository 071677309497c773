//! The calls with which the host executes a block: `open_block`, `apply_transactions` (once or often), `finish_block`. An
//! engine has one block at a time; opening the next one drops what was left of it.

use crate::boundary::{set_result, taken};
use crate::codec::{Reader, put_blob, put_count};
use crate::error::EngineError;
use crate::finish::{Payouts, finish};
use crate::machine::BlockContext;
use crate::receipts::Receipts;
use crate::state::State;
use crate::transition::{Outcome, apply};
use revm::primitives::B256;
use std::cell::RefCell;

struct Run {
    parent_root: B256,
    within: BlockContext,
    /// The host is asked now and then whether to continue.
    is_watched: bool,
    payouts: Payouts,
    receipts: Receipts,
    /// The block is to become the head: the caches follow it.
    keeps: bool,
}

struct Engine {
    state: State,
    run: Option<Run>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine { state: State::new(), run: None });
}

/// Return values of the calls; `wire.ts` has the same numbers.
pub const DONE: u32 = 0;
pub const REFUSED: u32 = 1;
const FAILED: u32 = 2;
pub const INTERRUPTED: u32 = 3;

/// For work on a state outside of a block, whose leftovers are dropped.
pub fn with_state<T>(body: impl FnOnce(&mut State) -> T) -> T {
    ENGINE.with_borrow_mut(|engine| {
        engine.run = None;
        engine.state.forget_ancestors();
        body(&mut engine.state)
    })
}

/// Begins a block; the input is at `pointer`.
///
/// # Safety
/// `pointer` must come from `reserve(length)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open_block(pointer: *mut u8, length: usize) {
    // SAFETY: the caller promises the same.
    let bytes = unsafe { taken(pointer, length) };
    let mut from = Reader(&bytes);
    let parent_root = from.hash();
    let within = BlockContext::read(&mut from);
    let keeps = from.byte() == 1;
    let is_watched = from.byte() == 1;
    let payouts = Payouts::read(&mut from, within.block.beneficiary);
    ENGINE.with_borrow_mut(|engine| {
        engine.state.begin(parent_root);
        engine.run = Some(Run {
            parent_root,
            within,
            payouts,
            receipts: Receipts::new(),
            keeps,
            is_watched,
        });
    });
}

/// Applies the transactions at `pointer`. 0: all of them, the result is the gas used so far; 1: one was refused, the result
/// says which and why; 2: the block can't be executed; 3: the host stopped the last one.
///
/// # Safety
/// `pointer` must come from `reserve(length)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apply_transactions(pointer: *mut u8, length: usize) -> u32 {
    // SAFETY: the caller promises the same.
    let bytes = unsafe { taken(pointer, length) };
    ENGINE.with_borrow_mut(|Engine { state, run }| {
        let Some(run) = run.as_mut() else {
            return failed(&EngineError::Damaged("block"));
        };
        let outcome = apply(state, (&run.within, run.is_watched), &mut run.receipts, Reader(&bytes));
        let mut out = Vec::new();
        let answer = match outcome {
            Err(error) => return failed(&error),
            Ok(Outcome::Applied) => DONE,
            Ok(Outcome::Interrupted) => INTERRUPTED,
            Ok(Outcome::Refused(refusal)) => {
                put_count(&mut out, run.receipts.count());
                refusal.put(&mut out);
                set_result(out);
                return REFUSED;
            }
        };
        out.extend_from_slice(&run.receipts.gas_used.to_be_bytes());
        set_result(out);
        answer
    })
}

/// Pays what is due and computes the changes. 0: the result holds the executed block; 2: it can't be executed.
#[unsafe(no_mangle)]
pub extern "C" fn finish_block() -> u32 {
    ENGINE.with_borrow_mut(|engine| {
        let Some(run) = engine.run.take() else {
            return failed(&EngineError::Damaged("block"));
        };
        match finished(&mut engine.state, &run) {
            Err(error) => failed(&error),
            Ok(bytes) => {
                set_result(bytes);
                DONE
            }
        }
    })
}

fn finished(state: &mut State, run: &Run) -> Result<Vec<u8>, EngineError> {
    run.payouts.apply(state)?;
    let done = finish(state, run.parent_root, run.keeps)?;
    let Receipts {
        bloom,
        gas_used,
        out: receipts,
        ..
    } = &run.receipts;
    let mut out = Vec::with_capacity(receipts.len() + 64 * 1024);
    out.extend_from_slice(&gas_used.to_be_bytes());
    out.extend_from_slice(bloom);
    out.extend_from_slice(run.receipts.root().as_slice());
    out.extend_from_slice(done.root.as_slice());
    put_count(&mut out, run.receipts.count());
    out.extend_from_slice(receipts);
    done.put(&mut out, &state.new_codes);
    Ok(out)
}

/// The result is a byte that names the kind, followed by a hash or a text.
pub fn failed(error: &EngineError) -> u32 {
    let mut out = Vec::new();
    match error {
        EngineError::Host => out.push(0),
        EngineError::MissingNode(hash) => {
            out.push(1);
            put_blob(&mut out, hash);
        }
        EngineError::MissingCode(hash) => {
            out.push(2);
            put_blob(&mut out, hash);
        }
        EngineError::Unsupported(_) => {
            out.push(3);
            put_blob(&mut out, error.to_string().as_bytes());
        }
        EngineError::Damaged(_) | EngineError::Disagreed(_) => {
            out.push(4);
            put_blob(&mut out, error.to_string().as_bytes());
        }
    }
    set_result(out);
    FAILED
}
