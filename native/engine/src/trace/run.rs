//! The calls with which the host traces: a message on a stored state, or a block's transactions one after another, on a stage
//! that this instance keeps.

use crate::block::{DONE, INTERRUPTED, REFUSED, failed, with_state};
use crate::boundary::{host, set_result, taken};
use crate::codec::{Reader, put_blob, put_count};
use crate::error::EngineError;
use crate::machine::{ChangedSlot, ExecutionOutcome, Machine, kept};
use crate::message::Message;
use crate::state::{Stage, State};
use crate::trace::calls::CallTree;
use crate::trace::events::REVERTED;
use crate::trace::four_byte::Selectors;
use crate::trace::prestate::Prestate;
use crate::trace::stages::Stages;
use crate::trace::structs::{StructLog, StructOptions};
use crate::trace::text::Text;
use crate::trace::told::Told;
use crate::trace::{Output, Tracer};
use crate::transition::Transaction;
use revm::context::result::ExecutionResult;
use revm::primitives::{Address, B256, KECCAK_EMPTY};
use revm::state::Account;
use std::cell::RefCell;

/// The tracer may hold no more; continues the numbers of `block.rs`.
const FULL: u32 = 4;

/// How a transaction runs; `trace-wire.ts` has the same bits.
const COMMITS: u8 = 1;
/// The machine works for a millisecond at most between two queries to the host.
const BOUNDED: u8 = 2;

/// The stage that traces run on.
struct Current {
    block: B256,
    index: usize,
    stage: Stage,
}

#[derive(Default)]
struct Tracing {
    kept: Stages,
    current: Option<Current>,
}

thread_local! {
    static TRACING: RefCell<Tracing> = RefCell::new(Tracing::default());
}

/// Opens the stage before a block's transaction: the block's hash, the root of the state before it, and the transaction's
/// index are at `pointer`. The result is the index of the transaction that has to be applied first.
///
/// # Safety
/// `pointer` must come from `reserve(length)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open_stage(pointer: *mut u8, length: usize) {
    // SAFETY: the caller promises the same.
    let bytes = unsafe { taken(pointer, length) };
    let mut from = Reader(&bytes);
    let (block, root, wanted) = (from.hash(), from.hash(), from.count());
    TRACING.with_borrow_mut(|tracing| {
        let (index, stage) = tracing.kept.take(block, wanted).unwrap_or_else(|| (0, Stage::new(root)));
        let mut out = Vec::new();
        put_count(&mut out, index);
        tracing.current = Some(Current { block, index, stage });
        set_result(out);
    });
}

/// Keeps the open stage for later traces of the block.
#[unsafe(no_mangle)]
pub extern "C" fn keep_stage() {
    TRACING.with_borrow_mut(|tracing| {
        if let Some(Current { block, index, stage }) = tracing.current.take() {
            tracing.kept.keep(block, index, stage);
        }
    });
}

/// Applies one transaction to the open stage without tracing it; how it runs comes first. 0: done; 1: it couldn't start, the result says why; 2: the
/// engine can't decide; 3: the host ended it. Unless it is done, the stage stays as it was.
///
/// # Safety
/// `pointer` must come from `reserve(length)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn advance(pointer: *mut u8, length: usize) -> u32 {
    // SAFETY: the caller promises the same.
    let bytes = unsafe { taken(pointer, length) };
    let mut from = Reader(&bytes);
    let way = from.byte();
    let answer = on_stage(|state| run(state, from, None, way | COMMITS));
    answer.unwrap_or_else(|error| failed(&error))
}

/// Traces one transaction on the open stage; its options and how it runs come first. 0: the result is the end of the text, whose earlier parts
/// the host got while it ran; 1 to 3 as for `advance`; 4: the tracer may hold no more.
///
/// # Safety
/// `pointer` must come from `reserve(length)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trace_transaction(pointer: *mut u8, length: usize) -> u32 {
    // SAFETY: the caller promises the same.
    let bytes = unsafe { taken(pointer, length) };
    let mut from = Reader(&bytes);
    let options = Options::read(&mut from);
    let way = from.byte();
    let answer = on_stage(|state| run(state, from, Some(options), way));
    answer.unwrap_or_else(|error| failed(&error))
}

