//! One transaction against the state: the checks before it in prlx's order, then the EVM.
//! Source: go-ethereum 1.10.18 core/state_transition.go (Berlin)

use crate::account::{Account, EMPTY};
use crate::boundary::host;
use crate::codec::Reader;
use crate::error::EngineError;
use crate::machine::{BlockContext, Machine, Rules};
use crate::receipts::{Receipt, Receipts};
use crate::state::State;
use revm::context::TxEnv;
use revm::context::result::{EVMError, ExecutionResult};
use revm::context::transaction::{AccessList, AccessListItem};
use revm::primitives::{Address, B256, Bytes, KECCAK_EMPTY, TxKind, U256};

pub struct Transaction {
    kind: u8,
    sender: Address,
    nonce: u64,
    gas_price: U256,
    gas_limit: u64,
    to: Option<Address>,
    value: U256,
    data: Bytes,
    access_list: Vec<AccessListItem>,
    intrinsic_gas: u64,
}

impl Transaction {
    pub fn read(from: &mut Reader<'_>) -> Self {
        let kind = from.byte();
        let sender = from.address();
        let (nonce, gas_price, gas_limit) = (from.long(), from.word(), from.long());
        let to = (from.byte() == 1).then(|| from.address());
        let (value, data, intrinsic_gas) = (from.word(), Bytes::copy_from_slice(from.blob()), from.long());
        let access_list = (0..from.count())
            .map(|_| AccessListItem {
                address: from.address(),
                storage_keys: (0..from.count()).map(|_| from.hash()).collect(),
            })
            .collect();
        Self {
            kind,
            sender,
            nonce,
            gas_price,
            gas_limit,
            to,
            value,
            data,
            access_list,
            intrinsic_gas,
        }
    }

    /// What its gas costs in advance; 0 if that is more than any balance.
    pub fn fee(&self) -> U256 {
        self.gas_price.checked_mul(U256::from(self.gas_limit)).unwrap_or_default()
    }

    /// Fee and value; None if that is more than any balance.
    fn cost(&self) -> Option<U256> {
        let fee = self.gas_price.checked_mul(U256::from(self.gas_limit))?;
        fee.checked_add(self.value)
    }

    pub fn environment(self, chain_id: u64) -> Result<TxEnv, EngineError> {
        Ok(TxEnv {
            tx_type: self.kind,
            caller: self.sender,
            gas_limit: self.gas_limit,
            gas_price: self
                .gas_price
                .try_into()
                .map_err(|_| EngineError::Unsupported("a gas price of 2^128 or more"))?,
            kind: self.to.map_or(TxKind::Create, TxKind::Call),
            value: self.value,
            data: self.data,
            nonce: self.nonce,
            chain_id: Some(chain_id),
            access_list: AccessList(self.access_list),
            ..Default::default()
        })
    }
}

/// Why prlx rejects a transaction; the host words the reasons, and knows the numbers by their position.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Reason {
    NonceTooHigh = 1,
    NonceTooLow = 2,
    NonceAtEnd = 3,
    NotAnEoa = 4,
    Funds = 5,
    BlockGas = 6,
    IntrinsicGas = 7,
}

/// A rejected transaction, and its sender's account.
pub struct Refusal {
    reason: Reason,
    nonce: u64,
    balance: U256,
    code_hash: B256,
}

impl Refusal {
    fn new(reason: Reason, account: &Account) -> Self {
        Self {
            reason,
            nonce: account.nonce,
            balance: account.balance,
            code_hash: account.code_hash,
        }
    }

    pub fn put(&self, out: &mut Vec<u8>) {
        out.push(self.reason as u8);
        out.extend_from_slice(&self.nonce.to_be_bytes());
        out.extend_from_slice(&self.balance.to_be_bytes::<32>());
        out.extend_from_slice(self.code_hash.as_slice());
    }
}

/// How a list of transactions ended.
pub enum Outcome {
    Applied,
    Refused(Refusal),
    Interrupted,
}

/// Applies transactions one after another until one is refused; the ones before it stay applied. A watched list asks the
/// host now and then whether to continue.
pub fn apply(
    state: &mut State,
    (within, is_watched): (&BlockContext, bool),
    receipts: &mut Receipts,
    list: Reader<'_>,
) -> Result<Outcome, EngineError> {
    host::begin();
    let mut machine = Machine::new(is_watched);
    machine.set_env(within.clone(), Rules::Block);
    machine.with_state(state, |machine| apply_all(machine, within, receipts, list))
}

fn apply_all(
    machine: &mut Machine,
    within: &BlockContext,
    receipts: &mut Receipts,
    mut list: Reader<'_>,
) -> Result<Outcome, EngineError> {
    while !list.0.is_empty() {
        let tx = Transaction::read(&mut list);
        let gas_left = within.block.gas_limit - receipts.gas_used;
        if let Some(refusal) = check(machine.state(), &tx, gas_left)? {
            return Ok(Outcome::Refused(refusal));
        }
        let kind = tx.kind;
        let contract = tx.to.is_none().then(|| tx.sender.create(tx.nonce));
        let environment = tx.environment(within.chain_id)?;
        let done = machine.transact(environment, &[]);
        if host::was_stopped() {
            return Ok(Outcome::Interrupted);
        }
        let done = done.map_err(reason_of)?;
        machine.state().commit(done.state)?;
        let gas_used = done.result.tx_gas_used();
        let has_succeeded = done.result.is_success();
        let logs = match &done.result {
            ExecutionResult::Success { logs, .. } => logs.as_slice(),
            _ => &[],
        };
        receipts.add(&Receipt {
            kind,
            has_succeeded,
            gas_used,
            contract,
            logs,
        });
    }
    Ok(Outcome::Applied)
}

pub fn reason_of<T: core::fmt::Debug>(error: EVMError<EngineError, T>) -> EngineError {
    match error {
        EVMError::Database(reason) => reason,
        other => EngineError::Disagreed(format!("{other:?}")),
    }
}

/// The checks before a call, which has no nonce of its own.
pub fn refusal_of_call(state: &mut State, tx: &Transaction) -> Result<Option<Refusal>, EngineError> {
    let account = state.account(tx.sender)?.unwrap_or(EMPTY);
    let reason = if tx.cost().is_none_or(|cost| account.balance < cost) {
        Reason::Funds
    } else if tx.gas_limit < tx.intrinsic_gas {
        Reason::IntrinsicGas
    } else {
        return Ok(None);
    };
    Ok(Some(Refusal::new(reason, &account)))
}

fn check(state: &mut State, tx: &Transaction, gas_left: u64) -> Result<Option<Refusal>, EngineError> {
    let account = state.account(tx.sender)?.unwrap_or(EMPTY);
    let reason = if tx.nonce > account.nonce {
        Reason::NonceTooHigh
    } else if tx.nonce < account.nonce {
        Reason::NonceTooLow
    } else if account.nonce == u64::MAX {
        Reason::NonceAtEnd
    } else if account.code_hash != KECCAK_EMPTY {
        Reason::NotAnEoa
    } else if tx.cost().is_none_or(|cost| account.balance < cost) {
        Reason::Funds
    } else if gas_left < tx.gas_limit {
        Reason::BlockGas
    } else if tx.gas_limit < tx.intrinsic_gas {
        Reason::IntrinsicGas
    } else {
        return Ok(None);
    };
    Ok(Some(Refusal::new(reason, &account)))
}
