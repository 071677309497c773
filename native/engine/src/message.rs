//! A message on a stored state. Calls and traces read it, refuse it and run it in the same way.

use crate::boundary::{host, set_result};
use crate::codec::Reader;
use crate::error::EngineError;
use crate::keccak::keccak256;
use crate::machine::{BlockContext, ChangedSlot, ExecutionOutcome, Machine, Rules};
use crate::state::State;
use crate::transition::{Transaction, reason_of, refusal_of_call};
use revm::primitives::{Bytes, U256};

/// A message that may start, and where it runs.
pub struct Message {
    within: BlockContext,
    pub tx: Transaction,
    /// Slots that count as changed before its first instruction.
    pub changed: Vec<ChangedSlot>,
}

impl Message {
    /// Reads surroundings, transaction and, unless the input ends there, the states that the caller puts in place of the stored
    /// ones. None: it can't start, and the result says why.
    pub fn read(state: &mut State, from: &mut Reader<'_>) -> Result<Option<Self>, EngineError> {
        let within = BlockContext::read(from);
        let tx = Transaction::read(from);
        if !from.0.is_empty() {
            for _ in 0..from.count() {
                override_account(state, from)?;
            }
        }
        let Some(refusal) = refusal_of_call(state, &tx)? else {
            return Ok(Some(Self {
                within,
                tx,
                changed: Vec::new(),
            }));
        };
        let mut out = Vec::new();
        refusal.put(&mut out);
        set_result(out);
        Ok(None)
    }

    /// What it does; the state stays as it was. None: the host ended it.
    pub fn run(self, state: &mut State, machine: &mut Machine) -> Result<Option<ExecutionOutcome>, EngineError> {
        let Self { within, tx, changed } = self;
        let chain_id = within.chain_id;
        machine.set_env(within, Rules::Message);
        let tx = tx.environment(chain_id)?;
        host::begin();
        let done = machine.with_state(state, |machine| machine.transact(tx, &changed));
        if host::was_stopped() {
            return Ok(None);
        }
        done.map(Some).map_err(reason_of)
    }
}

/// State that the caller sets in place of the stored one.
fn override_account(state: &mut State, from: &mut Reader<'_>) -> Result<(), EngineError> {
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