/// Runs a message on the state that the host reads, under the name that stands for it: options, name, message as in `run_call`,
/// where the built-in contracts are, and slots that count as changed by it. 0: the result is the end of the text, and what the
/// message did; 1 to 4 as for `trace_transaction`.
///
/// # Safety
/// `pointer` must come from `reserve(length)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn run_message(pointer: *mut u8, length: usize) -> u32 {
    // SAFETY: the caller promises the same.
    let bytes = unsafe { taken(pointer, length) };
    let mut from = Reader(&bytes);
    let options = Options::read(&mut from);
    let answer = with_state(|state| {
        state.begin(from.hash());
        run_on(state, from, options)
    });
    answer.unwrap_or_else(|error| failed(&error))
}

/// Which tracer, and what the default one shows.
struct Options {
    kind: u8,
    /// Of the host's own tracer.
    wants: u8,
    structs: StructOptions,
}

impl Options {
    fn read(from: &mut Reader<'_>) -> Self {
        let [kind, wants] = core::array::from_fn(|_| from.byte());
        let [memory, stack, storage] = core::array::from_fn(|_| from.byte() == 1);
        let limit = from.long();
        let structs = StructOptions {
            memory,
            stack,
            storage,
            limit,
        };
        Self { kind, wants, structs }
    }

    /// The kinds are numbered as in `trace-wire.ts`.
    fn tracer(&self, tx: &Transaction) -> Tracer {
        let mut text = Text::new();
        let output = match self.kind {
            0 => Output::Structs(StructLog::new(self.structs, &mut text)),
            1 => Output::Calls(CallTree::default()),
            2 => Output::Prestate(Prestate::new(tx.fee())),
            3 => Output::Selectors(Selectors::default()),
            5 => Output::Told(Told::new(self.wants)),
            _ => Output::Nothing,
        };
        Tracer::new(output, text)
    }
}

/// With the open stage in place of the state that the engine's caches belong to.
fn on_stage(body: impl FnOnce(&mut State) -> Result<u32, EngineError>) -> Result<u32, EngineError> {
    TRACING.with_borrow_mut(|tracing| {
        let current = tracing.current.as_mut().ok_or(EngineError::Damaged("stage"))?;
        with_state(|state| {
            state.exchange(&mut current.stage);
            let answer = body(state);
            state.exchange(&mut current.stage);
            answer
        })
        .inspect(|answer| current.index += usize::from(*answer == DONE_AND_COMMITTED))
        .map(|answer| if answer == DONE_AND_COMMITTED { DONE } else { answer })
    })
}

/// What a message did, with its tracer if it had one; or the answer in place of that.
type Ended = Result<(ExecutionOutcome, Option<Tracer>), u32>;

/// Runs it, and keeps the machine. `length`: of the message's input.
fn ended(message: Message, state: &mut State, mut machine: Machine, length: usize) -> Result<Ended, EngineError> {
    let done = message.run(state, &mut machine)?;
    let tracer = machine.take_tracer();
    kept::keep(machine, length);
    if tracer.as_ref().is_some_and(Tracer::is_full) {
        return Ok(Err(FULL));
    }
    Ok(done.map(|done| (done, tracer)).ok_or(INTERRUPTED))
}

/// Never leaves this file.
const DONE_AND_COMMITTED: u32 = u32::MAX;

/// Runs the message that `from` describes.
fn run(state: &mut State, mut from: Reader<'_>, options: Option<Options>, way: u8) -> Result<u32, EngineError> {
    let commits = way & COMMITS != 0;
    let length = from.0.len();
    let Some(message) = Message::read(state, &mut from)? else {
        return Ok(REFUSED);
    };
    let mut machine = kept::taken(way & BOUNDED != 0);
    if let Some(options) = options {
        machine.set_tracer(options.tracer(&message.tx));
    }
    let (done, tracer) = match ended(message, state, machine, length)? {
        Ok(ended) => ended,
        Err(answer) => return Ok(answer),
    };
    let rest = tracer.map(|tracer| tracer.finish(&done.result));
    if host::was_stopped() {
        return Ok(INTERRUPTED);
    }
    if commits {
        state.commit(done.state)?;
    }
    set_result(rest.unwrap_or_default());
    Ok(if commits { DONE_AND_COMMITTED } else { DONE })
}

fn run_on(state: &mut State, mut from: Reader<'_>, options: Options) -> Result<u32, EngineError> {
    let length = from.0.len();
    let Some(mut message) = Message::read(state, &mut from)? else {
        return Ok(REFUSED);
    };
    let mut machine = kept::taken(false);
    machine.contracts().read(&mut from);
    message.changed = (0..from.count())
        .map(|_| ChangedSlot {
            address: from.address(),
            key: from.word(),
            value: from.word(),
        })
        .collect();
    machine.set_tracer(options.tracer(&message.tx));
    let (done, tracer) = match ended(message, state, machine, length)? {
        Ok((done, Some(tracer))) => (done, tracer),
        Ok((_, None)) => return Ok(INTERRUPTED),
        Err(answer) => return Ok(answer),
    };
    let mut out = Vec::new();
    put_done(&mut out, &done, &tracer);
    let rest = tracer.finish(&done.result);
    if host::was_stopped() {
        return Ok(INTERRUPTED);
    }
    put_blob(&mut out, &rest);
    set_result(out);
    Ok(DONE)
}

/// How it ended, what it cost, and each account that it touched. The other side is `message-run.ts`.
fn put_done(out: &mut Vec<u8>, done: &ExecutionOutcome, tracer: &Tracer) {
    let result = &done.result;
    let error = match result {
        ExecutionResult::Success { .. } => None,
        ExecutionResult::Revert { .. } => Some(REVERTED),
        ExecutionResult::Halt { .. } => Some(tracer.failure().unwrap_or("out of gas")),
    };
    out.push(matches!(result, ExecutionResult::Revert { .. }).into());
    out.push(error.is_some().into());
    put_blob(out, error.unwrap_or_default().as_bytes());
    out.extend_from_slice(&result.tx_gas_used().to_be_bytes());
    out.extend_from_slice(&result.gas().total_gas_spent().to_be_bytes());
    put_blob(out, result.output().map_or(&[][..], |bytes| bytes));
    let (sees_gas, store_slack) = tracer.gas_seen();
    out.push(sees_gas.into());
    out.extend_from_slice(&store_slack.to_be_bytes());
    let loaded: usize = done.state.values().map(|account| 1 + account.storage.len()).sum();
    put_count(out, loaded);
    let touched = done.state.iter().filter(|(_, account)| account.is_touched());
    put_count(out, touched.clone().count());
    for (address, account) in touched {
        put_account(out, address, account);
    }
}

fn put_account(out: &mut Vec<u8>, address: &Address, account: &Account) {
    let info = &account.info;
    let code = info
        .code
        .as_ref()
        .filter(|_| account.is_created() && info.code_hash != KECCAK_EMPTY);
    out.extend_from_slice(address.as_slice());
    for flag in [account.is_selfdestructed(), account.is_created(), code.is_some()] {
        out.push(flag.into());
    }
    out.extend_from_slice(&info.nonce.to_be_bytes());
    out.extend_from_slice(&info.balance.to_be_bytes::<32>());
    out.extend_from_slice(info.code_hash.as_slice());
    if let Some(code) = code {
        put_blob(out, code.original_byte_slice());
    }
    let changed = account.storage.iter().filter(|(_, slot)| slot.is_changed());
    put_count(out, changed.clone().count());
    for (key, slot) in changed {
        for word in [key, &slot.original_value, &slot.present_value] {
            out.extend_from_slice(&word.to_be_bytes::<32>());
        }
    }
}
